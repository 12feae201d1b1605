// Styles of the numbers of a figure: its read-out, one table a series, as many beside one another as there
// is room for.

import { css, unsafeCSS } from 'lit';
import { isNarrow, isTight } from './text-size.js';

/** Shows a number a series, the first, in one line with its name. @param {string} selector  of the figure */
const inLines = (selector) => {
  const readout = unsafeCSS(`${selector} .readout`);
  return css`
    ${readout} :is(table.further, tr + tr, thead, .formula, td:not(.measured)) {
      display: none;
    }
    ${readout} {
      grid-template-columns: 100%;
      gap: 0;
    }
    ${readout} table:not(.further) {
      display: flex;
      flex-wrap: wrap;
      align-items: center;
      justify-content: space-between;
      border-top: 1px solid var(--faint);
    }
    ${readout} tbody {
      margin-inline-start: auto;
    }
    ${readout} tbody tr {
      border: 0;
    }
  `;
};

export const readoutStyles = css`
  .readout {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(min(100%, calc(268 * var(--px))), 1fr));
    gap: 12px 32px;
    margin-top: 12px;
  }
  .readout:has(> :nth-child(4)) {
    grid-template-columns: repeat(
      auto-fit,
      minmax(min(100%, calc(320 * var(--px))), 1fr)
    ); /* two by two */
  }
  .compact .readout {
    grid-template-columns: repeat(auto-fit, minmax(min(100%, calc(200 * var(--px))), 1fr));
  }
  .readout > * {
    min-width: 0;
  }
  .readout table {
    width: 100%;
    border-collapse: collapse;
    font-size: calc(14 * var(--px));
    height: max-content;
  }
  .readout caption {
    text-align: start;
    padding-bottom: 2px;
  }
  .readout tbody th {
    text-wrap: balance;
  }
  .readout tbody tr {
    border-top: 1px solid var(--faint);
  }
  .readout th {
    padding: 3px 0;
    font-weight: 400;
    text-align: start;
  }
  .readout td,
  .readout thead th {
    padding: 3px 0 3px 10px;
    text-align: end;
    white-space: nowrap;
  }
  .readout thead th {
    color: var(--muted);
    font-size: calc(12.5 * var(--px));
    line-height: 1.2;
    vertical-align: bottom;
    white-space: normal;
  }
  .readout td.measured {
    font-weight: 600;
  }
  .readout td.error {
    color: var(--muted);
  }
  ${inLines('.beside')}
  @container attn ${isTight} {
    .readout :is(table, caption, thead, tbody) {
      display: block;
    }
    .readout tr {
      display: flex;
      flex-wrap: wrap;
      justify-content: space-between;
    }
    .readout tbody th {
      flex-basis: 100%;
    }
    .readout thead td {
      display: none;
    }
  }

  .fold {
    display: none;
  }
  /* A narrow figure shows a number a series, the first, and unfolds the others, its notes, links and files. */
  @media screen and (scripting: enabled) {
    @container attn ${isNarrow} {
      .fold {
        display: block;
        margin-top: 10px;
        color: var(--muted);
        font-size: calc(13.5 * var(--px));
      }
      .folded :is(.note:not([part]), .actions) {
        display: none;
      }
      ${inLines('.folded')}
    }
  }
`;

// Styles of the read-out: one table a series, as many beside one another as there is room for.

import { css } from 'lit';

export const readoutStyles = css`
  .readout {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(min(100%, 268px), 1fr));
    gap: 12px 32px;
    margin-top: 12px;
  }
  .readout:has(> :nth-child(4)) {
    grid-template-columns: repeat(auto-fit, minmax(min(100%, 320px), 1fr)); /* two by two */
  }
  .compact .readout {
    grid-template-columns: repeat(auto-fit, minmax(min(100%, 200px), 1fr));
  }
  .readout > * {
    min-width: 0;
  }
  .readout table {
    width: 100%;
    border-collapse: collapse;
    font-size: 14px;
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
    font-size: 12.5px;
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
`;

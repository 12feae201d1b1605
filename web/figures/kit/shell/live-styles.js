// Styles of what only a live figure shows: marks over the plot, a run, a message, what is shared, the table of
// data. A page that comes with its figures drawn leaves them out.

import { css } from 'lit';

export const liveStyles = css`
  .overlay {
    position: absolute;
    top: 0;
    left: 0;
    transform-origin: 0 0;
  }
  .dim {
    opacity: 0.4;
  }
  @media (prefers-reduced-motion: no-preference) {
    .plot [data-series] {
      transition: opacity 120ms;
    }
  }

  progress {
    flex: 1 1 160px;
    max-width: 320px;
    height: 10px;
    accent-color: var(--scaledText);
  }
  .message {
    margin-top: 10px;
    padding-inline-start: 12px;
    border-inline-start: 3px solid var(--unscaled);
  }
  .shared {
    display: grid;
    gap: 6px;
    margin-top: 8px;
    font-size: calc(13.5 * var(--px));
  }
  .shared textarea {
    width: 100%;
    font:
      calc(13 * var(--px)) / 1.4 ui-monospace,
      'SF Mono',
      Menlo,
      Consolas,
      monospace;
  }
  .data {
    max-height: 22em;
    margin-top: 10px;
    overflow: auto;
  }
  .data table {
    border-collapse: collapse;
    font-size: calc(13 * var(--px));
    margin-bottom: 12px;
  }
  .data caption {
    padding: 4px 0;
    font-weight: 600;
    text-align: start;
  }
  .data th,
  .data td {
    padding: 2px 14px 2px 0;
    text-align: end;
    white-space: nowrap;
  }
  .data thead th {
    border-bottom: 1px solid var(--muted);
  }
  .data th {
    font-weight: 400;
  }
  .data th:first-child {
    text-align: start;
  }
  @media print {
    .data {
      max-height: none;
      overflow: visible;
    }
    .data tr {
      break-inside: avoid;
    }
  }
`;

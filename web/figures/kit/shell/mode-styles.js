// Styles of the elements for fingers and for paper.

import { css } from 'lit';

export const modeStyles = css`
  @media (pointer: coarse) {
    button,
    select,
    input,
    summary {
      min-width: 44px;
      min-height: 44px !important; /* of every kind of input */
    }
    .options label {
      min-height: 44px;
    }
    summary {
      align-content: center;
    }
    .actions {
      gap: 8px;
    }
  }
  @media print {
    .controls,
    .lead button,
    .run,
    .actions,
    .turns,
    .message button,
    .shared {
      display: none;
    }
    .title,
    .plot > svg,
    .readout table,
    figcaption {
      break-inside: avoid;
    }
    .title,
    .plot + .readout {
      break-after: avoid;
    }
    /* Panels drawn for a narrow screen stand side by side where the column on paper has room. */
    @container attn (min-width: 640px) {
      .plot.stacked > svg {
        width: 48%;
      }
    }
  }
`;

// Styles of the elements for fingers and for paper.

import { css, unsafeCSS } from 'lit';
import { light } from '../chart/palette.js';

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
    .message button,
    .shared,
    .on-screen {
      display: none;
    }
    /* Paper is white also where the page is dark and its background is printed. */
    :host {
      --attn-ink: ${unsafeCSS(light.ink)} !important;
      --attn-muted: ${unsafeCSS(light.muted)} !important;
      --attn-faint: ${unsafeCSS(light.faint)} !important;
      --attn-paper: ${unsafeCSS(light.paper)} !important;
    }
    figure,
    .rest {
      color-scheme: light;
      background: var(--paper);
    }
    .turns {
      display: none !important; /* also in a narrow figure, whose rule comes later */
    }
    .title,
    .plot > svg,
    .plot ::slotted(*),
    .readout > *,
    figcaption {
      break-inside: avoid;
    }
    .title,
    .lead {
      break-after: avoid;
    }
    /* Room is kept for what may still come; nothing comes on paper. */
    .waiting,
    .waiting .title {
      min-height: 0 !important;
    }
    .plot.empty {
      height: auto !important;
    }
    /* A picture of many panels in a narrow column is higher than paper, which would cut it; a canvas over a picture
       has the size that it has on the screen. */
    .plot:not(:has(canvas)) > svg {
      max-height: 80vh;
    }
    /* Panels drawn for a narrow screen stand side by side where the column on paper has room. */
    @container attn (min-width: 640px) {
      .plot.stacked > svg {
        width: 48%;
      }
    }
  }
`;

// The main control of a narrow figure, or the way through its steps, stays in view while its panels
// scroll past.

import { css } from 'lit';
import { composedParent } from '../state/language.js';
import { isNarrow } from './text-size.js';

/** The least height of the box that scrolls, in pixels: six times that of a control. */
const LEAST_HEIGHT = 288;

/**
 * Returns whether a control would leave room for panels in the box that scrolls a figure, and the page
 * allows it: `--attn-top: none` does not.
 * @param {Element} figure
 */
export function mayStay(figure) {
  const { defaultView: window, body } = figure.ownerDocument;
  if (!window) return false;
  const top = window.getComputedStyle(figure).getPropertyValue('--attn-top');
  if (top.trim() === 'none') return false;
  let at = composedParent(figure);
  while (at && at !== body) {
    const { overflowX, overflowY } = window.getComputedStyle(at);
    if (/auto|scroll/.test(overflowX + overflowY)) {
      return at.clientHeight >= LEAST_HEIGHT && at.clientWidth >= figure.clientWidth;
    }
    at = composedParent(at);
  }
  return window.innerHeight >= LEAST_HEIGHT;
}

export const stayingStyles = css`
  @container attn ${isNarrow} {
    .controls {
      display: contents; /* or the main control could not leave it */
    }
    .controls > * {
      margin-top: 8px;
    }
    .controls > .main {
      margin-top: 6px;
      padding-block: 4px;
    }
    .controls > .main + * {
      margin-top: 4px;
    }
    .stays {
      position: sticky;
      top: var(--attn-top, 0px);
      z-index: 2;
      background: var(--paper);
    }
  }
`;

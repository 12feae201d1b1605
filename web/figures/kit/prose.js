// Text with `d_k`-like symbols, as HTML.

import { html } from 'lit';

/** @param {string} text */
const symbols = (text) =>
  text
    .split(/(\b[a-zA-Z]_[a-z]\b)/)
    .map((part) =>
      /^[a-zA-Z]_[a-z]$/.test(part) ? html`<i>${part[0]}</i><sub>${part[2]}</sub>` : part,
    );

/**
 * @param {string} text
 * @returns {unknown[]} for a lit template: the letter in italics, its index as a subscript
 */
export const prose = (text) =>
  text
    .split(/([\w/√()·²*]*\b[a-zA-Z]_[a-z]\b[)]*)/)
    .map((part) =>
      part.includes('_') ? html`<span class="nowrap">${symbols(part)}</span>` : part,
    );

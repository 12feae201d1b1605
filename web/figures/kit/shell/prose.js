// Text with `d_k`-like symbols, as HTML.

import { html } from 'lit';
import { SYMBOL } from '../chart/chart.js';

/** A formula around a symbol stays on one line, and so do 1/√d and 1/Σp². */
const FORMULA = new RegExp(
  `([\\w/√()·²*]*${SYMBOL.source.slice(1, -1)}[)]*(?: = [\\d.]+)?|1/[√Σ]?[\\w²]+)`,
);

/** Sets a letter and its index; the sign between them is for the clipboard alone. @param {string} symbol */
const symbolOf = ([letter, sign, ...index]) =>
  html`<i>${letter}<span aria-hidden="true">${sign}</span><sub>${index.join('')}</sub></i>`;

/** Sentences that speak of something to press, which paper does not have. */
const OF_BUTTONS = /((?:[^.。]|\.\d)*(?:\b(?:button|[Pp]ress)\b|按钮|点击)(?:[^.。]|\.\d)*[.。]?)/;

/** Returns a note or a caption for a lit template, with what only a screen shows marked. @param {string} text */
export const note = (text) =>
  text
    .split(OF_BUTTONS)
    .map((part, index) =>
      index % 2 === 1 ? html`<span class="on-screen">${prose(part)}</span>` : prose(part),
    );

/** Splits a text into words and symbols. @param {string} text */
const symbols = (text) =>
  text.split(SYMBOL).map((part, index) => (index % 2 === 1 ? symbolOf(part) : part));

/** Returns a text for a lit template, the letters of its symbols and their indices in italics as in charts. @param {string} text */
export const prose = (text) =>
  text
    .split(FORMULA)
    .map((part, index) =>
      index % 2 === 1 ? html`<span class="nowrap">${symbols(part)}</span>` : part,
    );

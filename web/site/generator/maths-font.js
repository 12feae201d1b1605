// Build step: the fonts of formulas as parts of a style sheet, so that they are there before anything is drawn.
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { MATHS_FONT } from '../../build/paths.js';
import SIGNS from '../../figures/kit/shell/signs-font.js';

const asUrl = (/** @type {string} */ base64) => `url(data:font/woff2;base64,${base64})`;

/**
 * Returns a style sheet with the maths font in place of its address, and with the face that figures would else add,
 * which moves the line of a title.
 * @param {string} css
 */
export async function withMathsFont(css) {
  const named = new RegExp(`url\\([^)]*${basename(MATHS_FONT, '.woff2')}[^)]*\\)`);
  if (!named.test(css)) throw new Error('the style sheet names no maths font');
  const font = (await readFile(MATHS_FONT)).toString('base64');
  const signs = `@font-face{font-family:'attention signs';src:${asUrl(SIGNS)};font-display:block}`;
  return signs + css.replace(named, asUrl(font));
}

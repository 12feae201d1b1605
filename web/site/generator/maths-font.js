// Build step: the maths font as a part of a style sheet.
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { MATHS_FONT } from '../../build/paths.js';

/**
 * Returns a style sheet with the font in place of its address.
 * @param {string} css
 */
export async function withMathsFont(css) {
  const named = new RegExp(`url\\([^)]*${basename(MATHS_FONT, '.woff2')}[^)]*\\)`);
  if (!named.test(css)) throw new Error('the style sheet names no maths font');
  const font = (await readFile(MATHS_FONT)).toString('base64');
  return css.replace(named, `url(data:font/woff2;base64,${font})`);
}

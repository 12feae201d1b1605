// Build step: figures in the text of a page.
import { figures } from './figures.js';
import { FRAME_STYLE, prerender } from './prerender.js';

/** @import { Page } from './prose.js' */

/**
 * Returns a picture as an address, a fifth shorter than in base64: single quotes and angle brackets stay as they
 * are, and what the picture says of itself is left to the alternative text.
 * @param {string} svg
 */
export const addressOfPicture = (svg) =>
  `data:image/svg+xml,${svg
    .replace(/<(title|desc)\b.*?<\/\1>/gs, '')
    .replace(/="([^"']*)"/g, "='$1'")
    .replace(/[%#&"{}\n]/g, encodeURIComponent)}`;

/** Returns the property of an attribute. @param {string} attribute */
const propertyName = (attribute) => attribute.replace(/-(.)/g, (_, letter) => letter.toUpperCase());

/**
 * Returns a figure as it will look. Its pictures are files, except in the document of one file, which has the wide
 * ones alone, without their frames: 32 of them would be a sixth of it, and its script, which is in it, makes them before
 * anybody has scrolled that far.
 * @param {string} name
 * @param {string} attributes like `d-k=64 keys=64`
 * @param {Page} page
 * @param {(file: string, svg: string) => void} keep receives the files
 */
export function renderFigure(name, attributes, { lang, isFile, up }, keep) {
  const figure = figures.find((each) => each.name === name);
  if (!figure) throw new Error(`there is no figure ${name}`);
  const values = attributes
    .split(' ')
    .filter(Boolean)
    .map((each) => each.split('='));
  const state = Object.fromEntries(values.map(([key, value]) => [propertyName(key), value]));
  const addressOf = (/** @type {string} */ file, /** @type {string} */ svg) => {
    if (isFile) return file.endsWith('narrow.svg') ? '' : addressOfPicture(svg);
    keep(file, svg);
    return up + file;
  };
  const content = prerender(figure, lang, state, {
    keep: addressOf,
    frameStyle: isFile ? undefined : up + FRAME_STYLE.file,
  });
  const written = values.map(([key, value]) => ` ${key}="${value}"`).join('');
  return `<attn-${name}${written}>${content}</attn-${name}>`;
}

// Colours of the drawings. The data pair keeps at least 3:1 against white and against near-black,
// the text variants 4.5:1; the live palette defers to custom properties, so that pages can theme it.

import { keysOf, recordOf } from '../../../shared/keys.js';
import { attributeName } from '../state/state.js';

/**
 * @typedef {object} Palette
 * @property {string} ink     text
 * @property {string} muted   axis names, ticks, annotations
 * @property {string} faint   grid
 * @property {string} paper   behind labels
 * @property {string} scaled  series with the scale
 * @property {string} scaledText  labels of that series
 * @property {string} unscaled  series without the scale
 * @property {string} unscaledText  labels of that series
 * @property {string} third   a further series
 * @property {string} thirdText  labels of that series
 * @property {string} folk    the claim as commonly made
 * @property {string} folkText  labels of that claim
 * @property {string} font    font family of all text
 */

/** Letters of formulas, in pictures and in the words around them. */
export const SERIF = "Georgia, 'Times New Roman', serif";

/** First the few signs of formulas that the kit brings along (kit/shell/signs.js). */
const FONT =
  "'attention signs', system-ui, 'Segoe UI', Roboto, 'Noto Sans', 'PingFang SC', 'Microsoft YaHei', sans-serif";

/** @type {Palette} */
export const light = {
  ink: '#1c1c1e',
  muted: '#5e5e64',
  faint: '#e3e3e6',
  paper: '#ffffff',
  scaled: '#0877bd',
  scaledText: '#0768a6',
  unscaled: '#d9760f',
  unscaledText: '#a35306',
  third: '#55555c',
  thirdText: '#1c1c1e',
  folk: '#8a8a90',
  folkText: '#5e5e64',
  font: FONT,
};

/** @type {Palette} */
export const dark = {
  ink: '#e8e8ea',
  muted: '#a9a9b0',
  faint: '#34343a',
  paper: '#141416',
  scaled: '#3b9fe0',
  scaledText: '#62b5ec',
  unscaled: '#f59322',
  unscaledText: '#f7a544',
  third: '#b9b9c0',
  thirdText: '#e8e8ea',
  folk: '#85858c',
  folkText: '#a9a9b0',
  font: FONT,
};

/** Returns the custom property of a colour: `--attn-scaled-text` of `scaledText`. @param {string} key */
export const property = (key) => `--attn-${attributeName(key)}`;

/**
 * The colours that a label takes where the page sets none for it: first that of its series.
 * @type {Partial<Record<string, readonly (keyof Palette)[]>>}
 */
const INHERITED = {
  scaledText: ['scaled'],
  unscaledText: ['unscaled'],
  thirdText: ['third', 'ink'],
  folkText: ['folk', 'muted'],
};

/**
 * Returns a colour that the page's custom properties override.
 * @param {keyof Palette} key
 * @param {string} colour  where the page sets none
 */
export const themed = (key, colour) =>
  [key, ...(INHERITED[key] ?? [])].reduceRight(
    (otherwise, each) => `var(${property(each)}, ${otherwise})`,
    colour,
  );

/**
 * Reads the page's custom properties; where none is set, follows the page's colour scheme. An engine
 * without light-dark() drops the value, so the colour of the text around it is inherited.
 */
export const live = recordOf(keysOf(light), (key) =>
  themed(key, light[key] === dark[key] ? light[key] : `light-dark(${light[key]}, ${dark[key]})`),
);

/** The custom properties that styles.js sets inside an element. */
export const own = recordOf(keysOf(light), (key) => `var(--${key})`);

export const palettes = { live, light, dark };

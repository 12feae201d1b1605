// The looks of series: colour and shape together, the same in every figure.

/** @import { Palette } from './palette.js' */

/** @typedef {'circle' | 'diamond' | 'square' | 'triangle'} Marker */

/**
 * The look of a series, the same in every figure. Its key links chart and read-out: what has it is
 * highlighted together.
 * @template {string} [Key=string]
 * @typedef {{ key: Key, colour: string, textColour: string, marker: Marker }} Look
 */

/** @typedef {<Key extends string>(palette: Palette, key: Key) => Look<Key>} LookOf */

/** Returns the look of the series with the scale, or of the recommended one. @type {LookOf} */
export const blueLook = ({ scaled, scaledText }, key) => ({
  key,
  colour: scaled,
  textColour: scaledText,
  marker: 'circle',
});

/** Returns the look of the series to compare it with. @type {LookOf} */
export const orangeLook = ({ unscaled, unscaledText }, key) => ({
  key,
  colour: unscaled,
  textColour: unscaledText,
  marker: 'diamond',
});

/** Returns the look of a third series. @type {LookOf} */
export const greyLook = ({ third, thirdText }, key) => ({
  key,
  colour: third,
  textColour: thirdText,
  marker: 'square',
});

/**
 * Returns the look of a scale, by its key or its name.
 * @template {string} Key
 * @param {Palette} palette
 * @param {Key} key
 * @returns {Look<Key>}
 */
export function scaleLook(palette, key) {
  if (key === 'sqrt' || key === '1/√d') return blueLook(palette, key);
  return key === 'none' ? orangeLook(palette, key) : greyLook(palette, key);
}

/** Returns the look of the claim as commonly made. @param {Palette} palette @returns {Look<'folk'>} */
export const folkLook = (palette) => ({
  key: 'folk',
  colour: palette.folk,
  textColour: palette.folkText,
  marker: 'square',
});

// The looks of series: colour and shape together, the same in every figure.

/**
 * @import { Series } from './chart.js'
 * @import { Palette } from './palette.js'
 */

/**
 * Returns the look of the series with the scale, or of the recommended one.
 * @template {string} Key
 * @param {Palette} palette
 * @param {Key} key
 * @returns {Series<Key>}
 */
export const blueSeries = ({ scaled, scaledText }, key) => ({
  key,
  colour: scaled,
  textColour: scaledText,
  marker: 'circle',
});

/**
 * Returns the look of the series to compare it with.
 * @template {string} Key
 * @param {Palette} palette
 * @param {Key} key
 * @returns {Series<Key>}
 */
export const orangeSeries = ({ unscaled, unscaledText }, key) => ({
  key,
  colour: unscaled,
  textColour: unscaledText,
  marker: 'diamond',
});

/**
 * Returns the look of a third series.
 * @template {string} Key
 * @param {Palette} palette
 * @param {Key} key
 * @returns {Series<Key>}
 */
export const greySeries = ({ third, thirdText }, key) => ({
  key,
  colour: third,
  textColour: thirdText,
  marker: 'square',
});

/**
 * Returns the look of the claim as commonly made.
 * @param {Palette} palette
 * @returns {Series<'folk'>}
 */
export const folkSeries = (palette) => ({
  key: 'folk',
  colour: palette.folk,
  textColour: palette.folkText,
  marker: 'square',
});

/** The scales of scores that depend on d_k alone, once for every room. */

/**
 * @typedef {'none' | 'sqrt' | 'half-sqrt' | 'linear'} DkScaleKey in attributes, links and recorded files
 * @typedef {'none' | '1/√d' | '1/(2√d)' | '1/d'} DkScaleName in the options and rows of the experiments
 * @typedef {{ key: DkScaleKey, name: DkScaleName, factor: (d: number) => number }} DkScale
 */

/** @type {readonly DkScale[]} */
export const DK_SCALES = Object.freeze([
  { key: 'none', name: 'none', factor: () => 1 },
  { key: 'sqrt', name: '1/√d', factor: (d) => 1 / Math.sqrt(d) },
  { key: 'half-sqrt', name: '1/(2√d)', factor: (d) => 1 / (2 * Math.sqrt(d)) },
  { key: 'linear', name: '1/d', factor: (d) => 1 / d },
]);

/** Returns the scale of a key or a name. @param {DkScaleKey | DkScaleName} called */
export const dkScale = (called) =>
  /** @type {DkScale} */ (DK_SCALES.find(({ key, name }) => key === called || name === called));

/**
 * The scales of scores that depend on d_k alone, once for every room: `key` in attributes, links and recorded
 * files, `name` in the options and rows of the experiments.
 */
export const DK_SCALES = Object.freeze(
  /** @type {const} */ ([
    { key: 'none', name: 'none', factor: () => 1 },
    { key: 'sqrt', name: '1/√d', factor: (/** @type {number} */ d) => 1 / Math.sqrt(d) },
    {
      key: 'half-sqrt',
      name: '1/(2√d)',
      factor: (/** @type {number} */ d) => 1 / (2 * Math.sqrt(d)),
    },
    { key: 'linear', name: '1/d', factor: (/** @type {number} */ d) => 1 / d },
  ]),
);

/**
 * @typedef {typeof DK_SCALES[number]} DkScale
 * @typedef {DkScale['key']} DkScaleKey
 * @typedef {DkScale['name']} DkScaleName
 */

/** Returns the scale of a key or a name. @param {DkScaleKey | DkScaleName} called */
export const dkScale = (called) =>
  /** @type {DkScale} */ (DK_SCALES.find(({ key, name }) => key === called || name === called));

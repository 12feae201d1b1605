// Mappings of a chart, from data units to pixels. There are two, with two ends each; a library of
// scales would be most of a reader's download.

/**
 * @typedef {readonly [number, number]} Ends
 * @typedef {((value: number) => number) & { domain: () => Ends, invert: (pixel: number) => number }} Mapping
 */

/**
 * Makes a mapping.
 * @param {Ends} domain
 * @param {Ends} range
 * @param {(value: number) => number} forward  makes the domain even
 * @param {(value: number) => number} back  undoes it
 * @returns {Mapping}
 */
function mappingOf(domain, [from, to], forward, back) {
  const first = forward(domain[0]);
  const span = forward(domain[1]) - first;
  const map = (/** @type {number} */ value) =>
    from + ((to - from) * (forward(value) - first)) / span;
  const invert = (/** @type {number} */ pixel) =>
    back(first + (span * (pixel - from)) / (to - from));
  return Object.assign(map, { domain: () => domain, invert });
}

const identity = (/** @type {number} */ value) => value;

/** Maps equal differences to equal distances. @param {Ends} domain  @param {Ends} range */
export const linear = (domain, range) => mappingOf(domain, range, identity, identity);

/** Maps equal ratios to equal distances. @param {Ends} domain  positive  @param {Ends} range */
export const logarithmic = (domain, range) => mappingOf(domain, range, Math.log, Math.exp);

/** Maps values beyond the ends to the ends. @param {Mapping} mapping  @returns {Mapping} */
export function clamped(mapping) {
  const [low, high] = mapping.domain();
  const map = (/** @type {number} */ value) => mapping(Math.min(high, Math.max(low, value)));
  return Object.assign(map, { domain: mapping.domain, invert: mapping.invert });
}

// Scales of a chart: from a domain in data units to a range in pixels. Two of them, of two ends each;
// a library of scales would be most of what a reader downloads.

/**
 * @typedef {readonly [number, number]} Ends
 * @typedef {((value: number) => number) & { domain: () => Ends, invert: (pixel: number) => number }} Scale
 */

/**
 * @param {Ends} domain
 * @param {Ends} range
 * @param {(value: number) => number} forward  makes the domain even
 * @param {(value: number) => number} back  undoes it
 * @returns {Scale}
 */
function scaleOf(domain, [from, to], forward, back) {
  const first = forward(domain[0]);
  const span = forward(domain[1]) - first;
  const scale = (/** @type {number} */ value) =>
    from + ((to - from) * (forward(value) - first)) / span;
  const invert = (/** @type {number} */ pixel) =>
    back(first + (span * (pixel - from)) / (to - from));
  return Object.assign(scale, { domain: () => domain, invert });
}

const identity = (/** @type {number} */ value) => value;

/** @param {Ends} domain  @param {Ends} range */
export const scaleLinear = (domain, range) => scaleOf(domain, range, identity, identity);

/** Equal ratios at equal distances. @param {Ends} domain  positive  @param {Ends} range */
export const scaleLog = (domain, range) => scaleOf(domain, range, Math.log, Math.exp);

/** The same, with what lies beyond the ends drawn at the ends. @param {Scale} scale @returns {Scale} */
export function clamped(scale) {
  const [low, high] = scale.domain();
  const inside = (/** @type {number} */ value) => scale(Math.min(high, Math.max(low, value)));
  return Object.assign(inside, { domain: scale.domain, invert: scale.invert });
}

// In the bundles this stands for d3-interpolate. d3-scale would bring all of it, colours included
// (25 kB of text), while the scales of the figures map numbers to numbers.

/** @typedef {(t: number) => number} Interpolator */

/** @type {(a: number, b: number) => Interpolator} */
export const interpolateNumber = (a, b) => (t) => a * (1 - t) + b * t;

/** @type {(a: number, b: number) => Interpolator} */
export const interpolateRound = (a, b) => (t) => Math.round(a * (1 - t) + b * t);

export const interpolate = interpolateNumber;

/** Only scales of colours need it. */
export function piecewise() {
  throw new Error('this bundle has no piecewise interpolation');
}

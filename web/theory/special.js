/**
 * Special functions that the theory needs, in float64 and in log space where sizes demand it:
 * normal density and upper tail, ln Γ, and the modified Bessel function K_ν.
 */

import { times } from '../shared/times.js';

const SQRT_TWO_PI = Math.sqrt(2 * Math.PI);

/** Returns the density of N(0, 1). @param {number} x @returns {number} */
export const normalDensity = (x) => Math.exp(-0.5 * x * x) / SQRT_TWO_PI;

/** Step of the trapezoidal rule in normalTail; its error e^{−π²/step²} is 7e-18. */
const STEP = 0.5;
/** Squares of the nodes (k + ½)·step, and e^{−square}, until it is negligible. */
const SQUARES = times(13, (k) => ((k + 0.5) * STEP) ** 2);
const DECAYS = SQUARES.map((square) => Math.exp(-square));
/** Beyond this x the tail is below the least float64. */
const UNDERFLOW = 39;

/**
 * Returns P(X > x) for X ~ N(0, 1), to a few units in the last place of the result, by the trapezoidal
 * rule for erfc with the contribution of its pole: Chiarella & Reichel, "On the
 * evaluation of integrals related to the error function", 1968; Matta & Reichel, 1971.
 * @param {number} x
 * @returns {number}
 */
export function normalTail(x) {
  if (x < 0) return 1 - normalTail(-x);
  if (x > UNDERFLOW) return 0;
  const z = x / Math.SQRT2;
  let sum = 0;
  for (let k = 0; k < SQUARES.length; k++) sum += DECAYS[k] / (SQUARES[k] + z * z);
  // The contour of integration crosses the pole only for smaller z.
  const pole = z < Math.PI / STEP ? 1 / (1 + Math.exp((2 * Math.PI * z) / STEP)) : 0;
  return ((STEP * z) / Math.PI) * Math.exp(-z * z) * sum + pole;
}

/** From this x on, the first omitted term of Stirling's series is below 1e-17. */
const STIRLING_FROM = 16;

/**
 * Returns ln Γ(x) for x > 0, by Stirling's series after shifting x upwards.
 * @param {number} x
 * @returns {number}
 */
export function logGamma(x) {
  let shift = 0;
  for (; x < STIRLING_FROM; x++) shift += Math.log(x);
  const r = 1 / (x * x);
  const series = 1 / 12 - r * (1 / 360 - r * (1 / 1260 - r * (1 / 1680 - r * (1 / 1188))));
  return (x - 0.5) * Math.log(x) - x + 0.5 * Math.log(2 * Math.PI) + series / x - shift;
}

/** Terms below e^{−40} of the largest are left out. */
const NEGLIGIBLE = 40;

/**
 * Returns ln K_ν(x) for real order ν ≥ 0 and x > 0, also for ν in the thousands.
 * K_ν(x) = ∫₀^∞ e^{−x cosh t} cosh νt dt by the trapezoidal rule, which converges exponentially
 * for this integrand. The step follows the width (ν² + x²)^{−1/4} of its peak at
 * t = asinh(ν/x) and, where the peak is wide, the double-exponential decay on its right.
 * @param {number} nu
 * @param {number} x
 * @returns {number}
 */
export function logBesselK(nu, x) {
  const peak = Math.asinh(nu / x);
  const step = Math.min(0.15, 0.5 / Math.sqrt(Math.hypot(nu, x)));
  const logTerm = (/** @type {number} */ t) =>
    nu * t - x * Math.cosh(t) + Math.log1p(Math.exp(-2 * nu * t)) - Math.LN2;
  const top = Math.round(peak / step);
  const scale = logTerm(top * step);
  let sum = 0;
  const add = (/** @type {number} */ k) => {
    const below = logTerm(k * step) - scale;
    sum += (k === 0 ? 0.5 : 1) * Math.exp(below);
    return below > -NEGLIGIBLE;
  };
  for (let k = top; add(k);) k++;
  for (let k = top - 1; k >= 0 && add(k);) k--;
  return scale + Math.log(sum * step);
}

/**
 * Exact expectations of the softmax of n iid N(0, σ²) scores, for finite n.
 *
 * With x = e^{σg}, g standard normal, Z the sum of n such x, φ(t) = E e^{−tx} and 1/Z = ∫₀^∞ e^{−tZ} dt
 * (for 1/Z², t e^{−tZ}), every expectation is one integral over t. With u = ln t and y = u + σg:
 *
 *   1 − φ      = E w(y),                       w(y) = 1 − e^{−e^y}
 *   E Σp²      = n ∫ E[e^y k(y)] φ^{n−1} du,    k(y) = w'(y) = e^{y − e^y}
 *   E H        = −n ∫ E[(y + γ) k(y)] φ^{n−1} du, the derivative of E Σp^s at s = 1
 *   E ln Z     = −γ − n ∫ u E[k(y)] φ^{n−1} du,  for φⁿ is the chance that ln(−ln U) − ln Z > u
 *   E max p    = n ∫ E[k(y) ψ(u, g)^{n−1}] du,  ψ(u, m) = E[e^{−e^y}; g ≤ m]: all others lie below
 *
 * (γ is Euler's constant.) All integrands are analytic and decay at least exponentially in u, y
 * and g, so the trapezoidal rule converges exponentially (Trefethen & Weideman, "The exponentially
 * convergent trapezoidal rule", 2014). The steps resolve the Gumbel-like edge of φⁿ in u, and in g
 * the kernels, whose width is 1 in y, hence 1/σ in g. No small quantity is computed as a difference
 * from 1: 1 − φ is summed rather than φ, and E H lacks the factor σ² of Gaussian integration by parts.
 */
import { checkRange, checkSizes } from './check.js';
import { recent } from '../shared/recent.js';
import { normalDensity, normalTail } from './special.js';

const EULER = 0.5772156649015329;

/** The time grows like σ; here it is a second or two. */
const LARGEST_SIGMA = 1e5;
/** Normal deviates beyond ±9 have probability 2e-19. */
const FARTHEST = 9;
/** k(y) < 1e-22 above, and below w(y) = e^y < 1e-17. */
const HIGHEST = 4;
const LOWEST = -40;
/** Factors e^{−40} end a sum. */
const NEGLIGIBLE = 40;

/**
 * Steps of the trapezoidal rules, in units of the width that they have to resolve.
 * @typedef {object} Resolution
 * @property {number} outer in u
 * @property {number} inner in y, or g if σ < 1, for 1 − φ and the moments
 * @property {number} order in g, for the largest weight, where partial sums are integrals too; 0 leaves
 *   that weight out
 * @property {number} rest the part of the integral over u that may be left out on its left
 */

/** Relative errors below 1e-9, for the largest weight 1e-7. @type {Resolution} */
const FINE = Object.freeze({ outer: 0.35, inner: 0.3, order: 0.15, rest: 1e-14 });
/** Relative errors below 1e-6, several times faster: for curves. @type {Resolution} */
export const COARSE = Object.freeze({ outer: 0.5, inner: 0.5, order: 0.35, rest: 1e-8 });

/** Returns the steepness, in g, of the edge of the distribution of the largest of n normals. */
const steepness = (/** @type {number} */ n) => Math.sqrt(2 * Math.log(n)) + 1;

/**
 * Returns the values of a function at the points j·step, |j·step| ≤ 9, with index j + reach.
 * @param {(g: number) => number} f
 * @param {number} step
 */
function tabulate(f, step) {
  const reach = Math.ceil(FARTHEST / step);
  const values = new Float64Array(2 * reach + 1);
  for (let i = 0; i < values.length; i++) values[i] = f((i - reach) * step);
  return values;
}

/**
 * Returns the indices [first, last] on a lattice in g between which kernels of y = u + σg matter.
 * @param {number} u
 * @param {number} sigma
 * @param {number} step
 * @param {number} reach
 * @returns {[number, number]}
 */
function lattice(u, sigma, step, reach) {
  // For small σ, 1 − φ needs the whole normal density.
  if (sigma <= 1) return [-reach, reach];
  const index = (/** @type {number} */ y) => Math.round((y - u) / (sigma * step));
  return [index(LOWEST), Math.min(reach, index(HIGHEST))];
}

/**
 * Returns the expectations over g as functions of u.
 * @param {number} sigma
 * @param {Resolution} resolution
 * @returns {(u: number) => { tail: number, any: number, square: number, entropy: number }}
 *   1 − φ, E[k], E[e^y k], −E[(y + γ) k]
 */
function makeKernels(sigma, { inner }) {
  const step = inner / Math.max(1, sigma);
  const density = tabulate(normalDensity, step);
  const upper = tabulate(normalTail, step);
  const reach = (density.length - 1) / 2;
  return (u) => {
    const [first, last] = lattice(u, sigma, step, reach);
    let tail = 0;
    let any = 0;
    let square = 0;
    let entropy = 0;
    // Farther left the density is 0 and the upper tail 1.
    const ratio = Math.exp(sigma * step);
    let e = Math.exp(u + sigma * first * step);
    for (let j = first; j < -reach; j++, e *= ratio) tail += sigma * e * Math.exp(-e);
    for (let j = Math.max(first, -reach); j <= last; j++, e *= ratio) {
      const y = u + sigma * j * step;
      const k = e * Math.exp(-e);
      const mass = density[j + reach];
      // The narrower integrand: E w(y), or by parts E Q((y − u)/σ) with y of density k.
      tail += sigma <= 1 ? -mass * Math.expm1(-e) : sigma * upper[j + reach] * k;
      any += mass * k;
      square += mass * e * k;
      entropy -= mass * (y + EULER) * k;
    }
    return { tail: tail * step, any: any * step, square: square * step, entropy: entropy * step };
  };
}

/**
 * Returns the integrand of E max p over g, as a function of u and of 1 − φ(u).
 * ψ(u, m) = φ − T(m), where T(m) = ∫_m^∞ f dg, f = density(g)·e^{−e^y}, is summed from above with the
 * Euler–Maclaurin correction T = sum + h²/12 f′ − h⁴/720 f‴ at its lower end.
 * @param {number} n
 * @param {number} sigma
 * @param {Resolution} resolution
 * @returns {(u: number, tail: number) => number} E[k(y) ψ(u, g)^{n−1}]
 */
function makeLargest(n, sigma, { order }) {
  const step = order / Math.max(1, sigma, order * 2 * steepness(n));
  const density = tabulate(normalDensity, step);
  const reach = (density.length - 1) / 2;
  const ratio = Math.exp(-sigma * step);
  // A higher score has a probability of 1e-10.
  const highest = Math.min(reach, Math.ceil(Math.sqrt(2 * (Math.log(n) + 21)) / step));
  return (u, tail) => {
    const [first, last] = lattice(u, sigma, step, reach);
    const top = Math.min(last, highest);
    let e = Math.exp(u + sigma * top * step);
    let above = 0;
    let sum = 0;
    for (let j = top; j >= Math.max(first, -reach); j--, e *= ratio) {
      const g = j * step;
      const survival = Math.exp(-e);
      const mass = density[j + reach] * step;
      const half = 0.5 * mass * survival;
      const missing = tail + above + half + mass * survival * endCorrection(g, e, sigma, step);
      above += 2 * half;
      const exponent = (n - 1) * Math.log1p(-Math.min(1, missing));
      if (exponent < -NEGLIGIBLE) break;
      sum += mass * e * survival * Math.exp(exponent);
    }
    return sum;
  };
}

/**
 * Returns (h²/12 f′ − h⁴/720 f‴) / (h f) for f = density(g)·e^{−e}, e = e^{u + σg}; with a = σe the
 * derivatives of ln f are −g − a, −1 − σa, −σ²a.
 * @param {number} g
 * @param {number} e
 * @param {number} sigma
 * @param {number} h
 */
function endCorrection(g, e, sigma, h) {
  const a = sigma * e;
  const first = -g - a;
  const second = -1 - sigma * a;
  const third = first * (first * first + 3 * second) - sigma * sigma * a;
  return (h / 12) * (first - ((h * h) / 60) * third);
}

/**
 * Walks leftwards over u = i·step, from where φ^{n−1} is negligible to where n·(1 − φ) is.
 * @template {{ tail: number }} At
 * @param {number} n
 * @param {number} sigma
 * @param {(i: number) => At} at
 * @param {Resolution} resolution
 * @param {number} step
 * @param {(at: At, u: number, others: number) => void} visit receives φ^{n−1} as `others`
 */
function walk(n, sigma, at, { rest }, step, visit) {
  // φ is at most P(g < (HIGHEST − u)/σ), and P(g < −v) < e^{−v²/2}.
  const rightmost = HIGHEST + sigma * Math.sqrt((2 * NEGLIGIBLE) / (n - 1));
  for (let i = Math.ceil(rightmost / step); ; i--) {
    const here = at(i);
    if (n * here.tail < rest) break;
    const exponent = (n - 1) * Math.log1p(-Math.min(1, here.tail));
    if (exponent > -NEGLIGIBLE) visit(here, i * step, Math.exp(exponent));
  }
}

/** The expectations over g are remembered for this many σ; a figure uses about 70. */
const KEPT = 128;
/**
 * The expectations by i.
 * @type {(sigma: number, inner: number, step: number) => ReturnType<ReturnType<typeof makeKernels>>[]}
 */
const pointsOf = recent(KEPT, () => []);

/**
 * @typedef {object} SoftmaxMoments
 * @property {number} maxWeight E max p, 1/n … 1
 * @property {number} entropy E H in nats, 0 … ln n
 * @property {number} sumOfSquares E Σp², 1/n … 1
 * @property {number} logSumExp E ln Z
 */

/**
 * Returns all expectations.
 * @param {number} n number of scores, a positive integer (checked to 65536)
 * @param {number} sigma their standard deviation, 0 … 10⁵
 * @param {Resolution} [resolution] FINE
 * @returns {SoftmaxMoments}
 * @throws {DTypeError} if n is not a positive integer, or σ is out of its range
 */
export const softmaxMoments = (n, sigma, resolution = FINE) =>
  momentsFor('softmaxMoments', n, sigma, resolution);

/**
 * Returns all expectations for a function of another name.
 * @param {string} caller
 * @param {number} n
 * @param {number} sigma
 * @param {Resolution} [resolution]
 * @returns {SoftmaxMoments}
 */
function momentsFor(caller, n, sigma, resolution = FINE) {
  checkSizes(caller, { n });
  checkRange(caller, { sigma }, 0, LARGEST_SIGMA);
  if (n === 1) return { maxWeight: 1, entropy: 0, sumOfSquares: 1, logSumExp: 0 };
  // All n up to the next power of 2 have the same step, and share the expectations over g.
  const step = resolution.outer * Math.max(1, sigma / steepness(2 ** Math.ceil(Math.log2(n))));
  const points = pointsOf(sigma, resolution.inner, step);
  /** @type {ReturnType<typeof makeKernels>} */
  let kernels;
  const at = (/** @type {number} */ i) =>
    (points[i] ??= (kernels ??= makeKernels(sigma, resolution))(i * step));
  const largest = resolution.order ? makeLargest(n, sigma, resolution) : () => NaN;
  const moments = { maxWeight: 0, entropy: 0, sumOfSquares: 0, logSumExp: -EULER };
  const factor = n * step;
  walk(n, sigma, at, resolution, step, (at, u, others) => {
    moments.maxWeight += factor * largest(u, at.tail);
    moments.logSumExp -= factor * u * at.any * others;
    moments.entropy += factor * at.entropy * others;
    moments.sumOfSquares += factor * at.square * others;
  });
  return moments;
}

/**
 * Returns E H, the expected entropy of the weights in nats: ln n − σ²/2 for small σ.
 * @param {number} n
 * @param {number} sigma
 * @returns {number}
 */
export const expectedEntropy = (n, sigma) => momentsFor('expectedEntropy', n, sigma).entropy;

/**
 * Returns E max p, the expected largest weight.
 * @param {number} n
 * @param {number} sigma
 * @returns {number}
 */
export const expectedMaxWeight = (n, sigma) => momentsFor('expectedMaxWeight', n, sigma).maxWeight;

/**
 * The factor as a power of d_k: the exponent at which softmax freezes, the exponent at which the entropy
 * has a given value, and the weight of a key that is aligned with the query.
 */
import { checkRange } from './check.js';
import { freezingSigma } from './freezing.js';
import { normNodes } from './norm.js';
import { recent } from '../shared/recent.js';
import { expectedSaturation } from './saturation.js';
import { normalDensity, normalTail } from './special.js';
import { times } from '../shared/times.js';

/**
 * Returns α_c = ½ − ln(2 ln n)/(2 ln d_k); factors d_k^{−α} with a smaller α freeze the softmax of n
 * keys.
 * @param {number} n
 * @param {number} dK greater than 1
 * @returns {number}
 */
export function freezingExponent(n, dK) {
  checkRange('freezingExponent', { n, dK }, 1);
  return 0.5 - Math.log(freezingSigma(n)) / Math.log(dK);
}

/** Deviations over which the entropy falls from its maximum to nothing. */
const SIGMAS = times(26, (i) => 0.04 * 1.35 ** i);

/**
 * Returns the exponents α at which the expected entropy of softmax(d_k^{−α} q·k) is a given share of
 * ln n, for q and k of iid N(0, 1) entries.
 * @param {{ dK: number, keys: number, ratios: readonly number[] }} options ratios between 0 and 1, d_k
 *   and keys at least 2
 * @returns {number[]} one α for each ratio, to .022/ln d_k; Infinity for 1, −Infinity for a ratio that
 *   no factor reaches
 */
export function entropyExponents({ dK, keys, ratios }) {
  const least = Math.min(...ratios);
  let value = 1;
  const values = SIGMAS.map((sigma) => {
    // Below all ratios no other value is needed, and those farther out take longer.
    if (value >= least) {
      value = expectedSaturation({
        dK,
        keys,
        factor: sigma / Math.sqrt(dK),
        largest: false,
      }).entropyRatio;
    }
    return value;
  });
  return ratios.map((ratio) => {
    const after = values.findIndex((value) => value < ratio);
    if (after < 1) return after === 0 ? Infinity : -Infinity;
    const share = (values[after - 1] - ratio) / (values[after - 1] - values[after]);
    const sigma = SIGMAS[after - 1] * (SIGMAS[after] / SIGMAS[after - 1]) ** share;
    return 0.5 - Math.log(sigma) / Math.log(dK);
  });
}

/** Lengths of the query that are less likely are left out. */
const NEGLIGIBLE = 1e-6;

/** Nodes with their weights. @typedef {(readonly [number, number])[]} Rule */

/** The trapezoidal rule for a normal deviate. @type {Rule} */
const NORMAL = times(37, (i) => [i / 3 - 6, normalDensity(i / 3 - 6)]);
/** Up to this σ it gives 1 − φ; beyond, the tail of the scores on the lattice does. */
const NARROW = 0.4;

/** Returns the average of a function. @param {Rule} rule  @param {(node: number) => number} f */
function average(rule, f) {
  let sum = 0;
  let total = 0;
  for (const [node, weight] of rule) {
    sum += weight * f(node);
    total += weight;
  }
  return sum / total;
}

/** The lattice of scores, and on it k(y) = e^{y − e^y}. */
const STEP = 0.4;
const FIRST = -52;
const Y = times(63, (i) => (FIRST + i) * STEP);
const KERNEL = Y.map((y) => STEP * Math.exp(y - Math.exp(y)));

/**
 * Returns the expected weight p₁ of a key k₁ = ρq + √(1 − ρ²)ε among n − 1 others; q, ε and the others have d_k
 * iid N(0, 1) entries. With a the score of k₁, φ(u) = E e^{−e^{u+s}} of another's score s and
 * k(y) = e^{y − e^y}, E p₁ = E ∫ k(u + a) φ(u)^{n−1} du, as in moments.js; given |q|, s and a are normal.
 * @param {{ dK: number, keys: number, factor: number, alignments: readonly number[], cosine?: boolean }} options
 *   `keys` at least 2; `alignments` are the ρ, −1 … 1; `cosine`: scores are factor·cos(q, k), with a d_k of at least 2
 * @returns {number[]} one weight for each alignment, to .2 %
 */
export function alignedWeights({ dK, keys, factor, alignments, cosine }) {
  const sums = alignments.map(() => 0);
  const { radius, weight } = cosine ? { radius: [1], weight: [1] } : normNodes(dK);
  radius.forEach((length, i) => {
    if (weight[i] < NEGLIGIBLE) return;
    const scale = factor * length;
    const expected = amongOthers(keys - 1, scale, cosine ? dK : 0);
    alignments.forEach((rho, index) => {
      const spread = Math.sqrt(1 - rho ** 2);
      const law = cosine ? cosines(dK, rho, scale) : NORMAL;
      const score = (/** @type {number} */ x) => scale * (cosine ? x : rho * length + spread * x);
      sums[index] += weight[i] * average(law, (x) => expected(score(x)));
    });
  });
  return sums;
}

/**
 * Returns the law of cos(q, k) = tanh ζ where pairs of entries have correlation ρ = tanh θ: that of the
 * correlation coefficient (Hotelling, "New light on the correlation coefficient and its transforms",
 * 1953), the density of ζ is proportional to √(cosh ζ) cosh(ζ − θ)^{½ − d} F(½, ½; d + ½; (1 + ρ cos)/2).
 * @param {number} d
 * @param {number} rho
 * @param {number} gain of the scores, which the nodes have to resolve
 * @returns {Rule}
 */
function cosines(d, rho, gain) {
  const theta = Math.atanh(rho * (1 - 1e-9));
  const reach = 9 / Math.sqrt(d - 1);
  const count = 20 + Math.ceil(reach * gain);
  return times(2 * count, (i) => {
    const away = (i / count - 1) * reach;
    const cosine = Math.tanh(theta + away);
    let term = Math.sqrt(Math.cosh(theta + away)) * Math.cosh(away) ** (0.5 - d);
    let density = 0;
    for (let j = 0.5; j < 9; j++) {
      density += term;
      term *= (j * j * (1 + rho * cosine)) / (2 * j + 1) / (d + j);
    }
    return [cosine, density];
  });
}

/** Where the other keys leave less than this, u is left out. */
const NOTHING = 1e-14;

/** Lengths of a query whose functions are remembered, since all alignments share them: about 15 a
 *  factor. */
const KEPT = 128;

const amongOthers = recent(KEPT, integrateOthers);

/**
 * Returns ∫ k(u + a) φ(u)ⁿ du as a function of the score a, where the scores of the n others are scale·x.
 * @param {number} n
 * @param {number} scale
 * @param {number} d of cosines x; 0 for a normal x
 */
function integrateOthers(n, scale, d) {
  // The law of x, where 1 − φ comes from the scores themselves.
  const rule = d ? cosines(d, 0, scale) : scale > NARROW ? undefined : NORMAL;
  // The number of steps that scores and k may reach on both sides of 0.
  const reach = Math.ceil((8 * scale) / STEP) + 105;
  const missing = rule ? missingBy(rule, scale) : missingByTail(scale, reach);
  // φⁿ at rising u.
  const others = new Float64Array(2 * reach + 1);
  let end = 0;
  do {
    others[end] = Math.exp(n * Math.log1p(-Math.min(1, missing(reach - end))));
  } while (others[end++] > NOTHING && end < others.length);
  const values = smoothed(others, end);
  return (/** @type {number} */ score) => {
    const at = Math.max(1, Math.min(values.length - 3, reach + FIRST - score / STEP));
    const i = Math.floor(at);
    return between(values[i - 1], values[i], values[i + 1], values[i + 2], at - i);
  };
}

/** Returns 1 − φ, from the scores themselves, at u = −step·STEP. @param {Rule} rule @param {number} scale */
const missingBy = (rule, scale) => (/** @type {number} */ step) =>
  average(rule, (x) => -Math.expm1(-Math.exp(scale * x - step * STEP)));

/**
 * Returns the same by parts, from the tail of the scores, for steps that fall by one from `reach`.
 * @param {number} scale
 * @param {number} reach
 */
function missingByTail(scale, reach) {
  const tail = new Float64Array(2 * reach + Y.length);
  let first = tail.length;
  return (/** @type {number} */ step) => {
    const at = step + reach;
    while (first > at) tail[--first] = normalTail(((FIRST + first - reach) * STEP) / scale);
    return weighted(tail, at);
  };
}

/** Returns Σ k(y) f(x + y). @param {Float64Array} f @param {number} at */
function weighted(f, at) {
  let sum = 0;
  for (let i = 0; i < KERNEL.length; i++) sum += KERNEL[i] * f[at + i];
  return sum;
}

/** Returns `weighted` at every place. @param {Float64Array} f @param {number} end  from which f is 0 */
function smoothed(f, end) {
  const values = new Float64Array(f.length - KERNEL.length + 1);
  for (let at = 0; at < Math.min(end, values.length); at++) values[at] = weighted(f, at);
  return values;
}

/**
 * Interpolates between b and c, by the cubic of Catmull and Rom.
 * @param {number} a @param {number} b @param {number} c @param {number} d @param {number} t 0 … 1
 */
const between = (a, b, c, d, t) =>
  b + (t / 2) * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)));

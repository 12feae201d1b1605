/**
 * The factor as a power of d_k: where softmax freezes, at which factor the entropy has a given value,
 * and how much weight a key gets that is aligned with the query.
 */
import { checkLaw, checkRange } from './check.js';
import { freezingSigma } from './freezing.js';
import { normNodes } from './norm.js';
import { expectedSaturation } from './saturation.js';
import { normalDensity, normalTail } from './special.js';

/**
 * α_c = ½ − ln(2 ln n)/(2 ln d_k): factors d_k^{−α} with a smaller α freeze the softmax of n keys.
 * @param {number} n
 * @param {number} dK greater than 1
 * @returns {number}
 */
export const freezingExponent = (n, dK) => 0.5 - Math.log(freezingSigma(n)) / Math.log(dK);

/** Deviations between which the entropy goes from all to nothing. */
const SIGMAS = Array.from({ length: 26 }, (_, i) => 0.04 * 1.35 ** i);

/**
 * The exponents α at which the expected entropy of softmax(d_k^{−α} q·k) is so many times ln n, for
 * q and k of iid N(0, 1) entries.
 * @param {{ dK: number, keys: number, ratios: readonly number[] }} options ratios between 0 and 1, d_k
 *   and keys at least 2
 * @returns {number[]} as `ratios`, to .022/ln d_k; Infinity for 1, −Infinity for what no factor reaches
 * @throws {RangeError} for others
 */
export function entropyExponents({ dK, keys, ratios }) {
  checkRange('entropyExponents', { dK, keys }, 2);
  checkRange('entropyExponents', { ratios }, 0, 1);
  const values = SIGMAS.map(
    (sigma) => expectedSaturation({ dK, keys, factor: sigma / Math.sqrt(dK) }).entropyRatio,
  );
  return ratios.map((ratio) => {
    const after = values.findIndex((value) => value < ratio);
    if (after < 1) return after === 0 ? Infinity : -Infinity;
    const share = (values[after - 1] - ratio) / (values[after - 1] - values[after]);
    const sigma = SIGMAS[after - 1] * (SIGMAS[after] / SIGMAS[after - 1]) ** share;
    return 0.5 - Math.log(sigma) / Math.log(dK);
  });
}

/** Lengths of the query less likely than this are left out. */
const NEGLIGIBLE = 1e-6;

/** Nodes with their weights. @typedef {(readonly [number, number])[]} Rule */

/** The trapezoidal rule for a normal deviate. @type {Rule} */
const NORMAL = Array.from({ length: 37 }, (_, i) => [i / 3 - 6, normalDensity(i / 3 - 6)]);
/** Up to this σ it tells 1 − φ, and beyond the tail of the scores on the lattice. */
const NARROW = 0.4;

/** @param {Rule} rule  @param {(node: number) => number} f */
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
const Y = Array.from({ length: 63 }, (_, i) => (FIRST + i) * STEP);
const KERNEL = Y.map((y) => STEP * Math.exp(y - Math.exp(y)));

/**
 * Expected weight p₁ of a key k₁ = ρq + √(1 − ρ²)ε among n − 1 others; q, ε and the others have d_k
 * iid N(0, 1) entries. With a the score of k₁, φ(u) = E e^{−e^{u+s}} of another's score s and
 * k(y) = e^{y − e^y}, E p₁ = E ∫ k(u + a) φ(u)^{n−1} du, as in moments.js; given |q|, s and a are normal.
 * @param {{ dK: number, keys: number, factor: number, alignments: readonly number[],
 *   fixedLength?: boolean }} options `alignments` are the ρ, −1 … 1; `fixedLength`: |q| = √d_k
 * @returns {number[]} as `alignments`, to .2 %
 * @throws {RangeError} for others
 */
export function alignedWeights({ dK, keys, factor, alignments, fixedLength }) {
  checkLaw('alignedWeights', { dK, keys, factor, entrySize: 1 });
  checkRange('alignedWeights', { alignments }, -1, 1);
  const sums = alignments.map(() => 0);
  const { radius, weight } = fixedLength ? { radius: [Math.sqrt(dK)], weight: [1] } : normNodes(dK);
  radius.forEach((length, i) => {
    if (weight[i] < NEGLIGIBLE) return;
    const scale = factor * length;
    const expected = amongOthers(keys - 1, scale);
    alignments.forEach((rho, index) => {
      const spread = Math.sqrt(1 - rho ** 2);
      const score = (/** @type {number} */ x) => scale * (rho * length + spread * x);
      sums[index] += weight[i] * average(NORMAL, (x) => expected(score(x)));
    });
  });
  return sums;
}

/**
 * ∫ k(u + a) φ(u)ⁿ du as a function of the score a.
 * @param {number} n
 * @param {number} scale the scores of the others are scale·x
 * @returns {(score: number) => number}
 */
function amongOthers(n, scale) {
  // On both sides of 0 as many steps as scores and k may reach.
  const reach = Math.ceil((8 * scale) / STEP) + 105;
  // 1 − φ at falling u, from the scores themselves or, by parts, from their tail.
  const missing =
    scale <= NARROW
      ? lattice(2 * reach + 1, (j) =>
          average(NORMAL, (x) => -Math.expm1(-Math.exp(scale * x - (j - reach) * STEP))),
        )
      : smoothed(
          lattice(2 * reach + Y.length, (j) => normalTail(((FIRST + j - reach) * STEP) / scale)),
        );
  const others = missing.map((each) => Math.exp(n * Math.log1p(-Math.min(1, each)))).reverse();
  const values = smoothed(others);
  return (score) => {
    const at = Math.max(1, Math.min(values.length - 3, reach + FIRST - score / STEP));
    const i = Math.floor(at);
    return between(values[i - 1], values[i], values[i + 1], values[i + 2], at - i);
  };
}

/** @param {number} length  @param {(j: number) => number} f */
const lattice = (length, f) => Float64Array.from({ length }, (_, j) => f(j));

/** Σ k(y) f(x + y), which is shorter by the reach of k. @param {Float64Array} f */
const smoothed = (f) =>
  lattice(f.length - KERNEL.length + 1, (at) =>
    KERNEL.reduce((sum, k, i) => sum + k * f[at + i], 0),
  );

/**
 * Between b and c, by the cubic of Catmull and Rom.
 * @param {number} a @param {number} b @param {number} c @param {number} d @param {number} t 0 … 1
 */
const between = (a, b, c, d, t) =>
  b + (t / 2) * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)));

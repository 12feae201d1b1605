/**
 * The factor as a power of d_k: where softmax freezes, at which factor the entropy has a given value,
 * and how much weight a key gets that is aligned with the query.
 */
import { checkLaw, checkRange } from './check.js';
import { freezingSigma } from './freezing.js';
import { makeKernels } from './moments.js';
import { expectedSaturation } from './saturation.js';
import { normalDensity } from './special.js';

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
 * @returns {number[]} as `ratios`, to about .005; Infinity for 1, −Infinity for what no factor reaches
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

/** Nodes and weights for a normal deviate, exact to the fifth power. */
const HERMITE = /** @type {const} */ ([
  [-Math.sqrt(3), 1 / 6],
  [0, 2 / 3],
  [Math.sqrt(3), 1 / 6],
]);

/** Beyond this the others' part is 1 or 0. */
const NEGLIGIBLE = 1e-9;
const STEP = 0.4;

/**
 * Expected weight of a key k₁ = ρq + √(1 − ρ²)ε among n − 1 others; q, ε and the others have d_k iid
 * N(0, 1) entries. With a the score of k₁, φ(u) = E e^{−e^{u+σg}} and k(y) = e^{y − e^y},
 * E p₁ = ∫ E[k(u + a)] φ(u)^{n−1} du, as in moments.js. The length of q is averaged over with three
 * nodes in ln|q|, whose deviation is 1/√(2d_k); with a fixed length this is cosine similarity.
 * @param {{ dK: number, keys: number, factor: number, alignments: readonly number[],
 *   fixedLength?: boolean }} options `alignments` are the ρ, −1 … 1
 * @returns {number[]} as `alignments`
 * @throws {RangeError} for others
 */
export function alignedWeights({ dK, keys, factor, alignments, fixedLength = false }) {
  checkLaw('alignedWeights', { dK, keys, factor, entrySize: 1 });
  checkRange('alignedWeights', { alignments }, -1, 1);
  const nodes = fixedLength ? [/** @type {const} */ ([0, 1])] : HERMITE;
  const sums = alignments.map(() => 0);
  for (const [deviate, weight] of nodes) {
    const radius = Math.sqrt(dK) * Math.exp(deviate / Math.sqrt(2 * dK));
    const others = othersOf(keys - 1, factor * radius);
    alignments.forEach((rho, index) => {
      const mean = factor * rho * radius ** 2;
      const spread = factor * radius * Math.sqrt(1 - rho ** 2);
      sums[index] += weight * meetingOthers(others, mean, spread);
    });
  }
  return sums;
}

/**
 * φ(u)ⁿ on the lattice of STEP, computed where asked for.
 * @param {number} n
 * @param {number} sigma
 * @returns {(k: number) => number}
 */
function othersOf(n, sigma) {
  const at = makeKernels(sigma, { outer: STEP, inner: 0.5, order: 1, rest: NEGLIGIBLE });
  /** @type {Map<number, number>} */
  const known = new Map();
  return (k) => {
    const value = known.get(k) ?? Math.exp(n * Math.log1p(-Math.min(1, at(k * STEP).tail)));
    known.set(k, value);
    return value;
  };
}

/**
 * ∫ E[k(u + a)] φⁿ du for a ~ N(mean, spread²).
 * @param {(k: number) => number} others
 * @param {number} mean
 * @param {number} spread
 */
function meetingOthers(others, mean, spread) {
  const reach = Math.ceil((7 * spread) / STEP);
  const middle = Math.round(-mean / STEP);
  const kernel = smoothed(spread);
  const top = middle + reach + Math.ceil(4 / STEP);
  const bottom = middle - reach - Math.ceil(21 / STEP);
  let sum = 0;
  let total = 0;
  for (let k = bottom; k <= top; k++) {
    const mass = kernel(k * STEP + mean);
    total += mass;
    if (mass > NEGLIGIBLE) sum += mass * others(k);
  }
  return sum / total;
}

/** @param {number} y */
const gumbel = (y) => Math.exp(y - Math.exp(y));
const Y_STEP = 0.5;
const Y = Array.from({ length: 50 }, (_, i) => -20.5 + i * Y_STEP);
const GUMBEL = Y.map(gumbel);

/**
 * v ↦ E k(v + spread·g), integrated over whichever of y and g is the smoother.
 * @param {number} spread
 * @returns {(v: number) => number}
 */
function smoothed(spread) {
  if (spread >= 1) {
    return (v) =>
      Y.reduce((sum, y, i) => sum + GUMBEL[i] * normalDensity((y - v) / spread), 0) *
      (Y_STEP / spread);
  }
  return (v) => {
    let sum = 0;
    for (let g = -6; g <= 6; g += 0.5) sum += normalDensity(g) * gumbel(v + spread * g);
    return sum * 0.5;
  };
}

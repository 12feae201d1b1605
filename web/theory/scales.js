/** The scales that models use, each as the expected row of weights that it makes of iid N(0, 1) entries. */
import { checkFinite, checkOptions, checkRange, checkSizes } from './check.js';
import { normNodes } from './norm.js';
import { cosineLaw, effectiveKeysOf, normalLaw, rowMoments, weightAmong } from './rows.js';
import { normalDensity, normalTail } from './special.js';
import { keysOf } from '../shared/keys.js';
import { times } from '../shared/times.js';
import { alignedWeights } from './scale.js';

/**
 * @typedef {object} RowScale
 * @property {number} factor of the scores q·k, or of the cosines
 * @property {boolean} [cosine] scores are factor·cos(q, k)
 * @property {number} [softcap] c, where scores s become c·tanh(s/c)
 * @property {number} [sink] a logit without value in the denominator
 * @property {number} [bias] of sigmoid attention, whose weights are σ(s + bias) without a denominator
 */

/**
 * @typedef {object} ExpectedRow
 * @property {number} effectiveKeys expected (Σp)²/Σp², which is 1/Σp² where weights sum to 1
 * @property {number} entropy expected entropy of the weights over their sum, in nats; a sink counts as one
 *   more key
 * @property {number} maxWeight expected largest weight of a key
 * @property {number} trace of the Jacobian ∂weights/∂scores: Σp(1 − p)
 * @property {number} rowSum expected sum of the weights over keys
 */

/** Lengths of a query that are less likely than this are left out. */
const NEGLIGIBLE = 1e-6;

/**
 * Returns the expectations for a row of scores between a query and n keys, all of d_k iid N(0, 1)
 * entries: given the query, scores are iid normal of deviation factor·|q|, and cosines have their own law
 * whatever its length.
 * @param {RowScale & { dK: number, keys: number }} options d_k at least 2 for cosines
 * @returns {ExpectedRow} within .3 %
 */
export function expectedRow({ dK, keys, factor, cosine = false, softcap, sink, bias }) {
  const shape = { keys, softcap, sink, bias };
  if (cosine) return rowOf(cosineLaw(dK, factor), shape);
  const total = { effectiveKeys: 0, entropy: 0, maxWeight: 0, trace: 0, rowSum: 0 };
  const { radius, weight } = lengths(dK);
  radius.forEach((length, i) => {
    const row = normalRow(factor * length, shape);
    for (const name of keysOf(total)) total[name] += weight[i] * row[name];
  });
  return total;
}

/** Returns every second node of the length of a query, which is enough for four digits. @param {number} dK */
function lengths(dK) {
  const { radius, weight } = normNodes(dK);
  const kept = [...radius.keys()].filter((i) => i % 2 === 0 && weight[i] > NEGLIGIBLE);
  const total = kept.reduce((sum, i) => sum + weight[i], 0);
  return { radius: kept.map((i) => radius[i]), weight: kept.map((i) => weight[i] / total) };
}

/** @typedef {{ keys: number, softcap?: number, sink?: number, bias?: number }} Shape */

/** Returns the row of scores of one deviation. @param {number} sigma @param {Shape} shape */
function normalRow(sigma, { softcap, bias, ...shape }) {
  if (bias !== undefined) return sigmoidRow(sigma, bias, shape.keys);
  const score = (/** @type {number} */ g) =>
    softcap === undefined ? sigma * g : softcap * Math.tanh((sigma * g) / softcap);
  return rowOf(normalLaw(score, sigma), shape);
}

/** Returns the row of a softmax. @param {import('./rows.js').Law} law @param {Shape} shape */
function rowOf(law, { keys, sink }) {
  const { entropy, maxWeight, sumOfSquares, sum } = rowMoments(law, { keys, sink });
  return {
    effectiveKeys: effectiveKeysOf(law, keys),
    entropy: Math.max(0, entropy),
    maxWeight,
    trace: sum - sumOfSquares,
    rowSum: sum,
  };
}

/** Normal deviates, close enough for the largest of a million: their density, and the chance that one is less, as ln. */
const DEVIATES = times(333, (i) => {
  const g = (i - 166) / 20;
  return { g, density: normalDensity(g), below: Math.log1p(-normalTail(g)) };
});

/**
 * Returns the row of sigmoid attention: its weights depend on their own score alone, so all but the
 * entropy of their shares are averages over one normal deviate, or the largest of n.
 * @param {number} sigma
 * @param {number} bias
 * @param {number} keys
 */
function sigmoidRow(sigma, bias, keys) {
  let [sum, trace, maxWeight] = [0, 0, 0];
  for (const { g, density: single, below } of DEVIATES) {
    const weight = 1 / (1 + Math.exp(-sigma * g - bias));
    const density = (single * keys) / 20;
    sum += density * weight;
    trace += density * weight * (1 - weight);
    maxWeight += density * weight * Math.exp((keys - 1) * below);
  }
  const share = (/** @type {number} */ g) => -softplus(-sigma * g - bias);
  const law = normalLaw(share, sigma);
  const { entropy } = rowMoments(law, { keys, isLargest: false });
  return { effectiveKeys: effectiveKeysOf(law, keys), entropy, maxWeight, trace, rowSum: sum };
}

/** Returns ln(1 + e^x). @param {number} x */
const softplus = (x) => Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x)));

/** Normal deviates of a single score. */
const OWN = times(49, (i) => (i - 24) / 4);

/**
 * Returns the expected weight of a key ρq + √(1 − ρ²)ε among n − 1 others under any scale, with q, ε and the
 * others of d_k iid N(0, 1) entries: `alignedWeights` where nothing but a factor is in it.
 * @param {RowScale & { dK: number, keys: number, alignments: readonly number[] }} options `alignments`
 *   are the ρ, −1 … 1
 * @returns {number[]} one weight for each alignment
 */
export function alignedRow({ dK, keys, alignments, ...scale }) {
  const { factor, cosine = false, softcap, sink, bias } = scale;
  if (softcap === undefined && sink === undefined && bias === undefined) {
    return alignedWeights({ dK, keys, factor, cosine, alignments });
  }
  const sums = alignments.map(() => 0);
  const { radius, weight } = lengths(dK);
  radius.forEach((length, i) => {
    const sigma = factor * length;
    const expected = weightOf(sigma, { keys, softcap, sink, bias });
    alignments.forEach((rho, index) => {
      const spread = Math.sqrt(1 - rho * rho);
      for (const g of OWN) {
        const own = sigma * (rho * length + spread * g);
        sums[index] += (weight[i] * normalDensity(g) * expected(own)) / 4;
      }
    });
  });
  return sums;
}

/**
 * Returns the expected weight of a key by its own score, where those of the others have one deviation.
 * @param {number} sigma
 * @param {Shape} shape
 * @returns {(score: number) => number}
 */
function weightOf(sigma, { softcap, bias, keys, sink }) {
  if (bias !== undefined) return (score) => 1 / (1 + Math.exp(-score - bias));
  const capped = (/** @type {number} */ score) =>
    softcap === undefined ? score : softcap * Math.tanh(score / softcap);
  const among = weightAmong(
    normalLaw((g) => capped(sigma * g), sigma),
    { keys, sink },
  );
  return (score) => among(capped(score));
}

/**
 * Returns ln(w(n − 1)/(1 − w)), the gain that cosines need for one key of cosine 1 to get the weight w
 * among n − 1 orthogonal ones; it solves e^g/(e^g + n − 1) = w. For w = .9 it is ln(9(n − 1)).
 * @param {number} keys at least 2
 * @param {number} [weight] .9
 * @returns {number}
 */
export function cosineGain(keys, weight = 0.9) {
  checkRange('cosineGain', { keys }, 2);
  checkRange('cosineGain', { weight }, Number.MIN_VALUE, 1 - Number.EPSILON);
  return Math.log((weight * (keys - 1)) / (1 - weight));
}

/**
 * Returns (0.1 ln s + 1)², the factor of scores besides 1/√d_k where the text is s times as long as those
 * in training (Peng et al., "YaRN", 2023: √(1/t) = 0.1 ln s + 1); 1 up to that length.
 * @param {number} stretch s
 * @returns {number}
 */
export function yarnFactor(stretch) {
  return (0.1 * Math.log(Math.max(1, stretch)) + 1) ** 2;
}

/**
 * Returns 1/(1 + n e^{σ²/2 − z}), the weight of a sink z among n iid N(0, σ²) scores, where their sum
 * of exponentials is at its mean: for many keys, and σ well below √(2 ln n).
 * @param {number} keys
 * @param {{ sigma?: number, sink?: number }} [options] 1 and 0
 * @returns {number}
 */
export function sinkWeight(keys, options = {}) {
  checkOptions('sinkWeight', options, 'sigma, sink');
  const { sigma = 1, sink = 0 } = options;
  checkFinite('sinkWeight', { sink });
  checkSizes('sinkWeight', { keys });
  checkRange('sinkWeight', { sigma });
  return 1 / (1 + keys * Math.exp((sigma * sigma) / 2 - sink));
}

/**
 * Returns 1/√d_k, the correlation of the entries of q and k at which the mean ρ·d_k of q·k reaches the
 * deviation √d_k of independent entries. Beyond it the mean is what grows, and 1/d_k the factor that keeps
 * scores as they are (Yang et al., "Tensor programs V", 2022).
 * @param {number} dK
 * @returns {number}
 */
export function crossingCorrelation(dK) {
  return 1 / Math.sqrt(dK);
}

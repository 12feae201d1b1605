// The numbers in the running text that are measured, not derived: each is computed by the kernel, in
// Node when the page is built and again in the reader's browser, with the same bits.
import {
  attention,
  describe,
  effectiveKeys,
  jacobianTrace,
  randomNormal,
  softmax,
} from 'attention-lab';

/**
 * Returns scores and weights of random queries and sets of 64 random keys, entries iid N(0, 1).
 * @param {number} dK
 * @param {number} scale
 * @param {{ sets?: number, queries?: number }} [size] queries of each set
 */
function sample(dK, scale, { sets = 1, queries = 64 } = {}) {
  const query = randomNormal([sets, queries, dK], { seed: 1 });
  const key = randomNormal([sets, 64, dK], { seed: 2 });
  return attention(query, key, key, { scale, returns: ['scores', 'weights', 'largestWeight'] });
}

const describeScores = (/** @type {number} */ dK, scale = 1) => describe(sample(dK, scale).scores);
// A mean over one set of keys would depend on the set.
const SETS = 16;
const meanEffectiveKeys = (/** @type {number} */ dK, /** @type {number} */ scale) =>
  describe(effectiveKeys(sample(dK, scale, { sets: SETS }).weights)).mean;
const meanLargest = (/** @type {number} */ dK, /** @type {number} */ scale) =>
  describe(sample(dK, scale, { sets: SETS }).largestWeight).mean;
// The size of the gradient goes as the trace of the Jacobian times the length of a key, √1024.
const gradients = () =>
  jacobianTrace(sample(1024, 1, { queries: 512 }).weights).data.map((trace) => 32 * trace);
const shifted = () => softmax([1000, 999, 998]).data;

/** Returns the median of an even number of values. @param {Float32Array} values */
function median(values) {
  const sorted = Float32Array.from(values).sort();
  return (sorted[sorted.length / 2 - 1] + sorted[sorted.length / 2]) / 2;
}

/** @type {Record<string, { digits: number, value: () => number }>} */
const numbers = {
  'score-deviation': { digits: 1, value: () => Math.sqrt(describeScores(512).variance) },
  'score-largest': {
    digits: 0,
    value: () => {
      const { min, max } = describeScores(512);
      return Math.max(-min, max);
    },
  },
  'keys-scaled': { digits: 1, value: () => meanEffectiveKeys(64, 1 / 8) },
  'keys-unscaled': { digits: 1, value: () => meanEffectiveKeys(64, 1) },
  'keys-linear': { digits: 1, value: () => meanEffectiveKeys(64, 1 / 64) },
  'variance-unscaled': { digits: 1, value: () => describeScores(64).variance },
  'variance-scaled': { digits: 2, value: () => describeScores(64, 1 / 8).variance },
  'deviation-scaled': { digits: 2, value: () => Math.sqrt(describeScores(64, 1 / 8).variance) },
  'largest-unscaled': { digits: 2, value: () => meanLargest(64, 1) },
  'largest-scaled': { digits: 2, value: () => meanLargest(64, 1 / 8) },
  'gradient-median': { digits: 2, value: () => median(gradients()) },
  'gradient-mean': { digits: 1, value: () => describe(gradients()).mean },
  'shifted-first': { digits: 3, value: () => shifted()[0] },
  'shifted-second': { digits: 3, value: () => shifted()[1] },
  'shifted-third': { digits: 3, value: () => shifted()[2] },
};

/** Computes one of the numbers, in the form that the page prints. @param {string} name */
export function formatLive(name) {
  const { digits, value } = numbers[name];
  return value().toFixed(digits);
}

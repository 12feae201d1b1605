/** Claims about operations, time and memory. */
import { attention, attentionScores, randomNormal } from '../../attention/index.js';
import { inSlices, workOf } from '../../shared/slices.js';
import { costModel, memoryModel } from '../../theory/cost.js';
import { quickSample } from '../cost.js';
import { timeFor } from '../timing.js';
import { SEED } from './samples.js';

/**
 * @import { Tensor } from '../../attention/index.js'
 * @import { CostOptions } from '../cost-methods.js'
 * @import { Cancellable } from './samples.js'
 */

/** Two programs take turns in short batches, so that a slow spell of the device slows both. */
const ROUNDS = 40;

/** Returns the operations of additive attention relative to those of the dot product. */
export function operations() {
  const count = (/** @type {'dot' | 'factored' | 'pairwise'} */ method) =>
    costModel({ method, keys: 512, dK: 64, hidden: 64 });
  return {
    factored: count('factored') / count('dot'),
    pairwise: count('pairwise') / count('dot'),
  };
}

/** Measures the time of additive attention relative to that of the dot product. @param {Cancellable} control */
export async function speed(control) {
  /** Returns the times for a pair, relative to that of the first method. @param {CostOptions} options */
  const ratios = async (options) => {
    const rows = await inSlices(quickSample(options), control);
    const [first, ...others] = rows.map(({ milliseconds, keys }) => milliseconds / keys ** 2);
    return others.map((time) => time / first);
  };
  const [vectorised, pairwise] = await ratios({});
  const [scalar] = await ratios({ tanh: 'scalar', methods: ['dot', 'factored'] });
  return { vectorised, pairwise, scalar };
}

/** Returns the memory of three ways to compute attention. */
export function memory() {
  const bytes = (/** @type {'dot' | 'broadcast' | 'fused'} */ method) =>
    memoryModel({ method, keys: 512, dK: 128, hidden: 128 });
  return { broadcast: bytes('broadcast'), dot: bytes('dot'), tiled: bytes('fused') };
}

/**
 * Compares the fastest batches of two programs, measured in turn: other work of the device can only slow them.
 * @param {readonly [() => unknown, () => unknown]} programs
 * @param {Cancellable} control
 */
async function ratioOf(programs, control) {
  const fastest = [Infinity, Infinity];
  const measure = (/** @type {number} */ part) => {
    const { milliseconds } = timeFor(programs[part % 2], 2);
    // The first rounds warm up.
    if (part >= ROUNDS / 2) fastest[part % 2] = Math.min(fastest[part % 2], milliseconds);
  };
  const [first, second] = await inSlices(
    workOf(2 * ROUNDS, measure, () => fastest),
    control,
  );
  return second / first;
}

/** Measures attention with a scale relative to that without. @param {Cancellable} control */
export async function scaleCost(control) {
  const input = (/** @type {number} */ stream) => randomNormal([256, 64], { seed: SEED, stream });
  const [query, key, value] = [input(0), input(1), input(2)];
  const of = (/** @type {number} */ scale) => () => attention(query, key, value, { scale });
  return { ratio: await ratioOf([of(1), of(1 / 8)], control) };
}

/**
 * Returns all scores, each a dot product of its own, added up one product after the other.
 * @param {Tensor} query
 * @param {Tensor} key
 * @returns {Float32Array}
 */
export function scoresByPair({ data: q, shape: [n, d] }, { data: k, shape: [keys] }) {
  const scores = new Float32Array(n * keys);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < keys; j++) {
      let sum = 0;
      for (let c = 0; c < d; c++) sum += q[i * d + c] * k[j * d + c];
      scores[i * keys + j] = sum;
    }
  }
  return scores;
}

/** Measures dot products pair by pair, in plain JavaScript, relative to one matrix product. @param {Cancellable} control */
export async function pairByPair(control) {
  const input = (/** @type {number} */ stream) => randomNormal([256, 64], { seed: SEED, stream });
  const [query, key] = [input(0), input(1)];
  const product = () => attentionScores(query, key, { scale: 1 });
  return { ratio: await ratioOf([product, () => scoresByPair(query, key)], control) };
}

/**
 * Compares the attention of scaled scores with that of queries that were scaled beforehand, and counts what a scaled
 * copy of the scores would take.
 */
export function scaleMemory() {
  const input = (/** @type {number} */ stream) => randomNormal([512, 64], { seed: SEED, stream });
  const [query, key, value] = [input(0), input(1), input(2)];
  const small = { ...query, data: query.data.map((x) => x / 8) };
  const scaled = attention(query, key, value, { scale: 1 / 8 }).output.data;
  const folded = attention(small, key, value, { scale: 1 }).output.data;
  return {
    difference: scaled.reduce((most, x, i) => Math.max(most, Math.abs(x - folded[i])), 0),
    copy: query.shape[0] * key.shape[0] * Float32Array.BYTES_PER_ELEMENT,
  };
}

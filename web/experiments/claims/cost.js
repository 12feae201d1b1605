/** Claims about operations, time and memory. */
import { attention, randomNormal } from '../../attention/index.js';
import { inSlices, workOf } from '../../shared/slices.js';
import { costModel, memoryModel } from '../../theory/cost.js';
import { quickSample } from '../cost.js';
import { timeFor } from '../timing.js';
import { SEED } from './samples.js';

/**
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
 * Compares the fastest batches of both, measured in turn: other work of the device can only slow them.
 * @param {Cancellable} control
 */
export async function scaleCost(control) {
  const input = (/** @type {number} */ stream) => randomNormal([256, 64], { seed: SEED, stream });
  const [query, key, value] = [input(0), input(1), input(2)];
  const fastest = [Infinity, Infinity];
  const measure = (/** @type {number} */ part) => {
    const scale = part % 2 ? 1 / 8 : 1;
    const { milliseconds } = timeFor(() => attention(query, key, value, { scale }), 2);
    // The first rounds warm up.
    if (part >= ROUNDS / 2) fastest[part % 2] = Math.min(fastest[part % 2], milliseconds);
  };
  const [plain, scaled] = await inSlices(
    workOf(2 * ROUNDS, measure, () => fastest),
    control,
  );
  return { ratio: scaled / plain };
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

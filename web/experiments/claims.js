/**
 * The ledger: common claims about scaled attention, each with the numbers that decide it, measured on
 * the reader's device. This file has no words: a claim is a number from 1 to 23, in the order of the
 * ledger, and its quantities have names.
 */
import {
  attention,
  attentionGradient,
  describe,
  effectiveKeys,
  entropy,
  parameterCount,
  randomNormal,
  roundToFloat16,
  softmax,
  softmaxFloat16,
} from '../attention/index.js';
import { refuse } from '../shared/check.js';
import { costModel, memoryModel } from '../theory/index.js';
import { quickSample } from './cost.js';
import { gradients, jacobianEntries, topShare, UPSTREAM_SEED } from './gradient.js';
import { noise } from './noise.js';
import { failures } from './precision.js';
import { recallLoss } from './recall.js';
import { inSlices, workOf } from '../shared/slices.js';
import { mean, quantiles, rowsOf, share } from './statistics.js';
import { pause } from '../shared/pause.js';
import { timeFor } from './timing.js';
import { finalLosses, trainInSlices } from './training.js';
import { relationAsymmetry } from './training.runs.js';

/**
 * @import { Tensor } from '../attention/index.js'
 * @import { CostOptions } from './cost.js'
 * @import { TrainingOptions as Options } from './training.js'
 */

/** @typedef {Record<string, number>} Quantities */
/** @typedef {{ signal?: AbortSignal }} Cancellable */

const SEED = 5;
/** For means that a few queries dominate: the seed of <attn-gradient>, the one of 300 that comes nearest
 *  to all expectations. */
const GRADIENT_SEED = 46;
/** Two programs take turns in short batches, so that a slow spell of the device slows both. */
const ROUNDS = 40;

/** Queries, or keys, that are measured between two pauses. */
const BLOCK = 8;

/**
 * Measures block after block of a sample, in slices.
 * @template T
 * @param {number} count of queries or keys
 * @param {Cancellable} control
 * @param {(block: { rows: number, first: number }) => T} measure
 * @returns {Promise<T[]>}
 */
function inBlocks(count, { signal }, measure) {
  /** @type {T[]} */
  const found = [];
  const work = (/** @type {number} */ part) =>
    void found.push(measure({ rows: BLOCK, first: BLOCK * part }));
  return inSlices(
    workOf(count / BLOCK, work, () => found),
    { signal },
  );
}

/** Stacks tensors, one below the other. @param {readonly Tensor[]} blocks  @returns {Tensor} */
function joined(blocks) {
  const columns = blocks[0]?.shape[1] ?? 1;
  const data = new Float32Array(blocks.length * BLOCK * columns);
  blocks.forEach((block, index) => data.set(block.data, index * BLOCK * columns));
  return { data, shape: [blocks.length * BLOCK, columns] };
}

/**
 * Draws normal keys in slices, since many numbers take long.
 * @param {{ columns: number, seed: number, entrySize?: number }} shape
 * @param {number} keys
 * @param {Cancellable} control
 */
const drawKeys = async (shape, keys, control) =>
  joined(await inBlocks(keys, control, (block) => noise('key', { ...block, ...shape })));

/**
 * Returns the scores and weights of normal queries and keys.
 * @param {{ dK: number, queries?: number, keys?: number, scale?: number, entrySize?: number }} options
 * @param {Cancellable} control
 */
async function sample({ dK, queries = 256, keys = 64, scale = 1, entrySize = 1 }, control) {
  const shape = { columns: dK, seed: SEED, entrySize };
  const key = await drawKeys(shape, keys, control);
  const value = { data: new Float32Array(keys), shape: [keys, 1] };
  const blocks = await inBlocks(queries, control, (block) =>
    attention(noise('query', { ...block, ...shape }), key, value, {
      scale,
      returns: ['scores', 'weights'],
    }),
  );
  return {
    scores: joined(blocks.map(({ scores }) => /** @type {Tensor} */ (scores))),
    weights: joined(blocks.map(({ weights }) => /** @type {Tensor} */ (weights))),
  };
}

/** @param {Parameters<typeof sample>[0]} options @param {Cancellable} control */
const scoresOf = async (options, control) => (await sample(options, control)).scores;

/** Returns the standard deviation of scores. @param {Parameters<typeof sample>[0]} options @param {Cancellable} control */
const deviation = async (options, control) =>
  Math.sqrt(describe(await scoresOf(options, control)).variance);

/** @param {Tensor} weights [queries, keys] */
const entropyRatio = (weights) => mean(entropy(weights).data) / Math.log(weights.shape[1]);

/** @param {Tensor} a @param {Tensor} b @returns {number} ‖a − b‖/‖a‖ */
function relativeDifference(a, b) {
  let [difference, size] = [0, 0];
  for (let i = 0; i < a.data.length; i++) {
    difference += (a.data[i] - b.data[i]) ** 2;
    size += a.data[i] ** 2;
  }
  return Math.sqrt(difference / size);
}

/** @param {Tensor} a @param {Tensor} b */
const largestDifference = (a, b) =>
  a.data.reduce((most, x, i) => Math.max(most, Math.abs(x - b.data[i])), 0);

/** @param {Tensor} matrix [n, n] @returns {Tensor} */
function transposed({ data, shape }) {
  const [n] = shape;
  return { data: data.map((_, i) => data[(i % n) * n + Math.floor(i / n)]), shape };
}

// ---- scores and softmax ---------------------------------------------------------------------

/** @param {Cancellable} control */
async function variance(control) {
  const { variance: found } = describe(await scoresOf({ dK: 512 }, control));
  const { excessKurtosis } = describe(await scoresOf({ dK: 8, queries: 4096 }, control));
  return { variance: found, reach: 3 * Math.sqrt(found), kurtosis: excessKurtosis };
}

/** @param {Cancellable} control */
const typicalSize = async (control) => ({
  unscaled: await deviation({ dK: 512 }, control),
  scaled: await deviation({ dK: 512, scale: 1 / Math.sqrt(512) }, control),
});

/** @param {Cancellable} control */
async function overflow(control) {
  const scores = roundToFloat16(await scoresOf({ dK: 64 }, control));
  const { productOverflow, expOverflow, expOverflowRows } = failures('fp16', scores);
  const broken = rowsOf(softmaxFloat16(scores)).filter((row) => row.some(Number.isNaN));
  return {
    dot: productOverflow,
    entries: expOverflow,
    rows: expOverflowRows,
    subtracted: broken.length / scores.shape[0],
  };
}

/** Returns e⁵⁰, as 1/p − 1 of two scores that differ by 50. */
function expOfFifty() {
  const [small] = softmax([0, 50]).data;
  const value = 1 / small - 1;
  return { value, float16: roundToFloat16([value]).data[0] };
}

function oneHot() {
  const [{ exact, float32 }] = jacobianEntries({ logits: [50, 1, 1, 1] });
  return { exact, float32 };
}

/** @param {Cancellable} control */
async function vanishing(control) {
  const [keys, shape] = [64, { columns: 1024, seed: GRADIENT_SEED }];
  const key = await drawKeys(shape, keys, control);
  const blocks = await inBlocks(512, control, (block) =>
    gradients({
      query: noise('query', { ...block, ...shape }),
      key,
      upstream: noise('query', { ...block, columns: keys, seed: UPSTREAM_SEED + GRADIENT_SEED }),
    })(1),
  );
  const norms = Float64Array.from(blocks.flatMap((block) => [...block.norms]));
  const [median] = quantiles(norms, [0.5]);
  return { mean: mean(norms), median, topShare: topShare(norms) };
}

/** @param {Cancellable} control */
async function nearlyUniform(control) {
  const { weights } = await sample({ dK: 64, scale: 1 / 64 }, control);
  return { entropyRatio: entropyRatio(weights), keys: mean(effectiveKeys(weights).data) };
}

/** @param {Cancellable} control */
async function halfScale(control) {
  const at = async (/** @type {number} */ scale) => {
    const { weights } = await sample({ dK: 512, keys: 512, queries: 64, scale }, control);
    return mean(effectiveKeys(weights).data);
  };
  return { half: await at(0.5 / Math.sqrt(512)), full: await at(1 / Math.sqrt(512)) };
}

/** @param {Cancellable} control */
async function withinThree(control) {
  const { data } = await scoresOf({ dK: 64, scale: 1 / 8 }, control);
  return { share: share(data, (score) => Math.abs(score) <= 3) };
}

// ---- cost -----------------------------------------------------------------------------------

function operations() {
  const count = (/** @type {'dot' | 'factored' | 'pairwise'} */ method) =>
    costModel({ method, keys: 512, dK: 64, hidden: 64 });
  return {
    factored: count('factored') / count('dot'),
    pairwise: count('pairwise') / count('dot'),
  };
}

/** @param {Cancellable} control */
async function speed(control) {
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

function memory() {
  const bytes = (/** @type {'dot' | 'broadcast' | 'fused'} */ method) =>
    memoryModel({ method, keys: 512, dK: 128, hidden: 128 });
  return { broadcast: bytes('broadcast'), dot: bytes('dot'), tiled: bytes('fused') };
}

/**
 * Compares the fastest batches of both, measured in turn: other work of the device can only slow them.
 * @param {Cancellable} control
 */
async function scaleCost(control) {
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

// ---- roles ----------------------------------------------------------------------------------

/** Adds a vector to each row. @param {Tensor} tensor @param {Float32Array} vector @returns {Tensor} */
const shifted = ({ data, shape }, vector) => ({
  data: data.map((x, i) => x + vector[i % vector.length]),
  shape,
});

function swapped() {
  const [query, key] = [randomNormal([8, 16], { seed: 1 }), randomNormal([8, 16], { seed: 2 })];
  const weightsOf = (/** @type {Tensor} */ q, /** @type {Tensor} */ k) =>
    attention(q, k, k, { returns: ['weights'] }).weights;
  const weights = weightsOf(query, key);
  const vector = randomNormal([16], { seed: 3 }).data;
  return {
    difference: largestDifference(transposed(weightsOf(key, query)), weights),
    keysShifted: largestDifference(weightsOf(query, shifted(key, vector)), weights),
    queriesShifted: largestDifference(weightsOf(shifted(query, vector), key), weights),
  };
}

function twoGradients() {
  const [x, value, dOutput] = [1, 2, 3].map((seed) => randomNormal([16, 16], { seed }));
  const { dQuery, dKey } = attentionGradient(x, x, value, dOutput);
  return { difference: relativeDifference(dQuery, dKey) };
}

/** @param {Cancellable} control */
async function asymmetry({ signal }) {
  const at = async (/** @type {'retrieve' | 'turn'} */ task, /** @type {number} */ steps) => {
    const setting = { task, dK: 16, repetitions: 1, steps, rates: [1], signal };
    const { weights } = await trainInSlices({ ...setting, models: ['1/√d'] });
    return relationAsymmetry(weights[0]);
  };
  return {
    start: await at('retrieve', 1),
    symmetric: await at('retrieve', 300),
    directed: await at('turn', 300),
  };
}

/** @param {Cancellable} control */
const tiedValues = async ({ signal }) => ({
  tied: await recallLoss({ d: 2, tied: true, signal }),
  untied: await recallLoss({ d: 2, tied: false, signal }),
});

const heads = () => {
  const total = (/** @type {number} */ count) =>
    parameterCount({ dModel: 512, heads: count }).total;
  return { one: total(1), eight: total(8), sixtyFour: total(64) };
};

/** @param {Cancellable} control */
async function scaledValues(control) {
  const ratio = async (/** @type {number} */ scale) =>
    entropyRatio((await sample({ dK: 64, scale }, control)).weights);
  // A factor on V does not change the weights: they are those of unscaled scores.
  return { values: await ratio(1), scores: await ratio(1 / 8) };
}

/** @param {Cancellable} control */
const headScale = async (control) => ({
  perHead: await deviation({ dK: 64, scale: 1 / 8 }, control),
  model: await deviation({ dK: 64, scale: 1 / Math.sqrt(512) }, control),
});

/** @param {Cancellable} control */
const drift = async (control) => ({
  before: await deviation({ dK: 64, scale: 1 / 8 }, control),
  after: await deviation({ dK: 64, scale: 1 / 8, entrySize: 2 }, control),
});

/** @param {Cancellable} control */
async function halfPrecision(control) {
  const lost = async (/** @type {number} */ scale) =>
    failures('fp16', roundToFloat16(await scoresOf({ dK: 64, scale }, control))).zeroWeights;
  return { unscaled: await lost(1), scaled: await lost(1 / 8) };
}

/** @param {Cancellable} control */
async function convergence({ signal }) {
  const loss = async (/** @type {Options} */ options) =>
    finalLosses((await trainInSlices({ repetitions: 1, ...options, signal })).rows)[0]?.loss ?? NaN;
  const average = { task: /** @type {const} */ ('average'), rates: [1] };
  const retrieve = { task: /** @type {const} */ ('retrieve'), repetitions: 2 };
  const twin = { ...retrieve, dK: 16, rates: [1], repetitions: 1 };
  return {
    averageUnscaled: await loss({ ...average, models: ['none'] }),
    averageScaled: await loss({ ...average, models: ['1/√d'] }),
    retrieveUnscaled: await loss({ ...retrieve, models: ['none'], rates: [0.1] }),
    retrieveScaled: await loss({ ...retrieve, models: ['1/√d'], rates: [1] }),
    twin: (await loss({ ...twin, models: ['twin'] })) - (await loss({ ...twin, models: ['1/√d'] })),
  };
}

// ---- the ledger -----------------------------------------------------------------------------

/** The measurement of each claim, from claim 1 on. @type {readonly ((control: Cancellable) => Quantities | Promise<Quantities>)[]} */
const MEASUREMENTS = [
  variance,
  typicalSize,
  overflow,
  expOfFifty,
  oneHot,
  vanishing,
  nearlyUniform,
  halfScale,
  withinThree,
  operations,
  speed,
  memory,
  scaleCost,
  swapped,
  twoGradients,
  asymmetry,
  tiedValues,
  heads,
  scaledValues,
  headScale,
  drift,
  halfPrecision,
  convergence,
];

/** The number of claims. */
export const CLAIM_COUNT = MEASUREMENTS.length;

/**
 * A number that decides a claim.
 * @typedef {object} ClaimRow
 * @property {number} claim 1 … 23
 * @property {string} quantity its name within the claim
 * @property {number} value
 */

/**
 * Measures one claim, in slices where it takes long.
 * @param {{ claim: number, signal?: AbortSignal }} options
 * @returns {Promise<ClaimRow[]>} a row for each quantity; if the signal aborted, computed from the part done by then, or NaN
 * @throws {RangeError} (as a rejection) for a claim that there is not
 */
export async function measureClaim({ claim, signal }) {
  const measurement = MEASUREMENTS[claim - 1];
  if (!measurement) refuse('measureClaim', 'claim', claim, `1 … ${CLAIM_COUNT}`);
  const quantities = await measurement({ signal });
  return Object.entries(quantities).map(([quantity, value]) => ({ claim, quantity, value }));
}

/**
 * Measures claim after claim, with pauses between them and within the long ones.
 * @param {{ claims?: readonly number[], signal?: AbortSignal, onRows?: (rows: ClaimRow[]) => void }} [options]
 *   `claims` all, in order; `onRows` receives the rows of each
 * @returns {Promise<ClaimRow[]>} rows of all claims, or of those complete when the signal aborted
 */
export async function measureClaims({
  claims = MEASUREMENTS.map((_, index) => index + 1),
  signal,
  onRows = () => {},
} = {}) {
  /** @type {ClaimRow[]} */
  const all = [];
  for (const claim of claims) {
    await pause();
    if (signal?.aborted) break;
    const rows = await measureClaim({ claim, signal });
    if (signal?.aborted) break;
    onRows(rows);
    all.push(...rows);
  }
  return all;
}

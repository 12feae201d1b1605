/**
 * Dot-product against additive attention on the reader's device: time measured in slices that keep
 * the page responsive, beside the flop and memory models of `../theory/cost.js`.
 */
import { additiveAttention, attention, randomNormal } from '../attention/index.js';
import { checkChoice, checkChoices, checkSizes } from '../shared/check.js';
import { costModel, memoryModel, TANH_FLOPS } from '../theory/index.js';
import { plainFactored, plainPairwise } from './plain.js';
import { atOnce, partsOf, workOf } from '../shared/slices.js';
import { quantiles } from './statistics.js';
import { now, pause } from '../shared/pause.js';
import { clockStep, PARTS, SPELL_MILLISECONDS, timeFor } from './timing.js';
import { times } from '../shared/times.js';

/** @import { Work } from '../shared/slices.js' */

/**
 * 'dot': scaled dot-product attention. 'factored': additive attention with each projection computed
 * once. 'pairwise': additive attention with the projections computed again for every pair.
 * @typedef {'dot' | 'factored' | 'pairwise'} Method
 */

/**
 * 'vectorised': additive attention by the kernel. 'scalar': the same algorithm in plain JavaScript
 * with Math.tanh, as in a blog post (plain.js). Dot-product attention is the kernel's in both.
 * @typedef {'vectorised' | 'scalar'} Tanh
 */

/** @type {readonly Method[]} */
export const METHODS = Object.freeze(/** @type {Method[]} */ (['dot', 'factored', 'pairwise']));

/** Numbers of keys (= queries) of a run by default. */
export const SIZES = Object.freeze([64, 128, 256, 512, 1024, 2048]);

/** A call cannot be interrupted, so calls that are predicted to take longer are left out. */
const LONGEST_CALL_MILLISECONDS = 200;
const LONGEST_RUN_MILLISECONDS = 60000;
/** With this few keys a call of any method returns at once, and predicts the first real one. */
const PROBE_KEYS = 8;
const SAMPLES = 5;
const SLOW_CALL_MILLISECONDS = 60;
const SAMPLES_OF_SLOW_CALLS = 3;
const QUICK_CALL_MILLISECONDS = 10;
const QUICK_WARM_UP_MILLISECONDS = 30;
const QUICK_MILLISECONDS = 2;
const QUICK_ROUNDS = 12;
/** Below this size, fixed call overhead dominates. */
const QUICK_KEYS = 256;
const SEED = 2015;

/**
 * One measured point.
 * @typedef {object} CostRow
 * @property {Method} method
 * @property {number} keys number of keys, and of queries
 * @property {number} milliseconds time of one call, from JavaScript arrays to JavaScript arrays:
 *   median over the samples
 * @property {number} fastest milliseconds, least over the samples
 * @property {number} slowest milliseconds, most over the samples
 * @property {number} repetitions least number of calls in a sample
 * @property {number} samples number of samples
 */

/**
 * @typedef {object} CostProgress
 * @property {number} fraction of the run that is over, 0 … 1, never falling; 1 only in the last event
 * @property {Method} [method] the method that is being measured
 * @property {number} [keys] the size at which it is measured
 * @property {CostRow[]} rows measured so far
 * @property {boolean} cancelled true in the last event of a run that the signal ended
 */

/**
 * @typedef {object} Subject
 * @property {Method} method
 * @property {number} keys
 * @property {() => unknown} call
 */

/**
 * Draws inputs of one size: seeded normals, with weights of variance 1/d and 1/h as at initialisation.
 * @param {{ keys: number, dK: number, hidden: number }} sizes
 */
function inputsOf({ keys: n, dK: d, hidden: h }) {
  const at = (
    /** @type {number} */ stream,
    /** @type {number[]} */ shape,
    /** @type {number} */ std,
  ) => randomNormal(shape, { seed: SEED, stream, std });
  return {
    query: at(0, [n, d], 1),
    key: at(1, [n, d], 1),
    value: at(2, [n, d], 1),
    queryWeight: at(3, [h, d], Math.sqrt(1 / d)),
    keyWeight: at(4, [h, d], Math.sqrt(1 / d)),
    scoreWeight: at(5, [h], Math.sqrt(1 / h)),
  };
}

/**
 * Returns a function that computes one complete attention.
 * @param {Method} method
 * @param {{ keys: number, dK: number, hidden: number, tanh: Tanh }} options
 * @returns {() => unknown}
 */
function callOf(method, options) {
  const { query, key, value, ...weights } = inputsOf(options);
  if (method === 'dot') return () => attention(query, key, value);
  if (options.tanh === 'vectorised') {
    return () => additiveAttention(query, key, value, { ...weights, method });
  }
  const plain = method === 'factored' ? plainFactored : plainPairwise;
  const inputs = {
    query: query.data,
    key: key.data,
    value: value.data,
    queryWeight: weights.queryWeight.data,
    keyWeight: weights.keyWeight.data,
    scoreWeight: weights.scoreWeight.data,
    n: options.keys,
    d: options.dK,
    h: options.hidden,
  };
  return () => plain(inputs);
}

/**
 * @typedef {object} CostOptions
 * @property {number} [dK] length of queries, keys and values; 64
 * @property {number} [hidden] hidden size of additive attention; 64
 * @property {Tanh} [tanh] 'vectorised'
 * @property {readonly Method[]} [methods] all three
 */

/**
 * @param {string} caller
 * @param {Parameters<typeof checkSizes>[1]} sizes
 * @param {Tanh} tanh
 * @param {readonly Method[]} methods
 */
function checkOptions(caller, sizes, tanh, methods) {
  checkSizes(caller, sizes);
  checkChoice(caller, 'tanh', tanh, TANH_FLOPS);
  checkChoices(caller, 'methods', methods, METHODS);
}

/**
 * @typedef {object} RunOptions
 * @property {readonly number[]} [sizes] numbers of keys, rising; 64, 128, … 2048
 * @property {number} [budgetMilliseconds] time after which the run ends, at most 60 s; 15 s
 * @property {AbortSignal} [signal]
 * @property {(progress: CostProgress) => void} [onProgress] called after every sample
 * @property {number} [yieldEvery] milliseconds of work between pauses; 40. One call cannot be divided,
 *   and may take up to 200 ms
 */

/**
 * Measures the cost on this device. Methods and sizes are left out, and have no row, where one call is
 * predicted to take more than 200 ms (a call cannot be interrupted), and when the budget is spent.
 *
 * Cancelling: when `signal` aborts, the run stops within one sample and resolves (it does not
 * reject) to the rows that are complete; the last progress event has `cancelled: true`. A run ends
 * with exactly one event of fraction 1, or with the cancelled one.
 *
 * @param {CostOptions & RunOptions} [options]
 * @returns {Promise<CostRow[]>} ordered by keys, then by method
 * @throws {RangeError} (as a rejection) for a size that is not a positive integer, an unknown tanh or
 *   method
 */
export async function measureCost({
  dK = 64,
  hidden = 64,
  sizes = SIZES,
  tanh = 'vectorised',
  methods = METHODS,
  budgetMilliseconds = 15000,
  signal,
  onProgress = () => {},
  yieldEvery = 40,
} = {}) {
  checkOptions('measureCost', { dK, hidden, sizes }, tanh, methods);
  const run = makeRun({ budgetMilliseconds, signal, yieldEvery, onProgress });
  const expected = makePredictor({ dK, hidden, tanh });
  const rising = [...sizes].sort((a, b) => a - b);
  const cells = rising.flatMap((keys) => methods.map((method) => ({ method, keys })));
  for (const cell of cells) {
    const { method, keys } = cell;
    if (!(await run.mayGoOn())) break;
    if (expected.milliseconds(method, keys) > LONGEST_CALL_MILLISECONDS) continue;
    const call = callOf(method, { keys, dK, hidden, tanh });
    const row = await measureCell({ ...cell, call }, run, (part) =>
      run.report((cells.indexOf(cell) + part) / (cells.length + 1), cell),
    );
    if (!row) break;
    expected.learn(row);
    run.rows.push(row);
  }
  return run.end();
}

/**
 * Creates the state of one run: its rows, its clock and its progress.
 * @param {Required<Pick<RunOptions, 'budgetMilliseconds' | 'yieldEvery' | 'onProgress'>> &
 *   Pick<RunOptions, 'signal'>} options
 */
function makeRun({ budgetMilliseconds, signal, yieldEvery, onProgress }) {
  const deadline = now() + Math.min(budgetMilliseconds, LONGEST_RUN_MILLISECONDS);
  let sliceStart = now();
  let fraction = 0;
  /** @type {CostRow[]} */
  const rows = [];
  const cancelled = () => signal?.aborted === true;
  return {
    rows,
    /** Pauses when a pause is due; returns whether the run may go on. @returns {Promise<boolean>} */
    async mayGoOn() {
      if (now() - sliceStart >= yieldEvery) {
        await pause();
        sliceStart = now();
      }
      return !cancelled() && now() < deadline;
    },
    /** @param {number} part of the whole @param {{ method?: Method, keys?: number }} where */
    report(part, where) {
      fraction = part;
      onProgress({ fraction, ...where, rows: [...rows], cancelled: false });
    },
    /** @returns {CostRow[]} */
    end() {
      if (!cancelled()) fraction = 1;
      onProgress({ fraction, rows: [...rows], cancelled: cancelled() });
      return rows;
    },
  };
}

/**
 * Warms up, then takes samples, each of many calls if they are short.
 * @param {Subject} subject
 * @param {{ mayGoOn: () => Promise<boolean> }} run
 * @param {(part: number) => void} report part of this cell that is done
 * @returns {Promise<CostRow | undefined>} undefined if the run ended before the last sample
 */
async function measureCell({ method, keys, call }, run, report) {
  // Drawing the inputs may have taken long.
  if (!(await run.mayGoOn())) return undefined;
  call();
  if (!(await run.mayGoOn())) return undefined;
  const step = clockStep();
  const { milliseconds: estimate } = timeFor(call, SPELL_MILLISECONDS, 1, step);
  const batch = Math.ceil(SPELL_MILLISECONDS / PARTS / estimate);
  const count = estimate > SLOW_CALL_MILLISECONDS ? SAMPLES_OF_SLOW_CALLS : SAMPLES;
  /** @type {ReturnType<typeof timeFor>[]} */
  const samples = [];
  while (samples.length < count) {
    if (!(await run.mayGoOn())) return undefined;
    samples.push(timeFor(call, SPELL_MILLISECONDS, batch, step));
    report(samples.length / count);
  }
  const measured = samples.map((sample) => sample.milliseconds);
  const [fastest, milliseconds, slowest] = quantiles(measured, [0, 0.5, 1]);
  const repetitions = Math.min(...samples.map((sample) => sample.repetitions));
  return { method, keys, milliseconds, fastest, slowest, repetitions, samples: count };
}

/** Returns the time of the fastest call: the first one warms up, and a busy machine may interrupt one. @param {() => unknown} call */
const fastestOf = (call) => Math.min(...times(SAMPLES, () => timeFor(call, 0).milliseconds));

/**
 * Creates a predictor of the time of one call from the last size measured, and of the first one from a
 * probe.
 * @param {{ dK: number, hidden: number, tanh: Tanh }} options
 */
function makePredictor({ dK, hidden, tanh }) {
  /** @type {Map<Method, { keys: number, milliseconds: number }>} */
  const known = new Map();
  const probe = (/** @type {Method} */ method) => {
    const call = callOf(method, { keys: PROBE_KEYS, dK, hidden, tanh });
    return { keys: PROBE_KEYS, milliseconds: fastestOf(call) };
  };
  return {
    /** @param {Method} method @param {number} keys @returns {number} */
    milliseconds(method, keys) {
      const last = known.get(method) ?? probe(method);
      known.set(method, last);
      const flop = (/** @type {number} */ n) => flopOf(method, n, { dK, hidden, tanh });
      return (last.milliseconds * flop(keys)) / flop(last.keys);
    },
    /** @param {CostRow} row */
    learn: (row) => known.set(row.method, row),
  };
}

/**
 * @param {Method} method
 * @param {number} keys
 * @param {{ dK: number, hidden: number, tanh: Tanh }} options
 * @returns {number} flop
 */
function flopOf(method, keys, { dK, hidden, tanh }) {
  return costModel({ method, keys, dK, dV: dK, hidden, tanhFlops: TANH_FLOPS[tanh] });
}

/**
 * Measures a first number before the reader starts a run. Each method is warmed up at 8 keys until the
 * engine has compiled it for good; then the keys are doubled, up to 256, as long as a call is expected to
 * take at most 10 ms. The time is that of the fastest of several batches of about 2 ms. The call is
 * synchronous and blocks for about 250 ms; its result is rough, so use `measureCost` for anything but a
 * preview.
 * @param {CostOptions} [options]
 * @returns {QuickRow[]} a row for each method
 */
export const quickCost = (options) => atOnce(partsOf(quickSample(options)));

/** @typedef {Pick<CostRow, 'method' | 'keys' | 'milliseconds' | 'repetitions'>} QuickRow */

/**
 * Returns the work of `quickCost` in parts.
 * @param {CostOptions} [options]
 * @returns {Work<QuickRow>}
 */
export function quickSample({ dK = 64, hidden = 64, tanh = 'vectorised', methods = METHODS } = {}) {
  checkOptions('quickCost', { dK, hidden }, tanh, methods);
  const callAt = (/** @type {Method} */ method, /** @type {number} */ keys) =>
    callOf(method, { keys, dK, hidden, tanh });
  const subjects = methods.map((method) => {
    const row = { method, keys: PROBE_KEYS, milliseconds: Infinity, repetitions: 0 };
    return { row, call: callAt(method, PROBE_KEYS) };
  });
  const doPart = (/** @type {number} */ part) => {
    const subject = subjects[part % subjects.length];
    const { row } = subject;
    if (part < subjects.length) {
      timeFor(subject.call, QUICK_WARM_UP_MILLISECONDS);
      // Twice the keys take four times as long.
      while (row.keys < QUICK_KEYS && 4 * fastestOf(subject.call) < QUICK_CALL_MILLISECONDS) {
        subject.call = callAt(row.method, (row.keys *= 2));
      }
    } else {
      const batch = timeFor(subject.call, QUICK_MILLISECONDS);
      if (batch.milliseconds < row.milliseconds) Object.assign(row, batch);
    }
  };
  // The methods take turns, so that a slow spell of the device slows all of them.
  return workOf(subjects.length * (1 + QUICK_ROUNDS), doPart, () => subjects.map(({ row }) => row));
}

/**
 * A point of a model line.
 * @typedef {object} PredictionRow
 * @property {Method} method
 * @property {number} keys
 * @property {number} milliseconds predicted time of one call
 */

/**
 * Returns lines of the flop model (`costModel`), each through one measured point: of the rows of its
 * method in `calibration`, the one whose `keys` is nearest `calibrationKeys` on a log scale. A method
 * without a row has the flop rate of the first method with one, 'dot' before the others, which is the
 * prediction of the flop count alone.
 * @param {CostOptions & { sizes?: readonly number[], calibrationKeys?: number,
 *   calibration: readonly { method: Method, keys: number, milliseconds: number }[] }} options
 *   `calibration` are rows of `measureCost` or `quickCost`; `calibrationKeys` 512
 * @returns {PredictionRow[]} ordered by method, then as `sizes`; empty if `calibration` is empty
 */
export function costPrediction({
  dK = 64,
  hidden = 64,
  tanh = 'vectorised',
  methods = METHODS,
  sizes = SIZES,
  calibrationKeys = 512,
  calibration,
}) {
  checkOptions('costPrediction', { dK, hidden, calibrationKeys, sizes }, tanh, methods);
  const distance = (/** @type {{ keys: number }} */ row) =>
    Math.abs(Math.log(row.keys / calibrationKeys));
  const nearest = (/** @type {Method} */ method) =>
    calibration.filter((row) => row.method === method).sort((a, b) => distance(a) - distance(b))[0];
  const fallback = METHODS.map(nearest).find((row) => row);
  return methods.flatMap((method) => {
    const row = nearest(method) ?? fallback;
    if (!row) return [];
    const rate = flopOf(row.method, row.keys, { dK, hidden, tanh }) / row.milliseconds;
    return sizes.map((keys) => {
      return { method, keys, milliseconds: flopOf(method, keys, { dK, hidden, tanh }) / rate };
    });
  });
}

/**
 * A point of a memory line.
 * @typedef {object} MemoryRow
 * @property {'dot' | 'broadcast' | 'fused'} method as in `memoryModel`
 * @property {number} keys
 * @property {number} bytes of float32 working memory beyond inputs and output
 */

/**
 * Returns lines of the memory model (`memoryModel`). Nothing is measured.
 * @param {{ dK?: number, hidden?: number, sizes?: readonly number[] }} [options]
 * @returns {MemoryRow[]} ordered by method, then as `sizes`
 */
export function memoryRows({ dK = 64, hidden = 64, sizes = SIZES } = {}) {
  checkSizes('memoryRows', { dK, hidden, sizes });
  const methods = /** @type {const} */ (['dot', 'broadcast', 'fused']);
  return methods.flatMap((method) =>
    sizes.map((keys) => ({ method, keys, bytes: memoryModel({ method, keys, dK, hidden }) })),
  );
}

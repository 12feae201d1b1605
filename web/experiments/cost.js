/**
 * Dot-product against additive attention on the reader's device: time measured in slices that keep
 * the page responsive.
 */
import { callOf, flopOf, METHODS, SIZES } from './cost-methods.js';
import { workOf } from '../shared/slices.js';
import { quantiles } from './statistics.js';
import { now, pause } from '../shared/pause.js';
import { clockStep, PARTS, SPELL_MILLISECONDS, timeFor } from './timing.js';
import { times } from '../shared/times.js';

/**
 * @import { Work } from '../shared/slices.js'
 * @import { CostOptions, Method, Tanh } from './cost-methods.js'
 */

/**
 * The longest call: calls that are predicted to take longer are left out, since none can be
 * interrupted.
 */
const LONGEST_CALL_MILLISECONDS = 200;
const LONGEST_RUN_MILLISECONDS = 60000;
/** The work between two pauses. One call cannot be divided, and may take longer. */
const SLICE_MILLISECONDS = 40;
/**
 * The number of keys with which a call of any method returns at once, and predicts the first longer
 * one.
 */
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
 * @property {number} samples number of samples, one a round
 * @property {number} ratio time relative to that of the dot product in the same round: median over the
 *   rounds. NaN, as the next two, where the dot product was not measured
 * @property {number} ratioLow least over the rounds
 * @property {number} ratioHigh most over the rounds
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
 * @property {number} batch calls between two looks at the clock
 */

/**
 * @typedef {object} RunOptions
 * @property {readonly number[]} [sizes] numbers of keys, rising; 64, 128, … 2048
 * @property {number} [budgetMilliseconds] time after which the run ends, at most 60 s; 15 s
 * @property {AbortSignal} [signal]
 * @property {(progress: CostProgress) => void} [onProgress] called after every sample
 */

/**
 * Measures the cost on this device. At each size the methods take turns, a sample each in every round, so that a
 * slow spell of the device slows all of them, and ratios are those of a round. Methods and sizes are left out, and have no row, where one call is
 * predicted to take more than 200 ms (a call cannot be interrupted), and when the budget is spent.
 *
 * Cancelling: when `signal` aborts, the run stops within one sample and resolves (it does not
 * reject) to the rows that are complete; the last progress event has `cancelled: true`. A run ends
 * with exactly one event of fraction 1, or with the cancelled one.
 * @param {CostOptions & RunOptions} [options]
 * @returns {Promise<CostRow[]>} ordered by keys, then by method
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
} = {}) {
  const run = makeRun({ budgetMilliseconds, signal, onProgress });
  const expected = makePredictor({ dK, hidden, tanh });
  const rising = [...sizes].sort((a, b) => a - b);
  const whole = rising.length + 1 / methods.length; // the rest is for the last event
  for (const keys of rising) {
    if (!(await run.mayGoOn())) break;
    const subjects = methods
      .filter((method) => expected.milliseconds(method, keys) <= LONGEST_CALL_MILLISECONDS)
      .map((method) => ({
        method,
        keys,
        call: callOf(method, { keys, dK, hidden, tanh }),
        batch: 1,
      }));
    const rows = await measureRounds(subjects, run, (part, method) =>
      run.report((rising.indexOf(keys) + part) / whole, { method, keys }),
    );
    if (!rows) break;
    for (const row of rows) expected.learn(row);
    run.rows.push(...rows);
  }
  return run.end();
}

/**
 * Creates the state of one run: its rows, its clock and its progress.
 * @param {Required<Pick<RunOptions, 'budgetMilliseconds' | 'onProgress'>> & Pick<RunOptions, 'signal'>} options
 */
function makeRun({ budgetMilliseconds, signal, onProgress }) {
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
      if (now() - sliceStart >= SLICE_MILLISECONDS) {
        await pause();
        sliceStart = now();
      }
      return !cancelled() && now() < deadline;
    },
    /** Reports progress. @param {number} part of the whole @param {{ method?: Method, keys?: number }} where */
    report(part, where) {
      fraction = part;
      onProgress({ fraction, ...where, rows: [...rows], cancelled: false });
    },
    /** Reports the end and returns the rows. @returns {CostRow[]} */
    end() {
      if (!cancelled()) fraction = 1;
      onProgress({ fraction, rows: [...rows], cancelled: cancelled() });
      return rows;
    },
  };
}

/**
 * Warms up, then takes samples in rounds, each sample of many calls if they are short.
 * @param {readonly Subject[]} subjects
 * @param {{ mayGoOn: () => Promise<boolean> }} run
 * @param {(part: number, method: Method) => void} report part of these samples that is done
 * @returns {Promise<CostRow[] | undefined>} undefined if the run ended before the last sample
 */
async function measureRounds(subjects, run, report) {
  const step = clockStep();
  let slowest = 0;
  for (const subject of subjects) {
    // Drawing the inputs may have taken long.
    if (!(await run.mayGoOn())) return undefined;
    subject.call();
    if (!(await run.mayGoOn())) return undefined;
    const { milliseconds } = timeFor(subject.call, SPELL_MILLISECONDS, 1, step);
    subject.batch = Math.ceil(SPELL_MILLISECONDS / PARTS / milliseconds);
    slowest = Math.max(slowest, milliseconds);
  }
  const count = slowest > SLOW_CALL_MILLISECONDS ? SAMPLES_OF_SLOW_CALLS : SAMPLES;
  /** A sample of each subject a round. @type {ReturnType<typeof timeFor>[][]} */
  const rounds = [];
  while (rounds.length < count) {
    /** @type {ReturnType<typeof timeFor>[]} */
    const round = [];
    for (const { method, call, batch } of subjects) {
      if (!(await run.mayGoOn())) return undefined;
      round.push(timeFor(call, SPELL_MILLISECONDS, batch, step));
      report((rounds.length + round.length / subjects.length) / count, method);
    }
    rounds.push(round);
  }
  const dot = subjects.findIndex(({ method }) => method === 'dot');
  return subjects.map((subject, index) => rowOf(subject, index, dot, rounds));
}

/**
 * Returns the row of one subject.
 * @param {Subject} subject
 * @param {number} index  of its samples in a round
 * @param {number} dot  that of the dot product; −1 without
 * @param {readonly ReturnType<typeof timeFor>[][]} rounds
 * @returns {CostRow}
 */
function rowOf({ method, keys }, index, dot, rounds) {
  const samples = rounds.map((round) => round[index]);
  const measured = samples.map((sample) => sample.milliseconds);
  const ratios = rounds.map(
    (round) => round[index].milliseconds / (round[dot]?.milliseconds ?? NaN),
  );
  const [fastest, milliseconds, slowest] = quantiles(measured, [0, 0.5, 1]);
  const [ratioLow, ratio, ratioHigh] = quantiles(ratios, [0, 0.5, 1]);
  const repetitions = Math.min(...samples.map((sample) => sample.repetitions));
  const times = { milliseconds, fastest, slowest, repetitions, samples: rounds.length };
  return { method, keys, ...times, ratio, ratioLow, ratioHigh };
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
    /** Predicts the time of one call. @param {Method} method @param {number} keys */
    milliseconds(method, keys) {
      const last = known.get(method) ?? probe(method);
      known.set(method, last);
      const flop = (/** @type {number} */ n) => flopOf(method, n, { dK, hidden, tanh });
      return (last.milliseconds * flop(keys)) / flop(last.keys);
    },
    /** Remembers a measured time. @param {CostRow} row */
    learn: (row) => known.set(row.method, row),
  };
}

/** @typedef {Pick<CostRow, 'method' | 'keys' | 'milliseconds' | 'repetitions'>} QuickRow */

/**
 * Returns the work of a first measurement, before the reader starts a run. Each method is warmed up at 8 keys until the
 * engine has compiled it for good; then the keys are doubled, up to 256, as long as a call is expected to
 * take at most 10 ms. The time is that of the fastest of several batches of about 2 ms. It takes about 250 ms, and is
 * rough.
 * @param {CostOptions} [options]
 * @returns {Work<QuickRow>} a row for each method
 */
export function quickSample({ dK = 64, hidden = 64, tanh = 'vectorised', methods = METHODS } = {}) {
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

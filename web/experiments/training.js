/**
 * The effect of the scale on training: one attention head learns one of two small tasks by plain
 * gradient descent, with every scale and every learning rate at once, on the same batches.
 * The tasks, the models and their steps are in training-runs.js.
 */
import { atOnce, inSlices, partsOf, workOf } from '../shared/slices.js';
import { mean, spread } from './statistics.js';
import { startRun, step as stepRuns, trainingBatch } from './training-runs.js';
import { times } from '../shared/times.js';

/**
 * @import { Control, Work } from '../shared/slices.js'
 * @import { Run } from './training-runs.js'
 */

/** @typedef {'average' | 'retrieve' | 'turn'} TrainingTask */

/**
 * 'none', '1/√d', '1/d': dot product times that factor (none: 1). 'twin': factor 1, but the weights
 * start d^¼ times smaller and learn √d times more slowly, which is the same as '1/√d'.
 * 'norm': cosine of query and key times a learned gain, at first √d. 'softcap': '1/√d' with scores s as
 * 50·tanh(s/50). 'clip': '1/√d', and after a step with a score above 100 both matrices shrink.
 * 'additive': v·tanh(W₁q + W₂k) with d hidden units.
 * @typedef {'none' | '1/√d' | '1/d' | 'twin' | 'norm' | 'softcap' | 'clip' | 'additive'} TrainingModel
 */

/** Learning rates by half-decades, from 0.01 to 100. */
export const TRAINING_RATES = Object.freeze(
  times(9, (i) => Number((10 ** (i / 2 - 2)).toPrecision(6))),
);

/** The final loss is a mean over this many of the last stretches. */
const FINAL_STRETCHES = 5;
/** At most this share of a short run counts as its end. */
const FINAL_SHARE = 1 / 4;

// ---- the sweep ------------------------------------------------------------------------------

/**
 * @typedef {object} TrainingOptions
 * @property {TrainingTask} task
 * @property {number} [dK] 64; also the hidden size of additive attention
 * @property {number} [seed] of the first repetition; 6
 * @property {number} [repetitions] each with another seed; 3
 * @property {number} [steps] 300
 * @property {readonly number[]} [rates] TRAINING_RATES
 * @property {readonly TrainingModel[]} [models] 'none', '1/√d', '1/d'
 */

/**
 * A stretch of one run: the first step alone, then every ten.
 * @typedef {object} TrainingRow
 * @property {TrainingModel} model
 * @property {number} rate learning rate
 * @property {number} seed
 * @property {number} step number of steps taken, including this stretch
 * @property {number} loss mean over the stretch, each step on a fresh batch; NaN where it diverged
 * @property {number} gradientNorm mean norm of the gradient over all weights
 * @property {number} entropyRatio mean entropy of the weights of attention over ln 16
 */

/**
 * Returns the work of all runs, step by step in turn.
 * @param {TrainingOptions} options
 * @returns {Work<TrainingRow> & { weights: () => Float32Array[][] }}
 */
export function trainingSweep({
  task,
  dK = 64,
  seed = 6,
  repetitions = 3,
  steps = 300,
  rates = TRAINING_RATES,
  models = ['none', '1/√d', '1/d'],
}) {
  const bySeed = times(repetitions, (i) =>
    models.map((model) => rates.map((rate) => startRun({ model, rate, seed: seed + i, dK }))),
  );
  const all = bySeed.flat();
  // The dot products of a seed advance as one, so that rows so far hold as many steps of each; additive
  // attention is slow, so each step of its runs is a part of the work.
  const isSlow = (/** @type {Run[]} */ [{ model }]) => model === 'additive';
  const units = bySeed.flatMap((groups) => {
    const slow = groups.filter(isSlow).flat();
    const fast = groups.filter((group) => !isSlow(group));
    return [...(fast.length > 0 ? [fast] : []), ...slow.map((run) => [[run]])];
  });
  const advance = (/** @type {number} */ part) => {
    const groups = units[part % units.length];
    const step = Math.floor(part / units.length);
    const batch = trainingBatch({ task, seed: groups[0][0].seed, step });
    for (const runs of groups) stepRuns(runs, batch);
  };
  const work = workOf(units.length * steps, advance, () => all.flat().flatMap(({ rows }) => rows));
  return Object.assign(work, {
    weights: () => all.flat().map(({ weights }) => weights.map(({ data }) => data)),
  });
}

/**
 * Trains in slices with pauses between them. Cancelling resolves to the rows so far.
 * @param {TrainingOptions & Control<TrainingRow>} options
 * @returns {Promise<TrainingRow[]>} ordered by seed, model, rate and step
 */
export async function measureTraining(options) {
  const { rows } = await trainInSlices(options);
  return rows;
}

/**
 * Trains like `measureTraining`, and also returns the final weights.
 * @param {TrainingOptions & Control<TrainingRow>} options
 * @returns {Promise<ReturnType<typeof train>>}
 */
export async function trainInSlices({ signal, onProgress, ...options }) {
  const sweep = trainingSweep(options);
  return { rows: await inSlices(sweep, { signal, onProgress }), weights: sweep.weights() };
}

/**
 * Trains without a pause, for a few steps or a few rates, and also returns the final weights.
 * @param {TrainingOptions} options
 * @returns {{ rows: TrainingRow[], weights: Float32Array[][] }} the weights of each run, ordered by
 *   seed, model and rate: W_Q and W_K [16, d] (norm: their transposes and the gain; additive: W₁, W₂ [d, 16] and v)
 */
export function train(options) {
  const sweep = trainingSweep(options);
  return { rows: atOnce(partsOf(sweep)), weights: sweep.weights() };
}

// ---- summaries ------------------------------------------------------------------------------

/**
 * The loss at the end, at one learning rate.
 * @typedef {object} FinalLossRow
 * @property {TrainingModel} model
 * @property {number} rate
 * @property {number} steps taken
 * @property {number} loss median over the seeds of the mean over the last 50 steps, or
 *   the last quarter of a shorter run
 * @property {number} low least over the seeds
 * @property {number} high greatest over the seeds
 */

/**
 * Groups rows by a key, in the order of appearance.
 * @template {string | number} K
 * @param {readonly TrainingRow[]} rows
 * @param {(row: TrainingRow) => K} key
 */
function groupBy(rows, key) {
  /** @type {Map<K, TrainingRow[]>} */
  const groups = new Map();
  for (const row of rows) {
    const group = groups.get(key(row));
    if (group) group.push(row);
    else groups.set(key(row), [row]);
  }
  return groups;
}

/**
 * Returns the losses at the end of training, over the seeds of each model and rate.
 * @param {readonly TrainingRow[]} rows
 * @returns {FinalLossRow[]} ordered by model and rate
 */
export function finalLosses(rows) {
  return [...groupBy(rows, ({ model, rate }) => `${model} ${rate}`).values()].map((group) => {
    const bySeed = [...groupBy(group, ({ seed }) => seed).values()];
    const last = bySeed.map((course) => {
      const count = Math.max(1, Math.min(FINAL_STRETCHES, Math.floor(FINAL_SHARE * course.length)));
      return mean(course.slice(-count).map(({ loss }) => loss));
    });
    const { low, middle, high } = spread(last);
    const [{ model, rate }] = group;
    return { model, rate, steps: group[group.length - 1].step, loss: middle, low, high };
  });
}

/**
 * Returns how much the loss at the end depends on the learning rate, after Wortsman et al., "Small-scale
 * proxies for large-scale transformer training instabilities", 2023: the mean over rates of min(loss, loss
 * at the start) less the least loss. A run that diverged counts as one that learned nothing.
 * @param {readonly TrainingRow[]} rows of several rates
 * @param {readonly FinalLossRow[]} [final] those of the rows
 * @returns {{ model: TrainingModel, sensitivity: number }[]} ordered by model
 */
export function learningRateSensitivity(rows, final = finalLosses(rows)) {
  return [...groupBy(rows, ({ model }) => model)].map(([model, group]) => {
    const first = group.filter(({ step }) => step === 1).map(({ loss }) => loss);
    const start = spread(first).middle;
    const losses = final
      .filter((row) => row.model === model)
      .map(({ loss }) => (loss < start ? loss : start));
    return { model, sensitivity: mean(losses) - Math.min(...losses) };
  });
}

/**
 * @typedef {object} CourseRow
 * @property {TrainingModel} model
 * @property {number} step
 * @property {number} loss median over the seeds, as are the two others
 * @property {number} gradientNorm
 * @property {number} entropyRatio
 */

/**
 * Returns the course of training at one learning rate.
 * @param {readonly TrainingRow[]} rows
 * @param {number} rate
 * @returns {CourseRow[]} ordered by model and step
 */
export function trainingCourse(rows, rate) {
  const chosen = rows.filter((row) => row.rate === rate);
  return [...groupBy(chosen, ({ model, step }) => `${model} ${step}`).values()].map((group) => {
    const [{ model, step }] = group;
    const median = (/** @type {'loss' | 'gradientNorm' | 'entropyRatio'} */ column) =>
      spread(group.map((row) => row[column])).middle;
    return {
      model,
      step,
      loss: median('loss'),
      gradientNorm: median('gradientNorm'),
      entropyRatio: median('entropyRatio'),
    };
  });
}

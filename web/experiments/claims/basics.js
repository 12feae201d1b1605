/** Claims about what scores and weights are, and about the softmax of an output layer. */
import {
  attentionScores,
  describe,
  effectiveKeys,
  jacobianTrace,
  linear,
  randomNormal,
  randomUniform,
  softmax,
} from '../../attention/index.js';
import { noise } from '../noise.js';
import { times } from '../../shared/times.js';
import { largestOf, mean, quantiles, rowsOf } from '../statistics.js';
import { deviation, inBlocks, scoresOf, SEED } from './samples.js';

/**
 * @import { Tensor } from '../../attention/index.js'
 * @import { Cancellable } from './samples.js'
 */

/** Counts the scores of six queries and eight keys. */
export function oneNumber() {
  const { scores } = attentionScores(
    noise('query', { rows: 6, columns: 64, seed: SEED }),
    noise('key', { rows: 8, columns: 64, seed: SEED }),
  );
  const [rows, columns] = scores.shape;
  return { rows, columns, numbers: scores.data.length };
}

/** Measures the variance of scores of entries with the deviation 2. @param {Cancellable} control */
export const entrySize = async (control) => ({
  variance: (await deviation({ dK: 64, entrySize: 2 }, control)) ** 2,
});

/** Returns scores with a function of each row. @param {Tensor} scores @param {(row: Float32Array) => (score: number) => number} of */
const changed = ({ data, shape }, of) => ({
  data: Float32Array.from(
    rowsOf({ data, shape }).flatMap((row) => {
      const change = of(row);
      return [...row].map(change);
    }),
  ),
  shape,
});

/** Adds 1000 to all scores of a query, or squeezes them into 0 to 1. @param {Cancellable} control */
export async function inputRange(control) {
  // Multiples of 1/1024, so that float32 holds each sum exactly.
  const exactly = () => (/** @type {number} */ score) => Math.round(score * 1024) / 1024;
  const scores = changed(await scoresOf({ dK: 64, scale: 1 / 8 }, control), exactly);
  const weights = softmax(scores);
  const shifted = softmax(changed(scores, () => (score) => score + 1000));
  const squeezed = changed(scores, (row) => {
    const [least, most] = [Math.min(...row), Math.max(...row)];
    return (score) => (score - least) / (most - least);
  });
  const keys = (/** @type {Tensor} */ of) => describe(effectiveKeys(of)).mean;
  return {
    shifted: Math.max(...weights.data.map((weight, i) => Math.abs(weight - shifted.data[i]))),
    keys: keys(weights),
    squeezed: keys(softmax(squeezed)),
  };
}

/** Measures mean and deviation of scores with and without scale. @param {Cancellable} control */
export async function meanScore(control) {
  const unscaled = describe(await scoresOf({ dK: 512 }, control));
  const scaled = describe(await scoresOf({ dK: 512, scale: 1 / Math.sqrt(512) }, control));
  return {
    mean: unscaled.mean,
    deviation: Math.sqrt(unscaled.variance),
    scaledMean: scaled.mean,
    scaledDeviation: Math.sqrt(scaled.variance),
  };
}

/** Measures the mean and the largest of a query's weights with and without scale. @param {Cancellable} control */
export async function meanWeight(control) {
  const weightsOf = async (/** @type {number} */ scale) =>
    softmax(await scoresOf({ dK: 64, scale }, control));
  const largest = (/** @type {Tensor} */ weights) => mean(rowsOf(weights).map(largestOf));
  const [unscaled, scaled] = [await weightsOf(1), await weightsOf(1 / 8)];
  return {
    mean: describe(unscaled).mean,
    largest: largest(unscaled),
    scaledMean: describe(scaled).mean,
    scaledLargest: largest(scaled),
  };
}

/** Width of the inputs, and heads that share it. */
const [WIDTH, HEADS] = [512, 8];

/**
 * Measures the variance of queries that Glorot's uniform weights make of inputs of variance 1: of a square matrix, of
 * that of one head, and of one with queries, keys and values side by side.
 */
export function glorot() {
  const input = randomNormal([128, WIDTH], { seed: SEED });
  const variance = (/** @type {number} */ outputs) => {
    const reach = Math.sqrt(6 / (WIDTH + outputs));
    const weight = randomUniform([outputs, WIDTH], {
      low: -reach,
      high: reach,
      seed: SEED,
      stream: 1,
    });
    return describe(linear(input, weight)).variance;
  };
  return { square: variance(WIDTH), packed: variance(3 * WIDTH), head: variance(WIDTH / HEADS) };
}

/**
 * Measures, where the outputs of a layer are as wide as unscaled scores and the likeliest of 64 answers is wrong, the
 * gradient of the loss with respect to the right one, 1 − p, and what softmax alone passes on, tr J.
 * @param {Cancellable} control
 */
export async function outputSoftmax(control) {
  const outputs = softmax(await scoresOf({ dK: 512 }, control));
  const traces = jacobianTrace(outputs).data;
  const wrong = rowsOf(outputs).flatMap((row, i) =>
    largestOf(row) > row[0] ? [{ gradient: 1 - row[0], trace: traces[i] }] : [],
  );
  const median = (/** @type {number[]} */ values) => quantiles(values, [0.5])[0];
  return {
    wrong: wrong.length,
    gradient: median(wrong.map(({ gradient }) => gradient)),
    trace: median(wrong.map(({ trace }) => trace)),
  };
}

/** Words that look at the patches of a picture, the numbers of each, and the deviations of queries and keys. */
const SCENE = { words: 10, patches: 49, d: 768, query: 1, key: 0.5 };
/** Pictures that are drawn, and how much of its size is added to a query. */
const [PICTURES, CHANGE] = [128, 0.1];

/**
 * Measures how far the attention of words to patches moves when queries change a little: the weight that moves from
 * some patches to others, a mean over words, and the share of words whose first patch becomes another, which is the
 * same with any scale.
 * @param {Cancellable} control
 */
export async function patches(control) {
  const { words, patches: keys, d } = SCENE;
  const moved = (/** @type {number} */ seed) => {
    const draw = (
      /** @type {number} */ rows,
      /** @type {number} */ stream,
      /** @type {number} */ std,
    ) => randomNormal([rows, d], { seed, stream, std });
    const [query, key] = [draw(words, 0, SCENE.query), draw(keys, 1, SCENE.key)];
    const change = draw(words, 2, CHANGE * SCENE.query).data;
    const changed = { ...query, data: query.data.map((entry, i) => entry + change[i]) };
    const [scores, others] = [query, changed].map(
      (from) => attentionScores(from, key, { scale: 1 }).scores,
    );
    const weightMoved = (/** @type {number} */ temperature) => {
      const [before, after] = [scores, others].map((from) => softmax(from, { temperature }).data);
      return before.reduce((sum, weight, i) => sum + Math.abs(weight - after[i]) / 2, 0) / words;
    };
    const firstOf = (/** @type {Float32Array} */ row) => row.indexOf(largestOf(row));
    const after = rowsOf(others);
    return {
      unscaled: weightMoved(1),
      scaled: weightMoved(Math.sqrt(d)),
      led: mean(rowsOf(scores).map((row, i) => Number(firstOf(row) !== firstOf(after[i])))),
    };
  };
  const blocks = await inBlocks(PICTURES, control, ({ rows, first }) =>
    times(rows, (i) => moved(first + i)),
  );
  const of = (/** @type {'unscaled' | 'scaled' | 'led'} */ name) =>
    mean(blocks.flat().map((each) => each[name]));
  return { unscaled: of('unscaled'), scaled: of('scaled'), led: of('led') };
}

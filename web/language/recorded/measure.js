// What is measured of a model on text that it has never seen.
import { diagnose, scoreMoments } from '../../attention/index.js';
import { dotsOf } from './dots.js';
import { attentionOf, lossGradient } from '../index.js';
import { GAPS } from './gaps.js';
import { keysOf, recordOf } from '../../shared/keys.js';
import { times } from '../../shared/times.js';

/**
 * @import { Model } from '../index.js'
 * @import { DkScaleKey } from '../../shared/dk-scales.js'
 * @import { StartKey } from '../../shared/starts.js'
 * @typedef {{ tokens: number[][], targets: number[][] }} Windows
 * @typedef {{ layer: number, head: number, ratio: number, correlation: number, entropyRatio: number,
 *   largestScore: number, firstKey: number, previousKey: number, fiveBack: number }} HeadRow
 *   `ratio`: σ(q·k) over √d_k·σ_q·σ_k; the last three are mean weights
 */

/** The windows of held-out text on which loss and heads are measured. */
const COUNT = 32;
/** Of these, the windows on which heads are measured. */
const FOR_HEADS = 8;

/**
 * Returns windows at even distances in a list of tokens.
 * @param {readonly number[]} list
 * @param {number} context
 * @returns {Windows}
 */
export function heldOutWindows(list, context) {
  const stride = Math.floor((list.length - context - 1) / COUNT);
  const starts = times(COUNT, (i) => i * stride);
  return {
    tokens: starts.map((start) => list.slice(start, start + context)),
    targets: starts.map((start) => list.slice(start + 1, start + context + 1)),
  };
}

/** Returns the mean loss on windows. @param {Model} model  @param {Windows} windows */
export const lossOn = (model, { tokens, targets }) => lossGradient(model, tokens, targets).loss;

const mean = (/** @type {number[]} */ values) => values.reduce((a, b) => a + b, 0) / values.length;

/**
 * Returns the mean weight on the key that stands some places back.
 * @param {Float32Array} weights of one head and window, n × n
 * @param {number} n
 * @param {number} back
 */
const weightBack = (weights, n, back) => mean(times(n - back, (i) => weights[(i + back) * n + i]));

/**
 * Returns the mean weight that a head gives to places in its rows, and what it would be with weights alike.
 * @param {Model} model
 * @param {number[][]} windows
 * @param {{ layer: number, head: number, goals: number[][][] }} options  goals: by window and row; rows without are left out
 */
export function lookedFor(model, windows, { layer, head, goals }) {
  const { heads, context } = model.config;
  const { data } = attentionOf(model, windows)[layer].weights;
  const rows = goals.flatMap((each, window) =>
    each.flatMap((places, row) => {
      if (places.length === 0) return [];
      const start = ((window * heads + head) * context + row) * context;
      const weight = places.reduce((sum, place) => sum + data[start + place], 0);
      return [{ weight, even: places.length / (row + 1) }];
    }),
  );
  return {
    weight: mean(rows.map(({ weight }) => weight)),
    even: mean(rows.map(({ even }) => even)),
  };
}

/** The numbers of keys whose rows are measured, as far as a model's context goes. */
const SIZES = [8, 16, 32, 48, 64];

/**
 * @typedef {object} CompetitorsOfHead
 * @property {number} layer
 * @property {number} head
 * @property {{ keys: number, deviation: number, gap: number }[]} sizes  mean deviation of a row, and the gap
 *   below the largest within which one other key lies, on average; both in units of the scaled scores
 * @property {number[]} counts  of the longest rows: mean number of other keys within each of GAPS
 */

/**
 * Measures the competitors of the largest score in rows of every head.
 * @param {Model} model
 * @param {number[][]} windows
 * @returns {CompetitorsOfHead[]}
 */
export function measureCompetitors(model, windows) {
  const { heads, context } = model.config;
  const sizes = SIZES.filter((size) => size <= context);
  return attentionOf(model, windows).flatMap(({ weights }, layer) =>
    times(heads, (head) => {
      const rowsOf = (/** @type {number} */ keys) =>
        windows.map((_, window) => {
          const start = ((window * heads + head) * context + keys - 1) * context;
          const scores = [...weights.data.subarray(start, start + keys)].map(Math.log);
          const largest = Math.max(...scores);
          return scores.map((score) => largest - score);
        });
      const within = (/** @type {number[][]} */ rows, /** @type {number} */ gap) =>
        rows.flat().filter((each) => each <= gap).length / rows.length - 1;
      return {
        layer,
        head,
        sizes: sizes.map((keys) => {
          const rows = rowsOf(keys);
          const gaps = rows.flat().sort((a, b) => a - b);
          return {
            keys,
            deviation: short(mean(rows.map(deviationOf))),
            gap: short(gaps[2 * rows.length - 1]), // each row has a gap of 0, its own
          };
        }),
        counts: GAPS.map((gap) => short(within(rowsOf(sizes[sizes.length - 1]), gap))),
      };
    }),
  );
}

/** Returns the standard deviation. @param {number[]} values */
function deviationOf(values) {
  const middle = mean(values);
  return Math.sqrt(mean(values.map((value) => (value - middle) ** 2)));
}

/** Rounds to five digits, which a file holds. @param {number} value */
export const short = (value) => Number(value.toPrecision(5));

/**
 * What is measured of a variant: a number a head, layer after layer.
 *
 * @typedef {object} VariantHeads
 * @property {number[]} factor of its scores
 * @property {number[]} [gain] where queries and keys are normalised: mean of the products of their gains
 * @property {number[]} effectiveDimension tr M_q·tr M_k / tr(M_q M_k), as `scoreMoments` computes it
 * @property {number[]} predicted σ(q·k) by the moments, over all pairs
 * @property {number[]} measured σ(q·k) over the pairs of a query and a key that it sees
 * @property {number[]} entropyRatio entropy of the weights over ln n
 * @property {number[]} largestScore
 * @property {number[]} previousKey mean weight on the token before
 *
 * @typedef {{ variant: string, seed: number, rows: { step: number, loss: number, heads: VariantHeads }[] }} VariantRun
 * @typedef {{ command: string, text: object, config: Record<'vocabulary' | 'context' | 'dModel' | 'layers' | 'heads' | 'dKey', number>,
 *   training: Record<'steps' | 'learningRate' | 'warmUp' | 'batch', number>, runs: VariantRun[] }} RecordedVariants
 */

/**
 * Measures the heads of a variant, on average over windows.
 * @param {Model} model
 * @param {Windows} windows
 * @returns {VariantHeads}
 */
export function measureVariant({ config, parameters }, windows) {
  const layers = attentionOf({ config, parameters }, windows.tokens.slice(0, FOR_HEADS));
  const rows = layers.flatMap(({ query, key }, layer) => {
    const own = (/** @type {string} */ name) => parameters[`layers.${layer}.${name}`]?.data;
    const [queryGain, keyGain] = [own('queryNorm.weight'), own('keyNorm.weight')];
    return times(config.heads, (head) => {
      const logScale = own('logScale')?.[head];
      const factor = logScale === undefined ? config.scale : Math.exp(logScale);
      const found = diagnose(query, key, { scale: factor, causal: true });
      const ofHead = (/** @type {unknown} */ _, /** @type {number} */ i) =>
        i % config.heads === head;
      const of = found.filter(ofHead);
      const moments = scoreMoments(query, key).filter(ofHead);
      const mid = (/** @type {'entropyRatio' | 'previousWeight'} */ name) =>
        mean(of.map((each) => each[name]));
      return {
        factor,
        ...(queryGain && {
          gain: mean([...queryGain].map((gain, j) => Math.abs(gain * keyGain[j]))),
        }),
        effectiveDimension: mean(moments.map((each) => each.effectiveDimension)),
        predicted: mean(moments.map((each) => each.scoreDeviation)),
        measured: mean(
          dotsOf(query, key, { causal: true })
            .filter(ofHead)
            .map(({ dotDeviation }) => dotDeviation),
        ),
        entropyRatio: mid('entropyRatio'),
        largestScore: Math.max(...of.map(({ largestScore = NaN }) => largestScore)),
        previousKey: mid('previousWeight'),
      };
    });
  });
  return recordOf(keysOf(rows[0]), (name) => rows.map((row) => short(row[name])));
}

/**
 * Returns σ(q·k) over the pairs of a query and a key that it sees, the mean over heads and windows.
 * @param {Model} model
 * @param {Windows} windows
 */
export function measureDeviation(model, windows) {
  const layers = attentionOf(model, windows.tokens.slice(0, FOR_HEADS));
  const found = layers.flatMap(({ query, key }) => dotsOf(query, key, { causal: true }));
  return short(mean(found.map(({ dotDeviation }) => dotDeviation)));
}

/**
 * A run from a start: after each of the recorded steps the loss on held-out text and σ(q·k), which those from unit
 * variance, whose losses are taken from the other runs, do not have.
 * @typedef {{ start: StartKey, scale: Exclude<DkScaleKey, 'half-sqrt'>, seed: number, loss: number[],
 *   deviation?: number[] }} StartRun
 * @typedef {Omit<RecordedVariants, 'runs'> & { steps: number[], runs: StartRun[] }} RecordedStarts
 */

/**
 * Measures every head, on average over windows.
 * @param {Model} model
 * @param {Windows} windows
 * @returns {HeadRow[]}
 */
export function measureHeads(model, windows) {
  const { scale, heads } = model.config;
  const layers = attentionOf(model, windows.tokens.slice(0, FOR_HEADS));
  return layers.flatMap(({ query, key, weights }, layer) => {
    const dots = dotsOf(query, key, { causal: true });
    const found = diagnose(query, key, { scale, causal: true }).map((each, i) => ({
      ...each,
      ...dots[i],
    }));
    const n = query.shape[2];
    return times(heads, (head) => {
      const of = found.filter((each) => each.head === head);
      const blocks = of.map((_, window) =>
        weights.data.subarray((window * heads + head) * n * n, (window * heads + head + 1) * n * n),
      );
      const mid = (/** @type {keyof typeof of[0]} */ name) =>
        short(mean(of.map((each) => Number(each[name]))));
      return {
        layer,
        head,
        ratio: mid('ratio'),
        correlation: mid('correlation'),
        entropyRatio: mid('entropyRatio'),
        largestScore: short(Math.max(...of.map(({ largestScore = NaN }) => largestScore))),
        firstKey: mid('firstWeight'),
        previousKey: mid('previousWeight'),
        fiveBack: short(mean(blocks.map((block) => weightBack(block, n, 5)))),
      };
    });
  });
}

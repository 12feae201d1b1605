/**
 * Queries and keys are not interchangeable: the two ways to normalise their scores, and relations
 * that only separate vectors can learn (rock–paper–scissors: each attends to the one it beats).
 */
import { attention, attentionGradient, attentionScores, randomNormal } from '../attention/index.js';
import { scoresOf } from './scores.js';
import { atOnce, inSlices, partsOf, workOf } from '../shared/slices.js';
import { asymmetryOf, rowsOf } from './statistics.js';
import { times } from '../shared/times.js';

/**
 * @import { Tensor } from '../attention/tensor.js'
 * @import { Control, Work } from '../shared/slices.js'
 */

/**
 * The token that each token has to attend to.
 * @type {Readonly<Record<'ring3' | 'pairs' | 'ring8', readonly number[]>>}
 */
export const RELATIONS = Object.freeze({
  ring3: Object.freeze([1, 2, 0]),
  pairs: Object.freeze([1, 0, 3, 2]),
  ring8: Object.freeze([1, 2, 3, 4, 5, 6, 7, 0]),
});

/** @typedef {keyof typeof RELATIONS} Relation */

const RATE = 0.5;
const SPREAD = 0.5;
const STEPS_A_PART = 20;
const STEPS = 4000;
const SEEDS = 8;
const STEPS_A_DECADE = 8;
/** @type {readonly ('tied' | 'untied')[]} */
const SERIES = ['tied', 'untied'];

/**
 * Returns softmax(QKᵀ), in which each query distributes its weight over keys, and softmax(KQᵀ), in which
 * each key does over queries. Scores are not scaled.
 * @param {{ queries: number[][], keys: number[][] }} options  vectors of one length
 * @returns {{ order: 'QK' | 'KQ', row: number, column: number, weight: number }[]} `row` is the query
 *   in QK and the key in KQ; from 0
 */
export function relationWeights({ queries, keys }) {
  const weightsOf = (/** @type {number[][]} */ from, /** @type {number[][]} */ to) =>
    attentionScores(from, to, { scale: 1, returns: ['weights'] }).weights;
  const rows = (/** @type {'QK' | 'KQ'} */ order, /** @type {Tensor} */ weights) =>
    rowsOf(weights).flatMap((line, row) =>
      [...line].map((weight, column) => ({ order, row, column, weight })),
    );
  return [...rows('QK', weightsOf(queries, keys)), ...rows('KQ', weightsOf(keys, queries))];
}

/**
 * Creates a model: a query and a key of length d for each token; tied ones are the same array.
 * @param {{ relation: Relation, d: number, seed: number, tied: boolean }} options
 */
function createModel({ relation, d, seed, tied }) {
  const targets = RELATIONS[relation];
  const n = targets.length;
  const query = randomNormal([n, d], { seed, std: SPREAD });
  const key = tied ? query : { data: query.data.slice(), shape: [n, d] };
  // With the identity as values, the output is the weights and their gradient is that of the output.
  /** @type {Tensor} */
  const value = { data: new Float32Array(n * n), shape: [n, n] };
  for (let i = 0; i < n; i++) value.data[i * n + i] = 1;
  return { targets, n, d, query, key, value, tied };
}

/** @typedef {ReturnType<typeof createModel>} RelationModel */

/** Returns the mean cross-entropy and its gradient by the weights. @param {RelationModel} model */
function lossOf({ query, key, value, targets, n }) {
  const { data } = attention(query, key, value, { scale: 1 }).output;
  const dOutput = { data: new Float32Array(n * n), shape: [n, n] };
  let loss = 0;
  targets.forEach((target, i) => {
    const at = i * n + target;
    loss -= Math.log(data[at]) / n;
    dOutput.data[at] = -1 / (n * data[at]);
  });
  return { loss, dOutput };
}

/** Makes one step of plain gradient descent. @param {RelationModel} model @returns {number} the loss before it */
function step(model) {
  const { query, key, value, tied } = model;
  const { loss, dOutput } = lossOf(model);
  const { dQuery, dKey } = attentionGradient(query, key, value, dOutput, { scale: 1 });
  for (let i = 0; i < query.data.length; i++) {
    query.data[i] -= RATE * (dQuery.data[i] + (tied ? dKey.data[i] : 0));
    if (!tied) key.data[i] -= RATE * dKey.data[i];
  }
  return loss;
}

/** Returns the measures of a model. @param {RelationModel} model */
const measuresOf = (model) => ({
  asymmetry: asymmetryOf(scoresOf(model.query, model.key).data, model.n),
  drift: driftOf(model),
});

/** Returns ‖QᵀQ − KᵀK‖ / ‖QᵀQ‖, 0 at the start and conserved by gradient flow. @param {RelationModel} model */
function driftOf({ query, key, n, d }) {
  let [drift, size] = [0, 0];
  for (let a = 0; a < d; a++) {
    for (let b = 0; b < d; b++) {
      let [q, k] = [0, 0];
      for (let i = 0; i < n; i++) {
        q += query.data[i * d + a] * query.data[i * d + b];
        k += key.data[i * d + a] * key.data[i * d + b];
      }
      drift += (q - k) ** 2;
      size += q * q;
    }
  }
  return Math.sqrt(drift / size);
}

/**
 * @typedef {object} RelationRow
 * @property {'tied' | 'untied'} series
 * @property {number} seed
 * @property {number} step of gradient descent, at about eight a decade
 * @property {number} loss mean cross-entropy in nats before this step
 * @property {number} asymmetry ‖S − Sᵀ‖ / ‖S + Sᵀ‖ of the scores
 * @property {number} drift ‖QᵀQ − KᵀK‖ / ‖QᵀQ‖, which gradient flow keeps at 0: a self-check
 */

/**
 * @typedef {object} RelationOptions
 * @property {Relation} [relation] 'ring3': rock–paper–scissors; 'pairs': two pairs swap; 'ring8'
 * @property {number} [d] length of queries and keys; 3
 * @property {number} [seed] of the first run; later runs take the next ones; 1
 * @property {number} [seeds] number of runs of each series; 8
 * @property {number} [steps] of gradient descent at rate 0.5; 4000
 */

/** Returns the steps that have a row, spaced evenly on a logarithmic axis. @param {number} steps */
function milestones(steps) {
  const count = Math.ceil(STEPS_A_DECADE * Math.log10(steps));
  const all = times(count + 1, (i) => Math.round(steps ** (i / count)));
  return new Set([0, ...all]);
}

/**
 * Returns the work of all runs, in parts of a few milliseconds. Tied and untied models start from the
 * same vectors.
 * @param {RelationOptions} options
 * @returns {Work<RelationRow>}
 */
function createRuns({ relation = 'ring3', d = 3, seed = 1, seeds = SEEDS, steps = STEPS }) {
  const runs = times(seeds, (i) => seed + i).flatMap((each) =>
    SERIES.map((series) => ({ series, seed: each })),
  );
  const models = runs.map((run) =>
    createModel({ relation, d, seed: run.seed, tied: run.series === 'tied' }),
  );
  const marks = milestones(steps);
  /** @type {RelationRow[]} */
  const rows = [];
  // The runs take turns, so that the rows so far can be compared.
  const advance = (/** @type {number} */ part) => {
    const turn = part % runs.length;
    const first = STEPS_A_PART * Math.floor(part / runs.length);
    const model = models[turn];
    for (let now = first; now < first + STEPS_A_PART && now <= steps; now++) {
      const before = marks.has(now) && measuresOf(model);
      const loss = step(model);
      if (before) rows.push({ ...runs[turn], step: now, loss, ...before });
    }
  };
  const total = runs.length * Math.ceil((steps + 1) / STEPS_A_PART);
  return workOf(total, advance, () => rows.slice());
}

/**
 * Trains the relation with tied (Q = K) and with separate vectors, in slices with pauses between them.
 * Cancelling resolves to the rows so far.
 * @param {RelationOptions & Control<RelationRow>} [options]
 * @returns {Promise<RelationRow[]>}
 */
export const measureRelation = async ({ signal, onProgress, ...options } = {}) =>
  inSlices(createRuns(options), { signal, onProgress });

/**
 * Trains without a pause, by default one run of each series over a few steps.
 * @param {RelationOptions} [options] `seeds` 1 and `steps` 200 by default
 * @returns {RelationRow[]}
 */
export function quickRelation({ seeds = 1, steps = 200, ...options } = {}) {
  return atOnce(partsOf(createRuns({ ...options, seeds, steps })));
}

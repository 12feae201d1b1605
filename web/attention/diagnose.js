/**
 * A diagnosis of attention for when training is unstable: how queries, keys and weights of each head
 * are spread. Sums are float64.
 */
import { attend } from './attention.js';
import { explain } from './diagnose-hint.js';
import { reject } from './errors.js';
import { STATISTICS } from './head-statistics.js';
import { readInputs } from './heads.js';
import { readEntries } from './options.js';
import { readTensor } from './read.js';
import { scoreMoments } from './score-moments.js';
import { readSettings } from './settings.js';
import { rejectShape } from './shape.js';

/**
 * @import { ScoreOptions } from './attention.js'
 * @import { Cause } from './diagnose-hint.js'
 * @import { Statistic } from './head-statistics.js'
 * @import { HeadMask } from './mask.js'
 * @import { Tensor, TensorLike } from './tensor.js'
 */

/**
 * The diagnosis of a head. Means are over the queries that may attend to two keys or more, and NaN
 * where there is none.
 *
 * @typedef {object} Diagnosis
 * @property {number} batch the item
 * @property {number} head its head
 * @property {number} [dotDeviation] standard deviation of q·k over the pairs that may attend; this and
 *   the next six are there for queries and keys only
 * @property {number} [scoreDeviation] standard deviation of the scaled scores
 * @property {number} [predictedDeviation] the same over all pairs, by `scoreMoments`
 * @property {number} [effectiveDimension] that of `scoreMoments`
 * @property {number} [ratio] dotDeviation over √d_k·σ_q·σ_k, where σ are deviations of all entries: 1 for
 *   independent entries
 * @property {number} [correlation] mean of q·k over d_k·σ_q·σ_k
 * @property {number} [largestScore] the largest score that softmax sees
 * @property {number} entropyRatio entropy of the weights over ln n, where n keys may be attended to: from
 *   0, one key, to 1, uniform
 * @property {number} effectiveKeys 1/Σp², of weights p brought to a sum of 1
 * @property {number} jacobianTrace Σp − Σp²: how much gradient passes softmax
 * @property {number} firstWeight weight on key 0
 * @property {number} previousWeight weight on the key before the query's own
 * @property {number} emptyRows how many queries may attend to no key, or have only weights of 0
 * @property {'frozen' | 'sharp' | 'spread' | 'uniform'} verdict as `diagnose` describes it
 * @property {Cause} cause a name for the hint, for programs and translations
 * @property {string} hint a sentence on the likely cause, or that nothing stands out
 */

/** Effective keys beyond this share of all: scores have a deviation below 1/3. */
const UNIFORM = 0.9;
/** Of 1 − 1/n, the most that the trace of the Jacobian can be. */
const FROZEN = 0.5;
/** Of ln n: the entropy of √n equal weights. */
const SHARP = 0.5;
/** The most that weights of a query sum to, also rounded to 8 bits. */
const MOST_SUM = 1.01;
const CALLER = 'diagnose';

/**
 * Diagnoses each head of attention by its queries and keys, or by its weights alone.
 *
 * The verdict follows from the weights. Those of n independent scores of deviation σ condense on few keys
 * at σ_c = √(2 ln n) (Derrida, "Random-energy model", 1981). 'uniform': effective keys, n·e^(−σ²) for
 * small σ, are above 0.9 n, so that σ is below 1/3 at any n. 'frozen': the mean trace of the Jacobian is
 * below half of 1 − 1/n, which σ = 1.5 σ_c gives for n from 8 to 4096; a typical query passes hardly any
 * gradient. 'sharp': the entropy is below half of ln n, that of √n equal weights, from about σ_c on.
 * 'spread': all others, among them σ = 1, where 1/√d_k begins. A trained head may be sharp or frozen for
 * good reason: one that has learned to look back shows it in previousWeight.
 *
 * Of weights alone, a head whose queries have weight 0 on all later keys is taken for causal. Rows that
 * are negative somewhere or sum to more than 1 are no weights: the hint names the first.
 *
 * Cost: two products of queries and keys and n_q·n_k exponentials, no matrix of n_q × n_k. Error: that of
 * `attentionStatistics`.
 *
 * @param {TensorLike | { weights: TensorLike }} query [n_q, d_k], [h, n_q, d_k] or [b, h, n_q, d_k]; or
 *   `{ weights }` of [n_q, n_k], [h, n_q, n_k] or [b, h, n_q, n_k], alone
 * @param {TensorLike} [key] [n_k, d_k], [g, n_k, d_k] or [b, g, n_k, d_k]
 * @param {ScoreOptions} [options] those of `attentionScores`; returns and into are without effect
 * @returns {Diagnosis[]} one a head, item after item
 * @throws {ShapeError | DTypeError | CapacityError | BackendError}
 * @example
 * const [q, k] = [1, 2].map((seed) => randomNormal([64, 64], { seed }));
 * diagnose(q, k)[0].verdict; // 'spread'
 * const [unscaled] = diagnose(q, k, { scale: 1 });
 * unscaled.verdict; // 'frozen'
 * unscaled.hint.split(':')[0]; // 'scores have a deviation of 8.0 = √d_k'
 * diagnose({ weights: [[0.5, 0.5], [0.5, 0.5]] })[0].verdict; // 'uniform'
 */
export function diagnose(query, key, options) {
  if (key === undefined && hasWeights(query)) return diagnoseWeights(query);
  if (key === undefined && query !== undefined) {
    reject(CALLER, 'key', key, 'a tensor; for weights alone call diagnose({ weights })');
  }
  return diagnoseScores(query, key, options);
}

/** Returns whether weights are given. @param {any} query @returns {query is { weights: TensorLike }} */
const hasWeights = (query) => query?.weights !== undefined;

/** Diagnoses given weights. @param {{ weights: TensorLike }} given @returns {Diagnosis[]} */
function diagnoseWeights(given) {
  const { data, shape } = readTensor(CALLER, 'weights', given.weights);
  if (shape.length < 2 || shape.length > 4) {
    rejectShape(CALLER, 'weights', shape, '[n_q, n_k], [h, n_q, n_k] or [b, h, n_q, n_k]');
  }
  const [heads, nQ, nK] = [1, ...shape].slice(-3);
  return matricesOf(data, nQ * nK).map((weights, index) => {
    const isCausal = isTriangular(weights, nQ, nK);
    const rows = [...Array(nQ).keys()].map((i) =>
      rowOfWeights(weights.subarray(i * nK, (i + 1) * nK), i, isCausal ? Math.min(i + 1, nK) : nK),
    );
    const oddRow = rows.findIndex(({ isOdd }) => isOdd);
    const odd = oddRow < 0 ? {} : { oddRow };
    return finish(index, heads, { ...averageOf(rows), ...odd });
  });
}

/** What a row of weights is like; `keys` is the number of keys that its query sees.
 *  @typedef {Averaged & { isOdd?: boolean }} Row */

/**
 * The numbers of a row that are averaged over rows.
 *
 * @typedef {{ keys: number, entropyRatio: number, effectiveKeys: number, jacobianTrace: number,
 *   firstWeight: number, previousWeight: number }} Averaged
 */

/**
 * Measures a row of given weights. It is odd where a number is negative or their sum is above 1.
 *
 * @param {Float32Array} row
 * @param {number} i its query
 * @param {number} keys the number of keys that the query sees, if its weights are not all 0
 * @returns {Row}
 */
function rowOfWeights(row, i, keys) {
  let [sum, squares, logs, least] = [0, 0, 0, 0];
  row.subarray(0, keys).forEach((p) => {
    sum += p;
    squares += p * p;
    least = Math.min(least, p);
    if (p > 0) logs += p * Math.log(p);
  });
  const isEmpty = sum === 0 && least === 0;
  return {
    keys: isEmpty ? 0 : keys,
    entropyRatio: (Math.log(sum) - logs / sum) / Math.log(keys),
    effectiveKeys: (sum * sum) / squares,
    jacobianTrace: sum - squares,
    firstWeight: row[0],
    previousWeight: i > 0 && i <= row.length ? row[i - 1] : 0,
    isOdd: least < 0 || sum > MOST_SUM,
  };
}

/**
 * Diagnoses queries and keys.
 *
 * @param {unknown} query a TensorLike
 * @param {unknown} key a TensorLike
 * @param {ScoreOptions | undefined} options
 * @returns {Diagnosis[]}
 */
function diagnoseScores(query, key, options) {
  const given = { ...readEntries(CALLER, options), returns: undefined, into: undefined };
  const inputs = readInputs(CALLER, query, key, null, 'dot');
  const settings = readSettings(CALLER, inputs, given);
  const { heads, kvHeads, nQ, nK, dK } = inputs;
  const { scoring, mask, cosine } = settings;
  const statistics = attend(CALLER, inputs, settings, STATISTICS, {});
  const plain = { ...scoring, factor: 1, softcap: 0 };
  const unmasked = { ...settings, scoring: plain, mask: withoutNumbers(mask) };
  const dotNames = /** @type {const} */ (['scoreMean', 'scoreDeviation', 'visibleKeys']);
  const dots = attend(CALLER, inputs, unmasked, dotNames, {});
  const [rowsOfQueries, rowsOfKeys] = [inputs.query, inputs.key].map((data) =>
    cosine ? unitRows(data, dK) : data,
  );
  const lead = [inputs.batch, heads, nQ, dK];
  const moments = scoreMoments(
    { data: rowsOfQueries, shape: lead },
    { data: rowsOfKeys, shape: [inputs.batch, kvHeads, nK, dK] },
  );
  const [queries, keys] = [matricesOf(inputs.query, nQ * dK), matricesOf(inputs.key, nK * dK)];
  return moments.map(({ effectiveDimension, scoreDeviation }, index) => {
    const head = (/** @type {Tensor} */ { data }) => data.subarray(index * nQ, (index + 1) * nQ);
    const group = Math.floor((index * kvHeads) / heads);
    const scale = Math.sqrt(dK) * deviation(queries[index]) * deviation(keys[group]);
    const dot = pairsOf(head(dots.scoreMean), head(dots.scoreDeviation), head(dots.visibleKeys));
    const rows = [...Array(nQ).keys()].map((i) => rowOfStatistics(statistics, index * nQ + i));
    return finish(index, heads, {
      dotDeviation: dot.deviation,
      scoreDeviation: Math.abs(scoring.factor) * dot.deviation,
      predictedDeviation: Math.abs(scoring.factor) * scoreDeviation,
      effectiveDimension,
      ratio: dot.deviation / scale,
      correlation: dot.mean / (scale * Math.sqrt(dK)),
      largestScore: largestOf(head(statistics.largestScore)),
      ...averageOf(rows),
    }, dK); // prettier-ignore
  });
}

/** Returns a mask that hides the same keys and adds nothing. @param {HeadMask | null} mask @returns {HeadMask | null} */
const withoutNumbers = (mask) =>
  mask && mask.data instanceof Float32Array
    ? { ...mask, data: Uint8Array.from(mask.data, (x) => Number(x !== -Infinity)) }
    : mask;

/** Returns rows brought to length 1. @param {Float32Array} data @param {number} d @returns {Float32Array} */
function unitRows(data, d) {
  const rows = data.slice();
  for (let at = 0; at < rows.length; at += d) {
    const row = rows.subarray(at, at + d);
    const length = Math.max(Math.hypot(...row), 1e-12);
    row.forEach((x, i) => (row[i] = x / length));
  }
  return rows;
}

/**
 * Returns what row i of some statistics is like, with weights brought to a sum of 1.
 *
 * @param {Record<Statistic, Tensor>} statistics
 * @param {number} i
 * @returns {Row}
 */
function rowOfStatistics(statistics, i) {
  const of = (/** @type {Statistic} */ name) => statistics[name].data[i];
  const effective = of('effectiveKeys');
  const sum = of('jacobianTrace') + (effective && 1 / effective);
  const keys = of('visibleKeys');
  return {
    keys,
    entropyRatio: (Math.log(sum) + of('entropy') / sum) / Math.log(keys),
    effectiveKeys: sum * sum * effective,
    jacobianTrace: of('jacobianTrace'),
    firstWeight: of('firstWeight'),
    previousWeight: of('previousWeight'),
  };
}

/**
 * Returns mean and standard deviation over all pairs, from those of each query.
 *
 * @param {Float32Array} means
 * @param {Float32Array} deviations
 * @param {Float32Array} counts
 */
function pairsOf(means, deviations, counts) {
  let [pairs, sum, squares] = [0, 0, 0];
  counts.forEach((n, i) => {
    if (n === 0) return;
    pairs += n;
    sum += n * means[i];
  });
  const mean = sum / pairs;
  counts.forEach((n, i) => {
    if (n > 0) squares += n * (deviations[i] ** 2 + (means[i] - mean) ** 2);
  });
  return { mean, deviation: Math.sqrt(squares / pairs) };
}

/**
 * Averages over the rows whose queries see two keys or more, and counts those that see none.
 *
 * @param {Row[]} rows
 */
function averageOf(rows) {
  const some = rows.filter(({ keys }) => keys > 1);
  const mean = (/** @type {keyof Averaged} */ name) =>
    some.reduce((total, row) => total + row[name], 0) / some.length;
  return {
    keys: mean('keys'),
    entropyRatio: mean('entropyRatio'),
    effectiveKeys: mean('effectiveKeys'),
    jacobianTrace: mean('jacobianTrace'),
    firstWeight: mean('firstWeight'),
    previousWeight: mean('previousWeight'),
    emptyRows: rows.filter(({ keys }) => keys === 0).length,
  };
}

/**
 * Adds to the measurements of a head its place, the verdict and a hint.
 *
 * @param {number} index of the head, over the whole batch
 * @param {number} heads
 * @param {Omit<Diagnosis, 'batch' | 'head' | 'verdict' | 'cause' | 'hint'>
 *   & { keys: number, oddRow?: number }} measured with the first row that is not of weights
 * @param {number} [d] columns of query and key
 * @returns {Diagnosis}
 */
function finish(index, heads, { keys, oddRow, ...measured }, d) {
  const { effectiveKeys, jacobianTrace, entropyRatio } = measured;
  /** @type {Diagnosis['verdict']} */
  let verdict = 'spread';
  if (!(effectiveKeys <= UNIFORM * keys)) verdict = 'uniform';
  else if (jacobianTrace < FROZEN * (1 - 1 / keys)) verdict = 'frozen';
  else if (entropyRatio < SHARP) verdict = 'sharp';
  const place = { batch: Math.floor(index / heads), head: index % heads };
  return { ...place, ...measured, verdict, ...explain({ ...measured, verdict, oddRow }, d) };
}

/** Returns the largest entry, or NaN where there is one. @param {Float32Array} entries */
function largestOf(entries) {
  let largest = -Infinity;
  for (let i = 0; i < entries.length; i++) {
    if (!(entries[i] <= largest)) largest = entries[i];
    if (Number.isNaN(largest)) return NaN;
  }
  return largest;
}

/** Returns the standard deviation of all entries. @param {Float32Array} entries */
function deviation(entries) {
  let [sum, squares] = [0, 0];
  for (let i = 0; i < entries.length; i++) {
    const difference = entries[i] - entries[0]; // what all entries share costs no digits
    sum += difference;
    squares += difference * difference;
  }
  const mean = sum / entries.length;
  return Math.sqrt(Math.max(0, squares / entries.length - mean * mean));
}

/**
 * Cuts data into matrices of a size.
 *
 * @param {Float32Array} data
 * @param {number} size
 * @returns {Float32Array[]}
 */
function matricesOf(data, size) {
  const matrices = [];
  for (let at = 0; at < data.length; at += size) matrices.push(data.subarray(at, at + size));
  return matrices;
}

/** Returns whether there are entries above the diagonal and all are 0. @param {Float32Array} weights
 *  @param {number} nQ @param {number} nK */
function isTriangular(weights, nQ, nK) {
  for (let i = 0; i < nQ; i++) {
    for (let j = i + 1; j < nK; j++) if (weights[i * nK + j] !== 0) return false;
  }
  return nQ > 1 && nK > 1;
}

/**
 * A diagnosis of attention for when training is unstable: how queries, keys and weights of each head
 * are spread. Sums are float64.
 */
import { computeScores } from './attention.js';
import { explain } from './diagnose-hint.js';
import { readEntries } from './options.js';
import { readTensor } from './read.js';
import { rejectShape } from './shape.js';

/**
 * @import { ScoreOptions, ScoreResults } from './attention.js'
 * @import { Cause } from './diagnose-hint.js'
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
 *   the next four are there for queries and keys only
 * @property {number} [scoreDeviation] standard deviation of the scaled scores
 * @property {number} [ratio] dotDeviation over √d_k·σ_q·σ_k, where σ are deviations of all entries: 1 for
 *   independent entries
 * @property {number} [correlation] mean of q·k over d_k·σ_q·σ_k
 * @property {number} [largestLogit] the largest score that softmax sees
 * @property {number} entropyRatio entropy of the weights over ln n, where n keys may be attended to: from
 *   0, one key, to 1, uniform
 * @property {number} effectiveKeys 1/Σp², of weights p brought to a sum of 1
 * @property {number} jacobianTrace Σp − Σp²: how much gradient passes softmax
 * @property {number} firstKeyWeight weight on key 0
 * @property {number} previousKeyWeight weight on the key before the query's own
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

/**
 * Diagnoses each head of attention by its queries and keys, or by its weights alone.
 *
 * The verdict follows from the weights. Those of n independent scores of deviation σ condense on few keys
 * at σ_c = √(2 ln n) (Derrida, "Random-energy model", 1981). 'uniform': effective keys, n·e^(−σ²) for
 * small σ, are above 0.9 n, so that σ is below 1/3 at any n. 'frozen': the mean trace of the Jacobian is
 * below half of 1 − 1/n, which σ = 1.5 σ_c gives for n from 8 to 4096; a typical query passes hardly any
 * gradient. 'sharp': the entropy is below half of ln n, that of √n equal weights, from about σ_c on.
 * 'spread': all others, among them σ = 1, where 1/√d_k begins. A trained head may be sharp or frozen for
 * good reason: one that has learned to look back shows it in previousKeyWeight.
 *
 * Of weights alone, a head whose queries have weight 0 on all later keys is taken for causal.
 *
 * Cost: two products of queries and keys, O(n_q·n_k) in JavaScript and 4 matrices a head. Error: that of
 * scores and weights.
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
  const given = /** @type {any} */ (query);
  if (key === undefined && given?.weights !== undefined) return diagnoseWeights(given);
  return diagnoseScores(
    /** @type {TensorLike} */ (query),
    /** @type {TensorLike} */ (key),
    options,
  );
}

/** Diagnoses given weights. @param {{ weights: TensorLike }} given @returns {Diagnosis[]} */
function diagnoseWeights(given) {
  const caller = 'diagnose';
  const { data, shape } = readTensor(caller, 'weights', given.weights);
  if (shape.length < 2 || shape.length > 4) {
    rejectShape(caller, 'weights', shape, '[n_q, n_k], [h, n_q, n_k] or [b, h, n_q, n_k]');
  }
  const [heads, nQ, nK] = [1, ...shape].slice(-3);
  return matricesOf(data, nQ * nK).map((weights, index) => {
    const isCausal = isTriangular(weights, nQ, nK);
    const sees = (/** @type {number} */ i, /** @type {number} */ j) => !isCausal || j <= i;
    return finish(index, heads, measureWeights(weights, nQ, nK, sees, 0));
  });
}

/**
 * Diagnoses queries and keys.
 *
 * @param {TensorLike} query
 * @param {TensorLike} key
 * @param {ScoreOptions | undefined} options
 * @returns {Diagnosis[]}
 */
function diagnoseScores(query, key, options) {
  const caller = 'diagnose';
  const given = /** @type {ScoreOptions} */ (readEntries(caller, options));
  const [q, k] = [readTensor(caller, 'query', query), readTensor(caller, 'key', key)];
  const returns = /** @type {const} */ (['weights', 'maskedScores']);
  const all = /** @type {Required<ScoreResults>} */ (
    computeScores(caller, q, k, { ...given, returns, into: undefined })
  );
  const { similarity } = given;
  const dots = computeScores(caller, q, k, { scale: 1, similarity }).scores;
  const [nQ, nK] = all.scores.shape.slice(-2);
  const [heads, groups] = [q, k].map(({ shape }) => [1, ...shape].slice(-3)[0]);
  const d = q.shape[q.shape.length - 1];
  const size = nQ * nK;
  const [queries, keys] = [matricesOf(q.data, nQ * d), matricesOf(k.data, nK * d)];
  const offset = given.causal === 'lower-right' ? nK - nQ : 0;
  return matricesOf(all.weights.data, size).map((weights, index) => {
    const part = (/** @type {Tensor} */ { data }) =>
      data.subarray(index * size, (index + 1) * size);
    const masked = part(all.maskedScores);
    const sees = (/** @type {number} */ i, /** @type {number} */ j) =>
      masked[i * nK + j] !== -Infinity;
    const group = Math.floor((index * groups) / heads);
    const scale = Math.sqrt(d) * deviation(queries[index]) * deviation(keys[group]);
    const dot = momentsOf(part(dots), masked);
    return finish(index, heads, {
      dotDeviation: dot.deviation,
      scoreDeviation: momentsOf(part(all.scores), masked).deviation,
      ratio: dot.deviation / scale,
      correlation: dot.mean / (scale * Math.sqrt(d)),
      largestLogit: largestOf(masked),
      ...measureWeights(weights, nQ, nK, sees, offset),
    }, d); // prettier-ignore
  });
}

/**
 * Adds to the measurements of a head its place, the verdict and a hint.
 *
 * @param {number} index of the head, over the whole batch
 * @param {number} heads
 * @param {Omit<Diagnosis, 'batch' | 'head' | 'verdict' | 'cause' | 'hint'> & { keys: number }} measured
 * @param {number} [d] columns of query and key
 * @returns {Diagnosis}
 */
function finish(index, heads, { keys, ...measured }, d) {
  const { effectiveKeys, jacobianTrace, entropyRatio } = measured;
  /** @type {Diagnosis['verdict']} */
  let verdict = 'spread';
  if (!(effectiveKeys <= UNIFORM * keys)) verdict = 'uniform';
  else if (jacobianTrace < FROZEN * (1 - 1 / keys)) verdict = 'frozen';
  else if (entropyRatio < SHARP) verdict = 'sharp';
  const place = { batch: Math.floor(index / heads), head: index % heads };
  return { ...place, ...measured, verdict, ...explain({ ...measured, verdict }, d) };
}

/**
 * Measures the weights of a head; `keys` is the mean number of keys that a query sees.
 *
 * @param {Float32Array} weights [nQ, nK]
 * @param {number} nQ
 * @param {number} nK
 * @param {(i: number, j: number) => boolean} sees whether query i may attend to key j
 * @param {number} offset where query 0 stands among the keys
 */
function measureWeights(weights, nQ, nK, sees, offset) {
  /** @type {Record<'keys' | 'entropyRatio' | 'effectiveKeys' | 'jacobianTrace' | 'firstKeyWeight'
   *   | 'previousKeyWeight', number>[]} */
  const rows = [];
  for (let i = 0; i < nQ; i++) {
    let [n, sum, squares, logs] = [0, 0, 0, 0];
    for (let j = 0; j < nK; j++) {
      if (!sees(i, j)) continue;
      const p = weights[i * nK + j];
      n += 1;
      sum += p;
      squares += p * p;
      if (p > 0) logs += p * Math.log(p);
    }
    if (n < 2) continue;
    const previous = i + offset - 1;
    rows.push({
      keys: n,
      entropyRatio: (Math.log(sum) - logs / sum) / Math.log(n),
      effectiveKeys: (sum * sum) / squares,
      jacobianTrace: sum - squares,
      firstKeyWeight: weights[i * nK],
      previousKeyWeight: previous >= 0 && previous < nK ? weights[i * nK + previous] : 0,
    });
  }
  const mean = (/** @type {keyof (typeof rows)[0]} */ name) =>
    rows.reduce((total, row) => total + row[name], 0) / rows.length;
  return {
    keys: mean('keys'),
    entropyRatio: mean('entropyRatio'),
    effectiveKeys: mean('effectiveKeys'),
    jacobianTrace: mean('jacobianTrace'),
    firstKeyWeight: mean('firstKeyWeight'),
    previousKeyWeight: mean('previousKeyWeight'),
  };
}

/**
 * Returns mean and standard deviation of the entries that may be attended to.
 *
 * @param {Float32Array} entries
 * @param {Float32Array} [masked] -Infinity for those that may not
 */
function momentsOf(entries, masked) {
  let [n, sum, squares] = [0, 0, 0];
  let start = NaN; // one of them: what all entries share costs no digits
  for (let i = 0; i < entries.length; i++) {
    if (masked !== undefined && masked[i] === -Infinity) continue;
    if (n === 0) start = entries[i];
    const difference = entries[i] - start;
    n += 1;
    sum += difference;
    squares += difference * difference;
  }
  const mean = sum / n;
  return { mean: start + mean, deviation: Math.sqrt(Math.max(0, squares / n - mean * mean)) };
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
const deviation = (entries) => momentsOf(entries).deviation;

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

/**
 * Measures the weights of a head for a diagnosis. Where nobody says which keys a query sees, zeros do: keys without
 * a weight are hidden, and weights below the diagonal alone are those of a causal head.
 */
import { noise } from './duplicates.js';
import { MOST_SUM } from './hint.js';
import { queriesOf } from './padding.js';

/**
 * @import { Cause } from './hint.js'
 * @import { Row } from './pairs.js'
 */

/** How far the mean of rows' sums may be from 1, and a single sum. */
const SLACK = { mean: 0.01, single: 0.05 };
/** The share of weights above 0 that a mask leaves; underflow may take the others. */
const MOST_FILLED = 0.9;
/** Sums of rows above this, on average, are no weights of which some are dropped. */
const MOST_MEAN = 1.5;

/**
 * The sums of rows.
 *
 * @typedef {{ mean: number, spread: number, largest: number }} RowSum spread: their standard deviation
 */

/**
 * What is measured of a head; `oddRow` is the first that is not of weights.
 *
 * @typedef {object} MeasuredWeights
 * @property {Row[]} rows of the queries that count
 * @property {Float64Array} received
 * @property {number} counted queries that see a key
 * @property {number} fingerprint
 * @property {RowSum} rowSum
 * @property {number} paddingWeight
 * @property {Cause} [fault]
 * @property {number} [oddRow]
 * @property {boolean} hasNaN
 * @property {boolean} isTriangular whether no query has a weight on a later key, and some could
 * @property {boolean} isShifted whether the last key with a weight is the next one, in all rows
 * @property {(i: number, j: number) => boolean} sees
 */

/**
 * Measures a head.
 *
 * @param {Float32Array} weights [n_q, n_k]
 * @param {number} nK
 * @param {{ sees?: (i: number, j: number) => boolean, keep?: Uint8Array }} declared which keys a query may see, and
 *   which are no padding
 * @returns {MeasuredWeights}
 */
export function measureWeights(weights, nK, { sees: declared, keep }) {
  const nQ = nK ? weights.length / nK : 0;
  const shift = Math.max(0, nK - nQ); // fewer queries are the last ones
  const columns = columnSums(weights, nK);
  const hidden = hiddenKeys(columns, keep);
  const reach = reachOf(weights, nQ, nK, shift);
  const isTriangular = reach !== undefined && reach <= 0 && nQ > 1 && nK > 1;
  const sees = (/** @type {number} */ i, /** @type {number} */ j) =>
    !hidden[j] && !(isTriangular && j > i + shift) && (declared?.(i, j) ?? true);
  const first = hidden.indexOf(0);
  const received = new Float64Array(nK);
  /** @type {Row[]} */
  const rows = [];
  /** @type {number[]} */
  const sums = [];
  let [fingerprint, padding, counted] = [0, 0, 0];
  let oddRow = -1;
  let [hasNaN, isNegative] = [false, false];
  for (const i of queriesOf(keep, nQ, nK)) {
    const place = i + shift;
    const row = weights.subarray(i * nK, (i + 1) * nK);
    const measured = measureRow(row, (j) => sees(i, j), place, first);
    rows.push(measured.row);
    if (measured.isEmpty) continue;
    hasNaN ||= Number.isNaN(measured.whole);
    isNegative ||= measured.least < 0;
    if (oddRow < 0 && (measured.least < 0 || measured.whole > MOST_SUM)) oddRow = i;
    sums.push(measured.whole);
    counted += 1;
    row.forEach((p, j) => {
      received[j] += p;
      fingerprint += p * noise(i) * noise(j);
      if (keep && !keep[j]) padding += p;
    });
  }
  const rowSum = describeSums(sums);
  const fault = faultOf({ isNegative, rowSum, sums, columns });
  return {
    rows,
    received,
    counted,
    fingerprint: fingerprint / counted,
    rowSum,
    paddingWeight: counted ? padding / counted : 0,
    fault,
    ...(fault === 'unweighted' ? { oddRow: Math.max(0, oddRow) } : {}),
    hasNaN,
    isTriangular,
    isShifted: reach === 1 && isFilled(weights, nQ, nK, shift),
    sees,
  };
}

/**
 * Measures a row, with weights on the visible keys brought to a sum of 1.
 *
 * @param {Float32Array} row
 * @param {(j: number) => boolean} isSeen
 * @param {number} place of the query among the keys
 * @param {number} first key that is not hidden
 */
function measureRow(row, isSeen, place, first) {
  let [sum, squares, logs, least, whole, wholeSquares, later, keys] = [0, 0, 0, 0, 0, 0, 0, 0];
  row.forEach((p, j) => {
    whole += p;
    wholeSquares += p * p;
    least = Math.min(least, p);
    if (j > place) later += p;
    if (!isSeen(j)) return;
    keys += 1;
    sum += p;
    squares += p * p;
    if (p > 0) logs += p * Math.log(p);
  });
  const isEmpty = whole === 0 && least === 0;
  const at = (/** @type {number} */ j) => row[j] ?? 0;
  return {
    isEmpty,
    whole,
    least,
    row: {
      keys: isEmpty ? 0 : keys,
      entropyRatio: (Math.log(sum) - logs / sum) / Math.log(keys),
      effectiveKeys: (sum * sum) / squares,
      jacobianTrace: whole - wholeSquares,
      firstWeight: at(first),
      previousWeight: at(place - 1),
      selfWeight: at(place),
      nextWeight: at(place + 1),
      laterWeight: later,
    },
  };
}

/** Returns the sums of columns. @param {Float32Array} weights @param {number} nK */
function columnSums(weights, nK) {
  const columns = new Float64Array(nK);
  weights.forEach((p, at) => (columns[at % nK] += p));
  return columns;
}

/**
 * Returns which keys are hidden from all queries: padding, and those that get nothing, unless all the weight is on
 * one key.
 *
 * @param {Float64Array} columns their sums
 * @param {Uint8Array} [keep]
 */
function hiddenKeys(columns, keep) {
  const without = columns.reduce((count, sum) => count + Number(sum === 0), 0);
  const hasChoice = columns.length - without > 1;
  return Uint8Array.from(columns, (sum, j) =>
    Number((hasChoice && sum === 0) || (keep !== undefined && keep[j] === 0)),
  );
}

/**
 * Returns how far behind a query's own place the last key with a weight is, 0 for its own.
 *
 * @param {Float32Array} weights
 * @param {number} nQ
 * @param {number} nK
 * @param {number} shift
 */
function reachOf(weights, nQ, nK, shift) {
  /** @type {number | undefined} */
  let reach;
  for (let i = 0; i < nQ; i++) {
    let last = nK - 1;
    while (last >= 0 && weights[i * nK + last] === 0) last -= 1;
    if (last >= 0) reach = Math.max(reach ?? -Infinity, last - i - shift);
  }
  return reach;
}

/**
 * Returns whether nearly all weights up to the next key are above 0, so that the zeros behind it are those of a mask.
 *
 * @param {Float32Array} weights
 * @param {number} nQ
 * @param {number} nK
 * @param {number} shift
 */
function isFilled(weights, nQ, nK, shift) {
  let [places, above] = [0, 0];
  for (let i = 0; i < nQ; i++) places += Math.min(nK, i + shift + 2);
  for (const p of weights) if (p > 0) above += 1;
  return nQ > 3 && above >= MOST_FILLED * places;
}

/** Describes the sums of rows. @param {readonly number[]} sums @returns {RowSum} */
function describeSums(sums) {
  const mean = sums.reduce((total, sum) => total + sum, 0) / sums.length;
  const squares = sums.reduce((total, sum) => total + (sum - mean) ** 2, 0) / sums.length;
  return { mean, spread: Math.sqrt(squares), largest: Math.max(...sums) };
}

/**
 * Returns what is wrong with weights.
 *
 * @param {{ isNegative: boolean, rowSum: RowSum, sums: readonly number[], columns: Float64Array }} measured
 * @returns {Cause | undefined}
 */
function faultOf({ isNegative, rowSum, sums, columns }) {
  if (isNegative) return 'unweighted';
  const isOff = (/** @type {number} */ sum) => Math.abs(sum - 1) > SLACK.single;
  if (!(Math.abs(rowSum.mean - 1) > SLACK.mean) && !sums.some(isOff)) return undefined;
  const some = columns.filter((sum) => sum > 0);
  if (some.length > 1 && some.every((sum) => Math.abs(sum - 1) <= SLACK.mean)) return 'columns';
  return rowSum.mean > MOST_MEAN ? 'unweighted' : 'rowSums';
}

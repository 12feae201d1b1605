/**
 * Measures the heads of queries and keys for a diagnosis, without a matrix of scores. What all keys share moves no
 * weight: deviations are within each query, and keys are taken from their mean.
 */
import { attend, operations } from '../attention/attention.js';
import { KEY_STATISTICS } from '../attention/head-statistics.js';
import { expectWithin } from '../attention/limit.js';
import { scoreMoments } from '../attention/score-moments.js';
import { recordOf } from '../shared/keys.js';
import { times } from '../shared/times.js';
import { noise } from './duplicates.js';
import { keysSeen, maskOfHead, queriesOf } from './padding.js';

/**
 * @import { Inputs } from '../attention/heads.js'
 * @import { HeadMask } from '../attention/mask.js'
 * @import { Scoring, Settings } from '../attention/settings.js'
 */

/** The largest number of float16. */
const MOST_HALF = 65504;
const RESULTS = /** @type {const} */ ([...KEY_STATISTICS, 'logSumExp', 'receivedWeight', 'output']);

/**
 * What the weights of a query are like; `keys` is the number of keys that it sees.
 *
 * @typedef {object} Row
 * @property {number} keys
 * @property {number} entropyRatio
 * @property {number} effectiveKeys
 * @property {number} jacobianTrace
 * @property {number} firstWeight
 * @property {number} previousWeight
 * @property {number} selfWeight
 * @property {number} nextWeight
 * @property {number} laterWeight
 */

/**
 * How the scores of a head are spread.
 *
 * @typedef {object} Spread
 * @property {number} dotDeviation
 * @property {number} predictedDeviation of q·k, over all pairs
 * @property {number} effectiveDimension
 * @property {number} entryShare
 * @property {number} alignment
 * @property {number} correlation
 * @property {number} largestScore
 */

/**
 * What is measured of a head.
 *
 * @typedef {object} MeasuredPairs
 * @property {Row[]} rows of the queries that are no padding
 * @property {Float64Array} received the weight that each key receives
 * @property {number} counted queries that see a key
 * @property {number} fingerprint
 * @property {Spread} spread
 * @property {number} [largestDot] where it is beyond float16
 * @property {boolean} hasNaN
 */

/**
 * A head alone, with the queries and keys that count: `queries` are those that are no padding, `seen` tells which keys
 * some of them sees, and `first` was the number of key 0 among all nK.
 *
 * @typedef {{ inputs: Inputs, settings: Settings<any>, queries: number[], seen: Uint8Array, first: number,
 *   nK: number }} Head
 */

/**
 * Measures all heads.
 *
 * @param {string} caller
 * @param {Inputs} inputs
 * @param {Settings<any>} settings
 * @param {Uint8Array[] | null} padding the keys of each item that are no padding
 * @returns {MeasuredPairs[]} one a head, item after item
 */
export function measurePairs(caller, inputs, settings, padding) {
  expectWithin(caller, settings.limit, operations(inputs, settings, 6, 0));
  const { heads, batch } = inputs;
  return times(batch * heads, (index) => {
    const keep = padding?.[Math.floor(index / heads)];
    return measureHead(caller, headOf(inputs, settings, index, keep));
  });
}

/**
 * Returns a head from its first query that is no padding to the last, and from its first key that is seen to the last.
 * Rows are brought to length 1 for 'cosine'.
 *
 * @param {Inputs} inputs
 * @param {Settings<any>} settings
 * @param {number} index of the head over the whole batch
 * @param {Uint8Array} [keep] the keys that are no padding
 * @returns {Head}
 */
function headOf(inputs, { scoring, mask, cosine }, index, keep) {
  const { heads, kvHeads, nQ, nK, dK } = inputs;
  const span = scoring.spans[Math.floor(index / heads)];
  const queries = queriesOf(keep, nQ, nK);
  const [from, to] = [queries[0] ?? 0, (queries[queries.length - 1] ?? -1) + 1];
  const seen = keysSeen(span, mask, index, { queries, nK, keep });
  const [first, end] = [Math.max(0, seen.indexOf(1)), seen.lastIndexOf(1) + 1];
  const group = Math.floor((index * kvHeads) / heads);
  const rows = (/** @type {Float32Array} */ data, /** @type {number} */ start, /** @type {number} */ stop) =>
    cosine ? unitRows(data.slice(start * dK, stop * dK), dK) : data.subarray(start * dK, stop * dK); // prettier-ignore
  return {
    inputs: {
      query: rows(inputs.query, index * nQ + from, index * nQ + to),
      key: rows(inputs.key, group * nK + first, group * nK + end),
      value: Float32Array.from({ length: end - first }, (_, j) => noise(first + j)),
      lead: [],
      batch: 1,
      heads: 1,
      kvHeads: 1,
      nQ: to - from,
      nK: end - first,
      dQ: dK,
      dK,
      dV: 1,
    },
    settings: {
      scoring: {
        ...scoring,
        spans: [{ ...span, offset: span.offset + from - first, keyCount: end - first }],
        sinks: [scoring.sinks[index % heads]],
      },
      mask: maskOfHead(mask, index, { queries, nQ, nK, first, end, keep }),
      cosine: false,
      returns: [],
      into: undefined,
      limit: undefined,
    },
    queries: queries.map((i) => i - from),
    seen: seen.subarray(first, end),
    first,
    nK,
  };
}

/**
 * Measures a head. Its weight on some keys follows from the sum of softmax over these alone.
 *
 * @param {string} caller
 * @param {Head} head
 * @returns {MeasuredPairs}
 */
function measureHead(caller, { inputs, settings, queries, seen, first, nK }) {
  const { scoring, mask } = settings;
  const [span] = scoring.spans;
  /** @template {typeof RESULTS[number]} Name @param {readonly Name[]} names @param {Partial<Scoring>} [change]
   *  @param {HeadMask | null} [hiding] */
  const attended = (names, change, hiding = mask) => {
    const given = { ...settings, scoring: { ...scoring, ...change }, mask: hiding };
    const results = attend(caller, inputs, given, names, {});
    return recordOf(names, (name) => results[name].data);
  };
  const dotsAt = (/** @type {number} */ factor) =>
    attended(['scoreDeviation', 'largestScore'], { factor, softcap: 0 }, withoutNumbers(mask));
  const sumsAt = (/** @type {number} */ place) =>
    attended(['logSumExp'], {
      spans: [{ ...span, offset: span.offset + place, left: 0, right: 0 }],
      sinks: [-Infinity],
    }).logSumExp;

  const all = attended(RESULTS);
  const isCausal = span.right === 0;
  const upTo = isCausal ? all : attended(['logSumExp'], { spans: [{ ...span, right: 0 }] });
  const next = isCausal ? undefined : sumsAt(1);
  const rows = rowsOf(all, { earlier: upTo.logSumExp, self: sumsAt(0), next }, queries);
  const isPlain = !scoring.softcap && !(mask?.data instanceof Float32Array) && scoring.factor !== 0;
  const { scoreDeviation } = isPlain ? all : dotsAt(1);
  const unit = isPlain ? Math.abs(scoring.factor) : 1;
  const most = longestRow(inputs.query, inputs.dK) * longestRow(inputs.key, inputs.dK);
  const ends = most > MOST_HALF ? [dotsAt(1), dotsAt(-1)] : [];
  const largestDot = Math.max(0, ...ends.map(({ largestScore }) => largestOf(largestScore)));

  const received = new Float64Array(nK);
  received.set(all.receivedWeight, first);
  const counted = queries.filter((_, at) => rows[at].keys > 0);
  const dots = counted.map((i) => ({ i, keys: all.visibleKeys[i], deviation: scoreDeviation[i] / unit })); // prettier-ignore
  const { output, logSumExp } = all;
  return {
    rows,
    received,
    counted: counted.length,
    fingerprint: counted.reduce((sum, i) => sum + output[i] * noise(i), 0) / counted.length,
    spread: {
      ...spreadOf(inputs, seen, dots, span.offset),
      largestScore: largestOf(all.largestScore),
    },
    ...(largestDot > MOST_HALF ? { largestDot } : {}),
    hasNaN: counted.some((i) => Number.isNaN(logSumExp[i] + output[i])),
  };
}

/**
 * Returns what the rows of queries are like, with weights brought to a sum of 1.
 *
 * @param {Record<typeof RESULTS[number], Float32Array>} all
 * @param {{ earlier: Float32Array, self: Float32Array, next?: Float32Array }} sums of softmax, as logarithms
 * @param {readonly number[]} queries
 * @returns {Row[]}
 */
const rowsOf = (all, { earlier, self, next }, queries) =>
  queries.map((i) => {
    const [trace, effective] = [all.jacobianTrace[i], all.effectiveKeys[i]];
    const sum = trace + (effective && 1 / effective);
    const keys = all.visibleKeys[i];
    /** Returns the share of softmax that a part of its sum has. @param {Float32Array} part */
    const shareOf = (part) => Math.min(1, Math.exp(part[i] - all.logSumExp[i]));
    return {
      keys,
      entropyRatio: (Math.log(sum) + all.entropy[i] / sum) / Math.log(keys),
      effectiveKeys: sum * sum * effective,
      jacobianTrace: trace,
      firstWeight: all.firstWeight[i],
      previousWeight: all.previousWeight[i],
      selfWeight: shareOf(self),
      nextWeight: next ? shareOf(next) : 0,
      laterWeight: 1 - shareOf(earlier),
    };
  });

/**
 * Returns how q·k is spread.
 *
 * @param {Inputs} inputs
 * @param {Uint8Array} seen the keys that count
 * @param {readonly { i: number, keys: number, deviation: number }[]} dots of the queries that count: how many keys they
 *   see, and the deviation of q·k over these
 * @param {number} offset
 */
function spreadOf({ query, key, dK }, seen, dots, offset) {
  const some = dots.filter(({ keys }) => keys > 1);
  const pairs = some.reduce((sum, { keys }) => sum + keys, 0);
  const squares = some.reduce((sum, { keys, deviation }) => sum + keys * deviation ** 2, 0);
  const dotDeviation = Math.sqrt(squares / pairs);
  const own = chosen(query, dots.map(({ i }) => i), dK); // prettier-ignore
  const centred = fromMean(key, seen, dK);
  const visible = chosen(centred, [...seen.keys()].filter((j) => seen[j]), dK); // prettier-ignore
  const [{ scoreDeviation, effectiveDimension, rmsQuery, rmsKey }] = scoreMoments(
    { data: own, shape: [own.length / dK, dK] },
    { data: visible, shape: [visible.length / dK, dK] },
  );
  const entryShare = rmsQuery * rmsKey;
  const near = some.filter(({ i }) => seen[i + offset]);
  const cosines = near.map(({ i }) => cosineOf(query, i * dK, centred, (i + offset) * dK, dK));
  return {
    dotDeviation,
    predictedDeviation: scoreDeviation,
    effectiveDimension,
    entryShare,
    alignment: dotDeviation / (Math.sqrt(dK) * entryShare),
    correlation: cosines.reduce((sum, x) => sum + x, 0) / cosines.length,
  };
}

/** Returns some rows of a matrix. @param {Float32Array} matrix @param {readonly number[]} rows @param {number} d */
function chosen(matrix, rows, d) {
  if (rows.length * d === matrix.length) return matrix;
  const all = new Float32Array(rows.length * d);
  rows.forEach((row, at) => all.set(matrix.subarray(row * d, (row + 1) * d), at * d));
  return all;
}

/** Takes keys from the mean of those that are seen. @param {Float32Array} key @param {Uint8Array} seen @param {number} d */
function fromMean(key, seen, d) {
  const count = seen.reduce((sum, flag) => sum + flag, 0);
  const mean = new Float64Array(d);
  seen.forEach((flag, j) => {
    if (flag) for (let c = 0; c < d; c++) mean[c] += key[j * d + c] / count;
  });
  const centred = new Float32Array(key.length);
  for (let at = 0; at < key.length; at += d) {
    for (let c = 0; c < d; c++) centred[at + c] = key[at + c] - mean[c];
  }
  return centred;
}

/**
 * Returns the cosine of two rows, 0 where one is 0.
 *
 * @param {Float32Array} one
 * @param {number} start of the row
 * @param {Float32Array} other
 * @param {number} otherStart
 * @param {number} d
 */
function cosineOf(one, start, other, otherStart, d) {
  let [both, squares, otherSquares] = [0, 0, 0];
  for (let c = 0; c < d; c++) {
    const [x, y] = [one[start + c], other[otherStart + c]];
    both += x * y;
    squares += x * x;
    otherSquares += y * y;
  }
  return both / (Math.sqrt(squares * otherSquares) || 1);
}

/** Returns a mask that hides the same keys and adds nothing. @param {HeadMask | null} mask @returns {HeadMask | null} */
const withoutNumbers = (mask) =>
  mask && mask.data instanceof Float32Array
    ? { ...mask, data: Uint8Array.from(mask.data, (x) => Number(x !== -Infinity)) }
    : mask;

/** Brings rows to length 1, in place. @param {Float32Array} rows @param {number} d */
function unitRows(rows, d) {
  for (let at = 0; at < rows.length; at += d) {
    const length = Math.max(lengthOf(rows, at, d), 1e-12);
    for (let c = at; c < at + d; c++) rows[c] /= length;
  }
  return rows;
}

/** Returns the length of the longest row. @param {Float32Array} rows @param {number} d */
function longestRow(rows, d) {
  let longest = 0;
  for (let at = 0; at < rows.length; at += d) longest = Math.max(longest, lengthOf(rows, at, d));
  return longest;
}

/** Returns the length of a row. @param {Float32Array} rows @param {number} start @param {number} d */
function lengthOf(rows, start, d) {
  let squares = 0;
  for (let c = start; c < start + d; c++) squares += rows[c] * rows[c];
  return Math.sqrt(squares);
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

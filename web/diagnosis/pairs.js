/**
 * Measures the heads of queries and keys for a diagnosis, without a matrix of scores. What all keys share moves no
 * weight: deviations are within each query, and keys are taken from their mean.
 */
import { attend } from '../attention/attention.js';
import { noise } from './duplicates.js';
import { STATISTICS } from '../attention/head-statistics.js';
import { keysSeen, runsOf, sees, settingsOfItem } from './padding.js';
import { scoreMoments } from '../attention/score-moments.js';

/**
 * @import { Statistic } from '../attention/head-statistics.js'
 * @import { Inputs } from '../attention/heads.js'
 * @import { HeadMask } from '../attention/mask.js'
 * @import { Run } from './padding.js'
 * @import { Settings } from '../attention/settings.js'
 * @import { Tensor } from '../attention/tensor.js'
 */

/** The largest number of float16. */
const MOST_HALF = 65504;
const RESULTS = /** @type {const} */ ([...STATISTICS, 'logSumExp', 'receivedWeight', 'output']);

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
 * Measures all heads.
 *
 * @param {string} caller
 * @param {Inputs} inputs
 * @param {Settings<any>} settings
 * @param {Uint8Array[] | null} padding the keys of each item that are no padding
 * @returns {MeasuredPairs[]} one a head, item after item
 */
export function measurePairs(caller, inputs, settings, padding) {
  const { heads, batch, nQ, nK } = inputs;
  return [...Array(batch).keys()].flatMap((item) => {
    const keep = padding?.[item];
    const of = { item, heads, nK, keep };
    const parts = runsOf(keep, nQ, nK).map((run) =>
      measureRun(caller, inputsOfRun(inputs, item, run), settingsOfItem(settings, of, run)),
    );
    return [...Array(heads).keys()].map((head) => {
      const all = parts.map((part) => part(head));
      return joinedRuns(all, inputs.dK);
    });
  });
}

/** Returns the inputs of one item and a run of its queries. @param {Inputs} inputs @param {number} item @param {Run} run
 *  @returns {Inputs} */
function inputsOfRun(inputs, item, { from, to }) {
  const { heads, kvHeads, nQ, nK, dK } = inputs;
  const count = to - from;
  const query = new Float32Array(heads * count * dK);
  for (let head = 0; head < heads; head++) {
    const start = (item * heads + head) * nQ + from;
    query.set(inputs.query.subarray(start * dK, (start + count) * dK), head * count * dK);
  }
  const ofItem = kvHeads * nK * dK;
  const key = inputs.key.subarray(item * ofItem, (item + 1) * ofItem);
  const value = Float32Array.from({ length: kvHeads * nK }, (_, at) => noise(at % nK));
  return { ...inputs, query, key, value, dV: 1, nQ: count, batch: 1, lead: [heads] };
}

/**
 * Measures the heads of some queries.
 *
 * @param {string} caller
 * @param {Inputs} inputs
 * @param {Settings<any>} settings
 */
function measureRun(caller, inputs, settings) {
  const { heads, kvHeads, nQ, nK, dK } = inputs;
  const { scoring, mask, cosine } = settings;
  const [span] = scoring.spans;
  const all = attend(caller, inputs, settings, RESULTS, {});
  const dotsAt = (/** @type {number} */ factor) => {
    const plain = { ...scoring, factor, softcap: 0 };
    const given = { ...settings, scoring: plain, mask: withoutNumbers(mask) };
    return attend(caller, inputs, given, ['scoreDeviation', 'largestScore'], {});
  };
  const isPlain = !scoring.softcap && !(mask?.data instanceof Float32Array) && scoring.factor !== 0;
  const dots = isPlain ? all : dotsAt(1);
  const unit = isPlain ? Math.abs(scoring.factor) : 1;
  const upTo = span.right === 0 ? all.logSumExp : earlierSums(caller, inputs, settings);
  const most = cosine ? 0 : longestRow(inputs.query, dK) * longestRow(inputs.key, dK);
  const ends = most > MOST_HALF ? [dotsAt(1), dotsAt(-1)] : [];
  return (/** @type {number} */ head) => {
    const ofHead = (/** @type {Tensor} */ { data }) => data.subarray(head * nQ, (head + 1) * nQ); // prettier-ignore
    const group = Math.floor((head * kvHeads) / heads);
    const query = rowsOf(inputs.query, head, nQ * dK, cosine ? dK : 0);
    const key = rowsOf(inputs.key, group, nK * dK, cosine ? dK : 0);
    const seen = keysSeen(span, mask, head, nQ, nK);
    const lse = ofHead(all.logSumExp);
    const weightAt = (/** @type {number} */ i, /** @type {number} */ j) => {
      if (j < 0 || j >= nK || !sees(span, mask, head, i, j)) return 0;
      let score = 0;
      for (let c = 0; c < dK; c++) score += query[i * dK + c] * key[j * dK + c];
      score *= scoring.factor;
      if (scoring.softcap) score = scoring.softcap * Math.tanh(score / scoring.softcap);
      return Math.min(1, Math.exp(score + numberAt(mask, head, i, j) - lse[i]));
    };
    const first = seen.indexOf(1);
    const earlier = ofHead(upTo);
    const rows = rowsOfStatistics(all, head, nQ);
    rows.forEach((row, i) => {
      if (row.keys === 0) return;
      const place = i + span.offset;
      if (first > 0) row.firstWeight = weightAt(i, first);
      row.selfWeight = weightAt(i, place);
      row.nextWeight = weightAt(i, place + 1);
      row.laterWeight = Math.max(0, 1 - Math.exp(earlier[i] - lse[i]));
    });
    const output = ofHead(all.output);
    return {
      rows,
      query,
      key,
      seen,
      place: span.offset,
      deviations: ofHead(dots.scoreDeviation).map((deviation) => deviation / unit),
      largestScore: largestOf(ofHead(all.largestScore)),
      largestDot: Math.max(0, ...ends.map((end) => largestOf(ofHead(end.largestScore)))),
      received: all.receivedWeight.data.subarray(head * nK, (head + 1) * nK),
      fingerprint: output.reduce((sum, x, i) => sum + (rows[i].keys ? x * noise(i) : 0), 0),
      hasNaN: rows.some(({ keys }, i) => keys > 0 && Number.isNaN(lse[i] + output[i])),
    };
  };
}

/**
 * Joins the runs of a head, and finds how its scores are spread.
 *
 * @param {ReturnType<ReturnType<typeof measureRun>>[]} runs
 * @param {number} dK
 * @returns {MeasuredPairs}
 */
function joinedRuns(runs, dK) {
  const rows = runs.flatMap((run) => run.rows);
  const counted = rows.filter(({ keys }) => keys > 0).length;
  const [{ key, received: firstReceived } = { key: new Float32Array(0), received: [] }] = runs;
  const received = new Float64Array(firstReceived.length);
  const seen = new Uint8Array(received.length);
  let [pairs, squares, fingerprint] = [0, 0, 0];
  for (const run of runs) {
    run.received.forEach((weight, j) => (received[j] += weight));
    run.seen.forEach((flag, j) => (seen[j] ||= flag));
    run.rows.forEach(({ keys }, i) => {
      if (keys < 2) return;
      pairs += keys;
      squares += keys * run.deviations[i] ** 2;
    });
    fingerprint += run.fingerprint;
  }
  const dotDeviation = Math.sqrt(squares / pairs);
  const keys = centred(key, seen, dK);
  const queries = chosen(runs, dK);
  const [{ scoreDeviation, effectiveDimension, rmsQuery, rmsKey }] = scoreMoments(
    { data: queries, shape: [queries.length / dK, dK] },
    { data: keys.seen, shape: [keys.seen.length / dK, dK] },
  );
  const entryShare = rmsQuery * rmsKey;
  const largestDot = Math.max(0, ...runs.map((run) => run.largestDot));
  return {
    rows,
    received,
    counted,
    fingerprint: fingerprint / counted,
    spread: {
      dotDeviation,
      predictedDeviation: scoreDeviation,
      effectiveDimension,
      entryShare,
      alignment: dotDeviation / (Math.sqrt(dK) * entryShare),
      correlation: ownCorrelation(runs, keys.all, dK),
      largestScore: runs.reduce((most, run) => larger(most, run.largestScore), -Infinity),
    },
    ...(largestDot > MOST_HALF ? { largestDot } : {}),
    hasNaN: runs.some((run) => run.hasNaN),
  };
}

/** Returns the queries that see a key. @param {{ rows: Row[], query: Float32Array }[]} runs @param {number} d */
function chosen(runs, d) {
  const count = runs.reduce((sum, { rows }) => sum + rows.filter(({ keys }) => keys > 0).length, 0);
  if (runs.length === 1 && count === runs[0].rows.length) return runs[0].query;
  const all = new Float32Array(count * d);
  let at = 0;
  for (const { rows, query } of runs) {
    rows.forEach(({ keys }, i) => {
      if (keys === 0) return;
      for (let c = i * d; c < (i + 1) * d; c++) all[at++] = query[c];
    });
  }
  return all;
}

/**
 * Takes keys from the mean of those that are seen.
 *
 * @param {Float32Array} key
 * @param {Uint8Array} seen
 * @param {number} d
 * @returns {{ all: Float32Array, seen: Float32Array }}
 */
function centred(key, seen, d) {
  const count = seen.reduce((sum, flag) => sum + flag, 0);
  const mean = new Float64Array(d);
  seen.forEach((flag, j) => {
    if (flag) for (let c = 0; c < d; c++) mean[c] += key[j * d + c] / count;
  });
  const all = key.map((x, at) => x - mean[at % d]);
  return {
    all,
    seen: count === seen.length ? all : all.filter((_, at) => seen[Math.floor(at / d)]),
  };
}

/**
 * Returns the mean cosine of a query and the key of its own place.
 *
 * @param {{ rows: Row[], query: Float32Array, place: number }[]} runs
 * @param {Float32Array} keys from their mean
 * @param {number} d
 */
function ownCorrelation(runs, keys, d) {
  let [sum, count] = [0, 0];
  for (const { rows, query, place } of runs) {
    rows.forEach(({ keys: visible }, i) => {
      const j = i + place;
      if (visible < 2 || j < 0 || j >= keys.length / d) return;
      let [both, own, other] = [0, 0, 0];
      for (let c = 0; c < d; c++) {
        const [q, k] = [query[i * d + c], keys[j * d + c]];
        both += q * k;
        own += q * q;
        other += k * k;
      }
      sum += both / (Math.sqrt(own * other) || 1);
      count += 1;
    });
  }
  return sum / count;
}

/**
 * Returns the logarithms of the sums over the keys up to a query's own place.
 *
 * @param {string} caller
 * @param {Inputs} inputs
 * @param {Settings<any>} settings
 */
function earlierSums(caller, inputs, settings) {
  const { scoring } = settings;
  const spans = scoring.spans.map((span) => ({ ...span, right: 0 }));
  const causal = { ...settings, scoring: { ...scoring, spans } };
  return attend(caller, inputs, causal, ['logSumExp'], {}).logSumExp;
}

/** Returns the number that a mask adds. @param {HeadMask | null} mask @param {number} head @param {number} i @param {number} j */
function numberAt(mask, head, i, j) {
  if (!(mask?.data instanceof Float32Array)) return 0;
  const { data, rows, columns, matrices } = mask;
  return data[(matrices[head] * rows + (rows === 1 ? 0 : i)) * columns + j];
}

/** Returns a mask that hides the same keys and adds nothing. @param {HeadMask | null} mask @returns {HeadMask | null} */
const withoutNumbers = (mask) =>
  mask && mask.data instanceof Float32Array
    ? { ...mask, data: Uint8Array.from(mask.data, (x) => Number(x !== -Infinity)) }
    : mask;

/**
 * Returns a matrix, with rows brought to length 1 where these have a length d.
 *
 * @param {Float32Array} data
 * @param {number} index
 * @param {number} size
 * @param {number} d or 0
 */
function rowsOf(data, index, size, d) {
  const matrix = data.subarray(index * size, (index + 1) * size);
  if (d === 0) return matrix;
  const rows = matrix.slice();
  for (let at = 0; at < rows.length; at += d) {
    const row = rows.subarray(at, at + d);
    const length = Math.max(Math.hypot(...row), 1e-12);
    row.forEach((x, i) => (row[i] = x / length));
  }
  return rows;
}

/** Returns the length of the longest row. @param {Float32Array} data @param {number} d */
function longestRow(data, d) {
  let longest = 0;
  for (let at = 0; at < data.length; at += d) {
    let squares = 0;
    for (let c = at; c < at + d; c++) squares += data[c] * data[c];
    longest = Math.max(longest, squares);
  }
  return Math.sqrt(longest);
}

/**
 * Returns what the rows of a head are like by some statistics, with weights brought to a sum of 1; what these do not
 * tell is 0.
 *
 * @param {Record<Statistic, Tensor>} statistics
 * @param {number} head
 * @param {number} nQ
 * @returns {Row[]}
 */
function rowsOfStatistics(statistics, head, nQ) {
  const of = (/** @type {Statistic} */ name) =>
    statistics[name].data.subarray(head * nQ, (head + 1) * nQ);
  const [effective, traces, counts] = [of('effectiveKeys'), of('jacobianTrace'), of('visibleKeys')];
  const [entropies, firsts, previous] = [of('entropy'), of('firstWeight'), of('previousWeight')];
  return [...counts].map((keys, i) => {
    const sum = traces[i] + (effective[i] && 1 / effective[i]);
    return {
      keys,
      entropyRatio: (Math.log(sum) + entropies[i] / sum) / Math.log(keys),
      effectiveKeys: sum * sum * effective[i],
      jacobianTrace: traces[i],
      firstWeight: firsts[i],
      previousWeight: previous[i],
      selfWeight: 0,
      nextWeight: 0,
      laterWeight: 0,
    };
  });
}

/** Returns the larger number, or NaN where there is one. @param {number} a @param {number} b */
const larger = (a, b) => (a <= b ? b : a);

/** Returns the largest entry, or NaN where there is one. @param {Float32Array} entries */
function largestOf(entries) {
  let largest = -Infinity;
  for (let i = 0; i < entries.length; i++) {
    if (!(entries[i] <= largest)) largest = entries[i];
    if (Number.isNaN(largest)) return NaN;
  }
  return largest;
}

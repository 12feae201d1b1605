/**
 * Attention over texts so long that no n × n array may exist: rows exactly, pictures of any region, and the
 * diagnosis, by strips of a few queries.
 */
import { attentionScores, diagnose } from '../attention/index.js';
import { now, pause } from '../shared/pause.js';

/**
 * @import { Diagnosis, ScoreOptions, Tensor } from '../attention/index.js'
 * @import { Integers } from '../attention/visible.js'
 * @import { Control } from '../shared/slices.js'
 *
 * @typedef {{ query: Tensor, key: Tensor, options: ScoreOptions }} Head  query [n_q, d_k], key [n_k, d_k]
 * @typedef {{ from: number, to: number }} Range  of queries or of keys, the last not among them
 * @typedef {{ rows: Range, columns: Range }} Region
 * @typedef {{ map: Tensor, diagnosis?: Diagnosis }} LongRow  map: the largest weight of each block
 */

/** The most weights that exist at once: 1 MB of them. */
const STRIP = 2 ** 18;

/** The share of the time that the picture takes where the head is diagnosed, too. */
const MAP_SHARE = 0.4;
const REPORT_MILLISECONDS = 200;

/** Returns the bytes that a strip of weights takes. @param {number} nK */
export const stripBytes = (nK) => 4 * Math.max(nK, STRIP);

/** Returns the queries of a strip. @param {number} nK */
const queriesAtOnce = (nK) => Math.max(1, Math.floor(STRIP / nK));

/**
 * Computes the weights of some queries, over all keys.
 * @param {Head} head
 * @param {Range} rows
 * @returns {Float32Array} [to − from, n_k], row by row
 */
export const weightsOfQueries = (head, rows) => someOf(head, rows, ['weights']).weights.data;

/**
 * Computes the scores of some queries as softmax sees them, over all keys.
 * @param {Head} head
 * @param {Range} rows
 * @returns {Float32Array} [to − from, n_k], −Infinity where a query may not attend
 */
export const scoresOfQueries = (head, rows) =>
  someOf(head, rows, ['maskedScores']).maskedScores.data;

/**
 * Computes scores or weights of some queries.
 * @template {'weights' | 'maskedScores'} Name
 * @param {Head} head
 * @param {Range} rows
 * @param {[Name]} returns
 */
function someOf({ query, key, options }, { from, to }, returns) {
  const d = query.shape[1];
  const part = { data: query.data.subarray(from * d, to * d), shape: [to - from, d] };
  const given = optionsOfQueries(options, { from, to }, [query.shape[0], key.shape[0]]);
  return attentionScores(part, key, { ...given, returns });
}

/**
 * Returns the options of some queries: where they stand among the keys, and their rows of a mask.
 * @param {ScoreOptions} options
 * @param {Range} rows
 * @param {[nQ: number, nK: number]} sizes
 * @returns {ScoreOptions}
 */
function optionsOfQueries(options, { from, to }, [nQ, nK]) {
  const { causal, offset, keyLengths, mask } = options;
  const start = causal === 'lower-right' ? firstOf(keyLengths ?? nK) - nQ : 0;
  return {
    ...options,
    causal: Boolean(causal),
    offset: firstOf(offset ?? start) + from,
    mask: rowsOfMask(mask, from, to),
  };
}

/** Returns the number of the first item of a batch. @param {Integers} integers */
const firstOf = (integers) => Number(typeof integers === 'number' ? integers : integers[0]);

/** Returns rows of a mask, or the mask where one row stands for all. @param {any} mask @param {number} from @param {number} to */
function rowsOfMask(mask, from, to) {
  if (Array.isArray(mask)) return mask.length === 1 ? mask : mask.slice(from, to);
  const [rows, columns] = mask?.shape ?? mask?.dims ?? [1];
  if (rows === 1) return mask;
  return { data: mask.data.slice(from * columns, to * columns), shape: [to - from, columns] };
}

/**
 * Measures a head: a picture of a region of its weights, the largest of each block, and the diagnosis. Memory:
 * a strip of weights beside the picture.
 * @param {Head & { region: Region, most: number, diagnoses: boolean } & Control<LongRow>} given  most: rows and
 *   columns of the picture; diagnoses: whether to diagnose, too, which takes longest
 * @returns {Promise<LongRow[]>} one row; the picture as far as it got
 */
export async function measureLongHead(given) {
  const { region, most, diagnoses, onProgress, signal, query, key, options } = given;
  const { rows, columns } = region;
  const [nRows, nColumns] = [rows.to - rows.from, columns.to - columns.from];
  const shape = [Math.min(most, nRows), Math.min(most, nColumns)];
  const map = { data: new Float32Array(shape[0] * shape[1]), shape };
  const nK = key.shape[0];
  const step = queriesAtOnce(nK);
  const share = diagnoses ? MAP_SHARE : 1;
  let reported = now();
  for (let from = rows.from; from < rows.to && !signal?.aborted; from += step) {
    const to = Math.min(rows.to, from + step);
    const weights = weightsOfQueries({ query, key, options }, { from, to });
    for (let i = from; i < to; i++) {
      const row = weights.subarray((i - from) * nK + columns.from, (i - from) * nK + columns.to);
      poolRow(row, map.data, Math.floor(((i - rows.from) * shape[0]) / nRows) * shape[1], shape[1]);
    }
    if (now() - reported > REPORT_MILLISECONDS) {
      reported = now();
      const soFar = { data: map.data.slice(), shape }; // the map goes on changing
      onProgress?.({ fraction: ((to - rows.from) / nRows) * share, rows: [{ map: soFar }] });
    }
    await pause();
  }
  if (!diagnoses || signal?.aborted) return [{ map }];
  return [{ map, diagnosis: diagnose(query, key, options)[0] }];
}

/** Takes the largest weight of each block of a row into a row of a picture. @param {Float32Array} row
 *  @param {Float32Array} map @param {number} start @param {number} count */
function poolRow(row, map, start, count) {
  for (let j = 0; j < row.length; j++) {
    const at = start + Math.floor((j * count) / row.length);
    if (!(row[j] <= map[at])) map[at] = row[j];
  }
}

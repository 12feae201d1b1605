// What the heads of some attention give: the weights of one at any factor, and the diagnosis of each.

import { attentionScores, diagnose, softmax } from '../../attention/index.js';
import { scoresOfQueries, weightsOfQueries } from '../../experiments/long-attention.js';
import { times } from '../../shared/times.js';
import { optionsOfHead } from './options.js';

/**
 * @import { ScoreOptions, Tensor } from '../../attention/index.js'
 * @import { Attention } from '../reading/index.js'
 * @import { GivenHead } from '../../experiments/diagnose-heads.js'
 * @import { Head } from '../../experiments/long-attention.js'
 * @import { Steps } from '../../shared/slices.js'
 *
 * @typedef {Attention & { options?: ScoreOptions }} Shown  options: those of `attentionScores`
 * @typedef {{ layer: number, head: number }} Place  from 0
 * @typedef {{ low: number, high: number, value: number }[]} Histogram  in units of √d_k; value: a density
 * @typedef {{ layers: number, heads: number, nQ: number, nK: number, dK: number | undefined }} Sizes
 */

/** Returns the sizes of attention; d_k is of queries and keys that make the weights which are shown. @param {Attention} attention @returns {Sizes} */
export function sizes({ weights, query, key }) {
  const [layers, heads, nQ, last] = /** @type {Tensor} */ (weights ?? query).shape;
  const nK = key ? key.shape[2] : last;
  return { layers, heads, nQ, nK, dK: key && !weights ? last : undefined };
}

/**
 * Returns the matrix of one head, [rows, columns].
 * @param {Tensor} tensor [layers, groups, rows, columns]
 * @param {Place} place
 * @param {number} heads  of the queries, which share the groups
 * @returns {Tensor}
 */
export function matrixOf({ data, shape }, { layer, head }, heads) {
  const [, groups, rows, columns] = shape;
  const index = layer * groups + Math.floor((head * groups) / heads);
  const size = rows * columns;
  return { data: data.subarray(index * size, (index + 1) * size), shape: [rows, columns] };
}

/**
 * Returns a matrix of its own: a worker receives all of the memory that a view is of.
 * @param {Tensor} matrix
 * @returns {Tensor}
 */
export const copied = ({ data, shape }) => ({ data: data.slice(), shape });

/**
 * Returns the options of a head whose scores are multiplied by a factor.
 * @param {Shown} attention
 * @param {Place} place
 * @param {number} factor
 * @returns {ScoreOptions}
 */
function optionsAt(attention, place, factor) {
  const { options = {} } = attention;
  const scale = attention.layerScales?.[place.layer] ?? attention.scale;
  const all = scale === undefined ? options : { scale, ...options };
  const given = optionsOfHead(all, place, sizes(attention));
  // A temperature divides the scores, whatever the scale is; a factor of 0 is the limit of all.
  return { ...given, temperature: (given.temperature ?? 1) / Math.max(factor, LEAST_FACTOR) };
}

/** Stands for a factor of 0. */
const LEAST_FACTOR = 1e-6;

/**
 * Returns the weights of a head with its scores multiplied by a factor: by the kernel from queries and
 * keys, else from the weights themselves, whose logarithms are the scores but for a constant a row.
 * @param {Shown} attention
 * @param {Place} place
 * @param {number} factor
 * @returns {Float32Array} [n_q, n_k]
 */
export function weightsOf(attention, place, factor) {
  const { heads } = sizes(attention);
  if (attention.weights) {
    const given = matrixOf(attention.weights, place, heads);
    if (factor === 1) return given.data;
    const scores = { data: given.data.map((p) => Math.log(p)), shape: given.shape };
    return softmax(scores, { temperature: 1 / Math.max(factor, LEAST_FACTOR) }).data;
  }
  const [query, key] = pairOf(attention, place, heads);
  const options = optionsAt(attention, place, factor);
  return attentionScores(query, key, { ...options, returns: ['weights'] }).weights.data;
}

/**
 * Returns query and key of a head.
 * @param {Shown} attention  without weights
 * @param {Place} place
 * @param {number} heads
 * @returns {[query: Tensor, key: Tensor]}
 */
function pairOf({ query, key }, place, heads) {
  if (!query || !key) throw new TypeError('weights alone have no query and key');
  return [matrixOf(query, place, heads), matrixOf(key, place, heads)];
}

/**
 * Returns the queries, keys and options of a head whose scores are multiplied by a factor.
 * @param {Shown} attention  without weights
 * @param {Place} place
 * @param {number} factor
 * @returns {Head}
 */
export function headAt(attention, { layer, head }, factor) {
  const place = { layer, head };
  const [query, key] = pairOf(attention, place, sizes(attention).heads);
  return { query, key, options: optionsAt(attention, place, factor) };
}

/**
 * Returns the weights of one query, exactly, without those of others.
 * @param {Shown} attention  without weights
 * @param {Place} place
 * @param {number} factor
 * @param {number} query
 */
export const weightsOfQuery = (attention, place, factor, query) =>
  weightsOfQueries(headAt(attention, place, factor), { from: query, to: query + 1 });

/**
 * Returns what is diagnosed of a head.
 * @param {Shown} attention
 * @param {Place} place
 * @param {number} factor
 * @returns {GivenHead}
 */
export function givenOf(attention, place, factor) {
  const { heads, nQ, nK } = sizes(attention);
  const { attentionMask, query: ofAll } = attention;
  const [query, key] = ofAll ? pairOf(attention, place, heads) : [];
  const given = {
    ...(ofAll && optionsAt(attention, place, attention.weights ? 1 : factor)),
    attentionMask,
  };
  if (!attention.weights) return /** @type {GivenHead} */ ({ query, key, options: given });
  const weights = { data: weightsOf(attention, place, factor), shape: [nQ, nK] };
  return { weights, query, key, ...given };
}

/**
 * Diagnoses a head.
 * @param {Shown} attention
 * @param {Place} place
 * @param {number} factor
 */
export function diagnoseHead(attention, place, factor) {
  const given = givenOf(attention, place, factor);
  const [diagnosis] =
    'weights' in given ? diagnose(given) : diagnose(given.query, given.key, given.options);
  return { ...diagnosis, ...place };
}

/** The most queries whose products are counted where there are many. */
const MOST_COUNTED = 32;

/**
 * Counts the dot products of queries and keys of a head, where a query may attend.
 * @param {Shown} attention  with queries and keys
 * @param {Place} place
 * @param {{ count: number, reach: number }} bins  over ±reach, in units of √d_k
 * @param {boolean} [isLong]  whether some queries stand for all
 * @returns {Steps<Histogram>}
 */
export function* dotHistogram(attention, place, { count, reach }, isLong = false) {
  const { nQ, dK = 1 } = sizes(attention);
  const head = headAt(attention, place, 1);
  const plain = { ...head, options: { scale: 1 / Math.sqrt(dK) } };
  const width = (2 * reach) / count;
  const counts = times(count, () => 0);
  let total = 0;
  const some = Math.min(nQ, MOST_COUNTED);
  const strips = isLong
    ? times(some, (i) => Math.floor(((i + 0.5) * nQ) / some)).map((from) => ({
        from,
        to: from + 1,
      }))
    : [{ from: 0, to: nQ }];
  for (const strip of strips) {
    const masked = scoresOfQueries(head, strip);
    scoresOfQueries(plain, strip).forEach((dot, i) => {
      if (masked[i] === -Infinity) return;
      total += 1;
      const bin = Math.floor((dot + reach) / width);
      if (bin >= 0 && bin < count) counts[bin] += 1;
    });
    yield;
  }
  return counts.map((value, i) => ({
    low: -reach + i * width,
    high: -reach + (i + 1) * width,
    value: value / (total * width),
  }));
}

/**
 * Returns a smaller matrix whose entries are the largest of each block, so that no bright cell is lost.
 * @param {Float32Array} data  row by row
 * @param {number} rows
 * @param {number} columns
 * @param {number} most  rows and columns of the result
 * @returns {Tensor}
 */
export function pooled(data, rows, columns, most) {
  const [fewRows, fewColumns] = [Math.min(rows, most), Math.min(columns, most)];
  if (fewRows === rows && fewColumns === columns) return { data, shape: [rows, columns] };
  const result = new Float32Array(fewRows * fewColumns);
  const columnOf = Uint32Array.from({ length: columns }, (_, j) =>
    Math.floor((j * fewColumns) / columns),
  );
  for (let i = 0; i < rows; i++) {
    const start = Math.floor((i * fewRows) / rows) * fewColumns;
    for (let j = 0; j < columns; j++) {
      const at = start + columnOf[j];
      const value = data[i * columns + j];
      if (Math.abs(value) > Math.abs(result[at])) result[at] = value;
    }
  }
  return { data: result, shape: [fewRows, fewColumns] };
}

/**
 * Returns the keys with the largest weights of a query, largest first.
 * @param {Float32Array} row  its weights
 * @param {number} most
 * @returns {{ key: number, weight: number }[]}
 */
export function topKeys(row, most) {
  /** @type {{ key: number, weight: number }[]} */
  const top = [];
  row.forEach((weight, key) => {
    if (Number.isNaN(weight)) return;
    if (top.length === most && !(weight > top[most - 1].weight)) return;
    const place = top.findIndex((each) => weight > each.weight);
    top.splice(place < 0 ? top.length : place, 0, { key, weight });
    top.length = Math.min(top.length, most);
  });
  return top;
}

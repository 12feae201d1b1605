/**
 * Every function of the package that takes a tensor, with arguments that use all of its options.
 */
import * as index from '../../../web/attention/index.js';

/** @import { Tensor } from '../../../web/attention/index.js' */

/**
 * Returns the arguments of a call; `tensors` are the paths of those that are tensors, [0] or
 * [1, 'queryWeight'], with their names in messages.
 *
 * @typedef {{ call: (...args: any[]) => any, args: any[], tensors: [path: (string | number)[],
 *   name: string][], options?: number }} Entry
 */

const t = (/** @type {number} */ seed, /** @type {number[]} */ ...shape) =>
  index.randomNormal(shape, { seed });
const { data: logits } = t(1, 3, 5);
const p = index.softmax({ data: logits, shape: [3, 5] });
const mask = {
  data: Float32Array.of(0, -1, 0.5, 0, 0, -Infinity, 0, 0, 0, 0, 0, 1),
  shape: [3, 4],
};
const additive = () => ({
  queryWeight: t(5, 6, 2),
  keyWeight: t(6, 6, 2),
  scoreWeight: t(7, 6),
  bias: t(8, 6),
  window: [2, -1],
  offset: 1,
  keyLengths: [3],
  sink: t(13, 1),
  mask,
});
/** Returns options of attention in models of today. @param {number} heads */
const modern = (heads) => ({
  softcap: 2,
  window: [2, -1],
  offset: 1,
  keyLengths: [3],
  sink: t(13, heads),
});
const MATRICES = ['weights', 'cappedScores', 'maskedScores', 'meanWeights'];
const STATISTICS = [
  'entropy',
  'effectiveKeys',
  'jacobianTrace',
  'largestWeight',
  'largestScore',
  'scoreMean',
  'scoreDeviation',
  'visibleKeys',
  'firstWeight',
  'previousWeight',
  'sinkWeight',
  'receivedWeight',
];
const layer = () => ({
  queryWeight: t(5, 4, 2),
  keyWeight: t(6, 4, 3),
  valueWeight: t(7, 6, 3),
  outputWeight: t(8, 2, 6),
  queryBias: t(9, 4),
  keyBias: t(10, 4),
  valueBias: t(11, 6),
  outputBias: t(12, 2),
});
const heads = () => ({ ...modern(2), heads: 2, context: t(4, 4, 3), mask });
const qkv = () => [t(1, 3, 2), t(2, 4, 2), t(3, 4, 5)];

/** Paths of the entries of an argument, named as they are. @param {number} at
 *  @param {Record<string, any>} object @returns {Entry['tensors']} */
const within = (at, object) =>
  Object.keys(object)
    .filter((name) => object[name]?.data)
    .map((name) => [[at, name], name]);
/** @param {string[]} names @returns {Entry['tensors']} */
const first = (...names) => names.map((name, i) => [[i], name]);

/** @type {Record<string, Entry>} */
export const FUNCTIONS = {
  softmax: { call: index.softmax, args: [t(1, 3, 5), {}], tensors: first('x'), options: 1 },
  logSoftmax: { call: index.logSoftmax, args: [t(1, 3, 5), {}], tensors: first('x'), options: 1 },
  logSumExp: { call: index.logSumExp, args: [t(1, 3, 5), {}], tensors: first('x'), options: 1 },
  softmaxJacobian: {
    call: index.softmaxJacobian,
    args: [t(1, 3, 5), {}],
    tensors: first('x'),
    options: 1,
  },
  softmaxGradient: {
    call: index.softmaxGradient,
    args: [t(1, 3, 5), t(2, 3, 5), { temperature: 2 }],
    tensors: first('x', 'dOutput'),
    options: 2,
  },
  entropy: { call: index.entropy, args: [p, {}], tensors: first('p'), options: 1 },
  effectiveKeys: { call: index.effectiveKeys, args: [p, {}], tensors: first('p'), options: 1 },
  jacobianTrace: { call: index.jacobianTrace, args: [p, {}], tensors: first('p'), options: 1 },
  describe: { call: index.describe, args: [t(1, 3, 5)], tensors: first('x') },
  tensor: { call: index.tensor, args: [t(1, 3, 5)], tensors: first('data') },
  toNested: { call: index.toNested, args: [t(1, 3, 5)], tensors: first('t') },
  rows: { call: index.rows, args: [t(1, 3, 5), ['query', 'key']], tensors: first('t') },
  roundToFloat16: {
    call: index.roundToFloat16,
    args: [t(1, 3, 5), {}],
    tensors: first('x'),
    options: 1,
  },
  roundToBFloat16: {
    call: index.roundToBFloat16,
    args: [t(1, 3, 5), {}],
    tensors: first('x'),
    options: 1,
  },
  softmaxFloat16: {
    call: index.softmaxFloat16,
    args: [t(1, 3, 5), {}],
    tensors: first('x'),
    options: 1,
  },
  linear: {
    call: index.linear,
    args: [t(1, 2, 3, 5), t(2, 4, 5), t(3, 4), {}],
    tensors: first('x', 'weight', 'bias'),
    options: 3,
  },
  linearGradient: {
    call: index.linearGradient,
    args: [t(1, 2, 3, 5), t(2, 4, 5), t(3, 2, 3, 4), {}],
    tensors: first('x', 'weight', 'dOutput'),
    options: 3,
  },
  attention: {
    call: index.attention,
    args: [...qkv(), { ...modern(1), mask, returns: [...MATRICES, 'scores', 'logSumExp', ...STATISTICS] }],
    tensors: [...first('query', 'key', 'value'), ...within(3, { ...modern(1), mask })],
    options: 3,
  },
  attentionScores: {
    call: index.attentionScores,
    args: [t(1, 2, 3, 2), t(2, 2, 4, 2), { ...modern(2), mask, returns: [...MATRICES, 'logSumExp', ...STATISTICS] }],
    tensors: [...first('query', 'key'), ...within(2, { ...modern(2), mask })],
    options: 2,
  },
  attentionStatistics: {
    call: index.attentionStatistics,
    args: [t(1, 2, 3, 2), t(2, 2, 4, 2), { ...modern(2), mask, returns: [...STATISTICS, 'logSumExp'] }],
    tensors: [...first('query', 'key'), ...within(2, { ...modern(2), mask })],
    options: 2,
  },
  attentionMap: {
    call: index.attentionMap,
    args: [t(1, 2, 3, 2), t(2, 2, 4, 2), { ...modern(2), mask, rows: 2, columns: 3, pool: 'max' }],
    tensors: [...first('query', 'key'), ...within(2, { ...modern(2), mask })],
    options: 2,
  },
  scoreMoments: {
    call: index.scoreMoments,
    args: [t(1, 3, 2), t(2, 4, 2)],
    tensors: first('query', 'key'),
  },
  whyThisKey: {
    call: index.whyThisKey,
    args: [t(1, 3, 2), t(2, 4, 2), { query: 2, key: 1, terms: 2 }],
    tensors: first('query', 'key'),
    options: 2,
  },
  diagnose: {
    call: index.diagnose,
    args: [t(1, 3, 2), t(2, 4, 2), {}],
    tensors: first('query', 'key'),
    options: 2,
  },
  rotary: {
    call: index.rotary,
    args: [t(1, 2, 3, 4), { positions: [5, 0, 2], pairing: 'neighbours' }],
    tensors: first('x'),
    options: 1,
  },
  attentionGradient: {
    call: index.attentionGradient,
    args: [...qkv(), t(4, 3, 5), { ...modern(1), mask, similarity: 'cosine' }],
    tensors: [...first('query', 'key', 'value', 'dOutput'), ...within(4, { ...modern(1), mask })],
    options: 4,
  },
  additiveAttention: {
    call: index.additiveAttention,
    args: [...qkv(), { ...additive(), returns: ['weights', 'scores', 'logSumExp'] }],
    tensors: [...first('query', 'key', 'value'), ...within(3, additive())],
    options: 3,
  },
  additiveAttentionGradient: {
    call: index.additiveAttentionGradient,
    args: [...qkv(), t(4, 3, 5), additive()],
    tensors: [...first('query', 'key', 'value', 'dOutput'), ...within(4, additive())],
    options: 4,
  },
  multiHeadAttention: {
    call: index.multiHeadAttention,
    args: [t(1, 3, 2), layer(), { ...heads(), returns: ['weights', 'meanWeights', 'query', 'key', 'value', 'concatenated'] }],
    tensors: [...first('x'), ...within(1, layer()), ...within(2, heads())],
    options: 2,
  },
  multiHeadAttentionGradient: {
    call: index.multiHeadAttentionGradient,
    args: [t(1, 3, 2), layer(), t(4, 3, 2), heads()],
    tensors: [...first('x'), ...within(1, layer()), [[2], 'dOutput'], ...within(3, heads())],
    options: 3,
  },
}; // prettier-ignore

/** Returns the arguments with another one at a path. @param {any[]} args @param {(string | number)[]} path
 *  @param {unknown} value @returns {any[]} */
export function replace(args, [at, name], value) {
  const copy = [...args];
  copy[Number(at)] = name === undefined ? value : { ...args[Number(at)], [name]: value };
  return copy;
}

/** @param {any[]} args @param {(string | number)[]} path @returns {Tensor} */
export const at = (args, path) => path.reduce((/** @type {any} */ value, key) => value[key], args);

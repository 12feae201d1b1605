/**
 * The ways to compute attention whose cost `cost.js` measures and `cost-lines.js` predicts: each as a
 * function that computes one complete attention, and as a number of operations.
 */
import { additiveAttention, attention, randomNormal } from '../attention/index.js';
import { costModel, TANH_FLOPS } from '../theory/cost.js';
import { plainFactored, plainPairwise } from './plain-additive.js';

/**
 * 'dot': scaled dot-product attention. 'factored': additive attention with each projection computed
 * once. 'pairwise': additive attention with the projections computed again for every pair.
 * @typedef {'dot' | 'factored' | 'pairwise'} Method
 */

/**
 * 'vectorised': additive attention by the kernel. 'scalar': the same algorithm in plain JavaScript
 * with Math.tanh, as in a blog post (plain-additive.js). Dot-product attention is the kernel's in both.
 * @typedef {'vectorised' | 'scalar'} Tanh
 */

/** @type {readonly Method[]} */
export const METHODS = Object.freeze(['dot', 'factored', 'pairwise']);

/** Numbers of keys (= queries) of a run by default. */
export const SIZES = Object.freeze([64, 128, 256, 512, 1024, 2048]);

const SEED = 2015;

/**
 * Draws inputs of one size: seeded normals, with weights of variance 1/d and 1/h as at initialisation.
 * @param {{ keys: number, dK: number, hidden: number }} sizes
 */
function inputsOf({ keys: n, dK: d, hidden: h }) {
  const at = (
    /** @type {number} */ stream,
    /** @type {number[]} */ shape,
    /** @type {number} */ std,
  ) => randomNormal(shape, { seed: SEED, stream, std });
  return {
    query: at(0, [n, d], 1),
    key: at(1, [n, d], 1),
    value: at(2, [n, d], 1),
    queryWeight: at(3, [h, d], Math.sqrt(1 / d)),
    keyWeight: at(4, [h, d], Math.sqrt(1 / d)),
    scoreWeight: at(5, [h], Math.sqrt(1 / h)),
  };
}

/**
 * Returns a function that computes one complete attention.
 * @param {Method} method
 * @param {{ keys: number, dK: number, hidden: number, tanh: Tanh }} options
 * @returns {() => unknown}
 */
export function callOf(method, options) {
  const { query, key, value, ...weights } = inputsOf(options);
  if (method === 'dot') return () => attention(query, key, value);
  if (options.tanh === 'vectorised') {
    return () => additiveAttention(query, key, value, { ...weights, method });
  }
  const plain = method === 'factored' ? plainFactored : plainPairwise;
  const inputs = {
    query: query.data,
    key: key.data,
    value: value.data,
    queryWeight: weights.queryWeight.data,
    keyWeight: weights.keyWeight.data,
    scoreWeight: weights.scoreWeight.data,
    n: options.keys,
    d: options.dK,
    h: options.hidden,
  };
  return () => plain(inputs);
}

/**
 * @typedef {object} CostOptions
 * @property {number} [dK] length of queries, keys and values; 64
 * @property {number} [hidden] hidden size of additive attention; 64
 * @property {Tanh} [tanh] 'vectorised'
 * @property {readonly Method[]} [methods] all three
 */

/**
 * Returns the operations of one call.
 * @param {Method} method
 * @param {number} keys
 * @param {{ dK: number, hidden: number, tanh: Tanh }} options
 */
export const flopOf = (method, keys, { dK, hidden, tanh }) =>
  costModel({ method, keys, dK, hidden, tanhFlops: TANH_FLOPS[tanh] });

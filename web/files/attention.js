// What `<attn-view>` shows: weights, or queries and keys, of every head of every layer.

import { DTypeError, ShapeError, reject } from '../attention/errors.js';
import { readTensor } from '../attention/read.js';

/**
 * @import { Tensor } from '../attention/tensor.js'
 *
 * @typedef {object} Attention
 * @property {Tensor} [weights] [layers, heads, n_q, n_k]
 * @property {Tensor} [query] [layers, heads, n_q, d_k]; this and key, or weights
 * @property {Tensor} [key] [layers, groups, n_k, d_k]
 * @property {string[]} [tokens] of the queries
 * @property {string[]} [keyTokens] of the keys
 * @property {number} [scale] of the scores
 *
 * @typedef {{ weights?: unknown, query?: unknown, key?: unknown, tokens?: unknown, keyTokens?: unknown,
 *   scale?: unknown }} Given
 */

const CALLER = 'attn-view';

/**
 * Reads what a page or a file gives.
 * @param {Given} given  weights or query and key as tensors of any library that has its data in memory
 * @returns {Attention}
 * @throws {ShapeError | DTypeError | CapacityError}
 */
export function toAttention({ weights, query, key, tokens, keyTokens, scale }) {
  /** @type {Attention} */
  const attention = weights === undefined ? readPair(query, key) : { weights: readHeads(weights) };
  const [nQ, nK] = sizesOf(attention);
  if (tokens !== undefined) attention.tokens = readTokens('tokens', tokens, nQ);
  if (keyTokens !== undefined) attention.keyTokens = readTokens('keyTokens', keyTokens, nK);
  else if (nQ === nK) attention.keyTokens = attention.tokens;
  if (scale !== undefined) attention.scale = readScale(scale);
  return attention;
}

/** Returns how many queries and keys there are. @param {Attention} attention */
export function sizesOf({ weights, query, key }) {
  if (weights) return weights.shape.slice(-2);
  return [query, key].map((each) => /** @type {Tensor} */ (each).shape[2]);
}

/** Reads weights. @param {unknown} input */
function readHeads(input) {
  const weights = read('weights', input);
  const [nQ, nK] = weights.shape.slice(-2);
  if (nQ === 0 || nK === 0) {
    throw new ShapeError(
      `${CALLER}: weights is [${weights.shape.join(', ')}], expected at least one query and one key`,
    );
  }
  return weights;
}

/** Reads queries and keys. @param {unknown} query @param {unknown} key */
function readPair(query, key) {
  if (query === undefined || key === undefined) {
    throw new DTypeError(`${CALLER}: there is no array, expected weights, or query and key`);
  }
  const [q, k] = [read('query', query), read('key', key)];
  const fits =
    q.shape[0] === k.shape[0] && q.shape[1] % k.shape[1] === 0 && q.shape[3] === k.shape[3];
  if (!fits) {
    throw new ShapeError(
      `${CALLER}: key is [${k.shape.join(', ')}], expected the layers and the last axis of query [${q.shape.join(', ')}], and a number of heads that divides its`,
    );
  }
  return { query: q, key: k };
}

/**
 * Reads a tensor as one of four axes; what `output_attentions` gives has a batch of one between layers
 * and heads.
 * @param {string} name
 * @param {unknown} input
 * @returns {Tensor}
 */
function read(name, input) {
  const given = Object(input);
  const isTfjs = typeof given.dataSync === 'function';
  const tensor = readTensor(
    CALLER,
    name,
    isTfjs ? { data: given.dataSync(), shape: given.shape } : input,
  );
  const { data, shape } = tensor;
  const axes = shape.length === 5 && shape[1] === 1 ? [shape[0], ...shape.slice(2)] : shape;
  if (axes.length < 2 || axes.length > 4 || axes.includes(0)) {
    throw new ShapeError(
      `${CALLER}: ${name} is [${shape.join(', ')}], expected [n, ${name === 'weights' ? 'n' : 'd_k'}], with heads or layers and heads in front`,
    );
  }
  return { data, shape: [1, 1, ...axes].slice(-4) };
}

/** Reads tokens. @param {string} name @param {unknown} tokens @param {number} count @returns {string[]} */
function readTokens(name, tokens, count) {
  if (!Array.isArray(tokens)) return reject(CALLER, name, tokens, 'an array of texts');
  if (tokens.length !== count) {
    throw new ShapeError(
      `${CALLER}: ${name} has length ${tokens.length}, expected ${count}, one a ${name === 'tokens' ? 'query' : 'key'}`,
    );
  }
  return tokens.map((token, i) =>
    typeof token === 'string' ? token : reject(CALLER, `${name}[${i}]`, token, 'a text'),
  );
}

/** Reads the scale: a number, or an array of one, as files have it. @param {unknown} scale */
function readScale(scale) {
  const value = typeof scale === 'number' ? scale : readTensor(CALLER, 'scale', scale).data[0];
  return Number.isFinite(value) ? value : reject(CALLER, 'scale', value, 'a finite number');
}

// What `<attn-view>` shows and `readAttention` gives: weights, or queries and keys, of every head of every layer.

import { DTypeError, ShapeError, reject } from '../../attention/errors.js';
import { expectNoFlags, readMask } from '../../attention/mask.js';
import { readOptions } from '../../attention/options.js';
import { readTensor } from '../../attention/read.js';
import { rejectShape, showShape } from '../../attention/shape.js';
import { readPadding } from '../../diagnosis/padding.js';
import { isObject } from '../../shared/keys.js';
import { readGrid } from './grid.js';
import { readTokens } from './tokens.js';

/**
 * @import { Tensor } from '../../attention/tensor.js'
 * @import { Grid } from './grid.js'
 *
 * @typedef {object} Attention
 * @property {Tensor} [weights] [layers, heads, n_q, n_k]
 * @property {Tensor} [query] [layers, heads, n_q, d_k]; this and key, or weights, or all of them
 * @property {Tensor} [key] [layers, groups, n_k, d_k]
 * @property {string[]} [tokens] of the queries, as texts
 * @property {string[]} [keyTokens] of the keys
 * @property {number} [scale] of the scores
 * @property {number[]} [layerScales] of the layers, where theirs differ
 * @property {boolean} [causal] whether queries, the last of them that of the last key, see no key after their own
 * @property {{ data: Uint8Array | Float32Array, shape: number[] }} [mask] of four axes, of which each but the last may
 *   be 1: bytes with 0 = may not attend, or numbers that are added to the scores
 * @property {{ data: Uint8Array, shape: number[] }} [attentionMask] [n_k], 0 where a key, and the query of its place, is
 *   padding
 * @property {number} [loss] of the model at this step of training, also NaN
 * @property {Grid} [grid] rows and columns of the image whose patches are the last keys, row by row
 * @property {number} [texts] how many there were in the batch of which this is one, where they were several
 */

/**
 * @typedef {object} GivenAttention
 * @property {unknown} [weights] a tensor of any library that has its numbers in memory, or one a layer
 * @property {unknown} [query] this and key, or weights
 * @property {unknown} [key]
 * @property {unknown} [tokens] a list of texts, numbers or bytes
 * @property {unknown} [keyTokens] those of the keys, where they are others
 * @property {unknown} [scale] a number
 * @property {unknown} [causal] a boolean, or 0 or 1
 * @property {unknown} [mask] as `attention` takes it, [n_q, n_k] with heads or layers and heads in front; it is that of
 *   queries and keys, as `causal` is
 * @property {unknown} [attentionMask] as a tokenizer gives it for one text, [n_k] or [1, n_k]: 1, or 0 for padding
 * @property {unknown} [loss] of the model at this step, a number, which stands beside a course of training
 * @property {unknown} [grid] rows and columns of an image, `[7, 7]` or `'7x7'`, whose patches are the last keys, row by row
 * @property {unknown} [step] of training, a number: for `toSeries`; one attention has no use for it
 */

/**
 * Reads attention that is in memory, and brings it to four axes: tensors of this package, ONNX Runtime Web,
 * Transformers.js or TensorFlow.js, nested arrays, or a list with one of these a layer. A batch may stand between
 * layers and heads, as `output_attentions` gives it: one of its texts is read, with the tokens and masks that there
 * are of each.
 *
 * @param {GivenAttention} given weights [n_q, n_k], with heads or layers and heads in front; or query [n_q, d_k] and key
 *   [n_k, d_k] in the same way, whose heads may be fewer; tokens and keyTokens are lists of texts or numbers
 * @param {{ name?: string, text?: number }} [options] name: what messages begin with; text: which of a batch, from 0,
 *   or the last where there are fewer; without it a batch of several is refused
 * @returns {Attention}
 * @throws {ShapeError} if shapes or the number of tokens do not fit
 * @throws {DTypeError} if there is no array, and for entries that are not numbers
 * @throws {CapacityError} if the engine refuses memory
 * @example
 * const layers = [1, 2].map((seed) => softmax(randomNormal([4, 6, 6], { seed }))); // 4 heads each
 * toAttention({ weights: layers, tokens: 'the sea and the old man'.split(' ') }).weights.shape; // [2, 4, 6, 6]
 */
export function toAttention(given, options) {
  readOptions('toAttention', options, ['name', 'text']);
  const { name: caller = 'toAttention', text } = options ?? {};
  if (!isObject(given)) reject(caller, 'given', given, 'an object with weights, or query and key');
  const all = /** @type {GivenAttention} */ (
    Object.fromEntries(Object.entries(given).map(([name, each]) => [name, each ?? undefined]))
  );
  const one = text === undefined ? { ...all, texts: undefined } : ofText(caller, all, text);
  const {
    weights,
    query,
    key,
    tokens,
    keyTokens,
    scale,
    causal,
    mask,
    attentionMask,
    texts,
    loss,
    grid,
  } = one;
  /** @type {Attention} */
  const attention =
    weights === undefined
      ? readPair(caller, query, key)
      : { weights: readHeads(caller, 'weights', weights) };
  if (attention.weights && query !== undefined && key !== undefined) {
    Object.assign(attention, pairBeside(caller, attention.weights, query, key));
  }
  const [nQ, nK] = sizesOf(attention);
  if (keyTokens !== undefined) {
    attention.keyTokens = readNames(caller, 'keyTokens', keyTokens, nK);
  }
  if (tokens !== undefined) {
    const texts = readTokens(caller, 'tokens', tokens);
    const isOfKeys = keyTokens === undefined && nQ < nK && texts.length === nK;
    if (!isOfKeys) expectCount(caller, 'tokens', texts, nQ, attention.query?.shape[1]);
    if (isOfKeys || nQ === nK) attention.keyTokens ??= texts;
    attention.tokens = isOfKeys ? texts.slice(nK - nQ) : texts;
  }
  if (scale !== undefined) {
    const [layers] = /** @type {Tensor} */ (attention.weights ?? attention.query).shape;
    const scales = readScales(caller, scale, layers);
    attention.scale = scales[0];
    if (scales.some((each) => each !== scales[0])) attention.layerScales = scales;
  }
  if (attention.query && causal !== undefined) attention.causal = readFlag(caller, causal);
  if (attention.query && mask !== undefined) attention.mask = maskOf(caller, mask, attention);
  const [keep] = readPadding(caller, attentionMask, { batch: 1, nK }) ?? [];
  if (keep) attention.attentionMask = { data: keep, shape: [nK] };
  if (grid !== undefined) attention.grid = readGrid(caller, grid, nK);
  if (texts) attention.texts = texts;
  if (loss !== undefined) {
    attention.loss = typeof loss === 'number' ? loss : readTensor(caller, 'loss', loss).data[0];
  }
  return attention;
}

/**
 * Returns what is given of one text of a batch, which stands between layers and heads.
 * @param {string} caller
 * @param {GivenAttention} given
 * @param {number} text
 * @returns {GivenAttention & { texts?: number }}
 */
function ofText(caller, given, text) {
  if (!Number.isInteger(text) || text < 0) reject(caller, 'text', text, 'a whole number from 0');
  /** @type {Partial<Record<'weights' | 'query' | 'key', Tensor>>} */
  const arrays = {};
  for (const name of /** @type {const} */ (['weights', 'query', 'key'])) {
    if (given[name] !== undefined) arrays[name] = readAxes(caller, name, given[name]);
  }
  const { weights, query, key } = arrays;
  const { shape } = weights ?? query ?? key ?? { shape: [] };
  const texts = shape[BATCH_AXIS];
  if (shape.length !== 5 || texts === 1) return { ...given, ...arrays };
  const at = Math.min(text, texts - 1);
  for (const [name, tensor] of Object.entries(arrays)) {
    if (tensor.shape.length !== 5 || tensor.shape[BATCH_AXIS] !== texts) {
      rejectShape(caller, name, tensor.shape, `five axes with ${texts} texts as the second`);
    }
    Object.assign(arrays, { [name]: entryOf(tensor, BATCH_AXIS, at) });
  }
  const nK = weights ? shape[4] : /** @type {Tensor} */ (key ?? query).shape[3];
  const counts = [shape[3], nK];
  const [tokens, keyTokens] = [given.tokens, given.keyTokens].map((each) =>
    tokensOf(each, { at, texts, counts }),
  );
  const keep = readPadding(caller, given.attentionMask, { batch: texts, nK })?.[at];
  const attentionMask = keep && { data: keep, shape: [1, nK] };
  let mask = given.mask === undefined ? undefined : readMask(caller, given.mask);
  if (mask && mask.shape.length > 3) {
    const axis = mask.shape.length - 4; // layers may stand in front
    if (mask.shape[axis] === texts || axis > 0) {
      mask = entryOf(mask, axis, mask.shape[axis] === 1 ? 0 : at);
    }
  }
  return { ...given, ...arrays, tokens, keyTokens, attentionMask, mask, texts };
}

/** The axis of the texts, where there are five. */
const BATCH_AXIS = 1;

/**
 * Returns an entry along an axis.
 * @template {Float32Array | Uint8Array} Entries
 * @param {{ data: Entries, shape: readonly number[] }} tensor
 * @param {number} axis
 * @param {number} index
 */
function entryOf({ data, shape }, axis, index) {
  const product = (/** @type {readonly number[]} */ axes) =>
    axes.reduce((all, each) => all * each, 1);
  const size = product(shape.slice(axis + 1));
  const [before, after] = [shape.slice(0, axis), shape.slice(axis + 1)];
  const entry = data.slice(0, product(before) * size);
  for (let i = 0; i * size < entry.length; i++) {
    const start = (i * shape[axis] + index) * size;
    entry.set(data.subarray(start, start + size), i * size);
  }
  return { data: entry, shape: [...before, ...after] };
}

/**
 * Returns the tokens of a text, if there are those of each.
 * @param {unknown} tokens  of one text, or a list a text, or all in a row
 * @param {{ at: number, texts: number, counts: readonly number[] }} batch
 */
function tokensOf(tokens, { at, texts, counts }) {
  const list = /** @type {{ data?: unknown }} */ (Object(tokens)).data ?? tokens;
  if (!Array.isArray(list) && !ArrayBuffer.isView(list)) return tokens;
  const all = /** @type {unknown[]} */ (list);
  if (all.length === texts && Array.isArray(all[0])) return all[at];
  const count = all.length / texts;
  return counts.includes(count) ? all.slice(at * count, (at + 1) * count) : tokens;
}

/** Returns how many queries and keys there are. @param {Attention} attention */
function sizesOf({ weights, query, key }) {
  if (weights) return weights.shape.slice(-2);
  return [query, key].map((each) => /** @type {Tensor} */ (each).shape[2]);
}

/** Reads queries and keys. @param {string} caller @param {unknown} query @param {unknown} key */
function readPair(caller, query, key) {
  if (query === undefined || key === undefined) {
    throw new DTypeError(`${caller}: there is no array, expected weights, or query and key`);
  }
  const [q, k] = [readHeads(caller, 'query', query), readHeads(caller, 'key', key)];
  const fits =
    q.shape[0] === k.shape[0] && q.shape[1] % k.shape[1] === 0 && q.shape[3] === k.shape[3];
  if (!fits) {
    const expected = `the layers and the last axis of query ${showShape(q.shape)}`;
    rejectShape(caller, 'key', k.shape, `${expected}, and a number of heads that divides its`);
  }
  return { query: q, key: k };
}

/**
 * Reads queries and keys beside the weights that they made.
 * @param {string} caller
 * @param {Tensor} weights
 * @param {unknown} query
 * @param {unknown} key
 */
function pairBeside(caller, weights, query, key) {
  const pair = readPair(caller, query, key);
  const expected = [...pair.query.shape.slice(0, 3), pair.key.shape[2]];
  if (showShape(expected) !== showShape(weights.shape)) {
    rejectShape(caller, 'weights', weights.shape, `${showShape(expected)} of query and key`);
  }
  return pair;
}

/**
 * Reads a tensor, or one a layer, as one of four axes.
 * @param {string} caller
 * @param {string} name
 * @param {unknown} input
 * @returns {Tensor}
 */
function readHeads(caller, name, input) {
  const { data, shape } = readAxes(caller, name, input);
  const axes = shape.length === 5 && shape[1] === 1 ? [shape[0], ...shape.slice(2)] : shape;
  if (axes.length < 2 || axes.length > 4 || axes.includes(0)) {
    const remedy = axes.length === 5 ? `: of a batch take one text, as ${name}[:, 0]` : '';
    const expected = `[n, ${name === 'weights' ? 'n' : 'd_k'}], with heads or layers and heads in front`;
    rejectShape(caller, name, shape, expected + remedy);
  }
  return { data, shape: [1, 1, ...axes].slice(-4) };
}

/**
 * Reads a tensor, or joins those of layers.
 * @param {string} caller
 * @param {string} name
 * @param {unknown} input
 * @returns {Tensor}
 */
function readAxes(caller, name, input) {
  const isLayers = Array.isArray(input) && isObject(input[0]) && 'data' in input[0];
  return isLayers ? joined(caller, name, input) : readTensor(caller, name, readable(input));
}

/** Returns a tensor of TensorFlow.js with its numbers, and any other as it is. @param {unknown} input */
function readable(input) {
  const given = Object(input);
  return typeof given.dataSync === 'function'
    ? { data: given.dataSync(), shape: given.shape }
    : input;
}

/**
 * Joins the tensors of layers along a new first axis.
 * @param {string} caller
 * @param {string} name
 * @param {unknown[]} inputs
 * @returns {Tensor}
 */
function joined(caller, name, inputs) {
  const layers = inputs.map((each, i) => readTensor(caller, `${name}[${i}]`, readable(each)));
  const { shape } = layers[0];
  const other = layers.findIndex((each) => each.shape.join() !== shape.join());
  if (other > 0) {
    const expected = `${showShape(shape)} as of the first layer`;
    rejectShape(caller, `${name}[${other}]`, layers[other].shape, expected);
  }
  const size = layers[0].data.length;
  const data = new Float32Array(layers.length * size);
  layers.forEach((layer, i) => data.set(layer.data, i * size));
  return { data, shape: [layers.length, ...shape] };
}

/** Reads the tokens of queries or keys. @param {string} caller @param {string} name @param {unknown} tokens @param {number} count */
function readNames(caller, name, tokens, count) {
  const texts = readTokens(caller, name, tokens);
  expectCount(caller, name, texts, count);
  return texts;
}

/**
 * Expects one token for each.
 * @param {string} caller
 * @param {string} name
 * @param {string[]} texts
 * @param {number} count
 * @param {number} [heads] which has the length of the text where heads stand behind positions
 */
function expectCount(caller, name, texts, count, heads) {
  if (texts.length === count) return;
  const isExchanged = texts.length === heads;
  const remedy = isExchanged
    ? ': query has as many heads as there are tokens, so [layers, n, heads, d_k] is likely, expected [layers, heads, n, d_k]'
    : '';
  throw new ShapeError(
    `${caller}: ${name} has length ${texts.length}, expected ${count}, one a ${name === 'tokens' ? 'query' : 'key'}${remedy}`,
  );
}

/**
 * Reads the scale: a number, or an array of one or of one a layer, as files have it.
 * @param {string} caller
 * @param {unknown} scale
 * @param {number} layers
 */
function readScales(caller, scale, layers) {
  const all = typeof scale === 'number' ? [scale] : [...readTensor(caller, 'scale', scale).data];
  const odd = all.find((each) => !Number.isFinite(each));
  if (odd !== undefined) reject(caller, 'scale', odd, 'a finite number');
  if (all.length === 1 || all.length === layers) return all;
  throw new ShapeError(
    `${caller}: scale has length ${all.length}, expected 1 or ${layers}, one a layer`,
  );
}

/** Reads a flag: a boolean, or an array of one, as files have it. @param {string} caller @param {unknown} causal */
function readFlag(caller, causal) {
  if (typeof causal === 'boolean') return causal;
  const value = typeof causal === 'number' ? causal : readTensor(caller, 'causal', causal).data[0];
  return value === 0 || value === 1
    ? value === 1
    : reject(caller, 'causal', value, 'true or false, or 1 or 0');
}

/**
 * Reads a mask of the scores of queries and keys as one of four axes.
 * @param {string} caller
 * @param {unknown} input
 * @param {Attention} attention
 */
function maskOf(caller, input, { query, key }) {
  const { data, shape } = readMask(caller, input);
  const { shape: queries } = /** @type {Tensor} */ (query);
  const full = [...queries.slice(0, 3), /** @type {Tensor} */ (key).shape[2]];
  const axes = [1, 1, ...shape].slice(-4);
  const fits =
    shape.length >= 2 &&
    shape.length <= 4 &&
    axes.every((axis, i) => axis === full[i] || (axis === 1 && i < 3));
  if (!fits) {
    const expected = `${showShape(full)}; axes before the last may be 1, leading ones left out`;
    rejectShape(caller, 'mask', shape, expected);
  }
  expectNoFlags(caller, data);
  return { data, shape: axes };
}

/**
 * Counts the parameters of a multi-head layer, or of additive attention.
 */
import { ShapeError } from './errors.js';
import { readHeads } from './layer.js';
import { expectKnown, readChoice, readEntries, readInteger, readOptions } from './options.js';

const CALLER = 'parameterCount';
/** The sizes of additive attention. */
const SIZES = ['dQuery', 'dKey', 'hidden'];

/**
 * @typedef {object} ParameterCountOptions
 * @property {number} dModel
 * @property {number} heads
 * @property {number} [kvHeads] heads of key and value; fewer than heads (the default) is
 *   grouped-query attention
 * @property {number} [dKey] size of a query or key in one head; dModel / heads by default
 * @property {number} [dValue] size of a value in one head; dKey by default
 * @property {boolean} [bias] gives the four projections a bias; false by default
 */

/**
 * @typedef {object} AdditiveCountOptions
 * @property {{ dQuery: number, dKey: number, hidden: number }} additive sizes of a query and a key, and the number of
 *   hidden units
 * @property {boolean} [bias] gives the hidden units a bias; false by default
 */

/** @typedef {{ query: number, key: number, value: number, output: number, total: number, kvCachePerToken: number }} LayerCount */
/** @typedef {{ query: number, key: number, score: number, bias: number, total: number }} AdditiveCount */

/**
 * Counts the numbers that a self-attention layer learns: query dModel·heads·dKey, key
 * dModel·kvHeads·dKey, value dModel·kvHeads·dValue, output heads·dValue·dModel, each with its
 * bias if there is one. With the default sizes that is 4·dModel² for any number of heads.
 * kvCachePerToken = kvHeads·(dKey + dValue) numbers are kept for each token when decoding.
 *
 * Of additive attention it counts those of `additiveAttention`: query hidden·dQuery, key hidden·dKey, score
 * hidden, and bias hidden, or 0 without one.
 *
 * @template {ParameterCountOptions | AdditiveCountOptions} O
 * @param {O} options
 * @returns {O extends AdditiveCountOptions ? AdditiveCount : LayerCount}
 * @throws {DTypeError} if a size is not a positive integer
 * @throws {ShapeError} if heads do not divide dModel (without dKey), or kvHeads do not divide heads
 * @example
 * parameterCount({ dModel: 512, heads: 8 }).total; // 1048576
 * parameterCount({ additive: { dQuery: 64, dKey: 64, hidden: 128 } }).total; // 16512
 */
export function parameterCount(options) {
  const known = ['dModel', 'heads', 'kvHeads', 'dKey', 'dValue', 'bias', 'additive'];
  const given = readOptions(CALLER, options, known);
  const count = given.additive === undefined ? countLayer(given) : countAdditive(given);
  return /** @type {any} */ (count);
}

/** Counts the parameters of a layer. @param {Record<string, unknown>} given @returns {LayerCount} */
function countLayer(given) {
  const dModel = readInteger(CALLER, 'dModel', given.dModel, 1);
  const { heads, kvHeads } = readHeads(CALLER, given);
  if (given.dKey === undefined && dModel % heads !== 0) {
    throw new ShapeError(`${CALLER}: heads is ${heads}, expected a divisor of dModel ${dModel}`);
  }
  const dKey = readInteger(CALLER, 'dKey', given.dKey, 1, dModel / heads);
  const dValue = readInteger(CALLER, 'dValue', given.dValue, 1, dKey);
  const bias = readChoice(CALLER, 'bias', given.bias, [false, true]);
  /** Returns the parameters of one projection. @param {number} from @param {number} to */
  const projection = (from, to) => from * to + (bias ? to : 0);
  const query = projection(dModel, heads * dKey);
  const key = projection(dModel, kvHeads * dKey);
  const value = projection(dModel, kvHeads * dValue);
  const output = projection(heads * dValue, dModel);
  const total = query + key + value + output;
  return { query, key, value, output, total, kvCachePerToken: kvHeads * (dKey + dValue) };
}

/** Counts those of additive attention, for which sizes of a layer mean nothing. @param {Record<string, unknown>} given @returns {AdditiveCount} */
function countAdditive({ additive, bias, ...others }) {
  expectKnown(CALLER, others, ['additive', 'bias']);
  const sizes = readEntries(CALLER, additive, 'additive');
  expectKnown(CALLER, sizes, SIZES);
  const [dQuery, dKey, hidden] = SIZES.map((name) =>
    readInteger(CALLER, `additive.${name}`, sizes[name], 1),
  );
  const count = { query: hidden * dQuery, key: hidden * dKey, score: hidden };
  const biases = readChoice(CALLER, 'bias', bias, [false, true]) ? hidden : 0;
  return { ...count, bias: biases, total: count.query + count.key + hidden + biases };
}

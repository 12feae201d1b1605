/**
 * Estimates what calls cost, from the shapes of their arguments.
 */
import { EXPONENTIAL } from '../attention/limit.js';

/** Operations a pair of a query's number and a key: a product and a sum for score and output each. */
const PER_PAIR = 4;

/** Estimates by the name of the function; without one a call costs an exponential a number.
 *  @type {Record<string, (...args: any[]) => number | undefined>} */
const OPERATIONS = {
  attention: (query, key, _, options) => pairs(query, key, options),
  attentionScores: pairs,
  attentionStatistics: pairs,
  attentionMap: (query, key, options) => 2 * pairs(query, key, options),
  attentionGradient: (query, key, _, __, options) => 3 * pairs(query, key, options),
  additiveAttention: (query, key, _, options) => hidden(query, key, options),
  additiveAttentionGradient: (query, key, _, __, options) => 3 * hidden(query, key, options),
  multiHeadAttention: layer,
  multiHeadAttentionGradient: (x, parameters, _, options) => 3 * layer(x, parameters, options),
  diagnose: (query, key, options) => (query?.weights ? undefined : pairs(query, key, options)),
  linear: (x, weight) => 2 * numbersIn(x) * rowsOf(weight),
  linearGradient: (x, weight) => 4 * numbersIn(x) * rowsOf(weight),
  softmaxJacobian: (x) => numbersIn(x) * (EXPONENTIAL + shapeOf(x).slice(-1)[0]),
  randomNormal: random,
  randomUniform: random,
};

/**
 * Estimates the floating-point operations of a call.
 *
 * @param {string} name of the function
 * @param {readonly unknown[]} args of any kind
 * @returns {number} NaN or anything for arguments that the function refuses
 */
export const operationsOf = (name, args) =>
  OPERATIONS[name]?.(...args) ?? numbersIn(args) * EXPONENTIAL;

/**
 * Counts the numbers of all arrays in a value.
 *
 * @param {any} value
 * @returns {number}
 */
export function numbersIn(value) {
  if (ArrayBuffer.isView(value)) return Reflect.get(value, 'length');
  if (Array.isArray(value) && typeof value[0] !== 'object') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce((sum, entry) => sum + numbersIn(entry), 0);
}

/** Returns the shape of a tensor. @param {any} tensor @returns {number[]} */
function shapeOf(tensor) {
  if (tensor?.shape ?? tensor?.dims) return tensor.shape ?? tensor.dims;
  if (Array.isArray(tensor)) return [tensor.length, ...shapeOf(tensor[0])];
  return ArrayBuffer.isView(tensor) ? [numbersIn(tensor)] : [];
}

/** Returns the rows of each matrix. @param {unknown} tensor */
const rowsOf = (tensor) => shapeOf(tensor).slice(-2)[0];

/** Counts the operations of the pairs that a window leaves. @param {unknown} query @param {unknown} key
 *  @param {any} [options] */
function pairs(query, key, options) {
  const [left, right] = options?.window ?? [-1, -1];
  const isOpen = left < 0 || (right < 0 && !options.causal);
  const width = isOpen ? rowsOf(key) : Math.min(rowsOf(key), left + Math.max(right, 0) + 1);
  const perPair = PER_PAIR + EXPONENTIAL / shapeOf(query).slice(-1)[0];
  return numbersIn(query) * width * perPair;
}

/** Counts the operations of the hidden units of all pairs. @param {unknown} query @param {unknown} key
 *  @param {any} options */
const hidden = (query, key, options) =>
  (pairs(query, key, options) / shapeOf(query).slice(-1)[0]) * rowsOf(options?.queryWeight);

/** Counts the operations of a layer: its maps, and its pairs. @param {unknown} x @param {any} parameters
 *  @param {any} options */
function layer(x, parameters, options) {
  const context = options?.context ?? x;
  const rows = (/** @type {string} */ part) => rowsOf(parameters?.[`${part}Weight`]);
  const maps =
    numbersIn(x) * (rows('query') + rows('output')) +
    numbersIn(context) * (rows('key') + rows('value'));
  const perItem = rowsOf(context) * rows('query') * PER_PAIR;
  return 2 * maps + (numbersIn(x) / shapeOf(x).slice(-1)[0]) * perItem;
}

/** Counts the operations of drawing numbers. @param {unknown} shape */
function random(shape) {
  if (!Array.isArray(shape)) return 0;
  return shape.reduce((count, axis) => count * axis, EXPONENTIAL);
}

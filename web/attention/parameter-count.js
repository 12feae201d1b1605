/**
 * Counts the parameters of a multi-head layer.
 */
import { ShapeError } from './errors.js';
import { readHeads } from './layer.js';
import { readChoice, readInteger, readOptions } from './options.js';

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
 * Counts the numbers that a self-attention layer learns: query dModel·heads·dKey, key
 * dModel·kvHeads·dKey, value dModel·kvHeads·dValue, output heads·dValue·dModel, each with its
 * bias if there is one. With the default sizes that is 4·dModel² for any number of heads.
 * kvCachePerToken = kvHeads·(dKey + dValue) numbers are kept for each token when decoding.
 *
 * @param {ParameterCountOptions} options
 * @returns {{ query: number, key: number, value: number, output: number, total: number,
 *   kvCachePerToken: number }}
 * @throws {DTypeError} if a size is not a positive integer
 * @throws {ShapeError} if heads do not divide dModel (without dKey), or kvHeads do not divide heads
 * @example
 * parameterCount({ dModel: 512, heads: 8 }).total; // 1048576
 */
export function parameterCount(options) {
  const caller = 'parameterCount';
  const given = readOptions(caller, options, [
    'dModel',
    'heads',
    'kvHeads',
    'dKey',
    'dValue',
    'bias',
  ]);
  const dModel = readInteger(caller, 'dModel', given.dModel, 1);
  const { heads, kvHeads } = readHeads(caller, given);
  if (given.dKey === undefined && dModel % heads !== 0) {
    throw new ShapeError(`${caller}: heads is ${heads}, expected a divisor of dModel ${dModel}`);
  }
  const dKey = readInteger(caller, 'dKey', given.dKey, 1, dModel / heads);
  const dValue = readInteger(caller, 'dValue', given.dValue, 1, dKey);
  const bias = readChoice(caller, 'bias', given.bias, [false, true]);
  /** Returns the parameters of one projection. @param {number} from @param {number} to */
  const projection = (from, to) => from * to + (bias ? to : 0);
  const query = projection(dModel, heads * dKey);
  const key = projection(dModel, kvHeads * dKey);
  const value = projection(dModel, kvHeads * dValue);
  const output = projection(heads * dValue, dModel);
  const total = query + key + value + output;
  return { query, key, value, output, total, kvCachePerToken: kvHeads * (dKey + dValue) };
}

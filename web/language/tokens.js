/** Reads tokens: whole numbers below the vocabulary, in any form of a tensor. */
import { expectAttached, reject, ShapeError } from '../attention/errors.js';
import { locate } from '../attention/read.js';
import { countOf, rejectShape, showShape } from '../attention/shape.js';

/**
 * @import { TensorLike } from '../attention/tensor.js'
 */

/**
 * Tokens of one text, [n], or of several, [batch, n]: nested lists, or a typed array with a shape, also a
 * BigInt64Array.
 *
 * @typedef {TensorLike | { data: BigInt64Array | BigUint64Array, shape: readonly number[] }
 *   | { data: BigInt64Array | BigUint64Array, dims: readonly number[] }} TokensLike
 */

/**
 * @typedef {object} Texts
 * @property {Int32Array} data
 * @property {number[]} shape [n] or [batch, n]
 * @property {number} batch
 * @property {number} n
 */

/**
 * Reads the tokens of one or several texts.
 * @param {string} caller
 * @param {string} name
 * @param {unknown} input
 * @param {{ vocabulary: number, context: number }} sizes
 * @param {-1 | 0} [least] for targets, which may be missing, −1
 * @returns {Texts}
 */
export function readTexts(caller, name, input, { vocabulary, context }, least = 0) {
  const located = locate(caller, name, input);
  const { shape } = located;
  if (shape.length > 2) rejectShape(caller, name, shape, '[n] or [batch, n]');
  const [n] = shape.slice(-1);
  if (n > context) {
    throw new ShapeError(
      `${caller}: ${name} is ${showShape(shape)}, expected a last axis of at most ${context}, the model's context`,
    );
  }
  const data = readIntegers(caller, name, located, vocabulary, least);
  return { data, shape, batch: shape.length === 2 ? shape[0] : 1, n };
}

/**
 * Reads one list of tokens.
 * @param {string} caller
 * @param {string} name
 * @param {unknown} input
 * @param {number} vocabulary
 * @returns {Int32Array}
 */
export function readTokens(caller, name, input, vocabulary) {
  const located = locate(caller, name, input);
  if (located.shape.length !== 1) {
    rejectShape(caller, name, located.shape, 'one list of tokens, [n]');
  }
  return readIntegers(caller, name, located, vocabulary, 0);
}

/**
 * Reads integers from `least` on, below the vocabulary.
 * @param {string} caller
 * @param {string} name
 * @param {ReturnType<typeof locate>} located
 * @param {number} vocabulary
 * @param {-1 | 0} least
 * @returns {Int32Array}
 */
function readIntegers(caller, name, { source, shape, nested }, vocabulary, least) {
  const rows = Array.isArray(source) ? source : [source];
  const data = new Int32Array(countOf(shape));
  const columns = data.length / rows.length;
  for (let r = 0, at = 0; r < rows.length; r++) {
    expectAttached(caller, name, /** @type {any} */ (rows[r]));
    for (let i = 0; i < columns; i++, at++) {
      const entry = rows[r][i];
      const token = typeof entry === 'bigint' ? Number(entry) : entry;
      if (
        typeof token !== 'number' ||
        !Number.isInteger(token) ||
        token < least ||
        token >= vocabulary
      ) {
        const path = nested && shape.length === 2 ? `${name}[${r}][${i}]` : `${name}[${at}]`;
        const known = `an integer from ${least} to ${vocabulary - 1}`;
        reject(caller, path, entry, least === 0 ? known : `${known}, −1 for none`);
      }
      data[at] = token;
    }
  }
  return data;
}

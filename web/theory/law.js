/** Checks of the law that the scores of a row follow. */
import { checkRange, checkSizes } from './check.js';

/** Below this d, the quadrature in `norm.js` cannot follow the distribution of |q|. */
const LEAST_D = 0.01;

/**
 * Refuses a dimension, not necessarily an integer, that is too small to average over the length of
 * queries.
 * @param {string} caller
 * @param {{ d: number } | { dK: number }} d
 * @throws {DTypeError} for a smaller one
 */
export const checkLength = (caller, d) => checkRange(caller, d, LEAST_D);

/**
 * Refuses arguments that describe no row of scores factor·(q·k_j) for `keys` keys with entries of
 * `entrySize`.
 * @param {string} caller
 * @param {{ dK: number, keys?: number, factor: number, entrySize: number }} law of a single score
 *   where it has no `keys`; an undefined `keys` is an error
 * @throws {DTypeError}
 */
export function checkLaw(caller, law) {
  const { dK, keys, ...sizes } = { keys: 1, ...law };
  checkLength(caller, { dK });
  checkSizes(caller, { keys });
  checkRange(caller, sizes);
}

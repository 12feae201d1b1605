/**
 * Checks of arguments; their messages name the caller, the argument, its value and the expected one.
 */

/**
 * @param {string} caller
 * @param {string} name
 * @param {unknown} value
 * @param {string} expected
 * @returns {never}
 */
export function refuse(caller, name, value, expected) {
  const shown = typeof value === 'string' ? `'${value}'` : String(value);
  throw new RangeError(`${caller}: ${name} is ${shown}, expected ${expected}`);
}

/**
 * @param {string} caller
 * @param {Record<string, number | readonly number[]>} values numbers, or lists of them
 * @param {string} expected
 * @param {(value: number) => boolean} holds
 * @throws {RangeError} unless it holds of each
 */
function checkEach(caller, values, expected, holds) {
  for (const [name, list] of Object.entries(values)) {
    for (const value of [list].flat()) if (!holds(value)) refuse(caller, name, value, expected);
  }
}

/**
 * @param {string} caller
 * @param {Record<string, number | readonly number[]>} sizes
 * @throws {RangeError} unless each is a positive integer
 */
export const checkSizes = (caller, sizes) =>
  checkEach(
    caller,
    sizes,
    'a positive integer',
    (value) => Number.isSafeInteger(value) && value > 0,
  );

/**
 * @param {string} caller
 * @param {Record<string, number | readonly number[]>} values
 * @throws {RangeError} unless each is finite and above 0
 */
export const checkPositive = (caller, values) =>
  checkEach(caller, values, 'a positive number', (value) => Number.isFinite(value) && value > 0);

/**
 * @param {string} caller
 * @param {Record<string, number | readonly number[]>} values
 * @param {number} [least]
 * @param {number} [most]
 * @throws {RangeError} unless each is finite and lies between them
 */
export const checkRange = (caller, values, least = 0, most = Infinity) =>
  checkEach(
    caller,
    values,
    most < Infinity ? `${least} to ${most}` : `at least ${least}`,
    (value) => Number.isFinite(value) && value >= least && value <= most,
  );

/**
 * @param {string} caller
 * @param {unknown} factor
 * @param {readonly unknown[]} names
 * @throws {RangeError} unless it is one of the names or a positive number
 */
export function checkFactor(caller, factor, names) {
  const isNumber = typeof factor === 'number' && factor > 0 && Number.isFinite(factor);
  if (isNumber || names.includes(factor)) return;
  refuse(caller, 'factor', factor, `> 0 or one of ${names.join(', ')}`);
}

/** Below, |q| is spread too far for the rule of norm.js. */
const LEAST_D = 0.01;

/**
 * @param {string} caller
 * @param {{ d: number } | { dK: number }} d of what need not be an integer
 * @throws {RangeError} unless there is a length of queries to average over
 */
export const checkLength = (caller, d) => checkRange(caller, d, LEAST_D);

/**
 * What the scores of a row are like: factor·(q·k_j) for `keys` keys, with entries of entrySize.
 * @param {string} caller
 * @param {{ dK: number, keys?: number, factor: number, entrySize: number }} law of a single score
 *   without `keys`; one whose `keys` are undefined lacks them
 * @throws {RangeError} where that is no law
 */
export function checkLaw(caller, law) {
  const { dK, keys, ...sizes } = { keys: 1, ...law };
  checkLength(caller, { dK });
  checkSizes(caller, { keys });
  checkRange(caller, sizes);
}

/**
 * @param {string} caller
 * @param {string} name
 * @param {string} value
 * @param {object} choices what is known: the names of an object, or a list
 * @throws {RangeError} unless it is one of the names
 */
export function checkChoice(caller, name, value, choices) {
  const known = Array.isArray(choices) ? choices : Object.keys(choices);
  if (!known.includes(value)) refuse(caller, name, value, `one of ${known.join(', ')}`);
}

/**
 * @param {string} caller
 * @param {string} name
 * @param {readonly string[]} values
 * @param {object} choices
 * @throws {RangeError} unless each is one of the names
 */
export const checkChoices = (caller, name, values, choices) =>
  values.forEach((value, i) => checkChoice(caller, `${name}[${i}]`, value, choices));

/**
 * Checks of arguments. Each throws a RangeError that names the caller, the argument, its value and the
 * expected one.
 */

/**
 * Refuses the value of an argument.
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
 * Refuses options of other names, as functions of the kernel do.
 * @param {string} caller
 * @param {object} options all of them, or those that the caller has not yet taken out
 * @param {string} known all names that it takes: 'dK, keys, seed'
 * @throws {TypeError} for the first unknown name
 */
export function checkNames(caller, options, known) {
  const name = Object.keys(options).find((each) => !known.split(', ').includes(each));
  if (name === undefined) return;
  throw new TypeError(`${caller}: unknown option '${name}', expected one of ${known}`);
}

/**
 * Refuses the first value that is not as expected.
 * @param {string} caller
 * @param {Record<string, number | readonly number[]>} values numbers, or lists of them
 * @param {string} expected
 * @param {(value: number) => boolean} isExpected
 */
function checkEach(caller, values, expected, isExpected) {
  for (const [name, list] of Object.entries(values)) {
    for (const value of Array.isArray(list) ? list : [list])
      if (!isExpected(value)) refuse(caller, name, value, expected);
  }
}

/**
 * Expects positive integers, also in lists.
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
 * Expects positive numbers.
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
 * Expects a positive factor, or the name of one.
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

/**
 * Expects one of some names.
 * @param {string} caller
 * @param {string} name
 * @param {string} value
 * @param {object} choices the known names: the names of an object, or a list
 * @throws {RangeError} unless it is one of the names
 */
export function checkChoice(caller, name, value, choices) {
  const known = Array.isArray(choices) ? choices : Object.keys(choices);
  if (!known.includes(value)) refuse(caller, name, value, `one of ${known.join(', ')}`);
}

/**
 * Expects a list of names.
 * @param {string} caller
 * @param {string} name
 * @param {readonly string[]} values
 * @param {object} choices
 * @throws {RangeError} unless each is one of the names
 */
export const checkChoices = (caller, name, values, choices) =>
  values.forEach((value, i) => checkChoice(caller, `${name}[${i}]`, value, choices));

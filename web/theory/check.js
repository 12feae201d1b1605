/**
 * Checks of arguments, which throw the package's DTypeError: it names the caller, the argument, its value and the
 * expected one.
 */
import { reject } from '../attention/errors.js';
import { readChoice, readOptions } from '../attention/options.js';

/**
 * Expects an object of options with known names.
 * @param {string} caller
 * @param {unknown} options
 * @param {string} known all names that the caller takes: 'dK, keys'
 */
export function checkOptions(caller, options, known) {
  if (options === undefined) reject(caller, 'options', options, 'an object');
  readOptions(caller, options, known.split(', '));
}

/**
 * Refuses the first number that is not as expected.
 * @param {string} caller
 * @param {Record<string, unknown>} values
 * @param {string} expected
 * @param {(value: number) => boolean} isExpected
 */
function checkEach(caller, values, expected, isExpected) {
  for (const [name, value] of Object.entries(values)) {
    if (typeof value !== 'number' || !isExpected(value)) reject(caller, name, value, expected);
  }
}

/** Expects positive integers. @param {string} caller @param {Record<string, number>} sizes */
export const checkSizes = (caller, sizes) =>
  checkEach(
    caller,
    sizes,
    'a positive integer',
    (value) => Number.isSafeInteger(value) && value > 0,
  );

/** Expects positive numbers. @param {string} caller @param {Record<string, number>} values */
export const checkPositive = (caller, values) =>
  checkEach(caller, values, 'a positive number', (value) => value > 0 && value < Infinity);

/**
 * Expects finite numbers between two ends.
 * @param {string} caller
 * @param {Record<string, number>} values
 * @param {number} [least]
 * @param {number} [most]
 */
export const checkRange = (caller, values, least = 0, most = Infinity) =>
  checkEach(
    caller,
    values,
    most < Infinity ? `${least} to ${most}` : `at least ${least}`,
    (value) => Number.isFinite(value) && value >= least && value <= most,
  );

/** Expects finite numbers. @param {string} caller @param {Record<string, number>} values */
export const checkFinite = (caller, values) =>
  checkEach(caller, values, 'a finite number', Number.isFinite);

/**
 * Expects one of some names.
 * @param {string} caller
 * @param {string} name of the argument
 * @param {string | null} value
 * @param {readonly string[]} choices
 */
export function checkChoice(caller, name, value, choices) {
  readChoice(caller, name, value ?? null, choices);
}

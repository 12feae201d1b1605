/**
 * Reads the options of a call. An unknown name or value is a DTypeError that lists the known ones;
 * `undefined` always means the default.
 */
import { isObject } from '../shared/keys.js';
import { DTypeError, reject, show } from './errors.js';
import { hintOf, meantBy } from './hints.js';

/**
 * Reads an object of options and refuses unknown names.
 *
 * @param {string} caller the public function, for messages
 * @param {unknown} options
 * @param {readonly string[]} known names the caller understands
 * @returns {Record<string, unknown>}
 */
export function readOptions(caller, options, known) {
  const given = readEntries(caller, options);
  expectKnown(caller, given, known);
  return given;
}

/**
 * Reads an object of options without a check of names: a function with lengths among its options
 * compares those first.
 *
 * @param {string} caller
 * @param {unknown} options
 * @param {string} [name] of the argument or option, for messages
 * @returns {Record<string, unknown>}
 */
export function readEntries(caller, options, name = 'options') {
  if (options === undefined) return {};
  if (isObject(options) && !Array.isArray(options)) {
    if (options instanceof Map) reject(caller, name, options, 'an object: Object.fromEntries(map)');
    return options;
  }
  reject(caller, name, options, 'an object');
}

/**
 * Refuses unknown names.
 *
 * @param {string} caller
 * @param {Record<string, unknown>} given
 * @param {readonly string[]} known
 * @param {'option' | 'parameter' | 'field'} [kind]
 */
export function expectKnown(caller, given, known, kind = 'option') {
  for (const name of Object.keys(given)) {
    if (!known.includes(name)) {
      throw new DTypeError(
        `${caller}: unknown ${kind} ${show(name)}${hintOf(name, known)}, expected one of ${known.join(', ')}`,
      );
    }
  }
}

/**
 * Refuses unknown names where a required one is missing, which the misspelt one explains.
 *
 * @param {string} caller
 * @param {Record<string, unknown>} given
 * @param {readonly string[]} required
 * @param {readonly string[]} known
 * @param {'option' | 'parameter'} [kind]
 */
export function expectRequired(caller, given, required, known, kind) {
  if (required.some((name) => given[name] === undefined)) expectKnown(caller, given, known, kind);
}

/**
 * Returns the options of some names.
 *
 * @param {Record<string, unknown> | undefined} options
 * @param {readonly string[]} names
 * @returns {Record<string, unknown>}
 */
export function pick(options, names) {
  /** @type {Record<string, unknown>} */
  const picked = {};
  for (const name of names) picked[name] = options?.[name];
  return picked;
}

/**
 * Reads one of the values of `choices`.
 *
 * @template {string | boolean} T
 * @param {string} caller
 * @param {string} name
 * @param {unknown} value
 * @param {readonly T[]} choices the first is the default
 * @returns {T}
 */
export function readChoice(caller, name, value, choices) {
  if (value === undefined) return choices[0];
  const found = choices.find((choice) => choice === value);
  if (found !== undefined) return found;
  const names = choices.filter((choice) => typeof choice === 'string');
  const meant = typeof value === 'string' ? meantBy(value, names) : '';
  reject(caller, name, value, `one of ${choices.map(show).join(', ')}${meant}`);
}

/**
 * Reads a list of some of the values of `choices`, or one of them for a list of one; none by default.
 *
 * @template {string} T
 * @param {string} caller
 * @param {string} name
 * @param {unknown} value
 * @param {readonly T[]} choices
 * @returns {T[]}
 */
export function readChoices(caller, name, value, choices) {
  if (value === undefined) return [];
  if (typeof value === 'string') return [readChoice(caller, name, value, choices)];
  if (!Array.isArray(value)) {
    const known = choices.map(show).join(', ');
    reject(caller, name, value, `an array of ${known}`);
  }
  return [...value].map((entry, i) => {
    // A hole must not become the default, so it is shown as null.
    return readChoice(caller, `${name}[${i}]`, entry === undefined ? null : entry, choices);
  });
}

/**
 * Reads a number that is finite as float32 too, since the kernel receives float32.
 *
 * @param {string} caller
 * @param {string} name
 * @param {unknown} value
 * @param {number} fallback
 * @returns {number}
 */
export function readNumber(caller, name, value, fallback) {
  if (value === undefined) return fallback;
  if (typeof value === 'number' && Number.isFinite(Math.fround(value))) return value;
  reject(caller, name, value, 'a finite float32 number');
}

/**
 * Reads a positive number.
 *
 * @param {string} caller
 * @param {string} name
 * @param {unknown} value
 * @param {number} fallback
 * @returns {number}
 */
export function readPositive(caller, name, value, fallback) {
  const number = readNumber(caller, name, value, fallback);
  if (Math.fround(number) > 0) return number;
  reject(caller, name, number, 'a positive float32 number');
}

/**
 * Reads an integer of at least `least` that is exact in float64.
 *
 * @param {string} caller
 * @param {string} name
 * @param {unknown} value
 * @param {0 | 1} least
 * @param {number} [fallback] none if it must be given
 * @returns {number}
 */
export function readInteger(caller, name, value, least, fallback) {
  const integer = value === undefined ? fallback : value;
  if (typeof integer === 'number' && Number.isSafeInteger(integer) && integer >= least) {
    return integer;
  }
  const kind = least === 0 ? 'non-negative' : 'positive';
  reject(caller, name, integer, `a ${kind} safe integer`);
}

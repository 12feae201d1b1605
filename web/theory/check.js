/**
 * Checks of arguments; their messages name the caller and the argument, what came and what was
 * expected.
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
 * @param {Record<string, number | readonly number[]>} sizes numbers, or lists of them
 * @throws {RangeError} unless each is a positive integer
 */
export function checkSizes(caller, sizes) {
  for (const [name, values] of Object.entries(sizes)) {
    for (const value of [values].flat()) {
      if (!Number.isSafeInteger(value) || value < 1) {
        refuse(caller, name, value, 'a positive integer');
      }
    }
  }
}

/**
 * @param {string} caller
 * @param {string} name
 * @param {string} value
 * @param {object} choices what is known, by name
 * @throws {RangeError} unless it is one of the names
 */
export function checkChoice(caller, name, value, choices) {
  const known = Object.keys(choices);
  if (!known.includes(value)) refuse(caller, name, value, `one of ${known.join(', ')}`);
}

// Attention written as JSON: nested lists, `{ data, shape }`, or an object of these by name.

import { CapacityError, DTypeError, reason } from '../../attention/errors.js';

/** Engines have no longer texts. */
const LONGEST = 2 ** 28;

/** Returns whether bytes begin like JSON of lists or objects. @param {Uint8Array} bytes */
export const isJson = (bytes) =>
  /^\uFEFF?\s*[[{]/.test(new TextDecoder().decode(bytes.subarray(0, 256)));

/** A text, or a number that JSON does not have but Python writes. */
const BEYOND = /\\.|"|NaN|-?Infinity/gs;

/** Returns the numbers of Python that JSON does not have as what parses to null and ±Infinity. @param {string} text */
function withoutPython(text) {
  let isText = false;
  return text.replace(BEYOND, (found) => {
    if (found === '"') isText = !isText;
    if (isText || found === '"') return found;
    return found === 'NaN' ? 'null' : found.replace('Infinity', '1e999');
  });
}

/**
 * Parses JSON, also with the NaN and Infinity of Python.
 * @param {Uint8Array} bytes
 * @param {string} what  it is, for messages
 * @returns {unknown}
 */
export function parseJson(bytes, what) {
  if (bytes.length > LONGEST) {
    throw new CapacityError(`${what} has ${bytes.length} bytes, expected at most ${LONGEST}`);
  }
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    const changed = /NaN|Infinity/.test(text) ? withoutPython(text) : text;
    if (changed === text) return JSON.parse(text);
    // NaN stays NaN as an entry of an array, as a scale or a loss, and where it is the whole text.
    return JSON.parse(changed, (key, value) =>
      value === null && /^(\d+|scale|loss|)$/.test(key) ? NaN : value,
    );
  } catch (error) {
    throw new DTypeError(
      `${what} is no JSON (${reason(error)}), expected what JSON.stringify or Python's json.dump writes`,
    );
  }
}

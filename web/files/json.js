// Attention written as JSON: nested lists, `{ data, shape }`, or an object of these by name.

import { CapacityError, DTypeError, reason } from '../attention/errors.js';

/** Engines have no longer texts. */
const LONGEST = 2 ** 28;

/** Returns whether bytes begin like JSON of lists or objects. @param {Uint8Array} bytes */
export const isJson = (bytes) =>
  /^\uFEFF?\s*[[{]/.test(new TextDecoder().decode(bytes.subarray(0, 256)));

/**
 * Parses JSON.
 * @param {Uint8Array} bytes
 * @param {string} what  it is, for messages
 * @returns {unknown}
 */
export function parseJson(bytes, what) {
  if (bytes.length > LONGEST) {
    throw new CapacityError(`${what} has ${bytes.length} bytes, expected at most ${LONGEST}`);
  }
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    throw new DTypeError(`${what} is no JSON: ${reason(error)}`);
  }
}

/**
 * The four errors of the package. Each has a stable `code`; each message names the function, the
 * argument, its value and the expected one:
 *   attention: key is [8, 60], expected last axis 64 to match query [8, 64]
 */

import { isDetached, typedArrayName } from './typed-array.js';

/** Shapes or lengths that do not fit together. */
export class ShapeError extends RangeError {
  name = 'ShapeError';
  /** @readonly */ code = 'ATTN_SHAPE';
}

/** An argument of the wrong type, or an option that does not exist. */
export class DTypeError extends TypeError {
  name = 'DTypeError';
  /** @readonly */ code = 'ATTN_DTYPE';
}

/** More memory than the kernel can address, or than the engine gives. */
export class CapacityError extends RangeError {
  name = 'CapacityError';
  /** @readonly */ code = 'ATTN_CAPACITY';
}

/** No kernel: the engine refuses it, it failed its known-answer test, or it was disposed of. */
export class BackendError extends Error {
  name = 'BackendError';
  /** @readonly */ code = 'ATTN_BACKEND';
}

const CLASSES = [ShapeError, DTypeError, CapacityError, BackendError];

/**
 * Makes an error again from its name, code and message. `postMessage` and JSON lose the class and the
 * code of an error itself, so send these three: `const { name, code, message } = error`. A code of this
 * package gives the error of that class, any other an `Error` with the name and the message.
 *
 * @param {{ code?: unknown, message?: unknown, name?: unknown }} data
 * @returns {Error & { code?: string }} of the class that the code belongs to
 * @throws {DTypeError} if data is no object
 * @example
 * // in the worker: const { name, code, message } = error; postMessage({ name, code, message });
 * const data = JSON.parse('{"code": "ATTN_SHAPE", "message": "softmax: x is []"}');
 * errorFrom(data) instanceof ShapeError; // true
 * errorFrom(data).code; // 'ATTN_SHAPE'
 */
export function errorFrom(data) {
  if (typeof data !== 'object' || data === null) reject('errorFrom', 'data', data, 'an object');
  const { code, message, name } = data;
  const found = CLASSES.map((Class) => new Class(String(message))).find((e) => e.code === code);
  if (found) return found;
  const error = new Error(String(message));
  if (typeof name === 'string') error.name = name;
  return error;
}

/**
 * Throws a DTypeError for an argument of the wrong type.
 *
 * @param {string} caller
 * @param {string} name
 * @param {unknown} value
 * @param {string} expected
 * @returns {never}
 */
export function reject(caller, name, value, expected) {
  throw new DTypeError(`${caller}: ${name} is ${show(value)}, expected ${expected}`);
}

/**
 * Refuses a typed array that has lost its memory.
 *
 * @param {string} caller
 * @param {string} name
 * @param {unknown[] | ArrayBufferView} source
 */
export function expectAttached(caller, name, source) {
  if (Array.isArray(source) || !isDetached(source)) return;
  throw new DTypeError(
    `${caller}: ${name} is on a detached or shrunken buffer, expected one with data`,
  );
}

/**
 * Returns the message of a thrown value, which engines may throw as a string.
 *
 * @param {unknown} thrown
 * @returns {string}
 */
export function reason(thrown) {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/**
 * Returns a value as an error message shows it, without running code of the value itself.
 *
 * @param {unknown} value
 * @returns {string}
 */
export function show(value) {
  if (typeof value === 'string') {
    return value.length > 40 ? `'${value.slice(0, 40)}…'` : `'${value}'`;
  }
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'symbol' || typeof value === 'function') return `a ${typeof value}`;
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) return 'an array';
  if (value instanceof Map) return 'a Map';
  if (!ArrayBuffer.isView(value)) return 'an object';
  const name = typedArrayName(value) ?? 'DataView';
  return `a ${name}`.replace('a I', 'an I');
}

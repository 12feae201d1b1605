/**
 * Results: fresh arrays, or those of the caller that the option `into` names.
 */
import { CapacityError, DTypeError, expectAttached, reject, ShapeError, show } from './errors.js';
import { meantBy } from './hints.js';
import { readEntries } from './options.js';
import { countOf, showShape } from './shape.js';
import { isArrayOf, isTypedArray, lengthOf, overlap } from './typed-array.js';

/** @import { Tensor } from './tensor.js' */

/**
 * The array that a function with a single result writes to, alone or by the name `output`.
 *
 * @typedef {Float32Array | { output?: Float32Array }} Into
 */

/**
 * The type of the option `returns` of type A: names of E as written, or texts of which the compiler knows no
 * more, as in options that a variable holds. Others are refused when the call runs. A single name stands without A,
 * so that the compiler's error shows the right ones.
 *
 * @template A
 * @template {string} E
 * @typedef {[A] extends [string] ? (string extends A ? string : E) : A & (A extends string ? E
 *   : A extends readonly (infer Name)[] ? (string extends Name ? readonly string[] : readonly E[]) : never)} Asked
 */

/**
 * Options with `returns` of type A, or as O has it: from that an editor completes the names.
 *
 * @template O
 * @template A
 * @template {string} E
 * @typedef {O | (Omit<O, 'returns'> & { returns: Asked<A, E> })} Asking
 */

/**
 * Results of a call with `returns` of type A: those that a tuple or a string names, and perhaps others.
 *
 * @template {readonly string[] | string | undefined} A
 * @template All
 * @typedef {A extends string ? (string extends A ? All : Record<A, Tensor> & All)
 *   : A extends readonly [infer Name extends string, ...infer Rest extends string[]]
 *   ? (Name extends string ? Record<Name, Tensor> : never) & Returned<Rest, All> : All} Returned
 */

/**
 * The shapes of results by the same names, those that may be missing likewise.
 *
 * @template T
 * @typedef {{ [Name in keyof T]: number[] }} Shapes
 */

const MOST_ENTRIES = 2 ** 30; // float32 in 4 GiB

/**
 * Makes the results of a call, by name: each in the array that `into` has for it, else in a fresh one.
 *
 * @template {Record<string, number[]>} S
 * @param {string} caller
 * @param {unknown} into the option
 * @param {S} shapes
 * @param {Record<string, unknown>} inputs as the caller wrote them, by name: no array of `into` may
 *   overlap one of them
 * @returns {{ [Name in keyof S]: Tensor }} zero throughout where fresh, else content arbitrary
 */
export function makeResults(caller, into, shapes, inputs) {
  const given = into === undefined ? {} : readInto(caller, into, shapes, inputs);
  /** @type {Record<string, Tensor>} */
  const results = {};
  for (const [name, shape] of Object.entries(shapes)) {
    results[name] = { data: given[name] ?? allocate(caller, shape), shape };
  }
  return /** @type {any} */ (results);
}

/**
 * Makes the result of a function that has only one.
 *
 * @param {string} caller
 * @param {unknown} into an array, or `{ output: array }`
 * @param {number[]} shape
 * @param {Record<string, unknown>} inputs
 * @returns {Tensor}
 */
export function makeResult(caller, into, shape, inputs) {
  const named = isTypedArray(into) ? { output: into } : into;
  return makeResults(caller, named, { output: shape }, inputs).output;
}

/**
 * Makes a fresh array for a result.
 *
 * @param {string} caller
 * @param {readonly number[]} shape
 * @returns {Float32Array} zero throughout
 * @throws {CapacityError} if it exceeds 4 GiB or the engine refuses
 */
export function allocate(caller, shape) {
  const count = countOf(shape);
  if (count <= MOST_ENTRIES) {
    try {
      return new Float32Array(count);
    } catch {
      throw new CapacityError(
        `${caller}: the engine refuses ${4 * count} bytes for a result of ${showShape(shape)}`,
      );
    }
  }
  throw new CapacityError(
    `${caller}: a result of ${showShape(shape)} needs ${4 * count} bytes, expected at most 4 GiB`,
  );
}

/**
 * Sets every number of some results to 0.
 *
 * @param {Partial<Record<string, Tensor>>} results
 */
export function clearResults(results) {
  for (const result of Object.values(results)) result?.data.fill(0);
}

/**
 * Reads the option `into` and checks each of its arrays: type, length, memory apart from all others.
 *
 * @param {string} caller
 * @param {unknown} into
 * @param {Record<string, number[]>} shapes
 * @param {Record<string, unknown>} inputs
 * @returns {Record<string, Float32Array>}
 */
function readInto(caller, into, shapes, inputs) {
  const arrays = readEntries(caller, into, 'into');
  /** @type {Record<string, Float32Array>} */
  const given = {};
  const known = Object.keys(shapes);
  /** @type {[name: string, view: ArrayBufferView][]} */
  const others = [];
  for (const name of Object.keys(inputs)) addViews(others, name, inputs[name]);
  for (const name of Object.keys(arrays)) {
    if (!known.includes(name)) {
      throw new DTypeError(
        `${caller}: into has ${show(name)}${meantBy(name, known)}, expected only results of this call: ${known.join(', ')}`,
      );
    }
    const array = arrays[name];
    if (array === undefined) continue;
    const path = `into.${name}`;
    const view = readTarget(caller, path, array, shapes[name]);
    const shared = others.find(([, other]) => overlap(view, other));
    if (shared) {
      throw new DTypeError(`${caller}: ${path} overlaps ${shared[0]}, expected memory apart`);
    }
    others.push([path, view]);
    given[name] = view;
  }
  return given;
}

/**
 * Reads an array to write to: a Float32Array of the right length.
 *
 * @param {string} caller
 * @param {string} path
 * @param {unknown} array
 * @param {readonly number[]} shape
 * @returns {Float32Array}
 */
function readTarget(caller, path, array, shape) {
  const count = countOf(shape);
  if (!isArrayOf(array, 'Float32Array')) {
    reject(caller, path, array, `a Float32Array of length ${count}`);
  }
  expectAttached(caller, path, array);
  const length = lengthOf(array);
  if (length === count) return array;
  throw new ShapeError(
    `${caller}: ${path} has length ${length}, expected ${count} for a result of ${showShape(shape)}`,
  );
}

/**
 * Lists the typed arrays that an input consists of.
 *
 * @param {[name: string, view: ArrayBufferView][]} views added to
 * @param {string} name
 * @param {any} input a TensorLike that has been read, or anything else, which adds nothing
 */
function addViews(views, name, input) {
  if (typeof input !== 'object' || input === null) return;
  if (isTypedArray(input)) {
    views.push([name, input]);
  } else if (!Array.isArray(input)) {
    addViews(views, name, input.data);
  } else if (typeof input[0] === 'object') {
    for (let i = 0; i < input.length; i++) addViews(views, name, input[i]);
  }
}

/**
 * Tensors, the inputs and outputs of the package.
 *
 * A tensor is row-major float32 data with a shape. Every input of the package may be written in
 * any form of {@link TensorLike}; it is read once, checked before the kernel's memory is touched,
 * and never changed. Arrays of another realm (an iframe, a vm context), of a subclass, on shared or
 * resizable buffers and at any byte offset are read like any other.
 */
import { reject, ShapeError } from './errors.js';
import { locate, readTensor, toFloats } from './read.js';
import { allocate } from './results.js';
import { countOf, expectShortAxes, readShape, showShape } from './shape.js';

/** @typedef {{ data: Float32Array, shape: number[] }} Tensor */

/** @typedef {readonly (number | NestedNumbers | Float32Array | Float64Array | Halves)[]} NestedNumbers */

/** A Float16Array, which some engines and compilers' libraries lack.
 *  @typedef {ArrayLike<number> & { readonly [Symbol.toStringTag]: 'Float16Array' }} Halves */

/**
 * Numbers in a row: an array, or any typed array but those of BigInt.
 *
 * @typedef {Float32Array | Float64Array | Halves | Int8Array | Uint8Array | Uint8ClampedArray
 *   | Int16Array | Uint16Array | Int32Array | Uint32Array | readonly number[]} Numbers
 */

/**
 * A tensor, or a value that is read as one: nested arrays, whose rows may be Float16Array,
 * Float32Array or Float64Array, `{ data, dims }` as ONNX Runtime Web and Transformers.js have it, `{
 * data, shape }` with any numbers; a bare typed array is a vector. A Uint16Array is decoded where
 * `type` or `dtype` says that it holds 16-bit floats, 'float16' or 'bfloat16'.
 *
 * @typedef {Tensor | NestedNumbers | Numbers | { data: Numbers, shape: readonly number[], dtype?: string }
 *   | { data: Numbers, dims: readonly number[], type?: string }} TensorLike
 */

/** @typedef {readonly (boolean | NestedBooleans)[]} NestedBooleans */

/** Flags, or the integers of an `attention_mask`.
 *  @typedef {readonly boolean[] | BigInt64Array | BigUint64Array} Flags */

/**
 * The keys that a query may attend to: booleans, and integers (Int8Array to BigInt64Array, Uint8Array to
 * BigUint64Array) of 0 and 1, where true or 1 may attend. Any other numbers are added to the scores:
 * 0 changes nothing and −Infinity forbids. Plain or floating numbers that are all 0 or 1 are refused.
 *
 * @typedef {TensorLike | NestedBooleans | { data: Flags, shape: readonly number[] }
 *   | { data: Flags, dims: readonly number[] }} MaskLike
 */

/**
 * Returns a tensor with a copy of `data`, seen in `shape`.
 *
 * @param {TensorLike} data any input form
 * @param {readonly number[]} [shape] by default that of `data`
 * @returns {Tensor} owns its memory
 * @throws {ShapeError} if the number of entries does not match the shape
 * @throws {DTypeError} if an entry is not a number
 * @example
 * tensor([1, 2, 3, 4, 5, 6], [2, 3]).shape; // [2, 3]
 * tensor([[1, 2], [3, 4]]).shape; // [2, 2]
 */
export function tensor(data, shape) {
  const given = shape === undefined ? shape : readShape('tensor', 'shape', shape);
  const located = locate('tensor', 'data', data);
  const target = given ?? located.shape;
  const count = countOf(located.shape);
  if (countOf(target) !== count) {
    throw new ShapeError(
      `tensor: data has ${count} entries, expected ${countOf(target)} to match shape ${showShape(target)}`,
    );
  }
  expectShortAxes('tensor', 'shape', target);
  const copy = allocate('tensor', target);
  copy.set(toFloats('tensor', 'data', located));
  return { data: copy, shape: target };
}

/** Nested arrays of any depth, or a number.
 *  @typedef {number | Nested[]} Nested */

/**
 * Returns the entries as nested arrays, one level for each axis, or a number for a tensor of shape [].
 *
 * @template [T=Nested] the type to take the result for, like number[][]
 * @param {TensorLike} t
 * @returns {T}
 * @throws {ShapeError | DTypeError} if t cannot be read
 * @example
 * toNested(tensor([1, 2, 3, 4], [2, 2])); // [[1, 2], [3, 4]]
 */
export function toNested(t) {
  const { data, shape } = readTensor('toNested', 't', t);
  let next = 0;
  /** Returns the nested arrays from an axis on. @param {number} axis @returns {any} */
  const level = (axis) =>
    axis === shape.length ? data[next++] : [...Array(shape[axis])].map(() => level(axis + 1));
  return level(0);
}

/**
 * Returns the entries as tidy rows for a chart: objects with an index for each axis, and the entry as
 * `value`.
 *
 * Cost: an object an entry.
 *
 * @template {readonly string[]} const N
 * @param {TensorLike} t
 * @param {N} names of the axes, as many as there are; 'value' is taken
 * @returns {(Record<N[number], number> & { value: number })[]} in the order of the entries
 * @throws {ShapeError} if t cannot be read, or has another number of axes
 * @throws {DTypeError} if a name is no string, or comes twice
 * @example
 * const tidy = rows([[0.5, 0.5], [0, 1]], ['query', 'key']);
 * Object.keys(tidy[2]); // ['query', 'key', 'value']
 * Object.values(tidy[2]); // [1, 0, 0]
 */
export function rows(t, names) {
  const caller = 'rows';
  const { data, shape } = readTensor(caller, 't', t);
  expectNames(caller, names, shape);
  const index = shape.map(() => 0);
  /** @type {any[]} */
  const list = [];
  for (const value of data) {
    /** @type {Record<string, number>} */
    const row = {};
    names.forEach((name, axis) => (row[name] = index[axis]));
    row.value = value;
    list.push(row);
    for (let axis = shape.length - 1; axis >= 0 && ++index[axis] === shape[axis]; axis--) {
      index[axis] = 0;
    }
  }
  return list;
}

/**
 * Expects a name for each axis.
 *
 * @param {string} caller
 * @param {unknown} names
 * @param {number[]} shape
 */
function expectNames(caller, names, shape) {
  if (!Array.isArray(names)) reject(caller, 'names', names, 'an array with a name for each axis');
  if (names.length !== shape.length) {
    throw new ShapeError(
      `${caller}: names has length ${names.length}, expected ${shape.length} to match t ${showShape(shape)}`,
    );
  }
  names.forEach((name, i) => {
    const isFree = typeof name === 'string' && name !== 'value' && names.indexOf(name) === i;
    if (!isFree)
      reject(caller, `names[${i}]`, name, "a string, not 'value', different from others");
  });
}

/**
 * Tensors: what may come in, what goes out.
 *
 * A tensor is row-major float32 data with a shape. Every input of the package may be written in
 * any form of {@link TensorLike}; it is read once, checked before the kernel's memory is touched,
 * and never changed. Arrays of another realm (an iframe, a vm context), of a subclass, on shared or
 * resizable buffers and at any byte offset are read like any other.
 */
import { CapacityError, DTypeError, expectAttached, reject, ShapeError, show } from './errors.js';
import { lengthOf, typedArrayName, viewOf } from './typed-array.js';

/** @typedef {{ data: Float32Array, shape: number[] }} Tensor */

/** @typedef {readonly (number | NestedNumbers | Float32Array | Float64Array)[]} NestedNumbers */

/**
 * Numbers in a row: an array, or any typed array but those of BigInt.
 *
 * @typedef {Float32Array | Float64Array | Int8Array | Uint8Array | Uint8ClampedArray | Int16Array
 *   | Uint16Array | Int32Array | Uint32Array | readonly number[]} Numbers
 */

/**
 * A tensor, or what is read as one: nested arrays, whose rows may be Float32Array or Float64Array,
 * `{ data, dims }` as ONNX Runtime Web and Transformers.js have it, `{ data, shape }` with any
 * numbers; a bare typed array is a vector.
 *
 * @typedef {Tensor | NestedNumbers | Numbers | { data: Numbers, shape: readonly number[] }
 *   | { data: Numbers, dims: readonly number[] }} TensorLike
 */

/** @typedef {readonly (boolean | NestedBooleans)[]} NestedBooleans */

/**
 * What may attend to what. Booleans, and a Uint8Array: true (not 0) may attend. Numbers of any other
 * kind, an Int8Array too: added to the scores, −Infinity forbids.
 *
 * @typedef {TensorLike | NestedBooleans | { data: readonly boolean[], shape: readonly number[] }
 *   | { data: readonly boolean[], dims: readonly number[] }} MaskLike
 */

/** A data source whose length is known to match its shape, but whose type is not yet known.
 *  @typedef {{ source: unknown[] | ArrayBufferView, shape: number[], nested: boolean }} Located */

/** More axes than anyone means; also ends the descent into an array that contains itself. */
const MOST_AXES = 16;
const MOST_ENTRIES = 2 ** 30; // float32 in 4 GiB
const LONGEST_AXIS = 2 ** 32 - 1; // uint32_t

/**
 * A shape as messages show it: [8, 64].
 *
 * @param {readonly number[]} shape
 * @returns {string}
 */
export const showShape = (shape) => `[${shape.join(', ')}]`;

/**
 * The number of entries of a shape. Exact wherever it is below 2^53, never NaN.
 *
 * @param {readonly number[]} shape
 * @returns {number}
 */
export function countOf(shape) {
  let count = 1;
  for (const axis of shape) {
    if (axis === 0) return 0;
    count *= axis;
  }
  return count;
}

/**
 * Refuses a tensor whose shape does not fit.
 *
 * @param {string} caller
 * @param {string} name
 * @param {readonly number[]} shape
 * @param {string} expected
 * @returns {never}
 */
export function rejectShape(caller, name, shape, expected) {
  throw new ShapeError(`${caller}: ${name} is ${showShape(shape)}, expected ${expected}`);
}

/**
 * A tensor of your own: a copy of `data`, seen in `shape`.
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

/**
 * The entries as nested arrays, one level an axis; a number for a tensor of shape [].
 *
 * @param {TensorLike} t
 * @returns {any} number[], number[][], …
 * @throws {ShapeError | DTypeError} if t cannot be read
 * @example
 * toNested(tensor([1, 2, 3, 4], [2, 2])); // [[1, 2], [3, 4]]
 */
export function toNested(t) {
  const { data, shape } = readTensor('toNested', 't', t);
  let next = 0;
  /** @param {number} axis @returns {any} */
  const level = (axis) =>
    axis === shape.length
      ? data[next++]
      : Array.from({ length: shape[axis] }, () => level(axis + 1));
  return level(0);
}

/**
 * A fresh result of a shape, zero throughout.
 *
 * @param {string} caller
 * @param {readonly number[]} shape
 * @returns {Float32Array}
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
 * Reads an input as float32 data with a shape. The data are the input's own where it is float32
 * already: copy them on, do not write or return them.
 *
 * @param {string} caller the public function, for messages
 * @param {string} name the argument, for messages
 * @param {unknown} input a TensorLike
 * @returns {Tensor}
 */
export function readTensor(caller, name, input) {
  const located = locate(caller, name, input);
  return { data: toFloats(caller, name, located), shape: located.shape };
}

/**
 * Reads a mask: bytes with 0 = may not attend, or float32 numbers to add.
 *
 * @param {string} caller
 * @param {string} name
 * @param {unknown} input a MaskLike
 * @returns {{ data: Uint8Array | Float32Array, shape: number[] }}
 */
export function readMask(caller, name, input) {
  const located = locate(caller, name, input);
  const { source, shape } = located;
  if (Array.isArray(source)) {
    if (typeof source[0] !== 'boolean') return { data: toFloats(caller, name, located), shape };
    return { data: copyEntries(Uint8Array, caller, name, located, 'boolean'), shape };
  }
  const isBytes = /^Uint8(Clamped)?Array$/.test(typedArrayName(source) ?? '');
  const read = isBytes ? toBytes : toFloats;
  return { data: read(caller, name, located), shape };
}

/**
 * A shape given by itself: an array of non-negative integers.
 *
 * @param {string} caller
 * @param {string} name
 * @param {unknown} shape
 * @returns {number[]} a copy
 */
export function readShape(caller, name, shape) {
  if (!Array.isArray(shape) && typedArrayName(shape) === undefined) {
    throw new ShapeError(
      `${caller}: ${name} is ${show(shape)}, expected an array of non-negative integers`,
    );
  }
  const axes = Array.from(/** @type {ArrayLike<unknown>} */ (shape));
  if (axes.length > MOST_AXES) {
    throw new ShapeError(
      `${caller}: ${name} has ${axes.length} axes, expected at most ${MOST_AXES}`,
    );
  }
  axes.forEach((axis, i) => {
    if (typeof axis === 'number' && Number.isInteger(axis) && axis >= 0) return;
    throw new ShapeError(
      `${caller}: ${name}[${i}] is ${show(axis)}, expected a non-negative integer`,
    );
  });
  return /** @type {number[]} */ (axes);
}

/**
 * Refuses what the kernel cannot count, even where another axis is 0; comes after any comparison of
 * lengths.
 *
 * @param {string} caller
 * @param {string} name
 * @param {readonly number[]} shape
 */
export function expectShortAxes(caller, name, shape) {
  shape.forEach((axis, i) => {
    if (axis <= LONGEST_AXIS) return;
    throw new CapacityError(
      `${caller}: ${name}[${i}] is ${axis}, expected at most ${LONGEST_AXIS}`,
    );
  });
}

/**
 * Finds data and shape of an input and holds them to each other; looks at no entry.
 *
 * @param {string} caller
 * @param {string} name
 * @param {unknown} input
 * @returns {Located}
 */
function locate(caller, name, input) {
  if (Array.isArray(input)) return flatten(caller, name, input);
  if (typedArrayName(input) !== undefined) {
    const source = /** @type {ArrayBufferView} */ (input);
    return { source, shape: [lengthOf(source)], nested: false };
  }
  if (typeof input !== 'object' || input === null || ArrayBuffer.isView(input)) {
    reject(caller, name, input, 'a tensor');
  }
  return locateObject(caller, name, /** @type {Record<string, unknown>} */ (input));
}

/** `{ data, shape }` or `{ data, dims }`.
 *  @param {string} caller @param {string} name @param {Record<string, unknown>} input
 *  @returns {Located} */
function locateObject(caller, name, input) {
  const { data, shape = input.dims } = input;
  if (data === undefined) {
    throw new DTypeError(`${caller}: ${name} is an object without data, expected a tensor`);
  }
  const isTyped = typedArrayName(data) !== undefined;
  if (!isTyped && !Array.isArray(data)) {
    reject(caller, `${name}.data`, data, 'a typed array or an array of numbers');
  }
  if (shape === undefined) {
    throw new ShapeError(`${caller}: ${name} has data but no shape, expected { data, shape }`);
  }
  const path = `${name}.${input.shape === undefined ? 'dims' : 'shape'}`;
  const axes = readShape(caller, path, shape);
  const source = /** @type {unknown[] | ArrayBufferView} */ (data);
  const length = Array.isArray(source) ? source.length : lengthOf(source);
  expectAttached(caller, name, source);
  if (countOf(axes) !== length) {
    throw new ShapeError(
      `${caller}: ${name}.data has length ${length}, expected ${countOf(axes)} to match shape ${showShape(axes)}`,
    );
  }
  expectShortAxes(caller, path, axes);
  return { source, shape: axes, nested: false };
}

/** Nested arrays as one flat array; rows may be Float32Array or Float64Array.
 *  @param {string} caller @param {string} name @param {unknown[]} input @returns {Located} */
function flatten(caller, name, input) {
  /** @type {number[]} */
  const shape = [];
  for (let first = /** @type {unknown} */ (input); isRow(first); first = first[0]) {
    if (shape.push(first.length) > MOST_AXES) {
      throw new ShapeError(`${caller}: ${name} has too many axes, expected at most ${MOST_AXES}`);
    }
  }
  if (shape.length === 1) return { source: input, shape, nested: true };
  /** @type {unknown[]} */
  const source = [];
  /** @param {unknown} row @param {number} axis @param {string} path */
  const gather = (row, axis, path) => {
    if (isRow(row)) expectAttached(caller, path, row);
    if (!isRow(row) || row.length !== shape[axis]) ragged(caller, path, row, shape[axis]);
    for (let i = 0; i < shape[axis]; i++) {
      if (axis === shape.length - 1) source.push(row[i]);
      else gather(row[i], axis + 1, `${path}[${i}]`);
    }
  };
  gather(input, 0, name);
  return { source, shape, nested: true };
}

/** @param {unknown} value @returns {value is unknown[] | Float32Array | Float64Array} */
function isRow(value) {
  return Array.isArray(value) || /^Float(32|64)Array$/.test(typedArrayName(value) ?? '');
}

/** @param {string} caller @param {string} path @param {unknown} row @param {number} expected
 *  @returns {never} */
function ragged(caller, path, row, expected) {
  if (!isRow(row) && typeof row !== 'number' && typeof row !== 'boolean') {
    reject(caller, path, row, `an array of ${expected}`);
  }
  const got = isRow(row) ? `has length ${row.length}` : `is ${row}`;
  const first = path.replace(/\d+\]/g, '0]');
  throw new ShapeError(
    `${caller}: ${path} ${got}, expected an array of ${expected} to match ${first}`,
  );
}

/** @param {string} caller @param {string} name @param {Located} located @returns {Float32Array} */
function toFloats(caller, name, located) {
  const { source } = located;
  if (Array.isArray(source)) return copyEntries(Float32Array, caller, name, located, 'number');
  const type = typedArrayName(source);
  if (type === 'BigInt64Array' || type === 'BigUint64Array') {
    throw new DTypeError(`${caller}: ${name} holds a ${type}, expected numbers`);
  }
  expectAttached(caller, name, source);
  return type === 'Float32Array'
    ? viewOf(Float32Array, source)
    : makeCopy(Float32Array, caller, name, located, /** @type {any} */ (source));
}

/**
 * The entries of an array, checked and copied one by one: by index, as they were counted, whatever the
 * array's iterator gives.
 *
 * @template {Float32Array | Uint8Array} T
 * @param {new (count: number) => T} Type
 * @param {string} caller
 * @param {string} name
 * @param {Located} located
 * @param {'number' | 'boolean'} type
 * @returns {T}
 */
function copyEntries(Type, caller, name, located, type) {
  const entries = /** @type {any[]} */ (located.source);
  const count = countOf(located.shape);
  const copy = makeCopy(Type, caller, name, located, count);
  for (let i = 0; i < count; i++) {
    const entry = entries[i];
    if (typeof entry !== type) rejectEntry(caller, name, located, type, entry, i);
    copy[i] = entry;
  }
  return copy;
}

/**
 * @template S, T
 * @param {new (source: S) => T} Type
 * @param {string} caller
 * @param {string} name
 * @param {Located} located
 * @param {S} source a typed array to copy, or how many entries
 * @returns {T}
 */
function makeCopy(Type, caller, name, { shape }, source) {
  try {
    return new Type(source);
  } catch {
    throw new CapacityError(
      `${caller}: the engine refuses memory for a copy of ${name}, which has ${countOf(shape)} entries`,
    );
  }
}

/** @param {string} caller @param {string} name @param {Located} located @returns {Uint8Array} */
function toBytes(caller, name, { source }) {
  expectAttached(caller, name, source);
  return viewOf(Uint8Array, /** @type {ArrayBufferView} */ (source));
}

/** @param {string} caller @param {string} name @param {Located} located
 *  @param {'number' | 'boolean'} type @param {unknown} entry @param {number} i @returns {never} */
function rejectEntry(caller, name, { shape, nested }, type, entry, i) {
  const path = nested ? `${name}${pathOf(i, shape)}` : `${name}.data[${i}]`;
  if (Array.isArray(entry)) {
    throw new ShapeError(`${caller}: ${path} is an array, expected a ${type}`);
  }
  reject(caller, path, entry, `a ${type}`);
}

/** The indices of entry i: [1][2].
 *  @param {number} i @param {number[]} shape @returns {string} */
function pathOf(i, shape) {
  let path = '';
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    path = `[${i % shape[axis]}]${path}`;
    i = Math.floor(i / shape[axis]);
  }
  return path;
}

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

/** @typedef {readonly (number | NestedNumbers | Float32Array | Float64Array | Halves)[]} NestedNumbers */

/** A Float16Array, which not every engine and not every compiler's library has.
 *  @typedef {ArrayLike<number> & { readonly [Symbol.toStringTag]: 'Float16Array' }} Halves */

/**
 * Numbers in a row: an array, or any typed array but those of BigInt.
 *
 * @typedef {Float32Array | Float64Array | Halves | Int8Array | Uint8Array | Uint8ClampedArray
 *   | Int16Array | Uint16Array | Int32Array | Uint32Array | readonly number[]} Numbers
 */

/**
 * A tensor, or what is read as one: nested arrays, whose rows may be Float16Array, Float32Array or
 * Float64Array, `{ data, dims }` as ONNX Runtime Web and Transformers.js have it, `{ data, shape }`
 * with any numbers; a bare typed array is a vector. A Uint16Array is decoded where `type` or
 * `dtype` says that it holds 16-bit floats, 'float16' or 'bfloat16'.
 *
 * @typedef {Tensor | NestedNumbers | Numbers | { data: Numbers, shape: readonly number[], dtype?: string }
 *   | { data: Numbers, dims: readonly number[], type?: string }} TensorLike
 */

/** @typedef {readonly (boolean | NestedBooleans)[]} NestedBooleans */

/**
 * What may attend to what. Booleans, and a Uint8Array or Uint8ClampedArray: true (not 0) may attend.
 * Numbers of any other kind, an Int8Array too: added to the scores, −Infinity forbids.
 *
 * @typedef {TensorLike | NestedBooleans | { data: readonly boolean[], shape: readonly number[] }
 *   | { data: readonly boolean[], dims: readonly number[] }} MaskLike
 */

/** Data whose length is known to match their shape, but whose type is not yet known: a typed array, or
 *  a list of rows of equal length.
 *  @typedef {{ source: ArrayLike<unknown>[] | ArrayBufferView, shape: number[], nested: boolean }} Located */

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
    axis === shape.length ? data[next++] : [...Array(shape[axis])].map(() => level(axis + 1));
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
  if (typedArrayName(source)?.startsWith('Uint8')) {
    expectAttached(caller, name, source);
    return { data: viewOf(Uint8Array, /** @type {ArrayBufferView} */ (source)), shape };
  }
  if (Array.isArray(source) && typeof source[0]?.[0] === 'boolean') {
    return { data: copyEntries(Uint8Array, caller, name, located, 'boolean'), shape };
  }
  return { data: toFloats(caller, name, located), shape };
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
  const axes = [.../** @type {Iterable<unknown>} */ (shape)];
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
  const { data, shape = input.dims, type = input.dtype } = input;
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
  const given = /** @type {unknown[] | ArrayBufferView} */ (data);
  const length = Array.isArray(given) ? given.length : lengthOf(given);
  expectAttached(caller, name, given);
  if (countOf(axes) !== length) {
    throw new ShapeError(
      `${caller}: ${name}.data has length ${length}, expected ${countOf(axes)} to match shape ${showShape(axes)}`,
    );
  }
  expectShortAxes(caller, path, axes);
  /** @type {Located} */
  const located = { source: Array.isArray(given) ? [given] : given, shape: axes, nested: false };
  const isHalf = type === 'float16' || type === 'bfloat16';
  if (isHalf && typedArrayName(given) === 'Uint16Array') {
    located.source = decodeHalves(caller, name, located, type === 'float16');
  }
  return located;
}

/**
 * 16-bit floats, which engines without Float16Array have as integers: a bfloat16 is the upper half of
 * a float32; a float16 in the place of one is 2^-112 of itself, but for infinities and NaN.
 *
 * @param {string} caller
 * @param {string} name
 * @param {Located} located a Uint16Array
 * @param {boolean} isFloat16
 * @returns {Float32Array}
 */
function decodeHalves(caller, name, located, isFloat16) {
  const words = makeCopy(Uint32Array, caller, name, located, /** @type {any} */ (located.source));
  const floats = new Float32Array(words.buffer);
  words.forEach((word, i) => {
    words[i] = word << 16;
    if (!isFloat16) return;
    words[i] = (((word << 16) >> 3) & 0x8fffffff) | ((word & 0x7c00) === 0x7c00 ? 0x70000000 : 0);
    floats[i] *= 2 ** 112;
  });
  return floats;
}

/** The rows of nested arrays; looks at no entry, and takes no memory before all rows are seen.
 *  @param {string} caller @param {string} name @param {any[]} input @returns {Located} */
function flatten(caller, name, input) {
  /** @type {number[]} */
  const shape = [];
  for (let first = input, length; (length = rowLength(first)) !== undefined; first = first[0]) {
    if (shape.push(length) > MOST_AXES) {
      throw new ShapeError(`${caller}: ${name} has too many axes, expected at most ${MOST_AXES}`);
    }
  }
  /** @type {ArrayLike<unknown>[]} */
  const source = [];
  /** @param {any} row @param {number} axis */
  const gather = (row, axis) => {
    const length = rowLength(row);
    if (!length || length !== shape[axis]) {
      const place = source.length / countOf(shape.slice(axis, -1));
      expectRow(caller, name + pathOf(place, shape.slice(0, axis)), row, shape[axis]);
    }
    if (axis === shape.length - 1) source.push(row);
    else for (let i = 0; i < shape[axis]; i++) gather(row[i], axis + 1);
  };
  gather(input, 0);
  return { source, shape, nested: true };
}

/** Of an array or a typed array of floats; of anything else undefined.
 *  @param {any} value @returns {number | undefined} */
function rowLength(value) {
  if (Array.isArray(value)) return value.length;
  return typedArrayName(value)?.[0] === 'F' ? lengthOf(value) : undefined;
}

/** @param {string} caller @param {string} path @param {any} row @param {number} expected */
function expectRow(caller, path, row, expected) {
  const length = rowLength(row);
  if (length !== undefined) expectAttached(caller, path, row);
  else if (typeof row !== 'number' && typeof row !== 'boolean') {
    reject(caller, path, row, `an array of ${expected}`);
  }
  if (length === expected) return;
  const got = length === undefined ? `is ${row}` : `has length ${length}`;
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
 * The entries of rows, checked and copied one by one: by index, as they were counted, whatever an
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
  const rows = /** @type {any[]} */ (located.source);
  const count = countOf(located.shape);
  const copy = makeCopy(Type, caller, name, located, count);
  const columns = count / rows.length;
  for (let r = 0, at = 0; r < rows.length; r++) {
    const row = rows[r];
    for (let i = 0; i < columns; i++, at++) {
      const entry = row[i];
      if (typeof entry !== type) rejectEntry(caller, name, located, type, entry, at);
      copy[at] = entry;
    }
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

/** @param {string} caller @param {string} name @param {Located} located
 *  @param {'number' | 'boolean'} type @param {unknown} entry @param {number} i @returns {never} */
function rejectEntry(caller, name, { shape, nested }, type, entry, i) {
  const path = nested ? `${name}${pathOf(i, shape)}` : `${name}.data[${i}]`;
  if (Array.isArray(entry)) {
    throw new ShapeError(`${caller}: ${path} is an array, expected a ${type}`);
  }
  const rows = i === 0 && ArrayBuffer.isView(entry) ? '; typed rows are of floats' : '';
  reject(caller, path, entry, `a ${type}${rows}`);
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

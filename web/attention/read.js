/**
 * Reads inputs: each is located, compared with its shape and only then converted, before the kernel's
 * memory is touched.
 */
import { isObject } from '../shared/keys.js';
import { CapacityError, DTypeError, expectAttached, reject, ShapeError, show } from './errors.js';
import { countOf, expectShortAxes, MOST_AXES, readShape, showShape } from './shape.js';
import { isArrayOf, isTypedArray, lengthOf, typedArrayName, viewOf } from './typed-array.js';

/**
 * @import { Tensor } from './tensor.js'
 * @import { TypedArray } from './typed-array.js'
 */

/** Places where ONNX Runtime Web has tensors that JavaScript cannot read. @type {readonly unknown[]} */
const ELSEWHERE = ['gpu-buffer', 'texture', 'ml-tensor', 'none'];

/** Data whose length is known to match their shape, but whose type is not yet known: a typed array, or
 *  a list of rows of equal length.
 *  @typedef {{ source: ArrayLike<unknown>[] | TypedArray, shape: number[], nested: boolean }} Located */

/** What may be among the entries of a tensor of this or another library.
 *  @typedef {{ data?: unknown, shape?: unknown, dims?: unknown, type?: unknown, dtype?: unknown,
 *    location?: unknown, then?: unknown }} TensorObject */

/**
 * Reads an input as float32 data with a shape. The data are those of the input where it is float32
 * already, so callers copy them, and do not write or return them.
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
 * Finds the data and the shape of an input and compares them, without reading an entry.
 *
 * @param {string} caller
 * @param {string} name
 * @param {unknown} input
 * @returns {Located}
 */
export function locate(caller, name, input) {
  if (Array.isArray(input)) return flatten(caller, name, input);
  if (isTypedArray(input)) return { source: input, shape: [lengthOf(input)], nested: false };
  if (!isObject(input) || ArrayBuffer.isView(input)) {
    reject(caller, name, input, 'a tensor');
  }
  return locateObject(caller, name, input);
}

/** Locates the data of `{ data, shape }` or `{ data, dims }`.
 *  @param {string} caller @param {string} name @param {TensorObject} input @returns {Located} */
function locateObject(caller, name, input) {
  expectOnCpu(caller, name, input);
  const { data, shape = input.dims, type = input.dtype } = input;
  if (typeof data === 'function') {
    throw new DTypeError(
      `${caller}: ${name} gives its data by a method, expected { data: await ${name}.data(), shape: ${name}.shape }, as for a tensor of TensorFlow.js`,
    );
  }
  if (data === undefined) {
    if (typeof input.then === 'function')
      reject(caller, name, input, 'a tensor: await the promise');
    throw new DTypeError(`${caller}: ${name} is an object without data, expected a tensor`);
  }
  if (!isTypedArray(data) && !Array.isArray(data)) {
    reject(caller, `${name}.data`, data, 'a typed array or an array of numbers');
  }
  if (shape === undefined) {
    throw new ShapeError(`${caller}: ${name} has data but no shape, expected { data, shape }`);
  }
  const path = `${name}.${input.shape === undefined ? 'dims' : 'shape'}`;
  const axes = readShape(caller, path, shape);
  const length = Array.isArray(data) ? data.length : lengthOf(data);
  expectAttached(caller, name, data);
  if (countOf(axes) !== length) {
    throw new ShapeError(
      `${caller}: ${name}.data has length ${length}, expected ${countOf(axes)} to match shape ${showShape(axes)}`,
    );
  }
  expectShortAxes(caller, path, axes);
  /** @type {Located} */
  const located = { source: Array.isArray(data) ? [data] : data, shape: axes, nested: false };
  const isHalf = type === 'float16' || type === 'bfloat16';
  if (isHalf && isArrayOf(data, 'Uint16Array')) {
    located.source = decodeHalves(caller, name, located, data, type === 'float16');
  }
  return located;
}

/**
 * Refuses a tensor of ONNX Runtime Web or Transformers.js whose numbers are on a GPU.
 *
 * @param {string} caller
 * @param {string} name
 * @param {TensorObject} input
 */
function expectOnCpu(caller, name, { location }) {
  if (!ELSEWHERE.includes(location)) return;
  throw new DTypeError(
    `${caller}: ${name} is on ${show(location)}, expected its data: { data: await ${name}.getData(), dims: ${name}.dims }`,
  );
}

/**
 * Decodes 16-bit floats, which engines without Float16Array have as integers: a bfloat16 is the upper
 * half of a float32; the bits of a float16, read as those of a float32, are 2^-112 times its value, but
 * for infinities and NaN.
 *
 * @param {string} caller
 * @param {string} name
 * @param {Located} located
 * @param {Uint16Array} halves its source
 * @param {boolean} isFloat16
 * @returns {Float32Array}
 */
function decodeHalves(caller, name, located, halves, isFloat16) {
  const words = makeCopy(Uint32Array, caller, name, located, halves);
  const floats = new Float32Array(words.buffer);
  words.forEach((word, i) => {
    words[i] = word << 16;
    if (!isFloat16) return;
    words[i] = (((word << 16) >> 3) & 0x8fffffff) | ((word & 0x7c00) === 0x7c00 ? 0x70000000 : 0);
    floats[i] *= 2 ** 112;
  });
  return floats;
}

/** Locates the rows of nested arrays, without reading an entry or allocating before all rows are seen.
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
  /** Collects the rows below an axis. @param {any} row @param {number} axis */
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

/** Returns the length of an array or a typed array of floats, and undefined for any other value.
 *  @param {any} value @returns {number | undefined} */
function rowLength(value) {
  if (Array.isArray(value)) return value.length;
  return typedArrayName(value)?.[0] === 'F' ? lengthOf(value) : undefined;
}

/**
 * Expects a row of a length.
 * @param {string} caller
 * @param {string} path
 * @param {any} row
 * @param {number} expected
 */
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

/**
 * Returns the entries as float32 numbers, which must not lie beyond the largest of these.
 * @param {string} caller
 * @param {string} name
 * @param {Located} located
 * @returns {Float32Array}
 */
export function toFloats(caller, name, located) {
  const floats = convert(caller, name, located);
  const { source } = located;
  // Only these go beyond float32; a search of the others takes longer than softmax.
  const mayExceed = Array.isArray(source) || typedArrayName(source) === 'Float64Array';
  for (const infinity of mayExceed ? [Infinity, -Infinity] : []) {
    for (let at = -1; (at = floats.indexOf(infinity, at + 1)) >= 0;) {
      const entry = entryAt(located, at);
      if (Number.isFinite(entry)) {
        const path = placeOf(name, located, at);
        reject(caller, path, entry, 'a number that float32 has, up to 3.4e38');
      }
    }
  }
  return floats;
}

/**
 * Returns the entries as the nearest float32 numbers, infinite where there is none.
 * @param {string} caller
 * @param {string} name
 * @param {Located} located
 * @returns {Float32Array}
 */
export function convert(caller, name, located) {
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
 * Reads an input that will be rounded to a shorter format. A number between two of float32 becomes the one whose last
 * bit is 1, so that the second rounding gives what a single one would (Boldo & Melquiond, "Emulation of a FMA and
 * correctly rounded sums: proved algorithms using rounding to odd", 2008).
 *
 * @param {string} caller
 * @param {string} name
 * @param {unknown} input a TensorLike
 * @returns {Tensor}
 */
export function readToOdd(caller, name, input) {
  const located = locate(caller, name, input);
  const { source, shape } = located;
  const data = convert(caller, name, located);
  if (typedArrayName(source) === 'Float32Array') return { data, shape };
  const bits = new Uint32Array(data.buffer, data.byteOffset, data.length);
  for (let at = 0; at < data.length; at++) {
    const entry = Number(entryAt(located, at));
    if (data[at] === entry || Number.isNaN(entry) || bits[at] & 1) continue;
    bits[at] += Math.abs(data[at]) < Math.abs(entry) ? 1 : -1;
  }
  return { data, shape };
}

/** Returns an entry as it was given. @param {Located} located @param {number} at @returns {unknown} */
function entryAt({ source, shape }, at) {
  if (!Array.isArray(source)) return source[at];
  const columns = countOf(shape) / source.length;
  return source[Math.floor(at / columns)][at % columns];
}

/**
 * Checks and copies the entries of rows one by one: by index, as they were counted, without an array's
 * iterator.
 *
 * @template {Float32Array | Uint8Array} T
 * @param {new (count: number) => T} Type
 * @param {string} caller
 * @param {string} name
 * @param {Located} located
 * @param {'number' | 'boolean'} type
 * @returns {T}
 */
export function copyEntries(Type, caller, name, located, type) {
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
 * Makes a copy, or room for one, and turns a refusal of memory into a CapacityError.
 *
 * @template S, T
 * @param {new (source: S) => T} Type
 * @param {string} caller
 * @param {string} name
 * @param {Located} located
 * @param {S} source a typed array to copy, or how many entries
 * @returns {T}
 */
export function makeCopy(Type, caller, name, { shape }, source) {
  try {
    return new Type(source);
  } catch {
    throw new CapacityError(
      `${caller}: the engine refuses memory for a copy of ${name}, which has ${countOf(shape)} entries`,
    );
  }
}

/**
 * Throws a DTypeError that names the place of an entry.
 *
 * @param {string} caller @param {string} name @param {Located} located
 * @param {'number' | 'boolean'} type @param {unknown} entry @param {number} i @returns {never} */
function rejectEntry(caller, name, located, type, entry, i) {
  const path = placeOf(name, located, i);
  if (Array.isArray(entry)) {
    throw new ShapeError(`${caller}: ${path} is an array, expected a ${type}`);
  }
  const rows = i === 0 && ArrayBuffer.isView(entry) ? '; typed rows are of floats' : '';
  reject(caller, path, entry, `a ${type}${rows}`);
}

/** Names the place of entry i. @param {string} name @param {Located} located @param {number} i */
const placeOf = (name, { shape, nested }, i) =>
  nested ? `${name}${pathOf(i, shape)}` : `${name}.data[${i}]`;

/** Returns the indices of entry i, like [1][2].
 *  @param {number} i @param {number[]} shape @returns {string} */
function pathOf(i, shape) {
  let path = '';
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    path = `[${i % shape[axis]}]${path}`;
    i = Math.floor(i / shape[axis]);
  }
  return path;
}

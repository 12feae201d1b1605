// Files of attention that people bring. A file is data that nobody vouches for: every length in it is
// compared with the bytes that there are before memory is taken, and what cannot be read is one of the
// package's errors, which says what was expected and what came.

import { DTypeError } from '../attention/errors.js';
import { toAttention } from './attention.js';
import { isJson, parseJson } from './json.js';
import { isNpy, readNpy } from './npy.js';
import { isSafetensors, openSafetensors } from './safetensors.js';
import { isZip, openZip } from './zip.js';

/**
 * @import { Attention, Given } from './attention.js'
 * @import { Tensor } from '../attention/tensor.js'
 * @typedef {{ name: string, read: () => Promise<Tensor | string[]> }} FileArray  an array of a file, not
 *   yet read: numbers, or a list of texts
 */

const PAIR = ['query', 'key'];
/** Arrays that come with others. */
const EXTRAS = ['tokens', 'keyTokens', 'scale'];
const FORMATS = '.safetensors, .npy, .npz or JSON';
/** The most names in a message. */
const MOST_LISTED = 8;
const LONGEST_NAME = 40;

/**
 * Reads attention from a file: `weights`, or `query` and `key`, else the only array that there is;
 * `tokens`, `keyTokens` and `scale` where the format can hold them.
 * @param {Uint8Array} bytes  of a .safetensors, .npy, .npz or JSON file
 * @returns {Promise<Attention>}
 * @throws {ShapeError | DTypeError | CapacityError}
 */
export async function readAttention(bytes) {
  if (isNpy(bytes)) return toAttention({ weights: readNpy('the array', bytes) });
  if (isZip(bytes)) return toAttention(await pick(openNpz(bytes)));
  if (isSafetensors(bytes)) {
    const { arrays, metadata } = openSafetensors(bytes);
    return toAttention({ ...fromMetadata(metadata), ...(await pick(arrays)) });
  }
  if (isJson(bytes)) return toAttention(fromJson(parseJson(bytes, 'the file')));
  const start = [...bytes.subarray(0, 4)].map((byte) => byte.toString(16).padStart(2, '0'));
  throw new DTypeError(
    `the file has ${bytes.length} bytes and begins with ${start.join(' ') || 'none'}, expected ${FORMATS}`,
  );
}

/** Opens the arrays of an archive. @param {Uint8Array} bytes @returns {FileArray[]} */
const openNpz = (bytes) =>
  openZip(bytes).map(({ name: file, read }) => {
    const name = file.replace(/\.npy$/, '');
    return { name, read: async () => readNpy(name, await read()) };
  });

/**
 * Reads the arrays that show attention, and what belongs to them.
 * @param {readonly FileArray[]} arrays
 * @returns {Promise<Given>}
 */
async function pick(arrays) {
  const { named, only } = choose(arrays.map(({ name }) => name));
  /** @type {Record<string, unknown>} */
  const given = {};
  for (const array of arrays) {
    const { name } = array;
    if (name === only) given.weights = await array.read();
    else if (named.includes(name)) given[name] = await array.read();
  }
  return given;
}

/**
 * Chooses among the names of arrays.
 * @param {readonly string[]} names
 * @returns {{ named: string[], only: string | undefined }} only: the single array, whose name says nothing
 */
function choose(names) {
  const extras = EXTRAS.filter((name) => names.includes(name));
  if (names.includes('weights')) return { named: ['weights', ...extras], only: undefined };
  if (PAIR.every((name) => names.includes(name))) {
    return { named: [...PAIR, ...extras], only: undefined };
  }
  const others = names.filter((name) => !EXTRAS.includes(name));
  if (others.length === 1) return { named: extras, only: others[0] };
  const listed = others.slice(0, MOST_LISTED).map((name) => name.slice(0, LONGEST_NAME));
  const more = others.length > MOST_LISTED ? `, … (${others.length})` : '';
  throw new DTypeError(
    `the file has the arrays ${listed.join(', ') || '(none)'}${more}, expected weights, or query and key, or a single array`,
  );
}

/** Returns what parsed JSON gives. @param {unknown} value @returns {Given} */
function fromJson(value) {
  const object = /** @type {Record<string, unknown>} */ (value);
  if (Array.isArray(value) || Object.hasOwn(object, 'data')) return { weights: value };
  const { named, only } = choose(Object.keys(object));
  const given = Object.fromEntries(named.map((name) => [name, object[name]]));
  return only === undefined ? given : { ...given, weights: object[only] };
}

/** Returns what the texts of a .safetensors file give: JSON each. @param {Record<string, unknown>} metadata */
function fromMetadata(metadata) {
  /** @type {Record<string, unknown>} */
  const given = {};
  for (const name of EXTRAS) {
    const text = metadata[name];
    if (typeof text === 'string') given[name] = parseJson(new TextEncoder().encode(text), name);
  }
  return given;
}

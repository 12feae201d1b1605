// Files of attention that people bring. A file is data that nobody vouches for: every length in it is
// compared with the bytes that there are before memory is taken, and what cannot be read is one of the
// package's errors, which says what was expected and what came.

import { DTypeError, reject } from '../../attention/errors.js';
import { readOptions } from '../../attention/options.js';
import { isObject } from '../../shared/keys.js';
import { toAttention } from './attention.js';
import { extraOf, choose } from './choose.js';
import { isJson, parseJson } from './json.js';
import { isNpy, readNpy } from './npy.js';
import { isSafetensors, openSafetensors } from './safetensors.js';
import { isZip, openZip } from './zip.js';

/**
 * @import { Attention, GivenAttention } from './attention.js'
 * @typedef {{ data: Float32Array | Uint8Array, shape: number[] }} FileTensor  bytes are of booleans
 * @typedef {{ name: string, read: () => Promise<FileTensor | string[]> }} FileArray  an array of a file, not
 *   yet read: numbers, or a list of texts
 * @typedef {{ arrays: FileArray[], extras?: GivenAttention, series?: unknown[] }} Opened  extras: what stands
 *   beside the arrays; series: JSON with an object a step, in place of both
 */

const FORMATS = '.safetensors, .npy, .npz or JSON';
/** Files of other formats by their first bytes, with what to do. */
const OTHERS = [
  { start: [0x80], is: 'a pickle of Python, as of torch.save' },
  { start: [0x89, 0x48, 0x44, 0x46], is: 'an HDF5 file' },
];
/** Files that came in place of the one that was meant, by how their texts begin. */
const TEXTS = [
  {
    start: /^version https:\/\/git-lfs/,
    is: 'a pointer of Git LFS',
    remedy: 'fetch the file itself by git lfs pull',
  },
  {
    start: /^\s*<(!doctype|html|\?xml)/i,
    is: 'a page of HTML',
    remedy: 'use the address of the file itself, as "download" or "raw" gives it',
  },
];
const REMEDY = 'save the arrays by numpy.savez or safetensors';

/**
 * Reads attention from a file: weights, or queries and keys, of every head of every layer.
 *
 * The file has an array `weights`, or `query` and `key`, or all of them, or a single array, which is the weights; or one array
 * a layer, whose names differ in a number: `layer_0`, `layer_1`, …, `query_0`, `key_0`, …, or `arr_0`, … as
 * `numpy.savez(file, *layers)` writes. Beside them there may be `tokens` and `keyTokens`, and beside queries and
 * keys `scale`, `causal`, `mask` and `attention_mask`, and of a step of training `loss`; in .safetensors all but the mask are
 * JSON texts of its metadata. The names
 * `attention`, `attentions`, `attn`, `q`, `k` and the like are understood. JSON may have NaN and Infinity, as Python
 * writes them.
 *
 * Tokens become texts, and the pieces of byte-level tokenizers (`Ġthe`) the text that they stand for; a part
 * of a character is its bytes, as `<0xE4>`. As many tokens as keys, of fewer queries, are those of the keys,
 * and the queries are the last of them, as after a cache.
 *
 * Nothing is sent anywhere. Numbers of 8 to 64 bits become float32. Memory is taken only for what the file
 * really holds: a length that lies is an error.
 *
 * @param {Uint8Array | ArrayBuffer} bytes of a .safetensors, .npy, .npz or JSON file
 * @param {{ name?: string, text?: number }} [options] name: that of the file, for messages; text: as `toAttention` takes it
 * @returns {Promise<Attention>}
 * @throws {ShapeError} if shapes or the number of tokens do not fit
 * @throws {DTypeError} for bytes of another format, and for arrays that show no attention; the message says
 *   what to do
 * @throws {CapacityError} for an archive that would unpack to more than 1 GiB an array
 * @example
 * const text = '{ "weights": [[1, 0], [0.3, 0.7]], "tokens": ["deep", "Ġsea"] }';
 * const { weights, tokens } = await readAttention(new TextEncoder().encode(text));
 * weights.shape; // [1, 1, 2, 2]
 * tokens; // ['deep', ' sea']
 */
export async function readAttention(bytes, options) {
  readOptions('readAttention', options, ['name', 'text']);
  const { name = 'the file', text } = options ?? {};
  const { arrays, extras, series } = open(asBytes('readAttention', bytes), name);
  if (series) {
    throw new DTypeError(
      `${name} is a list of ${series.length} steps, expected one attention: read it by readSeries`,
    );
  }
  return toAttention({ ...extras, ...(await pick(arrays, name)) }, { name, text });
}

/** Returns bytes to look at. @param {string} caller @param {unknown} bytes */
export function asBytes(caller, bytes) {
  if (ArrayBuffer.isView(bytes)) {
    return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }
  // An ArrayBuffer of another realm is none of this one, but names itself.
  if (Object.prototype.toString.call(bytes) === '[object ArrayBuffer]') {
    return new Uint8Array(/** @type {ArrayBuffer} */ (bytes));
  }
  return reject(caller, 'bytes', bytes, 'the bytes of a file: await file.arrayBuffer()');
}

/** Opens a file of any format. @param {Uint8Array} bytes @param {string} file @returns {Opened} */
export function open(bytes, file) {
  if (isNpy(bytes)) return alone(async () => readNpy('the array', bytes));
  if (isZip(bytes)) return { arrays: openNpz(bytes, file) };
  if (isSafetensors(bytes)) {
    const { arrays, metadata } = openSafetensors(bytes);
    return { arrays, extras: fromMetadata(metadata) };
  }
  if (isJson(bytes)) return openJson(parseJson(bytes, file));
  const encoding = utf16Of(bytes);
  if (encoding) {
    return open(new TextEncoder().encode(new TextDecoder(encoding).decode(bytes)), file);
  }
  const beginning = new TextDecoder().decode(bytes.subarray(0, 256));
  const text = TEXTS.find((each) => each.start.test(beginning));
  if (text) throw new DTypeError(`${file} is ${text.is}, expected ${FORMATS}: ${text.remedy}`);
  const start = [...bytes.subarray(0, 4)];
  const other = OTHERS.find((each) => each.start.every((byte, i) => byte === start[i]));
  if (other) throw new DTypeError(`${file} is ${other.is}, expected ${FORMATS}: ${REMEDY}`);
  const digits = start.map((byte) => byte.toString(16).padStart(2, '0')).join(' ');
  throw new DTypeError(
    `${file} has ${bytes.length} bytes and begins with ${digits || 'none'}, expected ${FORMATS}`,
  );
}

/** Returns the encoding of a text of UTF-16, as PowerShell writes it. @param {Uint8Array} bytes */
function utf16Of([first, second]) {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined;
}

/** Returns the weights of a file that has nothing else. @param {FileArray['read']} read @returns {Opened} */
const alone = (read) => ({ arrays: [{ name: 'weights', read }] });

/** Opens the arrays of an archive. @param {Uint8Array} bytes @param {string} file @returns {FileArray[]} */
function openNpz(bytes, file) {
  const entries = openZip(bytes);
  if (entries.some(({ name }) => /(^|\/)data\.pkl$/.test(name))) {
    throw new DTypeError(`${file} is of torch.save, expected ${FORMATS}: ${REMEDY}`);
  }
  // Archives made by hand have folders, notes and what macOS adds, beside the arrays.
  const isArray = (/** @type {string} */ name) => /(^|\/)(?!\._)[^/]*\.npy$/.test(name);
  const arrays = entries.filter(({ name }) => isArray(name) && !name.startsWith('__MACOSX/'));
  const [folder] = /^[^/\d]+\//.exec(arrays[0]?.name ?? '') ?? [''];
  const isInside = arrays.every(({ name }) => name.startsWith(folder));
  return (arrays.length ? arrays : entries).map((entry) => {
    const name = entry.name.slice(isInside ? folder.length : 0).replace(/\.npy$/, '');
    return { name, read: async () => readNpy(name, await entry.read()) };
  });
}

/**
 * Reads the arrays that show attention, and what belongs to them.
 * @param {readonly FileArray[]} arrays
 * @param {string} file
 * @returns {Promise<GivenAttention>}
 */
export async function pick(arrays, file) {
  const chosen = choose(
    arrays.map(({ name }) => name),
    file,
  );
  /** @type {GivenAttention} */
  const given = {};
  for (const [argument, names] of Object.entries(chosen)) {
    const all = [];
    for (const name of names) all.push(await arrays.find((each) => each.name === name)?.read());
    given[/** @type {keyof GivenAttention} */ (argument)] = all.length === 1 ? all[0] : all;
  }
  return given;
}

/** Opens what parsed JSON gives. @param {unknown} value @returns {Opened} */
function openJson(value) {
  const object = /** @type {Record<string, unknown>} */ (value);
  const read = async (/** @type {unknown} */ array) => /** @type {any} */ (array);
  if (Array.isArray(value)) {
    const isSeries = isObject(value[0]) && Object.hasOwn(value[0], 'step');
    return isSeries ? { arrays: [], series: value } : alone(() => read(value));
  }
  if (Object.hasOwn(object, 'data')) return alone(() => read(value));
  const arrays = Object.entries(object)
    .filter(([name, each]) => isObject(each) || extraOf(name))
    .map(([name, each]) => ({ name, read: () => read(each) }));
  return { arrays };
}

/** Returns what the texts of a .safetensors file give: JSON each. @param {Record<string, unknown>} metadata */
function fromMetadata(metadata) {
  /** @type {GivenAttention} */
  const given = {};
  for (const [name, text] of Object.entries(metadata)) {
    const extra = extraOf(name);
    if (!extra || typeof text !== 'string') continue;
    given[extra] = extra === 'step' ? text : parseJson(new TextEncoder().encode(text), name);
  }
  return given;
}

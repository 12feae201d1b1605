// Where attention comes from: an address, a file of the reader, pasted text, or properties of the page.

import { CapacityError } from '../../attention/index.js';
import { readFile, readSeries } from '../reading/series.js';

/**
 * @import { Attention, AttentionStep } from '../reading/index.js'
 * @import { Course } from '../course/course.js'
 * @typedef {Attention | AttentionStep[] | Course} Read  of one step, or of a course of training
 *
 * @typedef {object} Source
 * @property {string} name  in messages
 * @property {string} [label]  what a reader calls it: the name of a file, or an address
 * @property {boolean} [isComplete]  has all that the page gives besides arrays
 * @property {boolean} [isSecond]  is compared with what is shown
 * @property {Source} [second]  is compared with this
 * @property {boolean} [isReaders]  brought by the reader, not by the page
 * @property {(text: number, signal: AbortSignal) => Promise<Read> | Read} read  text: which of a batch; aborted once a
 *   newer source has come
 * @property {() => ReadonlyMap<number, unknown>} [items]  what a page gave of each step
 */

/** Engines have no longer arrays everywhere. */
const MOST_BYTES = 2 ** 31 - 1;

/** Refuses a file before it is read. @param {number} bytes */
function expectSize(bytes) {
  if (bytes <= MOST_BYTES) return;
  throw new CapacityError(`the file has ${bytes} bytes, expected at most ${MOST_BYTES}`);
}

/** Returns the attention of a file that the reader chose or dropped. @param {File} file @returns {Source} */
const fromFile = (file) => ({
  name: file.name,
  label: file.name,
  read: async (text) => {
    expectSize(file.size);
    return readFile(await file.arrayBuffer(), text);
  },
});

/** Returns the attention of one file, or the course of training of several. @param {readonly File[]} files @returns {Source} */
export function fromFiles(files) {
  const [first] = files;
  if (files.length === 1) return fromFile(first);
  const name = `${first.name}, … (${files.length})`;
  return { name, label: name, read: () => readSeries(files) };
}

/** Returns the attention of a file in memory. @param {ArrayBuffer | ArrayBufferView | Blob} file @returns {Source} */
export const fromBytes = (file) => ({
  ...fromFile(new File([/** @type {BlobPart} */ (file)], 'file')),
  label: undefined,
});

/** Returns the attention of a text. @param {string} text @returns {Source} */
export const fromText = (text) => ({
  name: 'JSON',
  read: (which) => readFile(new TextEncoder().encode(text), which),
});

/** Returns the attention at an address. @param {string} address @param {string} base @returns {Source} */
export const fromAddress = (address, base) => ({
  name: address,
  label: address,
  read: async (text, signal) => {
    const response = await fetch(new URL(address, base), { signal });
    if (!response.ok) throw new Error(`the server answers ${response.status}, expected a file`);
    expectSize(Number(response.headers.get('content-length')));
    return readFile(await response.arrayBuffer(), text);
  },
});

/**
 * Waits for a promise, or for the signal's end, whichever comes first.
 * @template Value
 * @param {Promise<Value>} promise
 * @param {AbortSignal} signal
 * @returns {Promise<Value | void>}
 */
export async function unlessAborted(promise, signal) {
  /** @type {() => void} */
  let stop = () => {};
  const aborted = new Promise((/** @type {(value: void) => void} */ resolve) => {
    stop = resolve;
    signal.addEventListener('abort', stop);
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

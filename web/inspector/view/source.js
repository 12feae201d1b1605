// Where attention comes from: an address, a file of the reader, pasted text, or properties of the page.

import { CapacityError } from '../../attention/index.js';
import { readFile, readSeries } from '../reading/series.js';

/**
 * @import { Attention, AttentionStep } from '../reading/index.js'
 * @import { Course } from '../course/course.js'
 * @typedef {Attention | AttentionStep[] | Course} Read  of one step, or of a course of training
 * @typedef {{ name: string, read: () => Promise<Read> | Read, items?: () => ReadonlyMap<number, unknown> }} Source
 *   items: what a page gave of each step
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
  read: async () => {
    expectSize(file.size);
    return readFile(await file.arrayBuffer());
  },
});

/** Returns the attention of one file, or the course of training of several. @param {readonly File[]} files @returns {Source} */
export function fromFiles(files) {
  const [first] = files;
  if (files.length === 1) return fromFile(first);
  return { name: `${first.name}, … (${files.length})`, read: () => readSeries(files) };
}

/** Returns the attention of a file in memory. @param {ArrayBuffer | ArrayBufferView | Blob} file @returns {Source} */
export const fromBytes = (file) => fromFile(new File([/** @type {BlobPart} */ (file)], 'file'));

/** Returns the attention of a text. @param {string} text @returns {Source} */
export const fromText = (text) => ({
  name: 'JSON',
  read: () => readFile(new TextEncoder().encode(text)),
});

/** Returns the attention at an address. @param {string} address @param {string} base @returns {Source} */
export const fromAddress = (address, base) => ({
  name: address,
  read: async () => {
    const response = await fetch(new URL(address, base));
    if (!response.ok) throw new Error(`the server answers ${response.status}, expected a file`);
    expectSize(Number(response.headers.get('content-length')));
    return readFile(await response.arrayBuffer());
  },
});

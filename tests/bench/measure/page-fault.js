// The price of fresh memory, which every fresh result pays page by page: it depends on the machine and
// the browser alone.
import { bestOf } from '../clock.js';

/** @import { Options, Part } from './results.js' */

const BYTES = 2 ** 20;
const PAGES = BYTES / 4096;
/** Microseconds for a page beyond which fresh results cost more than many of the computations. */
const DEAR = 2;

/**
 * @param {number} seconds
 * @returns {Promise<number>} microseconds for a page of 4 kB, with its release
 */
async function pageFaultTime(seconds) {
  const warm = new Float32Array(BYTES / 4);
  const fresh = () => new Float32Array(BYTES / 4).fill(1);
  const times = await bestOf([fresh, () => warm.fill(1)], seconds);
  return (1000 * (times[0] - times[1])) / PAGES;
}

/**
 * Returns whether fresh memory is so dear that rows from end to end are judged with `into`.
 * @param {number} seconds
 * @returns {Promise<boolean>}
 */
export const isFreshDear = async (seconds) => (await pageFaultTime(seconds)) > DEAR;

/** @param {Options} options @returns {Promise<Part[]>} */
export default async function measurePageFault({ seconds }) {
  const value = await pageFaultTime(seconds);
  return [{ row: 'page-fault', backend: 'simd', shape: `${BYTES / 2 ** 20} MiB`, value }];
}

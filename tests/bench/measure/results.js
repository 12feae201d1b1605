// The results of measurements: the parts of the rows of goals.js.

/** @import { Files } from '../contenders.js' */

/** @typedef {'simd' | 'relaxed'} Backend */

/**
 * The value is the row's ratio for that shape; `into` is true where results went to given arrays;
 * milliseconds are those of this package, times those of each contender, or the reason why it did not
 * run.
 * @typedef {{ row: string, backend: Backend, shape: string, value: number,
 *   into?: boolean, milliseconds?: number, gigaflops?: number, peak?: number,
 *   times?: Record<string, number | string> }} Part
 *
 * seconds to measure one comparison
 * @typedef {{ seconds: number, quick: boolean, files: Files }} Options
 */

/** @type {readonly Backend[]} */
export const BACKENDS = ['simd', 'relaxed'];

/** @param {number[]} sizes */
export const shapeName = (...sizes) => sizes.join('×');

/** Claims about what today's models do to their scores besides 1/√d_k, or in place of it. */
import { softmax } from '../../attention/index.js';
import { LOG_GAIN } from '../scale-list.js';
import { measureAligned, measureScale } from '../scales.js';
import { SEED } from './samples.js';

/** @import { Scale } from '../scale-list.js' */

/** Measures the effective keys of a scale. @param {Scale} scale @param {{ gain?: number }} [options] */
const effective = (scale, options) =>
  measureScale({ scale, dK: 64, keys: 64, queries: 512, seed: SEED, ...options }).effectiveKeys;

/** Measures the effective keys with the soft cap of Gemma 2 alone, with nothing, and with 1/√d_k. */
export const softcapAlone = () => ({
  capped: effective('softcap-alone'),
  none: effective('none'),
  scaled: effective('sqrt'),
});

/** Measures the effective keys of normalised queries and keys, without a factor, and times √d_k. */
export const normalised = () => ({
  bare: effective('cosine', { gain: 1 }),
  gained: effective('cosine', { gain: 8 }),
  scaled: effective('sqrt'),
});

/**
 * Measures the effective keys of models at the start that do not divide by √d_k: with T5's smaller queries, with
 * queries and keys normalised to a length of √d_k and the factor 1 (Gemma 4), and 1/d_k (Inkling).
 */
export const otherFactors = () => ({
  root: effective('sqrt'),
  smaller: effective('t5'),
  normalised: effective('cosine', { gain: 64 }),
  linear: effective('cosine', { gain: 1 }),
});

/**
 * Measures the weight of a key that is half aligned with its query, in a narrow and in a wide head: with
 * 1/√d_k, and with 8/d_k, which is the same in the narrow one.
 */
export function byWidth() {
  const at = (/** @type {number} */ dK, /** @type {number} */ temperature) =>
    measureAligned({
      scale: 'temperature',
      temperature,
      rho: 0.5,
      dK,
      keys: 64,
      queries: 256,
      seed: SEED,
    });
  return { narrow: at(64, 8), root: at(1024, 32), linear: at(1024, 128) };
}

/** Computes the weight of one score of 3 among many of −2, and the same with the scores times .43 ln n. */
export function atLength() {
  const keys = 131_072;
  const weightAt = (/** @type {number} */ factor) => {
    const scores = new Float32Array(keys).fill(-2 * factor);
    scores[0] = 3 * factor;
    return softmax(scores).data[0];
  };
  return { keys, plain: weightAt(1), scaled: weightAt(LOG_GAIN * Math.log(keys)) };
}

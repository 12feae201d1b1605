/**
 * Parts that the tests of forward passes and of gradients share: masks to draw, the options of golden
 * variants, results compared by their numbers.
 */
import { randomNormal, randomUniform } from '../../../web/attention/index.js';
import { toInput } from './golden.js';

/**
 * @import { Matrix } from '../oracle/matrices.js'
 * @import { Variant } from './golden.js'
 */

export const SDPA_FILES = [
  'sdpa_small.json',
  'sdpa_10_49_768_64.json',
  'sdpa_33_65_64_64.json',
  'sdpa_64_64_512_32.json',
  'sdpa_128_128_64_64.json',
];

/** Returns the options of `attention` that a golden variant means. @param {Variant} variant */
export function sdpaOptions({ params, inputs }) {
  const { scale, mask } = params;
  if (mask === 'none') return { scale };
  if (mask === 'causal_upper_left') return { scale, causal: /** @type {const} */ ('upper-left') };
  if (mask === 'causal_lower_right') return { scale, causal: /** @type {const} */ ('lower-right') };
  return { scale, mask: toInput(/** @type {any} */ (inputs).mask) };
}

/**
 * Returns a mask of a kind, and the same as numbers added to the scores. 'dead' forbids whole rows, and
 * more in others.
 * @param {'none' | 'boolean' | 'additive' | 'dead'} kind
 * @param {number[]} shape
 * @param {number} seed
 */
export function drawMask(kind, shape, seed) {
  if (kind === 'none') return { mask: null, added: null };
  const bias = randomNormal(shape, { seed, stream: 8 });
  const row = shape[shape.length - 1];
  const rows = randomUniform([bias.data.length / Math.max(row, 1)], { seed, stream: 9 }).data;
  const forbidden = randomUniform(shape, { seed, stream: 10 }).data.map((u, i) =>
    u < 0.3 || (kind === 'dead' && rows[Math.floor(i / row)] < 0.4) ? 1 : 0,
  );
  if (kind === 'additive') {
    forbidden.forEach((f, i) => f && (bias.data[i] = -Infinity));
    return { mask: bias, added: bias };
  }
  return {
    mask: { data: Uint8Array.from(forbidden, (f) => 1 - f), shape },
    added: { data: forbidden.map((f) => (f ? -Infinity : 0)), shape },
  };
}

/** Returns an additive layer of hidden size h. @param {number} h @param {number} dQ @param {number} dK
 *  @param {number} [seed] @param {number} [std] */
export const additiveLayer = (h, dQ, dK, seed = 9, std = 0.5) => ({
  queryWeight: randomNormal([h, dQ], { seed, stream: 1, std }),
  keyWeight: randomNormal([h, dK], { seed, stream: 2, std }),
  scoreWeight: randomNormal([h], { seed, stream: 3 }),
  bias: randomNormal([h], { seed, stream: 4, std }),
});

/** Returns an empty tensor. @param {...number} shape */
export const empty = (...shape) => ({ data: new Float32Array(0), shape });

/** Returns a tensor of zeros. @param {...number} shape */
export const zeros = (...shape) => ({
  data: new Float32Array(shape.reduce((a, b) => a * b, 1)),
  shape,
});

/** Returns all numbers of a result; unlike the bytes of a Float32Array, one NaN is like another, and 0 is
 *  like −0.
 *  @param {any} result @returns {any} */
export function entriesOf(result) {
  if (typeof result === 'number') return result + 0;
  if (result.data) return { shape: result.shape, data: Array.from(result.data, (x) => x + 0) };
  return Object.fromEntries(Object.entries(result).map(([name, part]) => [name, entriesOf(part)]));
}

/** Returns the sums of matrices over the heads that share one, one matrix after another.
 *  @param {{ group: number }[]} heads @param {Matrix[]} matrices @param {number} groups */
export function sumGroups(heads, matrices, groups) {
  const sums = Array.from({ length: groups }, () => /** @type {number[]} */ ([]));
  heads.forEach(({ group }, i) => {
    matrices[i].flat().forEach((x, e) => (sums[group][e] = (sums[group][e] ?? 0) + x));
  });
  return sums.flat();
}

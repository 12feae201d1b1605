/**
 * Golden vectors (tests/golden/README.md): PyTorch's float64 results, and the tolerance that README
 * suggests for each.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { distance, EPSILON } from '../oracle.js';

/** @import { TestContext } from 'node:test' */

/** @typedef {{ shape: number[], dtype: string, data: number[] }} GoldenTensor */
/** @typedef {Record<string, GoldenTensor>} GoldenTensors */
/**
 * @typedef {{ name: string, params: Record<string, any>, inputs?: GoldenTensors,
 *   expected: GoldenTensors, expected_exact?: GoldenTensors, magnitude?: Record<string, number>,
 *   torch_f32_error: Record<string, { max_abs: number }>, [more: string]: any }} Variant
 * @typedef {{ name: string, op: string, dims: Record<string, any>, inputs: GoldenTensors,
 *   variants: Variant[], [more: string]: any }} Case
 */

/**
 * Returns the cases of a file, with non-finite numbers as numbers.
 *
 * @param {string} file
 * @returns {Case[]}
 */
export function goldenCases(file) {
  const url = new URL(`../../golden/${file}`, import.meta.url);
  const text = readFileSync(url, 'utf8');
  const number = (/** @type {string} */ key, /** @type {unknown} */ value) =>
    key === 'data' && Array.isArray(value) ? value.map(Number) : value;
  return JSON.parse(text, number).cases;
}

/** A tensor of tests/golden/modern, where −Infinity is '-inf'.
 *  @typedef {{ data: (number | string)[], shape: number[] }} ModernTensor */

/** Returns the cases of a file of tests/golden/modern. @param {string} file */
export const modernCases = (file) =>
  JSON.parse(readFileSync(new URL(`../../golden/modern/${file}`, import.meta.url), 'utf8'));
export const toNumber = (/** @type {number | string} */ x) =>
  x === '-inf' ? -Infinity : Number(x);
/** @param {ModernTensor} tensor */
export const read = ({ data, shape }) => ({ data: Float32Array.from(data, toNumber), shape });

/**
 * Returns an input as the package takes it: bytes for a boolean mask, float32 for the rest.
 *
 * @param {GoldenTensor} tensor
 */
export function toInput({ shape, dtype, data }) {
  return { data: dtype === 'u8' ? Uint8Array.from(data) : Float32Array.from(data), shape };
}

/**
 * Returns the error of a result in units of its tolerance: at most 1 is accepted. Anything between
 * `expected` and `expected_exact` is right; NaN and infinities must be in the same places.
 *
 * @param {ArrayLike<number>} got
 * @param {Variant} variant
 * @param {string} name
 * @param {number} [floor] more tolerance, absolute
 * @returns {number}
 */
export function goldenError(got, variant, name, floor = 0) {
  const expected = variant.expected[name].data;
  const exact = variant.expected_exact?.[name]?.data ?? expected;
  if (got.length !== expected.length) return Infinity;
  const tolerance = toleranceOf(variant, name) + floor + 2 ** -126;
  return expected.reduce((worst, x, i) => {
    const [low, high] = [Math.min(x, exact[i]), Math.max(x, exact[i])];
    return Math.max(worst, distance(got[i], low, high) / tolerance);
  }, 0);
}

/** @param {Variant} variant @param {string} name */
function toleranceOf({ magnitude, torch_f32_error: torch, expected }, name) {
  if (magnitude) return 8 * EPSILON * magnitude[name];
  const sizes = expected[name].data.filter(Number.isFinite).map(Math.abs);
  return 8 * torch[name].max_abs + 4 * EPSILON * Math.max(0, ...sizes);
}

/**
 * Returns a comparison of results with the arrays of golden variants, by name: entries, each within its tolerance,
 * and shapes, of a number none.
 */
export function compareGolden() {
  /** @type {Record<string, number>} */
  const worst = {};
  let arrays = 0;
  /**
   * @param {string} title
   * @param {Variant} variant
   * @param {Record<string, { data: ArrayLike<number>, shape: number[] } | number>} results
   * @param {(array: string) => number} [floor] more tolerance, absolute
   */
  const compare = (title, variant, results, floor = () => 0) => {
    for (const [array, result] of Object.entries(results)) {
      const entries = typeof result === 'number' ? [result] : result.data;
      const error = goldenError(entries, variant, array, floor(array));
      assert.ok(error <= 1, `${title} ${variant.name} ${array}: ${error} of the tolerance`);
      if (typeof result !== 'number') {
        assert.deepEqual(result.shape, variant.expected[array].shape);
      }
      worst[array] = Math.max(worst[array] ?? 0, error);
      arrays++;
    }
  };
  /** Reports the worst errors, of `count` arrays. @param {TestContext} t @param {number} count */
  const report = (t, count) => {
    t.diagnostic(`${arrays} arrays, worst in units of the tolerance: ${JSON.stringify(worst)}`);
    assert.equal(arrays, count);
  };
  return { compare, report };
}

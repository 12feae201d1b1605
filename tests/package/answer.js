// A problem of attention, the program that a user would write for it, and the answers: PyTorch's for
// the program, and this checkout's own for the first figure.

import assert from 'node:assert/strict';
import { saturationSummary } from '../../web/experiments/saturation.js';
import { goldenCases, goldenError } from '../js/attention/golden.js';
import { matrixOf } from '../js/oracle.js';

/** @import { Page } from 'playwright-core' */

/** @template T @param {T | undefined} found @returns {T} */
const present = (found) => {
  if (!found) throw new Error('the golden vectors have no such case any more');
  return found;
};

const golden = present(goldenCases('sdpa_small.json').find(({ name }) => name === 's3_5_4_2'));
const variant = present(golden.variants.find(({ name }) => name === 'inv_sqrt_d+grad'));

const [query, key, value] = ['q', 'k', 'v'].map((name) => {
  const { data, shape } = golden.inputs[name];
  return matrixOf({ data: Float32Array.from(data), shape });
});

/** The problem, as arguments. */
export const INPUTS = { query, key, value };

/** A module without side effects; `answer()` computes. */
export const PROGRAM = `import { attention } from 'attention-lab';

export const query = ${JSON.stringify(query)};
export const key = ${JSON.stringify(key)};
export const value = ${JSON.stringify(value)};

export const answer = () => attention(query, key, value).output.data.join(' ');
`;

/** @param {string | null} text the result of `answer()` */
export function assertAnswer(text) {
  const numbers = (text ?? '').trim().split(' ').map(Number);
  assert.ok(goldenError(numbers, variant, 'output') <= 1, `answered ${text}`);
}

/** A figure whose answer is known. */
export const FIGURE = '<attn-saturation d-k="128" keys="32"></attn-saturation>';

/** Theory is float64 arithmetic of the engine, whose exp and log may differ in the last bits. */
const THEORY_TOLERANCE = 1e-12;

/**
 * Checks that the figure on a page shows the state of its attributes, with measured numbers to the
 * last bit.
 * @param {Page} tab
 * @param {string} [tag]
 */
export async function assertFigure(tab, tag = 'attn-saturation') {
  const figure = tab.locator(tag);
  await figure.locator('[part~="plot"] > svg').first().waitFor();
  const shown = await figure.evaluate((element) => Reflect.get(element, 'data').summary);
  const expected = saturationSummary({ dK: 128, keys: 32, queries: 256, seed: 5 });
  expected.forEach(({ maxWeight, effectiveKeys, maxWeightTheory }, i) => {
    assert.equal(shown[i].maxWeight, maxWeight);
    assert.equal(shown[i].effectiveKeys, effectiveKeys);
    assert.ok(Math.abs(shown[i].maxWeightTheory - maxWeightTheory) < THEORY_TOLERANCE);
  });
}

/**
 * The model against PyTorch in float64 (tests/golden/modern/language.json, and language_variants.json): logits, loss, gradients and three
 * steps of AdamW.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { createModel, createTrainer, logits, lossGradient } from '../../../web/language/index.js';

/** @typedef {Record<string, { shape: number[], data: number[] }>} Tensors */

/** @type {any[]} */
const CASES = ['language', 'language_variants'].flatMap((name) =>
  JSON.parse(readFileSync(new URL(`../../golden/modern/${name}.json`, import.meta.url), 'utf8')),
);
const EPSILON = 2 ** -24;

/** The largest errors, in units of 2^-24 times the largest number expected. Norms divide by small numbers here:
 *  parameters moved by half a unit in their last place move these logits by 10 units at the median, and these
 *  gradients by 30 and 233. */
const BOUNDS = { plain: { logits: 12, gradients: 64 }, normed: { logits: 16, gradients: 256 } };

/** Returns the largest difference, in units of 2^-24 times the largest number expected.
 *  @param {ArrayLike<number>} got @param {number[]} expected */
function errorOf(got, expected) {
  assert.equal(got.length, expected.length);
  const largest = expected.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
  const worst = expected.reduce((most, x, i) => Math.max(most, Math.abs(x - got[i])), 0);
  return worst / largest / EPSILON;
}

for (const golden of CASES) {
  const { name, config, tokens, targets, adamw } = golden;
  const bounds = BOUNDS[config.queryKeyNorm ? 'normed' : 'plain'];
  const model = createModel({ ...config, parameters: golden.parameters });

  test(`${name}: logits are those of PyTorch`, () => {
    const result = logits(model, tokens);
    assert.deepEqual(result.shape, golden.logits.shape);
    assert.ok(errorOf(result.data, golden.logits.data) <= bounds.logits);
  });

  test(`${name}: the loss and its gradients are those of PyTorch`, () => {
    const { loss, gradients } = lossGradient(model, tokens, targets);
    assert.ok(Math.abs(loss / golden.loss - 1) <= 4 * EPSILON);
    assert.deepEqual(Object.keys(gradients), Object.keys(golden.gradients));
    for (const [of, { shape, data }] of Object.entries(/** @type {Tensors} */ (golden.gradients))) {
      assert.deepEqual(gradients[of].shape, shape);
      assert.ok(errorOf(gradients[of].data, data) <= bounds.gradients, of);
    }
  });

  test(`${name}: three steps of AdamW are those of PyTorch`, () => {
    const { learningRate, betas, epsilon, weightDecay, clip } = adamw;
    const fixed = /** @type {const} */ ({ schedule: 'constant', warmUp: 0 });
    const options = { learningRate, betas, epsilon, weightDecay, clip, ...fixed };
    const trainer = createTrainer(model, options);
    const steps = [0, 1, 2].map(() => trainer.step(tokens, targets));
    steps.forEach(({ loss }, i) => assert.ok(Math.abs(loss - adamw.losses[i]) <= 1e-6));
    assert.ok(Math.abs(steps[0].gradientNorm / golden.gradientNorm - 1) <= 1e-6);
    const { parameters } = trainer.model;
    for (const [of, { data }] of Object.entries(/** @type {Tensors} */ (adamw.parameters))) {
      data.forEach((x, i) => assert.ok(Math.abs(parameters[of].data[i] - x) <= 1e-6, of));
    }
    trainer.dispose();
  });
}

// Heads that learn their role against PyTorch in float64 (tests/golden/make_roles.py): the same start, the same
// batches, thirty steps with each scale.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { rolesLanguage } from '../../../web/experiments/roles-language.js';
import { lookAt, rolesRuns, testSentences } from '../../../web/experiments/roles.js';
import * as language from '../../../web/language/index.js';
import { atOnce, partsOf } from '../../../web/shared/slices.js';

/**
 * @import { RolesScale } from '../../../web/experiments/roles.js'
 * @typedef {{ losses: number[], gradientNorms: number[], nounWeight: number, largestWeight: number,
 *   jacobianTrace: number, right: number, firstWeights: number[] }} Expected
 */

const FILE = new URL('../../golden/roles.json', import.meta.url);
/** @type {{ setting: object, trained: Record<RolesScale, Expected> }} */
const { setting, trained } = JSON.parse(readFileSync(FILE, 'utf8'));

const toy = rolesLanguage('en');
const work = rolesRuns(language, { ...setting, every: 1 });
const rows = atOnce(partsOf(work));
work.dispose();

for (const [scale, expected] of Object.entries(trained)) {
  const own = rows.filter((row) => row.scale === scale);
  const last = own[own.length - 1];

  test(`thirty losses with the scale ${scale} are those of PyTorch`, () => {
    const losses = own.slice(1).map(({ loss }) => loss);
    assert.equal(losses.length, expected.losses.length);
    losses.forEach((loss, i) => {
      assert.ok(Math.abs(loss / expected.losses[i] - 1) < 1e-4, `step ${i + 1}: ${loss}`);
    });
  });

  test(`after them, a head with the scale ${scale} looks where PyTorch's does`, () => {
    for (const name of /** @type {const} */ (['nounWeight', 'largestWeight', 'jacobianTrace'])) {
      assert.ok(Math.abs(last[name] - expected[name]) < 2e-4, `${name} ${last[name]}`);
    }
    assert.ok(Math.abs(last.right - expected.right) < 1e-12);
    assert.ok(last.model);
    const [{ weights }] = lookAt(language, last.model, toy, testSentences(toy, 1));
    weights.forEach((weight, i) => {
      assert.ok(Math.abs(weight - expected.firstWeights[i]) < 1e-3, `place ${i}: ${weight}`);
    });
  });
}

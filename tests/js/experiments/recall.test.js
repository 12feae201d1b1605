// @slow
// Recall with and without separate values, against the losses measured for the theory.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  measureRecall,
  RECALL_GUESS,
  recallLoss,
  recallRuns,
} from '../../../web/experiments/recall.js';
import { atOnce, partsOf } from '../../../web/shared/slices.js';

/** @import { RecallOptions } from '../../../web/experiments/recall.js' */

const train = (/** @type {RecallOptions} */ options) => atOnce(partsOf(recallRuns(options)));
const rows = train({ dimensions: [2, 3, 4], steps: 1000 });

/** @param {'tied' | 'untied'} series @param {number} d @param {number} step */
const at = (series, d, step) =>
  rows.filter((row) => row.series === series && row.d === d && row.step === step);

/** @param {number[]} values of three */
const median = (values) => [...values].sort((a, b) => a - b)[1];

test('tied values end near 1.45 at d = 2, .90 at d = 3 and nearly 0 at d = 4', () => {
  const end = (/** @type {number} */ d) => median(at('tied', d, 1000).map(({ loss }) => loss));
  assert.ok(Math.abs(end(2) - 1.45) < 0.06, String(end(2)));
  assert.ok(Math.abs(end(3) - 0.9) < 0.15, String(end(3)));
  assert.ok(end(4) < 0.002, String(end(4)));
});

test('separate values learn it from d = 2 on', () => {
  for (const d of [2, 3, 4]) for (const { loss } of at('untied', d, 1000)) assert.ok(loss < 1e-3);
});

test('early on the two gradients of tied tokens point against each other', () => {
  for (const d of [2, 3, 4]) {
    const early = [100, 150, 200].flatMap((step) => at('tied', d, step).map((row) => row.cosine));
    const mean = early.reduce((sum, each) => sum + each, 0) / early.length;
    assert.ok(mean < -0.1 && mean > -0.5, `d = ${d}: ${mean}`);
  }
  for (const { cosine } of at('untied', 2, 50)) assert.ok(Number.isNaN(cosine));
});

test('before it learns, a model is no better than a guess, ln 6', () => {
  for (const { loss } of at('tied', 2, 50)) assert.ok(loss > 0.85 * RECALL_GUESS);
});

test('later runs take the next seeds', () => {
  const each = train({ dimensions: [1], steps: 50, seed: 4 });
  assert.deepEqual([...new Set(each.map(({ seed }) => seed))], [4, 5, 6]);
});

test('runs repeat exactly, take turns, and stop when their signal aborts', async () => {
  const options = { dimensions: [2, 3], seeds: 1, steps: 300 };
  const all = await measureRecall(options);
  assert.deepEqual(all, await measureRecall(options));
  assert.deepEqual(
    all.slice(0, 5).map(({ series, d, step }) => `${series} ${d} ${step}`),
    ['tied 2 50', 'untied 2 50', 'tied 3 50', 'untied 3 50', 'tied 2 100'],
  );
  const control = new AbortController();
  const some = await measureRecall({
    ...options,
    signal: control.signal,
    onProgress: () => control.abort(),
  });
  assert.ok(some.length < all.length);
  assert.equal(await recallLoss({ d: 3, tied: true, steps: 300 }), all[all.length - 2].loss);
});

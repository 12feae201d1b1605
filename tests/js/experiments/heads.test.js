// Sizes of layers against published models and the formula.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  groupedHeads,
  headCache,
  headParameters,
  relationsHeld,
} from '../../../web/experiments/heads.js';

const HEADS = [1, 2, 3, 8, 12, 64];

test('where heads do not divide d_model, d_k is rounded down', () => {
  const [row] = headParameters({ dModel: 512, heads: [12] });
  assert.equal(row.dK, 42);
  assert.equal(row.total, 4 * 512 * 12 * 42);
});

test('at a fixed d_k every head adds as many parameters as the one before', () => {
  const rows = headParameters({ dModel: 512, heads: [1, 2, 3], dKey: 64 });
  assert.deepEqual(
    rows.filter(({ matrix }) => matrix === 'query').map(({ total }) => total),
    [1, 2, 3].map((heads) => heads * 4 * 512 * 64),
  );
});

test('matrices add up to the total, which is that of the formula', () => {
  for (const bias of [false, true]) {
    for (const kvHeads of [1, 4, 64]) {
      const rows = headParameters({ dModel: 512, heads: HEADS, kvHeads, bias });
      for (const heads of HEADS) {
        const same = rows.filter((row) => row.heads === heads);
        const sum = same.reduce((all, { parameters }) => all + parameters, 0);
        assert.equal(sum, same[0].total);
        assert.equal(sum, same[0].theory);
      }
    }
  }
});

test('grouped heads of Llama 3 8B keep a quarter of the numbers for each token', () => {
  const rows = headCache({ dModel: 4096, heads: 32 });
  const at = (/** @type {number} */ g) => rows.find(({ kvHeads }) => kvHeads === g)?.numbers;
  assert.deepEqual([at(32), at(8), at(1)], [8192, 2048, 256]);
  for (const { numbers, theory } of rows) assert.equal(numbers, theory);
});

test('key/value heads divide the query heads', () => {
  assert.deepEqual(
    [groupedHeads(32, 8), groupedHeads(12, 8), groupedHeads(7, 4), groupedHeads(4, 8)],
    [8, 6, 1, 4],
  );
});

test('one head loses one word of two, in the shares of the formula; two that look apart lose none', () => {
  const weights = [0.1, 0.3, 0.45, 0.8];
  const rows = relationsHeld({ weights, seed: 7 });
  assert.equal(rows.length, 2 * weights.length);
  for (const { heads, weight, first, second, both, ...expected } of rows) {
    if (heads === 1) {
      // The error of a correlation over 4096 pairs is about 1/64.
      assert.ok(Math.abs(first - expected.firstTheory) < 0.05, `${weight}: ${first}`);
      assert.ok(Math.abs(second - expected.secondTheory) < 0.05, `${weight}: ${second}`);
      assert.ok(Math.abs(both - 1) < 0.05, `${weight}: ${both}`);
    } else assert.ok(both < 1e-9, `${weight}: ${both}`);
  }
  const [one, two] = relationsHeld({ weights: [0.5], seed: 7 });
  assert.deepEqual(
    [two.first, two.second].map((share) => share.toFixed(3)),
    [one.first, one.second].map((share) => share.toFixed(3)),
  );
});

// Sizes of layers against published models and the formula.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { groupedHeads, headCache, headParameters } from '../../../web/experiments/index.js';

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

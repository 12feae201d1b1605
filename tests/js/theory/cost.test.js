// The flop and memory models against operations counted one by one, and against quoted figures.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { costModel, memoryModel } from '../../../web/theory/cost.js';

/**
 * Counts the operations of a literal implementation.
 * @param {{ n: number, d: number, v: number, h: number, tanh: number, again: boolean }} shape
 *   `again`: project for every pair
 */
function countAdditive({ n, d, v, h, tanh, again }) {
  const projection = 2 * d * h;
  let flop = again ? 0 : 2 * n * projection;
  for (let pair = 0; pair < n * n; pair++) {
    if (again) flop += 2 * projection;
    for (let unit = 0; unit < h; unit++) flop += 1 + tanh + 2;
    flop += 2 * v;
  }
  return flop;
}

test('dot-product attention takes 2n²d_k flop for the scores and 2n²d_v for the output', () => {
  assert.equal(costModel({ method: 'dot', keys: 512, dK: 64, dV: 64 }), 4 * 512 ** 2 * 64);
  assert.equal(costModel({ method: 'dot', keys: 3, dK: 5, dV: 7 }), 2 * 9 * (5 + 7));
});

test('the flop count of additive attention is that of a literal implementation', () => {
  for (const [method, again] of /** @type {const} */ ([
    ['factored', false],
    ['pairwise', true],
  ])) {
    const flop = costModel({ method, keys: 6, dK: 5, dV: 4, hidden: 3, tanhFlops: 11 });
    assert.equal(flop, countAdditive({ n: 6, d: 5, v: 4, h: 3, tanh: 11, again }));
  }
});

test('for one query and one key, factored and per pair are the same', () => {
  const shape = { keys: 1, dK: 8, dV: 8, hidden: 4 };
  assert.equal(
    costModel({ method: 'factored', ...shape }),
    costModel({ method: 'pairwise', ...shape }),
  );
});

test('per pair grows like n²·d·h; factored does not', () => {
  const ratio = (/** @type {'factored' | 'pairwise'} */ method) =>
    costModel({ method, keys: 4096, dK: 128, dV: 1, hidden: 64, tanhFlops: 8 }) /
    costModel({ method, keys: 4096, dK: 64, dV: 1, hidden: 64, tanhFlops: 8 });
  assert.ok(ratio('pairwise') > 1.9);
  assert.ok(ratio('factored') < 1.01);
});

test('broadcasting 512 × 512 pairs at hidden size 128 takes 134 MB', () => {
  const bytes = memoryModel({ method: 'broadcast', keys: 512, dK: 64, hidden: 128 });
  assert.equal(Math.round(bytes / 1e6), 134);
});

test('a fused kernel takes memory in proportion to n, the others to n²', () => {
  const growth = (/** @type {'dot' | 'broadcast' | 'fused'} */ method) =>
    memoryModel({ method, keys: 2048, dK: 64 }) / memoryModel({ method, keys: 1024, dK: 64 });
  assert.equal(memoryModel({ method: 'fused', keys: 10, dK: 4 }), 4 * (2 * 10 * 4 + 2 * 10));
  assert.equal(growth('fused'), 2);
  assert.equal(growth('dot'), 4);
  assert.equal(growth('broadcast'), 4);
});

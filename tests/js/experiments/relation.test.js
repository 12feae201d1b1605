// @slow
// Relations learned with and without separate queries and keys, against the floors of the theory.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  measureRelation,
  quickRelation,
  RELATIONS,
  relationWeights,
} from '../../../web/experiments/relation.js';
import { tiedRingFloor } from '../../../web/theory/relation.js';
import { assertNear } from '../theory/near.js';

/** @import { Relation } from '../../../web/experiments/relation.js' */

const FLOORS = { ring3: tiedRingFloor(3), pairs: tiedRingFloor(2), ring8: tiedRingFloor(8) };

for (const relation of /** @type {Relation[]} */ (Object.keys(RELATIONS))) {
  const rows = quickRelation({ relation, d: 8, seed: 1, seeds: 3, steps: 4000 });
  const ends = rows.filter(({ step }) => step === 4000);

  test(`${relation} ends at its floor when tied, and at nearly nothing when not`, () => {
    for (const { series, loss } of ends) {
      if (series === 'tied') assertNear(loss, FLOORS[relation], 5e-4);
      else assert.ok(loss < 4e-4, String(loss));
    }
  });

  test(`${relation} never beats its floor when tied, at any step and d`, () => {
    for (const d of [1, 2, 4]) {
      for (const { series, loss } of quickRelation({ relation, d, seed: 7, steps: 1000 })) {
        if (series === 'tied') assert.ok(loss >= FLOORS[relation] - 1e-5, `d = ${d}: ${loss}`);
      }
    }
  });

  test(`${relation}: scores of tied vectors stay symmetric, QᵀQ − KᵀK is nearly conserved`, () => {
    for (const { series, asymmetry, drift } of rows) {
      if (series === 'tied') assert.ok(asymmetry < 1e-6);
      assert.ok(drift < 0.05, String(drift));
    }
  });
}

test('the task decides how asymmetric scores become: a ring more than pairs', () => {
  const last = (/** @type {Relation} */ relation) =>
    quickRelation({ relation, d: 4, seed: 1, steps: 2000 }).at(-1)?.asymmetry ?? NaN;
  assert.ok(last('ring3') > 1.5, `${last('ring3')}`);
  assert.ok(last('pairs') < 0.25, `${last('pairs')}`);
});

test('a run reaches its last step, also where that begins a new part', () => {
  for (const steps of [39, 40]) assert.equal(quickRelation({ steps }).at(-1)?.step, steps);
});

test('a run repeats exactly, reports its progress and stops when its signal aborts', async () => {
  const options = { seeds: 2, steps: 3000, seed: 3 };
  /** @type {number[]} */
  const fractions = [];
  const control = new AbortController();
  const all = await measureRelation(options);
  assert.deepEqual(all, await measureRelation(options));
  assert.deepEqual([...new Set(all.map(({ seed }) => seed))], [3, 4]);
  const some = await measureRelation({
    ...options,
    signal: control.signal,
    onProgress({ fraction }) {
      fractions.push(fraction);
      control.abort();
    },
  });
  assert.equal(fractions.length, 1);
  assert.deepEqual(some, all.slice(0, some.length));
  assert.ok(some.length < all.length);
});

test('each order sums to 1 over its choices, and is not the transpose of the other', () => {
  const vectors = {
    queries: [
      [1, 0],
      [0, 2],
      [1, 1],
    ],
    keys: [
      [2, 1],
      [-1, 1],
      [0, 1],
    ],
  };
  const rows = relationWeights(vectors);
  for (const order of ['QK', 'KQ']) {
    for (const i of [0, 1, 2]) {
      const line = rows.filter((row) => row.order === order && row.row === i);
      assertNear(
        line.reduce((sum, { weight }) => sum + weight, 0),
        1,
        1e-6,
      );
    }
  }
  const at = (
    /** @type {string} */ order,
    /** @type {number} */ row,
    /** @type {number} */ column,
  ) =>
    rows.find((each) => each.order === order && each.row === row && each.column === column)
      ?.weight ?? NaN;
  assert.ok(Math.abs(at('QK', 0, 0) - at('KQ', 0, 0)) > 0.5);
  const shifted = relationWeights({
    ...vectors,
    keys: vectors.keys.map(([x, y]) => [x + 3, y - 1]),
  });
  for (const { order, row, column, weight } of shifted) {
    if (order === 'QK') assertNear(weight, at('QK', row, column), 1e-5, 1e-6);
  }
  assert.ok(
    shifted.some((row, i) => row.order === 'KQ' && Math.abs(row.weight - rows[i].weight) > 0.1),
  );
});

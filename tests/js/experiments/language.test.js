// The scores of a trained model and the course of its training, against sums in float64.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  dotHistogram,
  dotProducts,
  headCourse,
  languageCourse,
  variantCourse,
} from '../../../web/experiments/language.js';
import { randomNormal } from '../../../web/attention/index.js';

/** @import { Recorded, Variant } from '../../../web/experiments/language.js' */

const [HEADS, N, D] = [2, 6, 16];
const SCALE = 1 / 4;

/** Returns the attention of a text, with scores computed in float64. @param {number} seed */
function layerOf(seed) {
  const [query, key] = [1, 2].map((stream) => randomNormal([1, HEADS, N, D], { seed, stream }));
  const scores = { shape: [1, HEADS, N, N], data: new Float32Array(HEADS * N * N) };
  for (let place = 0; place < scores.data.length; place++) {
    const [head, i, j] = [Math.floor(place / N / N), Math.floor(place / N) % N, place % N];
    for (let x = 0; x < D; x++) {
      const product = query.data[(head * N + i) * D + x] * key.data[(head * N + j) * D + x];
      scores.data[place] += SCALE * product;
    }
  }
  return { query, key, scores };
}

const layers = [1, 2, 3].map(layerOf);

describe('the dot products of a head', () => {
  it('are those of each query with the keys up to its own, without the scale', () => {
    const dots = dotProducts(layers, { head: 1, scale: SCALE });
    assert.equal(dots.length, (3 * N * (N + 1)) / 2);
    const { query, key } = layers[0];
    const [q, k] = [query, key].map(({ data }) => data.subarray((N + 1) * D, (N + 2) * D));
    const second = q.reduce((sum, entry, x) => sum + entry * k[x], 0); // of the second query with itself
    assert.ok(Math.abs(dots[2] - second) < 1e-5);
  });

  it('have the mean and deviation of a histogram that sums to 1', () => {
    const found = dotHistogram(layers, { head: 0, scale: SCALE, reach: 40, bins: 20 });
    const dots = dotProducts(layers, { head: 0, scale: SCALE });
    const mean = dots.reduce((a, b) => a + b) / dots.length;
    const variance = dots.reduce((sum, dot) => sum + (dot - mean) ** 2, 0) / dots.length;
    assert.ok(Math.abs(found.mean - mean) < 1e-9);
    assert.ok(Math.abs(found.deviation - Math.sqrt(variance)) < 1e-9);
    const total = found.rows.reduce((sum, { density }) => sum + density * 4, 0);
    assert.ok(Math.abs(total - 1) < 1e-9);
    assert.deepEqual([found.rows[0].low, found.rows[19].high], [-40, 40]);
  });

  it('of independent entries have nearly the deviation that is expected of them', () => {
    const many = Array.from({ length: 200 }, (_, i) => layerOf(100 + i));
    const { deviation, expected, dKey } = dotHistogram(many, { head: 0, scale: SCALE, reach: 40 });
    assert.equal(dKey, D);
    assert.ok(Math.abs(expected / Math.sqrt(D) - 1) < 0.02);
    assert.ok(Math.abs(deviation / expected - 1) < 0.05);
  });

  it('beyond the reach of the histogram count in none of its bins', () => {
    const { rows, count } = dotHistogram(layers, { head: 0, scale: SCALE, reach: 1, bins: 4 });
    const inside = rows.reduce((sum, { density }) => sum + density * 0.5 * count, 0);
    const dots = dotProducts(layers, { head: 0, scale: SCALE });
    assert.ok(Math.abs(inside - dots.filter((dot) => dot >= -1 && dot < 1).length) < 1e-6);
  });
});

describe('the course of training', () => {
  const heads = [0, 1].map((head) => ({
    layer: 0,
    head,
    ratio: 1 + head,
    correlation: 0,
    entropyRatio: 0.5 + 0.2 * head,
    largestScore: 3 - head,
    firstKey: 0,
    previousKey: 0.1 * head,
    fiveBack: 0.3,
  }));
  const recorded = /** @type {Recorded} */ (
    /** @type {unknown} */ ({
      runs: [2, 1].map((seed) => ({ scale: 'none', seed, rows: [{ step: 7, loss: seed, heads }] })),
    })
  );

  it('has a row for each run and step: means over heads, and the largest of them', () => {
    const rows = languageCourse(recorded, 'previousKey');
    assert.deepEqual(rows, [
      {
        scale: 'none',
        seed: 2,
        step: 7,
        loss: 2,
        ratio: 1.5,
        entropyRatio: 0.6,
        largestScore: 3,
        role: 0.1,
      },
      {
        scale: 'none',
        seed: 1,
        step: 7,
        loss: 1,
        ratio: 1.5,
        entropyRatio: 0.6,
        largestScore: 3,
        role: 0.1,
      },
    ]);
  });

  it('of one head is that of the first seed', () => {
    const rows = headCourse(recorded, { scale: 'none', layer: 0, head: 1, role: 'fiveBack' });
    assert.deepEqual(rows, [
      { scale: 'none', seed: 1, step: 7, ratio: 2, entropyRatio: 0.7, largestScore: 2, role: 0.3 },
    ]);
    assert.deepEqual(
      headCourse(recorded, { scale: 'sqrt', layer: 0, head: 1, role: 'fiveBack' }),
      [],
    );
  });

  it('of a variant has a row for each head of each of its runs, with factors times gains', () => {
    const names = ['effectiveDimension', 'predicted', 'measured', 'entropyRatio', 'largestScore'];
    const measured = Object.fromEntries(names.map((name, i) => [name, [i + 1, i + 10]]));
    const run = (/** @type {string} */ variant, /** @type {object} */ further = {}) => ({
      variant,
      seed: 3,
      rows: [{ step: 7, loss: 4, heads: { factor: [2, 3], ...measured, ...further } }],
    });
    const runs = [
      run('keys-norm-none', { gain: [0.5, 4] }),
      run('keys-sqrt'),
      run('norm-none', { gain: [1, 1] }),
    ];
    const of = (/** @type {Variant} */ variant) =>
      variantCourse(/** @type {any} */ ({ config: { heads: 1 }, runs }), variant);
    const [first, second] = of('keys-norm');
    assert.deepEqual(first, {
      scale: 'none',
      seed: 3,
      step: 7,
      loss: 4,
      head: '1.1',
      factor: 1,
      effectiveDimension: 1,
      predicted: 2,
      measured: 3,
      entropyRatio: 4,
      largestScore: 5,
    });
    assert.deepEqual([second.head, second.factor, second.measured], ['2.1', 12, 12]);
    assert.deepEqual(
      of('keys').map(({ scale, factor }) => [scale, factor]),
      [
        ['sqrt', 2],
        ['sqrt', 3],
      ],
    );
    assert.deepEqual(of('learned'), []);
  });
});

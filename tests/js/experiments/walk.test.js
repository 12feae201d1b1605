// The walks of dot products against sums written out, exact theory, and each other.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  WALK_FACTORS,
  WALK_KEYS,
  walkEnds,
  walkGradients,
  walkPaths,
  walkSummary,
  walkWeights,
} from '../../../web/experiments/walk.js';
import { scaleFactor } from '../../../web/experiments/factors.js';
import { noise } from '../../../web/experiments/noise.js';
import { times } from '../../../web/shared/times.js';
import { assertNear } from '../theory/near.js';

const options = { dK: 64, seed: 1 };

test('a walk passes the partial sums of q·k, from 0 to the score that the kernel gives', () => {
  const q = noise('query', { rows: 2, columns: 64, seed: 1 }).data.slice(64);
  const k = noise('key', { rows: 16, columns: 64, seed: 1 }).data.slice(11 * 64, 12 * 64);
  const rows = walkPaths({ ...options, walks: 12 }).filter(({ walk }) => walk === 11);
  assert.equal(rows.length, 65);
  rows.forEach(({ step, score }, i) => {
    assert.equal(step, i);
    const sum = k.slice(0, step).reduce((total, x, e) => total + x * q[e], 0);
    assertNear(score, sum, 1e-12);
  });
  const ends = walkPaths({ ...options, walks: WALK_KEYS }).filter(({ step }) => step === 64);
  walkWeights(options)
    .filter(({ factor }) => factor === 'none')
    .forEach(({ key, score }) => assertNear(ends[key].score, score, 1e-4));
});

test('long walks are drawn at a bounded number of places, with both ends', () => {
  for (const dK of [1, 127, 128, 129, 500, 512]) {
    const steps = walkPaths({ dK, seed: 1, walks: 1 }).map(({ step }) => step);
    assert.ok(steps.length <= 130, `${steps.length} places of ${dK} steps`);
    assert.deepEqual([steps[0], steps.at(-1)], [0, dK]);
  }
});

test('more steps and more walks leave the others as they are', () => {
  const short = walkPaths({ dK: 16, seed: 3, walks: 9 });
  const long = walkPaths({ dK: 64, seed: 3, walks: 20 });
  for (const row of short)
    assert.deepEqual(
      row,
      long.find(({ walk, step }) => walk === row.walk && step === row.step),
    );
});

test('ends pile up into the exact density, which integrates to 1 where the bins reach far', () => {
  const rows = walkEnds({ dK: 16, seed: 2, queries: 2048, reach: 10, bins: 40 });
  for (const factor of WALK_FACTORS) {
    const own = rows.filter((row) => row.factor === factor);
    const width = own[0].high - own[0].low;
    assertNear(
      own.reduce((sum, { theory }) => sum + theory * width, 0),
      1,
      1e-6,
    );
    for (const { density, theory } of own) {
      const deviation = Math.sqrt(Math.max(theory * width, 1e-4) / (2048 * WALK_KEYS)) / width;
      assert.ok(Math.abs(density - theory) < 6 * deviation, `${factor}: ${density}, ${theory}`);
    }
  }
});

test('the bins of each factor span the same deviations, so that all histograms have one shape', () => {
  const rows = walkEnds({ ...options, reach: 3, bins: 12 });
  for (const factor of WALK_FACTORS) {
    const scale = scaleFactor(factor, 64);
    const own = rows.filter((row) => row.factor === factor);
    assert.equal(own.length, 12);
    own.forEach(({ low, high, density, theory }, i) => {
      assertNear(low, (i / 2 - 3) * 8 * scale, 1e-12);
      assertNear(high - low, 4 * scale, 1e-12);
      assertNear(density * scale, rows[i].density, 1e-12);
      assertNear(theory * scale, rows[i].theory, 1e-12);
    });
  }
});

test('of some walks the ends are those that their paths reach', () => {
  const walks = 13;
  const rows = walkEnds({ ...options, queries: 2, walks, reach: 5, bins: 20 });
  const ends = walkPaths({ ...options, walks }).filter(({ step }) => step === 64);
  for (const { low, high, density } of rows.filter(({ factor }) => factor === 'none')) {
    const count = ends.filter(({ score }) => score >= low && score < high).length;
    assertNear(density * walks * (high - low), count, 1e-9);
  }
});

test('the weights are the softmax of the scaled scores', () => {
  for (const keys of [1, 3, WALK_KEYS]) {
    for (const factor of WALK_FACTORS) {
      const rows = walkWeights({ ...options, keys }).filter((row) => row.factor === factor);
      assert.equal(rows.length, keys);
      const total = rows.reduce((sum, { score }) => sum + Math.exp(score), 0);
      for (const { score, weight } of rows) assertNear(weight, Math.exp(score) / total, 1e-6);
    }
  }
});

test('means over many queries are the exact expectations', () => {
  for (const row of walkSummary({ dK: 64, seed: 4, queries: 2048 })) {
    assertNear(row.deviation, row.deviationTheory, 0.03 * row.deviationTheory);
    assertNear(row.largestWeight, row.largestWeightTheory, 0.03);
    assertNear(row.trace, row.traceTheory, 0.06);
    assertNear(row.gradient, row.scale * 8 * row.trace, 1e-12);
  }
});

test('the percentiles of the gradient are those of the weights of all queries', () => {
  const queries = 64;
  const ends = walkPaths({ ...options, walks: queries * WALK_KEYS }).filter(
    ({ step }) => step === 64,
  );
  for (const row of walkSummary({ ...options, queries })) {
    const pushes = times(queries, (query) => {
      const own = ends.slice(query * WALK_KEYS, (query + 1) * WALK_KEYS);
      const powers = own.map(({ score }) => Math.exp(row.scale * score));
      const total = powers.reduce((a, b) => a + b);
      return row.scale * 8 * (1 - powers.reduce((sum, power) => sum + (power / total) ** 2, 0));
    }).sort((a, b) => a - b);
    for (const [found, expected] of [
      [row.gradientMedian, (pushes[31] + pushes[32]) / 2],
      [row.gradientP10, pushes[6] + 0.3 * (pushes[7] - pushes[6])],
      [row.gradientP90, pushes[56] + 0.7 * (pushes[57] - pushes[56])],
    ])
      assert.ok(Math.abs(found - expected) < 1e-5, `${row.factor}: ${found}, ${expected}`);
  }
});

test('the gradient of single queries is written out by the kernel’s weights, and has the mean of the summary', () => {
  const rows = walkGradients({ ...options, queries: 32 });
  for (const { factor, scale, gradient } of walkSummary({ ...options, queries: 32 })) {
    const own = rows.filter((row) => row.factor === factor);
    assert.deepEqual(
      own.map(({ query }) => query),
      times(32, (query) => query),
    );
    assertNear(own.reduce((sum, each) => sum + each.gradient, 0) / 32, gradient, 1e-12);
    const first = walkWeights({ ...options, queries: 32 }).filter((row) => row.factor === factor);
    const left = 1 - first.reduce((sum, { weight }) => sum + weight ** 2, 0);
    assertNear(own[0].gradient, scale * 8 * left, 1e-5);
  }
  const few = walkGradients({ ...options, queries: 32, shown: 5 });
  assert.deepEqual(
    few,
    rows.filter(({ query }) => query < 5),
  );
});

test('with 1/√d_k weights and gradient are alike at every d_k; without, the typical gradient dies', () => {
  const at = (/** @type {number} */ dK) => walkSummary({ dK, seed: 1, queries: 1024 });
  const [small, large] = [at(16), at(512)];
  assert.deepEqual(
    large.map(({ factor }) => factor),
    ['none', '1/√d', '1/d'],
  );
  assertNear(large[1].gradientMedian, small[1].gradientMedian, 0.05);
  assert.ok(large[0].gradientMedian < 0.05 * small[0].gradientMedian);
  assert.ok(large[0].gradientTheory > 1, 'a few queries hold up the mean');
  assert.ok(large[2].gradientMedian < 0.2 * small[2].gradientMedian);
});

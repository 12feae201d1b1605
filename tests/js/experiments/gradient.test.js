// The rows of the gradient figure against a float64 computation written out, and exact theory.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  gapCurve,
  GRADIENT_FACTORS,
  gradientCurve,
  gradientTheory,
  jacobianEntries,
} from '../../../web/experiments/gradient.js';
import { topShare } from '../../../web/experiments/gradient.js';
import { noise, pairs } from '../../../web/experiments/noise.js';
import { quantiles } from '../../../web/experiments/statistics.js';
import { assertNear } from '../theory/near.js';

/**
 * Norms of ∂L/∂q and traces of J, one query at a time in float64.
 * @param {{ dK: number, keys: number, queries: number, seed: number, scale: number }} options
 */
function byHand({ dK, keys, queries, seed, scale }) {
  const { query, key, at } = pairs({ dK, keys, queries, seed });
  const each = query.shape[1];
  const q = query.data;
  const noiseOfUpstream = { rows: queries, columns: keys, seed: seed + 1_000_000, at };
  const upstream = noise('query', noiseOfUpstream).data;
  return Array.from({ length: queries }, (_, row) => {
    const k = key.data.subarray(keys * dK * Math.floor(row / each));
    const scores = Array.from({ length: keys }, (__, j) => {
      let sum = 0;
      for (let i = 0; i < dK; i++) sum += q[row * dK + i] * k[j * dK + i];
      return scale * sum;
    });
    const most = scores.indexOf(Math.max(...scores));
    const terms = scores.map((score) => Math.exp(score - scores[most]));
    const total = terms.reduce((a, b) => a + b);
    const p = terms.map((term) => term / total);
    const g = p.map((__, j) => upstream[row * keys + j] - upstream[row * keys + most]);
    const mean = p.reduce((sum, weight, j) => sum + weight * g[j], 0);
    let square = 0;
    for (let i = 0; i < dK; i++) {
      let sum = 0;
      for (let j = 0; j < keys; j++) sum += p[j] * (g[j] - mean) * k[j * dK + i];
      square += (scale * sum) ** 2;
    }
    const others = p.reduce((sum, weight, j) => (j === most ? sum : sum + weight), 0);
    const trace = p.reduce(
      (sum, weight, j) => sum + weight * (j === most ? others : 1 - weight),
      0,
    );
    return { norm: Math.sqrt(square), trace };
  });
}

test('gradients agree with float64 down to the rows that hardly learn at all', () => {
  const options = { keys: 24, queries: 120, seed: 3 };
  for (const dK of [1, 64, 1024]) {
    const rows = gradientCurve({ ...options, dimensions: [dK] });
    const scales = [1, 1 / Math.sqrt(dK), 1 / dK];
    rows.forEach((row, index) => {
      assert.equal(row.scaling, GRADIENT_FACTORS[index]);
      const exact = byHand({ ...options, dK, scale: scales[index] });
      const norms = exact.map(({ norm }) => norm);
      const traces = exact.map(({ trace }) => trace);
      const [low, middle, high] = quantiles(norms, [0.1, 0.5, 0.9]);
      assertNear(row.gradient, norms.reduce((a, b) => a + b) / norms.length, 1e-4);
      assertNear(row.gradientMedian, middle, 2e-3);
      assertNear(row.gradientP10, low, 2e-2);
      assertNear(row.gradientP90, high, 1e-3);
      assertNear(row.traceMedian, quantiles(traces, [0.5])[0], 2e-3);
      assertNear(row.traceP10, quantiles(traces, [0.1])[0], 2e-2);
      const energies = norms.map((norm) => norm ** 2).sort((a, b) => b - a);
      const sum = (/** @type {number[]} */ values) => values.reduce((a, b) => a + b);
      assertNear(row.topShare, sum(energies.slice(0, 12)) / sum(energies), 1e-4);
    });
  }
});

test('the top tenth is a tenth of any number of queries', () => {
  for (const queries of [1, 10, 16, 512]) {
    assertNear(topShare(new Float64Array(queries).fill(3)), 0.1, 1e-12);
  }
  // Of 16 the largest and six tenths of the next: (25 + .6·16) / (25 + 16 + 14).
  const norms = Float64Array.of(1, 1, 1, 1, 1, 1, 1, 5, 4, 1, 1, 1, 1, 1, 1, 1);
  assertNear(topShare(norms), 34.6 / 55, 1e-12);
});

test('at n = 64, d_k = 1024 the mean holds up, the median dies, few rows carry the energy', () => {
  const samples = [1, 2, 3, 4].map((seed) =>
    gradientCurve({ keys: 64, queries: 1000, seed, dimensions: [1024] }),
  );
  const over = (/** @type {number} */ index, /** @type {'gradient' | 'topShare'} */ column) =>
    samples.reduce((sum, rows) => sum + rows[index][column] / samples.length, 0);
  const median = (/** @type {number} */ index) =>
    quantiles(
      samples.map((rows) => rows[index].gradientMedian),
      [0.5],
    )[0];
  // 4000 rows; a mean over few rows scatters widely, as a tenth of them carries it.
  assertNear(over(0, 'gradient'), 1.75, 0.2);
  assertNear(Math.log(median(0)), Math.log(4.5e-3), 0, 0.7);
  assertNear(over(0, 'topShare'), 0.93, 0.05);
  for (const rows of samples) assert.ok(rows[0].gradientP10 < 1e-8 && rows[0].gradientP10 > 1e-12);
  assertNear(over(1, 'gradient'), 0.178, 0.03);
  assertNear(median(1), 0.169, 0.03);
  assertNear(over(1, 'topShare'), 0.26, 0.1);
  assertNear(over(2, 'gradient'), 3.8e-3, 0.03);
  assertNear(median(2), 3.9e-3, 0.03);
  assertNear(over(2, 'topShare'), 0.14, 0.1);
});

test('from d_k = 64 to 1024 the mean grows from about 1.4, as in the article, the median falls from 0.8', () => {
  const samples = [1, 2, 3, 4].map((seed) =>
    gradientCurve({ keys: 64, queries: 1000, seed, dimensions: [64, 1024] }),
  );
  const over = (/** @type {number} */ index, /** @type {'gradient' | 'gradientMedian'} */ column) =>
    samples.reduce((sum, rows) => sum + rows[index][column] / samples.length, 0);
  assertNear(over(0, 'gradient'), 1.4, 0.07);
  assertNear(over(0, 'gradientMedian'), 0.8, 0.1);
  assert.ok(over(1, 'gradient') > over(0, 'gradient'));
});

test('the mean of tr J agrees with the exact one, its median beyond freezing with that of two keys', () => {
  const dimensions = [16, 256, 1024];
  const measured = gradientCurve({ keys: 64, queries: 1500, seed: 2, dimensions });
  const theory = gradientTheory({ keys: 64, dimensions });
  measured.forEach((row, index) => {
    assertNear(row.trace, theory[index].trace, row.scaling === 'none' ? 0.06 : 0.005);
  });
  const [, , far] = theory;
  assert.ok(far.traceMedian);
  assertNear(Math.log(measured[2].traceMedian), Math.log(far.traceMedian), 0, 0.7);
  assert.equal(theory[0].traceMedian, undefined);
});

test('the same seed gives the same rows, another seed others', () => {
  const options = { keys: 8, queries: 16, dimensions: [4] };
  assert.deepEqual(gradientCurve({ ...options, seed: 1 }), gradientCurve({ ...options, seed: 1 }));
  assert.notDeepEqual(
    gradientCurve({ ...options, seed: 1 }),
    gradientCurve({ ...options, seed: 2 }),
  );
});

test('float32 gives 0 for an entry of 1.6e-21, and its neighbours nearly right', () => {
  const entries = jacobianEntries({ logits: [50, 1, 1, 1] });
  assert.equal(entries.length, 16);
  assert.equal(entries[0].float32, 0);
  assert.equal(entries[0].exact.toExponential(1), '1.6e-21');
  for (const { weight, logit, exact, float32 } of entries.slice(1, 8)) {
    assert.ok(weight < 2 && logit < 4);
    if (Math.abs(exact) > 1e-37) assertNear(float32, exact, 1e-5);
  }
});

test('between two keys float32 follows the exact slope and step until they are lost beside 1', () => {
  for (const { gap, slope, update, slope32, update32 } of gapCurve({ gaps: [0, 1, 4, 8, 14] })) {
    // The rounding errors of p near 1, and of the logit that moves.
    assertNear(slope32, slope, 1e-6, 2 ** -24);
    assertNear(update32, update, 1e-5 + (gap * 2 ** -24) / slope);
  }
  const [slopeKept, slopeLost] = gapCurve({ gaps: [16.6, 16.7] }); // 1 + e^−gap rounds to 1 from ln 2²⁴ on
  assert.ok(slopeKept.slope32 > 0 && slopeLost.slope32 === 0 && slopeLost.slope > 5e-8);
  const [moved, stuck] = gapCurve({ gaps: [12, 16] });
  assert.ok(moved.update32 > 0 && stuck.update32 === 0 && stuck.update > 1e-14);
});

// @slow
// The rows of the saturation figure against softmax written out, exact theory and each other.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  largestWeights,
  saturationCurve,
  saturationSummary,
  saturationTheory,
  scoreHistogram,
} from '../../../web/experiments/saturation.js';
import { noise } from '../../../web/experiments/noise.js';
import { mean } from '../../../web/experiments/statistics.js';
import { assertNear } from '../theory/near.js';

const sample = { keys: 64, queries: 64, seed: 1 };
const options = { dK: 64, ...sample };

/** Returns the scores of one query with the first `keys` keys, in float64. */
function scoresByHand({ dK = 64, keys = 64, query = 0, seed = 1, entrySize = 1 }) {
  const q = noise('query', { rows: 1, columns: dK, seed, entrySize, first: query }).data;
  const k = noise('key', { rows: keys, columns: dK, seed, entrySize }).data;
  return Array.from({ length: keys }, (_, j) =>
    q.reduce((sum, x, i) => sum + x * k[j * dK + i], 0),
  );
}

/** @param {number[]} scores @param {number} factor */
function softmaxByHand(scores, factor) {
  const max = Math.max(...scores);
  const x = scores.map((score) => Math.exp(factor * (score - max)));
  const z = x.reduce((a, b) => a + b);
  return x.map((value) => value / z);
}

test('the histogram counts every score of a wide axis once, in both series', () => {
  const rows = scoreHistogram({ ...options, limit: 100, bins: 50 });
  assert.equal(rows.length, 100);
  for (const scaling of ['unscaled', 'scaled']) {
    const series = rows.filter((row) => row.scaling === scaling);
    assert.equal(
      series.reduce((sum, { count }) => sum + count, 0),
      64 * 64,
    );
    assertNear(
      series.reduce((sum, { density, low, high }) => sum + density * (high - low), 0),
      1,
      1e-12,
    );
    assertNear(
      series.reduce((sum, { theory, low, high }) => sum + theory * (high - low), 0),
      1,
      1e-9,
    );
  }
});

test('the bins tile the fixed axis', () => {
  const rows = scoreHistogram({ ...options, limit: 3, bins: 6 }).slice(0, 6);
  assert.deepEqual(
    rows.map(({ low, high }) => [low, high]),
    [-3, -2, -1, 0, 1, 2].map((low) => [low, low + 1]),
  );
});

test('counts follow the exact law within the noise of a sample that shares keys', () => {
  for (const { count, theory, low, high } of scoreHistogram({
    ...options,
    queries: 512,
    keys: 512,
    bins: 16,
    limit: 8,
  })) {
    const expected = theory * (high - low) * 512 * 512;
    assertNear(count, expected, 0.03, 5 * Math.sqrt(expected));
  }
});

test('the exact law of the histogram is of factor·entrySize² alone', () => {
  const theory = (/** @type {{ entrySize?: number, factor: number }} */ scaling) =>
    scoreHistogram({ dK: 4, keys: 8, queries: 16, seed: 1, bins: 12, ...scaling })
      .slice(12)
      .map((row) => row.theory);
  assert.deepEqual(theory({ entrySize: 2, factor: 0.25 }), theory({ factor: 1 }));
});

test('the histogram counts the scores by their values', () => {
  const scores = [0, 1, 2].flatMap((query) => scoresByHand({ dK: 4, keys: 10, query }));
  const rows = scoreHistogram({ dK: 4, keys: 10, queries: 3, seed: 1, bins: 4, limit: 2 });
  for (const { scaling, low, high, count } of rows) {
    const factor = scaling === 'scaled' ? 0.5 : 1;
    const inside = scores.filter((score) => factor * score >= low && factor * score < high);
    assert.equal(count, inside.length);
  }
});

test('the largest weights are the top of softmax, in the same order of keys in both series', () => {
  const scores = scoresByHand({});
  const order = Array.from(scores.keys()).sort((a, b) => scores[b] - scores[a]);
  const rows = largestWeights({ dK: 64, keys: 64, seed: 1 });
  assert.equal(rows.length, 32);
  for (const { scaling, rank, key, score, weight } of rows) {
    const factor = scaling === 'scaled' ? 1 / 8 : 1;
    assert.equal(key, order[rank - 1]);
    assertNear(score, factor * scores[key], 1e-5, 1e-5);
    assertNear(weight, softmaxByHand(scores, factor)[key], 1e-4);
  }
});

test('with another mean, histogram, deviation and weights follow their laws, over seeds', () => {
  const seeds = Array.from({ length: 40 }, (_, i) => i);
  for (const [dK, shift] of /** @type {const} */ ([
    [1, 0.5],
    [4, 1],
    [64, 0.5],
  ])) {
    // tr(M_q M_k) − (m_q·m_k)², from the matrices: M = I + mean²·11ᵀ.
    let trace = 0;
    for (let i = 0; i < dK; i++)
      for (let j = 0; j < dK; j++) trace += (Number(i === j) + shift ** 2) ** 2;
    const law = trace - (dK * shift ** 2) ** 2;
    const each = seeds.map(
      (seed) => saturationSummary({ ...sample, dK, seed, mean: shift, entrySize: 1.5 })[0],
    );
    for (const row of each) assertNear(row.scoreDeviationTheory, 1.5 ** 2 * Math.sqrt(law), 1e-12);
    assertNear(mean(each.map((row) => row.scoreDeviation ** 2)), 1.5 ** 4 * law, 0.06);
    for (const name of /** @type {const} */ (['maxWeight', 'entropyRatio', 'competitors'])) {
      const values = each.map((row) => row[name]);
      const error = Math.sqrt(mean(values.map((x) => (x - mean(values)) ** 2)) / seeds.length);
      assertNear(mean(values), each[0][`${name}Theory`], 0, 4 * error);
    }
    const bins = seeds.map((seed) =>
      scoreHistogram({ ...sample, dK, seed, mean: shift, bins: 8, limit: 40 }).slice(0, 8),
    );
    bins[0].forEach(({ theory }, bin) => {
      const counts = bins.map((rows) => rows[bin].density);
      const error = Math.sqrt(mean(counts.map((x) => (x - mean(counts)) ** 2)) / seeds.length);
      assertNear(mean(counts), theory, 0, 4 * error + 1e-5);
    });
  }
});

test('what all keys share moves no weight', () => {
  const q = noise('query', { rows: 1, columns: 16, seed: 1, mean: 0.5 }).data;
  const of = (/** @type {number} */ added) => {
    const k = noise('key', { rows: 8, columns: 16, seed: 1, mean: added }).data;
    const scores = Array.from({ length: 8 }, (_, j) =>
      q.reduce((sum, x, i) => sum + x * k[j * 16 + i], 0),
    );
    return softmaxByHand(scores, 1);
  };
  const weights = of(0.5);
  of(0).forEach((weight, j) => assertNear(weights[j], weight, 1e-5, 1e-7));
  for (const row of largestWeights({ dK: 16, keys: 8, seed: 1, mean: 0.5 }).slice(0, 8))
    assertNear(row.weight, weights[row.key], 1e-4, 1e-7);
});

test('fewer keys than the count give fewer weights', () => {
  assert.equal(largestWeights({ dK: 4, keys: 3, seed: 1 }).length, 6);
});

test('a larger d_k or more keys keep the numbers that were there', () => {
  const [first] = largestWeights({ dK: 8, keys: 4, seed: 5, count: 1, factor: 'none' });
  const more = largestWeights({ dK: 8, keys: 400, seed: 5, count: 400, factor: 'none' });
  assert.equal(more.find(({ key }) => key === first.key)?.score, first.score);
});

test('the summary agrees with softmax written out', () => {
  const rows = saturationSummary({ dK: 6, keys: 5, queries: 3, seed: 2, entrySize: 1.5 });
  const perQuery = [0, 1, 2].map((query) =>
    scoresByHand({ dK: 6, keys: 5, query, seed: 2, entrySize: 1.5 }),
  );
  for (const row of rows) {
    const weights = perQuery.map((scores) => softmaxByHand(scores, row.factor));
    const average = (/** @type {(p: number[]) => number} */ f) =>
      weights.reduce((sum, p) => sum + f(p), 0) / weights.length;
    const squares = (/** @type {number[]} */ p) => p.reduce((sum, x) => sum + x * x, 0);
    assertNear(
      row.maxWeight,
      average((p) => Math.max(...p)),
      1e-4,
    );
    assertNear(
      row.minWeight,
      average((p) => Math.min(...p)),
      1e-4,
    );
    assertNear(row.sumOfSquares, average(squares), 1e-4);
    assertNear(
      row.effectiveKeys,
      average((p) => 1 / squares(p)),
      1e-4,
    );
    const entropy = average((p) => p.reduce((sum, x) => sum - x * Math.log(x), 0));
    assertNear(row.entropyRatio, entropy / Math.log(5), 1e-4, 1e-6);
    assertNear(row.scoreDeviationTheory, row.factor * 1.5 ** 2 * Math.sqrt(6), 1e-12);
  }
});

test('others within 1 of the largest score are few unscaled, six of 63 scaled, as theory expects', () => {
  for (const row of saturationSummary({ ...options, queries: 1024 })) {
    assertNear(row.competitors, row.competitorsTheory, 0.1);
  }
  const [unscaled, scaled] = saturationSummary(options);
  assertNear(unscaled.competitorsTheory, 0.34, 0, 0.01);
  assertNear(scaled.competitorsTheory, 6.26, 0, 0.02);
});

test('over many seeds the measurement agrees with the exact theory within four standard errors', () => {
  const dimensions = [1, 4, 16, 64];
  const seeds = Array.from({ length: 40 }, (_, i) => i);
  const samples = seeds.map((seed) => saturationCurve({ keys: 64, seed, dimensions }));
  saturationTheory({ keys: 64, dimensions }).forEach((row, i) => {
    for (const name of /** @type {const} */ (['maxWeight', 'entropyRatio'])) {
      const values = samples.map((sample) => sample[i][name]);
      const average = mean(values);
      const variance = mean(values.map((value) => (value - average) ** 2));
      assertNear(average, row[name], 0, 4 * Math.sqrt(variance / (seeds.length - 1)));
    }
    assert.equal(samples[0][i].scaling, row.scaling);
    assert.equal(samples[0][i].dK, row.dK);
  });
});

test('means over several sets of keys scatter little over seeds, at small d_k too', () => {
  const [{ maxWeight }] = saturationTheory({ keys: 64, dimensions: [2] });
  const seeds = Array.from({ length: 30 }, (_, i) => i);
  const errors = seeds.map((seed) => {
    const [row] = saturationCurve({ keys: 64, seed, queries: 256, dimensions: [2] });
    return (row.maxWeight - maxWeight) ** 2;
  });
  // .011 measured; .035 were all queries to meet the same keys.
  assert.ok(Math.sqrt(mean(errors)) < 0.02);
});

test('quantiles stand in order around the median', () => {
  for (const row of saturationCurve({ keys: 32, queries: 100, seed: 1 })) {
    assert.ok(row.maxWeightP10 <= row.maxWeightMedian && row.maxWeightMedian <= row.maxWeightP90);
    assert.ok(row.entropyRatioP10 <= row.entropyRatioMedian);
    assert.ok(row.entropyRatioMedian <= row.entropyRatioP90);
    assert.ok(row.maxWeight > 0 && row.maxWeight <= 1 + 1e-6);
    assert.ok(row.entropyRatio >= 0 && row.entropyRatio <= 1 + 1e-6);
  }
});

test('the curve passes through the summary', () => {
  const curve = saturationCurve({ ...sample, factor: '1/d' });
  const summary = saturationSummary({ ...options, factor: '1/d' });
  for (const row of summary) {
    const point = curve.find(({ scaling, dK }) => scaling === row.scaling && dK === 64);
    assert.equal(point?.maxWeight, row.maxWeight);
    assert.equal(point?.entropyRatioP10, row.entropyRatioP10);
  }
});

test('with the factor "none" both series are the same', () => {
  const rows = saturationCurve({ keys: 16, seed: 1, factor: 'none', dimensions: [8] });
  assert.deepEqual({ ...rows[1], scaling: 'unscaled' }, rows[0]);
});

test('with tiny entries all keys have the same weight', () => {
  for (const entrySize of [0, 1e-30, 1e-19]) {
    for (const { maxWeight } of saturationSummary({ ...options, entrySize })) {
      assert.equal(maxWeight, 1 / 64);
    }
    for (const { maxWeight } of saturationCurve({ ...sample, entrySize, dimensions: [3] })) {
      assert.equal(maxWeight, 1 / 64);
    }
  }
});

test('a single key takes all the weight', () => {
  for (const row of saturationCurve({ keys: 1, seed: 1, dimensions: [4] })) {
    assert.equal(row.maxWeight, 1);
    assert.equal(row.entropyRatio, 1);
  }
});

test('the same seed gives the same rows, another seed others', () => {
  const rows = (/** @type {number} */ seed) =>
    saturationCurve({ keys: 8, seed, dimensions: [2, 4] });
  assert.deepEqual(rows(1), rows(1));
  assert.notDeepEqual(rows(1), rows(2));
});

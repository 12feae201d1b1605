// The diagnosis of heads: its numbers against float64, its verdicts against the theory of their cases.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { attentionScores, diagnose, randomNormal, softmax } from '../../../web/attention/index.js';
import * as oracle from '../oracle.js';

/** @import { Tensor } from '../../../web/attention/index.js' */

/** Returns the weights of n queries whose scores over n keys have a deviation σ. @param {number} n
 *  @param {number} deviation */
const weightsAt = (n, deviation) => softmax(randomNormal([200, n], { seed: n, std: deviation }));

/** @param {Tensor} weights */
const verdictOf = (weights) => diagnose({ weights })[0].verdict;

for (const n of [16, 64, 512]) {
  const critical = Math.sqrt(2 * Math.log(n));
  test(`verdicts of independent scores follow their deviation: ${n} keys`, () => {
    assert.equal(verdictOf(weightsAt(n, 0.2)), 'uniform');
    assert.equal(verdictOf(weightsAt(n, 0.5)), 'spread');
    assert.equal(verdictOf(weightsAt(n, 1)), 'spread');
    assert.equal(verdictOf(weightsAt(n, 1.15 * critical)), 'sharp');
    assert.equal(verdictOf(weightsAt(n, 2 * critical)), 'frozen');
  });
}

test('a forgotten scale and a doubled one are named', () => {
  for (const d of [16, 64, 256]) {
    const [query, key] = [1, 2].map((seed) => randomNormal([128, d], { seed }));
    const [scaled] = diagnose(query, key);
    assert.deepEqual([scaled.verdict, scaled.hint], ['spread', 'nothing stands out']);
    const [unscaled] = diagnose(query, key, { scale: 1 });
    assert.ok(['frozen', 'sharp'].includes(unscaled.verdict));
    assert.match(
      unscaled.hint,
      /^scores have a deviation of [\d.]+ = √d_k: was 1\/√d_k left out\?$/,
    );
    const [twice] = diagnose(query, key, { scale: 1 / d });
    assert.equal(twice.verdict, 'uniform');
    assert.match(twice.hint, /divided by d_k instead of √d_k\?$/);
  }
});

test('a learned head, a sink and aligned queries are distinguished from a forgotten scale', () => {
  const n = 40;
  const previous = Array.from({ length: n }, (_, i) =>
    Array.from({ length: n }, (_, j) => (j === Math.max(i - 1, 0) ? 1 : 0)),
  );
  const [back] = diagnose({ weights: previous });
  assert.equal(back.verdict, 'frozen');
  assert.match(back.hint, /looks at the key before/);
  assert.ok(back.previousWeight > 0.97);
  const first = previous.map((row) => row.map((_, j) => (j === 0 ? 0.95 : 0.05 / (n - 1))));
  assert.match(diagnose({ weights: first })[0].hint, /first key/);
  const x = randomNormal([n, 64], { seed: 1, mean: 1.5 });
  const query = { data: x.data.map((v) => 3 * v), shape: x.shape };
  const [aligned] = diagnose(query, x, { scale: 1 });
  assert.ok(Number(aligned.correlation) > 0.5);
  assert.match(aligned.hint, /correlated/);
});

test('numbers of each head are those of float64 sums', () => {
  const [b, h, g, nQ, nK, d] = [2, 4, 2, 7, 9, 5];
  const query = randomNormal([b, h, nQ, d], { seed: 1, std: 2 });
  const key = randomNormal([b, g, nK, d], { seed: 2 });
  const options = { causal: /** @type {const} */ ('lower-right'), softcap: 3 };
  const heads = diagnose(query, key, options);
  const { weights } = attentionScores(query, key, { ...options, returns: 'weights' });
  assert.equal(heads.length, b * h);
  heads.forEach((got, index) => {
    assert.deepEqual([got.batch, got.head], [Math.floor(index / h), index % h]);
    const group = Math.floor(index / (h / g));
    const [q, k] = [oracle.matrixOf(query, index), oracle.matrixOf(key, group)];
    const matrix = oracle.matrixOf(weights, index);
    const visible = (/** @type {number[][]} */ pairs) =>
      pairs.map((row, i) => row.slice(0, i + 1 + nK - nQ));
    const seen = visible(q.map((a) => k.map((b) => oracle.dot(a, b)))).flat();
    const rows = visible(matrix);
    const mean = (/** @type {number[]} */ x) => oracle.sum(x) / x.length;
    const deviation = (/** @type {number[]} */ x) =>
      Math.sqrt(mean(x.map((y) => (y - mean(x)) ** 2)));
    const scale = Math.sqrt(d) * deviation(q.flat()) * deviation(k.flat());
    const squares = rows.map((p) => oracle.sum(p, (x) => x * x));
    const entropy = rows.map((p) => oracle.entropy(p) / Math.log(p.length));
    const expected = {
      dotDeviation: deviation(seen),
      scoreDeviation: deviation(seen) / Math.sqrt(d),
      ratio: deviation(seen) / scale,
      correlation: mean(seen) / scale / Math.sqrt(d),
      largestScore: Math.max(...seen.map((s) => 3 * Math.tanh(s / Math.sqrt(d) / 3))),
      entropyRatio: mean(entropy),
      effectiveKeys: mean(squares.map((s) => 1 / s)),
      jacobianTrace: mean(squares.map((s) => 1 - s)),
      firstWeight: mean(rows.map((p) => p[0])),
      previousWeight: mean(rows.map((p) => p[p.length - 2])),
    };
    for (const [name, value] of Object.entries(expected)) {
      const error = Math.abs(Reflect.get(got, name) - value);
      assert.ok(error <= 1e-5 * Math.max(1, Math.abs(value)), `${name}: ${error}`);
    }
  });
});

test('weights alone give the same, with causality found in their zeros', () => {
  const [query, key] = [1, 2].map((seed) => randomNormal([3, 12, 8], { seed }));
  const { weights } = attentionScores(query, key, { causal: true, returns: 'weights' });
  const [whole, alone] = [diagnose(query, key, { causal: true }), diagnose({ weights })];
  whole.forEach(
    ({ dotDeviation, scoreDeviation, ratio, correlation, largestScore, ...rest }, i) => {
      assert.ok(
        [dotDeviation, scoreDeviation, ratio, correlation, largestScore].every(Number.isFinite),
      );
      const { hint, predictedDeviation, effectiveDimension, ...expected } = rest;
      const { hint: other, ...got } = alone[i];
      assert.ok(hint && other && predictedDeviation && effectiveDimension);
      assert.deepEqual(Object.keys(got), Object.keys(expected));
      for (const [name, value] of Object.entries(expected)) {
        const found = Reflect.get(got, name);
        if (typeof value === 'string') assert.equal(found, value);
        else assert.ok(Math.abs(found - value) <= 2e-6 * Math.max(1, value), name);
      }
    },
  );
});

test('queries without a choice have no diagnosis but say so', () => {
  const [{ entropyRatio, hint }] = diagnose([[1, 2]], [[3, 4]]);
  assert.ok(Number.isNaN(entropyRatio));
  assert.match(hint, /^no query may attend to more than one key/);
  assert.throws(() => diagnose({ weights: [1, 2] }), {
    name: 'ShapeError',
    message: 'diagnose: weights is [2], expected [n_q, n_k], [h, n_q, n_k] or [b, h, n_q, n_k]',
  });
});

test('rows without a key are left out and counted', () => {
  const padded = [
    [1, 0, 0, 0],
    [0, 1, 0, 0],
    [0, 0, 1, 0],
    [0, 0, 0, 0],
  ];
  const [{ verdict, emptyRows, effectiveKeys: spread }] = diagnose({ weights: padded });
  assert.deepEqual([verdict, emptyRows, spread], ['frozen', 1, 1]);
  const [query, key] = [1, 2].map((seed) => randomNormal([5, 8], { seed }));
  const [head] = diagnose(query, key, { causal: true, offset: -2 });
  assert.equal(head.emptyRows, 2);
  assert.ok(Number.isFinite(head.entropyRatio) && Number.isFinite(head.scoreDeviation));
});

test('scores that are given as weights are named by their row', () => {
  const [{ cause, hint }] = diagnose({ weights: [[0.5, 0.5], [3.3, -1]] }); // prettier-ignore
  assert.equal(cause, 'unweighted');
  assert.equal(hint, 'row 1 has negative numbers or a sum above 1: are these scores, not weights?');
  const rounded = [[0.504, 0.5], [0.2, 0.3]]; // prettier-ignore
  assert.equal(diagnose({ weights: rounded })[0].cause, 'mean');
});

test('moments of queries and keys predict the deviation of all scores', () => {
  const [query, key] = [1, 2].map((seed) => randomNormal([40, 16], { seed, mean: 0.3 }));
  for (const options of [{}, { scale: -0.7 }, { similarity: /** @type {const} */ ('cosine') }]) {
    const [all] = diagnose(query, key, options);
    const difference = Number(all.predictedDeviation) - Number(all.scoreDeviation);
    assert.ok(Math.abs(difference) <= 1e-6 * Number(all.scoreDeviation));
    assert.ok(Number(all.effectiveDimension) > 1 && Number(all.effectiveDimension) < 17);
  }
  const mask = randomNormal([40, 40], { seed: 3 });
  const plain = diagnose(query, key)[0];
  assert.equal(diagnose(query, key, { mask, softcap: 2 })[0].dotDeviation, plain.dotDeviation);
});

test('a diagnosis of many queries makes no matrix', () => {
  const [query, key] = [1, 2].map((seed) => randomNormal([2 ** 16, 2], { seed }));
  const [{ entropyRatio, emptyRows }] = diagnose(query, key, { window: [40, 0] });
  assert.ok(entropyRatio > 0.5 && entropyRatio < 1);
  assert.equal(emptyRows, 0);
});

test('weights without their name are refused with the call that takes them', () => {
  const weights = [[0.5, 0.5], [0.5, 0.5]]; // prettier-ignore
  assert.throws(() => diagnose(weights), {
    name: 'DTypeError',
    message:
      'diagnose: key is undefined, expected a tensor; for weights alone call diagnose({ weights })',
  });
  assert.throws(() => diagnose(/** @type {any} */ (undefined)), /^DTypeError: diagnose: query is/);
});

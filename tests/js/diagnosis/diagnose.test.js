// The diagnosis of heads: its numbers against float64, its verdicts against the theory of their cases.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
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
    const variance = (/** @type {number[]} */ x) => mean(x.map((y) => (y - mean(x)) ** 2));
    const within = visible(q.map((a) => k.map((b) => oracle.dot(a, b))));
    const pairs = within.flatMap((row) => row.map(() => variance(row)));
    const columns = k[0].map((_, c) => variance(k.map((row) => row[c])));
    const entryShare = Math.sqrt(mean(q.flat().map((x) => x * x)) * mean(columns));
    const deviation = Math.sqrt(mean(pairs));
    const centre = k[0].map((_, c) => mean(k.map((row) => row[c])));
    const own = q.map((a, i) => {
      const b = k[i + nK - nQ].map((x, c) => x - centre[c]);
      return oracle.dot(a, b) / Math.sqrt(oracle.dot(a, a) * oracle.dot(b, b));
    });
    const received = matrix[0].map((_, j) => mean(matrix.map((p) => p[j])));
    const squares = rows.map((p) => oracle.sum(p, (x) => x * x));
    const entropy = rows.map((p) => oracle.entropy(p) / Math.log(p.length));
    const expected = {
      dotDeviation: deviation,
      scoreDeviation: deviation / Math.sqrt(d),
      scaleShare: 1,
      entryShare,
      alignment: deviation / Math.sqrt(d) / entryShare,
      correlation: mean(own),
      largestScore: Math.max(...seen.map((s) => 3 * Math.tanh(s / Math.sqrt(d) / 3))),
      entropyRatio: mean(entropy),
      effectiveKeys: mean(squares.map((s) => 1 / s)),
      jacobianTrace: mean(squares.map((s) => 1 - s)),
      firstWeight: mean(rows.map((p) => p[0])),
      previousWeight: mean(rows.map((p) => p[p.length - 2])),
      selfWeight: mean(rows.map((p) => p[p.length - 1])),
      nextWeight: 0,
      laterWeight: 0,
    };
    assert.ok(Math.abs(got.largestKey.weight - Math.max(...received)) < 1e-5);
    assert.equal(got.largestKey.key, received.indexOf(Math.max(...received)));
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
  whole.forEach((expected, i) => {
    for (const [name, found] of Object.entries(alone[i])) {
      if (name === 'rowSum' || name === 'hint') continue;
      const value = Reflect.get(expected, name);
      if (typeof found === 'number') {
        assert.ok(Math.abs(found - value) <= 2e-6 * Math.max(1, value), name);
      } else if (name === 'largestKey') {
        assert.equal(value.key, Object(found).key);
      } else assert.deepEqual(found, value);
    }
    assert.ok(Number.isFinite(expected.largestScore) && alone[i].largestScore === undefined);
  });
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

test('moments of queries and keys predict the deviation of all scores', () => {
  const [query, key] = [1, 2].map((seed) => randomNormal([40, 16], { seed, mean: 0.3 }));
  for (const options of [{}, { scale: -0.7 }, { similarity: /** @type {const} */ ('cosine') }]) {
    const [all] = diagnose(query, key, options);
    const difference = Number(all.predictedDeviation) - Number(all.scoreDeviation);
    assert.ok(Math.abs(difference) <= 1e-6 * Number(all.scoreDeviation));
    assert.ok(Number(all.effectiveDimension) > 1 && Number(all.effectiveDimension) < 17);
  }
  const mask = randomNormal([40, 40], { seed: 3 });
  const [plain, masked] = [{}, { mask, softcap: 2 }].map((options) =>
    diagnose(query, key, options),
  );
  const difference = Number(plain[0].dotDeviation) - Number(masked[0].dotDeviation);
  assert.ok(Math.abs(difference) <= 1e-6 * Number(plain[0].dotDeviation));
});

test('a diagnosis of many queries makes no matrix', () => {
  const [query, key] = [1, 2].map((seed) => randomNormal([2 ** 16, 2], { seed }));
  const [{ entropyRatio, emptyRows }] = diagnose(query, key, { window: [40, 0] });
  assert.ok(entropyRatio > 0.5 && entropyRatio < 1);
  assert.equal(emptyRows, 0);
});

test('weights without their name are refused with the call that takes them', () => {
  const weights = [[0.5, 0.5], [0.5, 0.5]]; // prettier-ignore
  // @ts-expect-error: keys are missing
  assert.throws(() => diagnose(weights), {
    name: 'DTypeError',
    message:
      'diagnose: key is undefined, expected a tensor; for weights alone call diagnose({ weights })',
  });
  assert.throws(() => diagnose(/** @type {any} */ (undefined)), /^DTypeError: diagnose: query is/);
});

describe('what all keys share', () => {
  const plus = (/** @type {Tensor} */ { data, shape }, /** @type {number} */ c) => ({
    data: data.map((x) => x + c),
    shape,
  });
  const [query, key] = [1, 2].map((seed) => randomNormal([64, 64], { seed }));

  test('moves no weight and no number', () => {
    const [plain] = diagnose(query, key, { scale: 1 });
    const [moved] = diagnose(query, plus(key, 3), { scale: 1 });
    assert.deepEqual([plain.cause, moved.cause], ['unscaled', 'unscaled']);
    for (const name of /** @type {const} */ ([
      'dotDeviation',
      'alignment',
      'correlation',
      'effectiveDimension',
    ])) {
      assert.ok(Math.abs(Number(plain[name]) - Number(moved[name])) < 1e-4, name);
    }
  });

  test('makes no correlation beyond 1', () => {
    for (const options of [{ scale: 1 }, { causal: true }]) {
      const [{ correlation }] = diagnose(plus(query, 3), plus(key, 3), options);
      assert.ok(Math.abs(Number(correlation)) <= 1);
      const [{ correlation: own }] = diagnose(query, query, options);
      assert.ok(Number(own) > 0.95 && Number(own) <= 1 + 1e-9);
    }
  });
});

// @slow
// Training with today's scales: gradients against differences of a float64 loss written out here, the
// bound of the clip, and how much the learning rate matters.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { trainingBatch } from '../../../web/experiments/training-runs.js';
import {
  finalLosses,
  learningRateSensitivity,
  measureTraining,
  train,
} from '../../../web/experiments/training.js';

/** @import { TrainingModel, TrainingRow } from '../../../web/experiments/training.js' */

const D = 8;
const TODAY = /** @type {const} */ (['norm', 'softcap', 'clip']);

/**
 * Returns the scores of a batch in float64.
 * @param {TrainingModel} model
 * @param {Float64Array[]} weights
 * @param {ReturnType<typeof trainingBatch>} batch
 */
function scoresOf(model, [wQ, wK, gain], { query, key }) {
  // The weights of a model with a gain are transposed.
  const [across, down] = gain ? [16, 1] : [1, D];
  const times = (
    /** @type {Float32Array} */ x,
    /** @type {number} */ row,
    /** @type {Float64Array} */ w,
  ) =>
    Array.from({ length: D }, (_, k) => {
      let sum = 0;
      for (let a = 0; a < 16; a++) sum += x[row * 16 + a] * w[k * across + a * down];
      return sum;
    });
  const dot = (/** @type {number[]} */ a, /** @type {number[]} */ b) =>
    a.reduce((sum, x, i) => sum + x * b[i], 0);
  return Array.from({ length: 256 }, (_, pair) => {
    const q = times(query, pair >> 4, wQ);
    const k = times(key, pair, wK);
    if (model === 'norm') return (gain[0] * dot(q, k)) / Math.sqrt(dot(q, q) * dot(k, k));
    const score = dot(q, k) / Math.sqrt(D);
    return model === 'softcap' ? 50 * Math.tanh(score / 50) : score;
  });
}

/** Returns the loss of scores. @param {number[]} scores @param {ReturnType<typeof trainingBatch>} batch */
function lossOf(scores, { value, target }) {
  let loss = 0;
  for (let b = 0; b < 16; b++) {
    const powers = scores.slice(16 * b, 16 * b + 16).map(Math.exp);
    const sum = powers.reduce((x, y) => x + y);
    for (let a = 0; a < 8; a++) {
      const answer = powers.reduce((x, p, j) => x + (p / sum) * value[(16 * b + j) * 8 + a], 0);
      loss += (answer - target[8 * b + a]) ** 2 / 128;
    }
  }
  return loss;
}

describe('a step', () => {
  for (const [model, before] of /** @type {const} */ ([
    ['norm', 4],
    ['softcap', 4],
    ['1/√d', 0],
  ])) {
    it(`of ${model} follows the gradient of the float64 loss`, () => {
      // After some steps at this rate scores are large enough for the cap to bend them.
      const run = {
        task: /** @type {const} */ ('retrieve'),
        dK: D,
        repetitions: 1,
        rates: [8],
        seed: 6,
      };
      const weightsAfter = (/** @type {number} */ steps) =>
        steps === 0
          ? train({ ...run, rates: [0], steps: 1, models: [model] }).weights[0]
          : train({ ...run, steps, models: [model] }).weights[0];
      const [from, to] = [weightsAfter(before), weightsAfter(before + 1)];
      const batch = trainingBatch({ task: 'retrieve', seed: 6, step: before });
      const weights = from.map((weight) => Float64Array.from(weight));
      if (model === 'softcap') {
        assert.ok(Math.max(...scoresOf(model, weights, batch).map(Math.abs)) > 15);
      }
      for (const [index, weight] of weights.entries()) {
        for (const at of [0, 5, 77].filter((place) => place < weight.length)) {
          const [middle, step] = [weight[at], 1e-5];
          const lossAt = (/** @type {number} */ x) => {
            weight[at] = x;
            return lossOf(scoresOf(model, weights, batch), batch);
          };
          const slope = (lossAt(middle + step) - lossAt(middle - step)) / (2 * step);
          weight[at] = middle;
          const taken = (from[index][at] - to[index][at]) / 8;
          assert.ok(Math.abs(taken - slope) < 1e-3 * Math.abs(slope) + 2e-6, `${taken} ${slope}`);
        }
      }
    });
  }
});

describe('the clip', () => {
  it('leaves no score of its batch above 100, and changes nothing below', () => {
    const setting = { task: /** @type {const} */ ('average'), dK: D, repetitions: 1 };
    const { weights } = train({ ...setting, rates: [100], steps: 30, models: ['1/√d', 'clip'] });
    const batch = trainingBatch({ task: 'average', seed: 6, step: 29 });
    const [free, clipped] = weights.map((each) =>
      Math.max(
        ...scoresOf(
          '1/√d',
          each.map((weight) => Float64Array.from(weight)),
          batch,
        ),
      ),
    );
    assert.ok(free > 300, String(free));
    assert.ok(clipped < 150, String(clipped)); // the step after the last forward pass moves it a little
    const calm = train({ ...setting, rates: [0.3], steps: 30, models: ['1/√d', 'clip'] });
    assert.deepEqual(calm.weights[1], calm.weights[0]);
  });
});

describe('the sensitivity to the learning rate', () => {
  /** @param {TrainingModel} model @param {number} rate @param {number[]} losses @returns {TrainingRow[]} */
  const course = (model, rate, losses) =>
    losses.map((loss, i) => ({ model, rate, seed: 1, step: i ? 10 * i : 1, loss, gradientNorm: 1, entropyRatio: 1 })); // prettier-ignore

  it('is the mean of min(loss, loss at the start) less the best, also where a run diverged', () => {
    const rows = [
      ...course('none', 1, [4, 1]),
      ...course('none', 10, [4, 2]),
      ...course('none', 100, [4, NaN]),
      ...course('1/d', 1, [4, 3]),
      ...course('1/d', 10, [4, 3]),
      ...course('1/d', 100, [4, 9]),
    ];
    assert.deepEqual(learningRateSensitivity(rows), [
      { model: 'none', sensitivity: (1 + 2 + 4) / 3 - 1 },
      { model: '1/d', sensitivity: (3 + 3 + 4) / 3 - 3 },
    ]);
    assert.deepEqual(learningRateSensitivity([]), []);
  });

  it('is least with normalised queries and keys, and less with a cap than without', () => {
    for (const task of /** @type {const} */ (['average', 'retrieve'])) {
      const { rows } = train({ task, models: ['1/√d', ...TODAY] });
      const all = Object.fromEntries(
        learningRateSensitivity(rows).map(({ model, sensitivity }) => [model, sensitivity]),
      );
      assert.ok(all.norm < all.softcap && all.softcap < all['1/√d'], JSON.stringify(all));
      assert.ok(Math.abs(all.clip - all['1/√d']) < 0.05, JSON.stringify(all));
      if (task === 'retrieve') {
        // The numbers of the article.
        assert.equal(all['1/√d'].toFixed(2), '0.46');
        assert.equal(all.softcap.toFixed(2), '0.29');
        assert.equal(all.norm.toFixed(2), '0.16');
      }
      const best = (/** @type {string} */ model) =>
        Math.min(
          ...finalLosses(rows)
            .filter((row) => row.model === model)
            .map(({ loss }) => loss),
        );
      assert.ok(best('norm') < best('1/√d'));
    }
  });
});

it('gives every model of today the same rows again, in slices too', async () => {
  const small = {
    task: /** @type {const} */ ('retrieve'),
    dK: 4,
    steps: 20,
    rates: [1, 30],
    models: TODAY,
  };
  const rows = await measureTraining(small);
  assert.equal(rows.length, 3 * 3 * 2 * 3);
  assert.deepEqual(rows, train(small).rows);
});

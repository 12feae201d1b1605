// @slow
// Training: the exact equivalence of scale, start and learning rate; earlier measurements (five other
// seeds), within ranges; the conduct of a run. Losses above 0.8 are chaotic: not tested.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { trainingBatch, UNIFORM_LOSS } from '../../../web/experiments/training-runs.js';
import {
  finalLosses,
  measureTraining,
  train,
  trainingCourse,
  TRAINING_RATES,
  trainingSweep,
} from '../../../web/experiments/training.js';

/** @import { TrainingOptions } from '../../../web/experiments/training.js' */

const tasks = /** @type {const} */ (['average', 'retrieve']);

describe('scale, start and learning rate', () => {
  for (const task of tasks) {
    it(`are the same thing, bit for bit over 300 steps, when the task is to ${task}`, () => {
      const setting = { task, dK: 16, repetitions: 1, rates: [0.1, 1] };
      const scaled = train({ ...setting, models: ['1/√d'] });
      const twin = train({ ...setting, models: ['twin'] });
      assert.deepEqual(
        twin.rows.map(({ loss }) => loss),
        scaled.rows.map(({ loss }) => loss),
      );
      for (const [index, [query, key]] of scaled.weights.entries()) {
        const [twinQuery, twinKey] = twin.weights[index];
        assert.deepEqual(
          twinQuery.map((x) => 2 * x),
          query,
        );
        assert.deepEqual(
          twinKey.map((x) => 2 * x),
          key,
        );
      }
    });
  }
});

describe('tasks', () => {
  it('give uniform attention the loss of the drawn line', () => {
    for (const task of tasks) {
      let sum = 0;
      for (let step = 0; step < 200; step++) {
        const { value, target } = trainingBatch({ task, seed: 3, step });
        for (let i = 0; i < target.length; i++) {
          let mean = 0;
          for (let j = 0; j < 16; j++) mean += value[(i >> 3) * 128 + j * 8 + (i & 7)] / 16;
          sum += (mean - target[i]) ** 2 / (200 * target.length);
        }
      }
      assert.ok(Math.abs(sum / UNIFORM_LOSS[task] - 1) < 0.04, `${task} ${sum}`);
    }
  });

  it('differ at every step and seed, and repeat exactly', () => {
    const batch = trainingBatch({ task: 'retrieve', seed: 1, step: 1 });
    assert.deepEqual(trainingBatch({ task: 'retrieve', seed: 1, step: 1 }), batch);
    assert.notDeepEqual(trainingBatch({ task: 'retrieve', seed: 1, step: 2 }).key, batch.key);
    assert.notDeepEqual(trainingBatch({ task: 'retrieve', seed: 2, step: 1 }).key, batch.key);
  });
});

describe('a sweep at d = 64', () => {
  const expected = {
    average: {
      none: [0.787, 0.86],
      '1/√d': [0.035, 0.018],
      '1/d': [0.028, 0.0174, 0.0166],
    },
    retrieve: { none: [0.058], '1/√d': [0.131, 0.053], '1/d': [0.928, 0.546, 0.054] },
  };
  for (const task of tasks) {
    it(`of ${task} ends near the losses measured before, at every rate that trains calmly`, () => {
      const { rows } = train({ task, rates: [0.1, 1, 10] });
      const final = finalLosses(rows);
      for (const [model, losses] of Object.entries(expected[task])) {
        for (const [index, loss] of losses.entries()) {
          const found = final.filter((row) => row.model === model)[index];
          // Medians of three seeds here, of five there, and other sums.
          const within = found.loss / loss;
          assert.ok(within > 0.7 && within < 1.45, `${model} ${found.rate}: ${found.loss}`);
          assert.ok(found.low <= found.loss && found.loss <= found.high);
        }
      }
    });
  }

  it('starts with the largest gradient where nothing is scaled', () => {
    const { rows } = train({ task: 'average', rates: [1], steps: 1, repetitions: 9 });
    const norms = trainingCourse(rows, 1).map(({ gradientNorm }) => gradientNorm);
    assert.ok(norms[0] > 3 * norms[1] && norms[1] > 3 * norms[2], String(norms));
    for (const [index, about] of [3, 0.5, 0.055].entries()) {
      assert.ok(norms[index] > about / 2 && norms[index] < 2 * about, String(norms));
    }
  });

  it('leaves unscaled attention above uniform attention at every rate, when it must average', () => {
    const { rows } = train({ task: 'average', models: ['none'], repetitions: 1 });
    for (const { loss, rate } of finalLosses(rows)) assert.ok(loss > 4 / 16, `${rate}: ${loss}`);
  });
});

describe('additive attention', () => {
  it('averages best of all, and retrieves slowly', () => {
    const models = /** @type {const} */ (['additive']);
    const at = (/** @type {'average' | 'retrieve'} */ task, /** @type {number} */ rate) =>
      finalLosses(train({ task, models, dK: 16, repetitions: 1, rates: [rate] }).rows)[0].loss;
    assert.ok(at('average', 3) < 0.01);
    assert.ok(at('retrieve', 1) > 0.8);
  });
});

describe('a sweep', () => {
  it('has trained all dot products of a seed equally long after each part', () => {
    const work = trainingSweep({ task: 'average', dK: 4, steps: 20, repetitions: 2, rates: [1] });
    while (work.done < work.total) {
      work.advance();
      for (const seed of [6, 7]) {
        const counts = ['none', '1/√d', '1/d'].map(
          (model) => work.rows().filter((row) => row.model === model && row.seed === seed).length,
        );
        assert.equal(new Set(counts).size, 1, `part ${work.done}: ${counts}`);
      }
    }
  });
});

describe('a run', () => {
  /** @type {TrainingOptions} */
  const small = { task: 'average', dK: 4, steps: 20, repetitions: 2, rates: [1] };

  it('has a row for the first step and for every ten, of each model, rate and seed', async () => {
    const rows = await measureTraining(small);
    assert.equal(rows.length, 3 * 2 * 3);
    assert.deepEqual(rows, train(small).rows);
    assert.deepEqual(
      rows.slice(0, 3).map(({ step }) => step),
      [1, 10, 20],
    );
    for (const { entropyRatio, gradientNorm } of rows) {
      assert.ok(entropyRatio > 0 && entropyRatio <= 1 + 1e-6 && gradientNorm > 0);
    }
  });

  it('trains each model and rate as if it were alone, though rates share a call', () => {
    const [models, rates] = [
      /** @type {const} */ (['none', '1/√d', 'norm', 'softcap']),
      [0.1, 1, 10],
    ];
    const { rows } = train({ ...small, models, rates });
    for (const model of models) {
      for (const rate of rates) {
        const own = rows.filter((row) => row.model === model && row.rate === rate);
        assert.deepEqual(own, train({ ...small, models: [model], rates: [rate] }).rows);
      }
    }
  });

  it('pauses, reports progress that never falls, and stops when cancelled', async () => {
    const controller = new AbortController();
    /** @type {number[]} */
    const shares = [];
    let turns = 0;
    const timer = setInterval(() => turns++, 1);
    const rows = await measureTraining({
      task: 'retrieve',
      signal: controller.signal,
      onProgress: ({ fraction }) => {
        shares.push(fraction);
        if (shares.length === 4) controller.abort();
      },
    });
    clearInterval(timer);
    assert.equal(shares.length, 4);
    assert.ok(turns >= 2);
    assert.deepEqual(
      shares.toSorted((a, b) => a - b),
      shares,
    );
    assert.ok(rows.length > 0 && Math.max(...rows.map(({ step }) => step)) < 300);
  });

  it('that diverges counts as the worst, not as missing', () => {
    const row = { model: /** @type {const} */ ('none'), rate: 1, gradientNorm: 1, entropyRatio: 1 };
    const rows = [1, NaN, NaN].map((loss, seed) => ({ ...row, step: 10, seed, loss }));
    const [{ loss, low }] = finalLosses(rows);
    assert.equal(loss, Infinity);
    assert.equal(low, 1);
  });

  it('sweeps nine half-decades', () => {
    assert.equal(TRAINING_RATES.length, 9);
    assert.equal(TRAINING_RATES[0], 0.01);
    assert.equal(TRAINING_RATES[8], 100);
  });
});

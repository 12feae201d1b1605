// Training in a worker, and on this thread where there are none: the same bits, and an end at any time.

import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { characters, createModel, createTrainer, trainApart } from '../../../web/language/index.js';

/** @import { TrainApartOptions, CourseProgress } from '../../../web/language/index.js' */

const TEXT = 'A rose is a rose is a rose. '.repeat(20);
const tokenizer = characters(TEXT);
const tokens = tokenizer.encode(TEXT);
const model = {
  vocabulary: tokenizer.pieces.length,
  context: 12,
  dModel: 16,
  heads: 2,
  dKey: 8,
  seed: 3,
};
const training = { learningRate: 0.01, warmUp: 2, seed: 4 };
const { getBuiltinModule } = process;

/** Takes the workers of Node away. */
function withoutWorkers() {
  process.getBuiltinModule = /** @type {any} */ (() => undefined);
}
afterEach(() => {
  process.getBuiltinModule = getBuiltinModule;
});

/** Returns the parameters and losses of a training of 12 steps on this thread. @param {object} [options] */
async function expected(options) {
  const trainer = createTrainer(createModel(model), { ...training, steps: 12 });
  /** @type {number[]} */
  const losses = [];
  const onProgress = (/** @type {{ loss: number }} */ { loss }) => losses.push(loss);
  await trainer.train(tokens, { batch: 3, steps: 12, onProgress, ...options });
  const { parameters } = trainer.model;
  trainer.dispose();
  return { parameters, losses };
}

/** Trains apart, and collects the progress. @param {Partial<TrainApartOptions>} [options] */
async function trained(options) {
  /** @type {CourseProgress[]} */
  const progress = [];
  const given = { model, tokens, steps: 12, batch: 3, training, ...options };
  const { parameters } = await trainApart({ ...given, onProgress: (each) => progress.push(each) });
  return { parameters, progress, losses: progress.map(({ loss }) => loss) };
}

describe('training apart', () => {
  it('gives the bits of a trainer on this thread', async () => {
    const { parameters, losses } = await trained();
    assert.deepEqual({ parameters, losses }, await expected());
  });

  it('writes a text now and then, which begins as it should', async () => {
    const { progress } = await trained({ tokenizer, prompt: 'A r', every: 5 });
    const texts = progress.filter(({ text }) => text !== undefined);
    assert.deepEqual(
      texts.map(({ step }) => step),
      [5, 10, 12],
    );
    for (const { text } of texts) assert.ok(text?.startsWith('A r') && text.length === 35);
    const again = await trained({ tokenizer, prompt: 'A r', every: 5 });
    assert.deepEqual(again.progress, progress);
  });

  it('gives the bits of as many parts, however many workers compute them', async () => {
    for (const parts of [2, 3]) {
      const { parameters, losses } = await expected({ parts });
      for (const workers of [1, 2, 3, 8]) {
        const found = await trained({ parts, workers });
        assert.deepEqual(
          [found.parameters, found.losses],
          [parameters, losses],
          `${parts} parts, ${workers} workers`,
        );
      }
    }
  });

  it('happens on this thread where there are no workers', async () => {
    withoutWorkers();
    for (const options of [{}, { parts: 2 }]) {
      assert.deepEqual((await trained(options)).losses, (await expected(options)).losses);
    }
  });

  for (const [where, prepare] of /** @type {const} */ ([
    ['in a worker', () => {}],
    ['on this thread', withoutWorkers],
  ])) {
    it(`ends ${where} when it is told to, before and within a step`, async () => {
      prepare();
      const early = AbortSignal.abort();
      await assert.rejects(trained({ signal: early }), { name: 'AbortError' });
      const ending = new AbortController();
      const onProgress = () => ending.abort();
      const options = { model, tokens, steps: 1e6, batch: 3, training };
      await assert.rejects(trainApart({ ...options, signal: ending.signal, onProgress }), {
        name: 'AbortError',
      });
    });

    it(`says ${where} what is wrong with its options`, async () => {
      prepare();
      const wrong = /** @type {[object, RegExp][]} */ ([
        [{ steps: 0 }, /^trainApart: steps is 0, expected/],
        [{ model: { ...model, vocabulary: 2 } }, /^trainApart: tokens/],
        [{ model: { ...model, heads: 0 } }, /^trainApart: heads is 0, expected/],
        [{ training: { rate: 1 } }, /^createTrainer: unknown option 'rate'/],
        [{ parts: 4 }, /^trainApart: parts is 4, expected at most 3, the windows of a batch/],
        [{ workers: 0 }, /^trainApart: workers is 0, expected/],
        [{ tokens: [1, 2] }, /^train: tokens has length 2, expected at least 13/],
        [
          { training: { ...training, learningRate: 1e9 } },
          /learningRate 1000000000 may be too large/,
        ],
        [{ step: 1 }, /^trainApart: unknown option 'step'/],
      ]);
      for (const [options, message] of wrong)
        await assert.rejects(trained(/** @type {any} */ (options)), { message });
      assert.equal((await trained()).losses.length, 12);
    });
  }
});

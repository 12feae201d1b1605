/**
 * Training: what it learns, that it is the same every time, and how it ends.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createModel, createTrainer, lossGradient } from '../../../web/language/index.js';
import { cosineOfTurn, rateOf } from '../../../web/language/schedule.js';
import { testRefusals } from '../refusals.js';

const SIZES = { vocabulary: 7, context: 8, dModel: 16, layers: 2, heads: 2 };
const MODEL = createModel({ ...SIZES, seed: 3 });
/** A text that two tokens decide. */
const TEXT = Array.from({ length: 300 }, (_, i) => [0, 1, 2, 3, 1, 4, 5, 6][i % 8]);

/** Trains afresh. @param {number} steps @param {Parameters<typeof createTrainer>[1]} [options] */
async function trained(steps, options) {
  const trainer = createTrainer(MODEL, { learningRate: 0.01, warmUp: 10, seed: 5, ...options });
  /** @type {number[]} */
  const losses = [];
  const onProgress = (/** @type {{ loss: number }} */ { loss }) => losses.push(loss);
  const last = await trainer.train(TEXT, { steps, batch: 4, onProgress });
  const { model } = trainer;
  trainer.dispose();
  return { model, losses, last };
}

test('a training learns its text, and says so after every step', async () => {
  const { losses, last } = await trained(150);
  assert.equal(losses.length, 150);
  assert.equal(last.step, 150);
  assert.equal(last.loss, losses[149]);
  assert.ok(Math.abs(losses[0] - Math.log(7)) < 0.3);
  assert.ok(last.loss < 0.2, `${last.loss}`);
});

test('300 steps give the same parameters bit for bit, and another seed gives others', async () => {
  const [first, second] = [await trained(300), await trained(300)];
  assert.deepEqual(second, first);
  const other = await trained(300, { seed: 6 });
  assert.notDeepEqual(other.model.parameters, first.model.parameters);
});

test('a training in two calls is that in one', async () => {
  const whole = await trained(40, { steps: 40 });
  const trainer = createTrainer(MODEL, { learningRate: 0.01, warmUp: 10, seed: 5, steps: 40 });
  await trainer.train(TEXT, { steps: 15, batch: 4 });
  assert.equal(trainer.steps, 15);
  await trainer.train(TEXT, { steps: 25, batch: 4 });
  assert.deepEqual(trainer.model, whole.model);
  trainer.dispose();
});

test('the loss of a step is that of the model before it, and the model of the caller stays', () => {
  const before = structuredClone(MODEL);
  const trainer = createTrainer(MODEL, { schedule: 'constant' });
  const [tokens, targets] = [[TEXT.slice(0, 8)], [TEXT.slice(1, 9)]];
  const { loss } = lossGradient(MODEL, tokens, targets);
  assert.equal(trainer.step(tokens, targets).loss, loss);
  const after = lossGradient(trainer.model, tokens, targets).loss;
  assert.equal(trainer.step(tokens, targets).loss, after);
  assert.deepEqual(MODEL, before);
  trainer.dispose();
});

test('the rate rises in the warm-up, and falls by a cosine to 0, or not', () => {
  const settings = { learningRate: 0.1, warmUp: 10, schedule: /** @type {const} */ ('cosine') };
  const rates = Array.from({ length: 101 }, (_, step) => rateOf(settings, step, 100));
  assert.ok(Math.abs(rates[0] - 0.01) < 1e-12);
  rates.slice(10, 100).forEach((rate, i) => {
    assert.ok(Math.abs(rate - 0.05 * (1 + Math.cos((Math.PI * (i + 10)) / 100))) < 1e-12);
  });
  assert.ok(rates[100] < 1e-15);
  assert.equal(rateOf({ ...settings, schedule: 'constant' }, 99, 100), 0.1);
  assert.equal(rateOf({ ...settings, warmUp: 0 }, 0, 100), 0.1);
});

test('the cosine of the schedule is that of the engine, within 2e-15', () => {
  for (let i = 0; i <= 1000; i++) {
    assert.ok(Math.abs(cosineOfTurn(i / 1000) - Math.cos((Math.PI * i) / 1000)) < 2e-15, `${i}`);
  }
});

test('an error in onProgress ends the training and leaves the trainer in order', async () => {
  const trainer = createTrainer(MODEL);
  const failure = new Error('of the page');
  const onProgress = () => {
    throw failure;
  };
  await assert.rejects(trainer.train(TEXT, { steps: 5, onProgress }), failure);
  await trainer.train(TEXT, { steps: 2 });
  assert.equal(trainer.steps, 3);
  trainer.dispose();
});

test('a second training, or a step, amid a training is refused', async () => {
  const trainer = createTrainer(MODEL);
  const first = trainer.train(TEXT, { steps: 100 });
  await assert.rejects(trainer.train(TEXT, { steps: 1 }), {
    message: 'train: this trainer is training, expected one call at a time',
  });
  assert.throws(() => trainer.step([0, 1], [1, 2]), {
    message: 'step: this trainer is training, expected one call at a time',
  });
  await first;
  assert.equal(trainer.steps, 100);
  trainer.dispose();
});

test('a long training lets other tasks have their turn', async () => {
  const trainer = createTrainer(createModel({ ...SIZES, dModel: 64, seed: 1 }));
  let turns = 0;
  const timer = setInterval(() => (turns += 1), 1);
  await trainer.train(TEXT, { steps: 60 });
  clearInterval(timer);
  assert.ok(turns >= 2, `${turns} turns`);
  trainer.dispose();
});

testRefusals([
  [
    () => createTrainer(MODEL).train(TEXT, /** @type {any} */ ({})),
    /^DTypeError: train: steps is undefined, expected a positive safe integer$/,
  ],
  [
    () => createTrainer(MODEL).step([[1]], [[2]]),
    /^DTypeError: step: steps is undefined, expected those of the cosine in createTrainer, or schedule 'constant'$/,
  ],
  [
    () => createTrainer(MODEL, /** @type {any} */ ({ lr: 1 })),
    /^DTypeError: createTrainer: unknown option 'lr', expected one of learningRate, betas/,
  ],
  [
    () => createTrainer(MODEL, { betas: [0.9, 1] }),
    /^DTypeError: createTrainer: betas\[1\] is 1, expected at least 0, below 1$/,
  ],
  [
    () => createTrainer(MODEL, { learningRate: -1 }),
    /^DTypeError: createTrainer: learningRate is -1, expected at least 0$/,
  ],
  [
    () => createTrainer(MODEL).train(TEXT, { steps: 1, signal: /** @type {any} */ (true) }),
    /^DTypeError: train: signal is true, expected an AbortSignal$/,
  ],
]);

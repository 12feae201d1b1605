/** Training: what it learns, that it is the same every time, and how it ends. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  createModel,
  createTrainer,
  lossGradient,
  resumeTrainer,
  save,
} from '../../../web/language/index.js';
import { cosineOfTurn, rateOf } from '../../../web/language/schedule.js';
import { runs } from '../runs.js';
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

for (const variants of [
  {},
  /** @type {const} */ ({ queryKeyNorm: true, learnedScale: true, values: 'keys' }),
]) {
  test(`a training that is saved and resumed has the bits of one without a break: ${Object.keys(variants).join(', ')}`, async () => {
    const model = createModel({ ...SIZES, seed: 3, ...variants });
    const options = /** @type {const} */ ({ learningRate: 0.01, betas: [0.8, 0.95], seed: 5 });
    const [whole, first] = [0, 1].map(() => createTrainer(model, { ...options, steps: 40 }));
    await whole.train(TEXT, { steps: 40, batch: 4 });
    await first.train(TEXT, { steps: 15, batch: 4 });
    const bytes = first.save();
    first.dispose();
    const second = resumeTrainer(bytes);
    assert.equal(second.steps, 15);
    assert.deepEqual(second.save(), bytes);
    await second.train(TEXT, { steps: 25, batch: 4 });
    assert.deepEqual(second.model, whole.model);
    assert.deepEqual(second.save(), whole.save());
    for (const trainer of [whole, second]) trainer.dispose();
  });
}

test('a training whose steps follow from its first call is resumed with them', async () => {
  const trainer = createTrainer(MODEL, { seed: 5 });
  await trainer.train(TEXT, { steps: 3, batch: 2 });
  await assert.rejects(resumeTrainer(trainer.save()).train(TEXT, { steps: 1 }), {
    message: /^train: steps is 1, expected none after the 3 of the schedule/,
  });
  trainer.dispose();
});

test('any bytes of a trainer that are changed give a trainer, or an error that says why', () => {
  const trainer = createTrainer(createModel({ ...SIZES, dModel: 2, seed: 1 }), { steps: 9 });
  trainer.step([[1, 2]], [[2, 3]]);
  const bytes = trainer.save();
  trainer.dispose();
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.nat(255)), { minLength: 1, maxLength: 8 }),
      fc.integer({ min: 0, max: bytes.length }),
      (changes, end) => {
        const changed = bytes.slice();
        for (const [place, byte] of changes) changed[place] = byte;
        for (const given of [changed, changed.subarray(0, end)]) {
          try {
            resumeTrainer(given).dispose();
          } catch (error) {
            const { code } = /** @type {{ code?: string }} */ (error);
            assert.match(String(code), /^ATTN_(SHAPE|DTYPE|CAPACITY)$/, String(error));
          }
        }
      },
    ),
    runs(100),
  );
});

test('the warm-up of a short training is a tenth of its steps', async () => {
  const short = await trained(40, { warmUp: 100 });
  const tenth = await trained(40, { warmUp: 4 });
  assert.deepEqual(short, tenth);
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
  assert.equal(rateOf(settings, 0, 5), 0.1);
  assert.equal(rateOf({ ...settings, schedule: 'constant' }, 4, Infinity), 0.05);
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

/** Trains to the end of a schedule, and further. */
async function trainTwice() {
  const trainer = createTrainer(MODEL);
  await trainer.train(TEXT, { steps: 2 });
  await trainer.train(TEXT, { steps: 5 });
}

/** The bytes of a trainer after a step. */
const SAVED = (() => {
  const trainer = createTrainer(MODEL, { steps: 2 });
  trainer.step([[1, 2]], [[2, 3]]);
  return trainer.save();
})();

testRefusals([
  [
    trainTwice,
    /^DTypeError: train: steps is 5, expected none after the 2 of the schedule, which ends at a rate of 0: give createTrainer more steps, or schedule 'constant'$/,
  ],
  [
    () => createTrainer(MODEL, { learningRate: 0 }).train(TEXT, { steps: 1 }),
    /^DTypeError: train: learningRate is 0, expected a rate above 0$/,
  ],
  [
    () => resumeTrainer(save(MODEL)),
    /^DTypeError: resumeTrainer: bytes begins with "attn-lm1", expected 'attn-tr1', a file of a trainer's save$/,
  ],
  [
    () => resumeTrainer(SAVED.subarray(0, -4)),
    /^ShapeError: resumeTrainer: bytes has \d+ after the header, expected \d+ for the model's sizes$/,
  ],
  [
    () => resumeTrainer(Uint8Array.of(...SAVED.subarray(0, -4), 0, 0, 128, 191)),
    /^DTypeError: resumeTrainer: a moment is -1, expected a finite number, of squares at least 0$/,
  ],
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
    /^DTypeError: createTrainer: unknown option 'lr' \(here learningRate\), expected one of learningRate, betas/,
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

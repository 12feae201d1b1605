// The gradient of a batch in parts: that of the whole, whoever computes them.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createModel, createTrainer, lossGradient } from '../../../web/language/index.js';
import { differentiate, helperOf, startHelpers } from '../../../web/language/gradient-helpers.js';
import { text } from '../../../web/language/generated/worker.js';
import { moduleForWorkers } from '../../../web/language/module.js';
import { cut, mean } from '../../../web/language/gradient-parts.js';
import { TrainerState } from '../../../web/language/trainer-state.js';
import { waitUntil } from '../../wait.js';

/** @import { Helper } from '../../../web/language/gradient-helpers.js' */
/** @import { Part } from '../../../web/language/gradient-parts.js' */

const SIZES = { vocabulary: 7, context: 6, dModel: 8, heads: 2, dKey: 4, seed: 2 };
const model = createModel(SIZES);
const WINDOWS = 5;
const data = Int32Array.from({ length: WINDOWS * 6 }, (_, i) => (i * i + 3 * i) % 7);
const targets = Int32Array.from(data, (_, i) => data[(i + 1) % data.length]);
const whole = { texts: { data, shape: [WINDOWS, 6], batch: WINDOWS, n: 6 }, targets };
const list = Int32Array.from({ length: 200 }, (_, i) => (i * i) % 7);

/** Returns the parameters of a model in one array. @param {import('../../../web/language/index.js').Model} of */
const flat = ({ parameters }) => Object.values(parameters).flatMap(({ data }) => [...data]);

/** Returns the gradients of parts. @param {Part[]} parts */
function gradientsOf(parts) {
  const trainer = new TrainerState(model, {});
  const results = parts.map((part) =>
    trainer.run('train', (kernel) => differentiate(kernel, trainer.place, part)),
  );
  trainer.kernel.dispose();
  return results;
}

/** Trains four steps in three parts with helpers. @param {Helper[]} helpers */
async function trained(helpers) {
  const trainer = new TrainerState(model, { seed: 3, warmUp: 1 });
  await trainer.train(list, { batch: 5, parts: 3, steps: 4 }, helpers);
  const parameters = flat(trainer.model());
  trainer.kernel.dispose();
  return parameters;
}

/** Waits until helpers are ready. @param {Helper[]} helpers */
const untilReady = (helpers) =>
  waitUntil(() => helpers.every(({ isReady }) => isReady()), 'helpers that are ready');

const ready = () => true;
const end = () => {};

describe('the gradient of a batch in parts', () => {
  it('is cut into whole windows, as even as can be', () => {
    const sizes = (/** @type {number} */ count) =>
      cut(whole, count).map(({ texts }) => texts.batch);
    assert.deepEqual([1, 2, 3, 4, 5].map(sizes), [[5], [2, 3], [1, 2, 2], [1, 1, 1, 2], [1, 1, 1, 1, 1]]); // prettier-ignore
    for (const count of [1, 2, 3, 4, 5]) {
      const parts = cut(whole, count);
      assert.deepEqual(parts.flatMap(({ texts }) => [...texts.data]), [...data]); // prettier-ignore
      assert.deepEqual(parts.flatMap((part) => [...part.targets]), [...targets]); // prettier-ignore
    }
  });

  it('adds up to that of the whole, also where parts differ in size', () => {
    const rows = (/** @type {Int32Array} */ list) => ({ data: list, shape: [WINDOWS, 6] });
    const expected = lossGradient(model, rows(data), rows(targets));
    const gradients = flat({ config: model.config, parameters: expected.gradients });
    const largest = Math.max(...gradients.map(Math.abs));
    for (const count of [1, 2, 3, 5]) {
      const parts = cut(whole, count);
      const found = mean(parts, gradientsOf(parts));
      assert.ok(Math.abs(found.loss - expected.loss) < 1e-7 * expected.loss, `${count} parts`);
      const errors = gradients.map((value, i) => Math.abs(found.gradients[i] - value));
      assert.ok(Math.max(...errors) < 60 * 2 ** -24 * largest, `${count} parts`);
    }
  });

  it('is the same bits from a worker', async () => {
    const kernel = moduleForWorkers('trainApart');
    const helpers = startHelpers(2, text, { kernel, config: model.config });
    await untilReady(helpers);
    const parts = cut(whole, 3);
    const parameters = Float32Array.from(flat(model));
    for (const helper of helpers) {
      assert.deepEqual(await helper.differentiate(parameters, parts), gradientsOf(parts));
    }
    assert.deepEqual(await trained(helpers), await trained([]));
    for (const helper of helpers) helper.end();
  });

  it('has helpers in a worker, too, which is where a training is', async () => {
    const address = (/** @type {string} */ name) =>
      new URL(`../../../web/language/${name}`, import.meta.url).href;
    const { Worker } = process.getBuiltinModule('node:worker_threads');
    const worker = new Worker(
      `(async () => {
        const { startHelpers } = await import('${address('gradient-helpers.js')}');
        const { moduleForWorkers } = await import('${address('module.js')}');
        const { text } = await import('${address('generated/worker.js')}');
        const config = ${JSON.stringify(model.config)};
        const [helper] = startHelpers(1, text, { kernel: moduleForWorkers('trainApart'), config });
        await (${waitUntil})(helper.isReady);
        require('node:worker_threads').parentPort.postMessage('ready');
      })()`,
      { eval: true },
    );
    let message = '';
    worker.once('message', (text) => (message = text));
    await waitUntil(() => message === 'ready', 'a helper of a worker that is ready');
    await worker.terminate();
  });

  it('is computed here where a helper fails, is not ready yet, or has ended', async () => {
    const expected = await trained([]);
    const fail = () => Promise.reject(new Error('gone'));
    assert.deepEqual(await trained([{ isReady: ready, differentiate: fail, end }]), expected);
    const never = () => assert.fail('it was asked before it was ready');
    assert.deepEqual(
      await trained([{ isReady: () => false, differentiate: never, end }]),
      expected,
    );
    const kernel = moduleForWorkers('trainApart');
    const helpers = startHelpers(1, text, { kernel, config: model.config });
    await untilReady(helpers);
    helpers[0].end();
    assert.deepEqual(await trained(helpers), expected);
    assert.equal(helpers[0].isReady(), false);
  });

  it('is shared evenly by those who are ready, each of whom gets the parameters of the step', async () => {
    const help = helperOf(model.config);
    /** @type {number[][]} */
    const asked = [[], []];
    const helpers = asked.map((sizes) => ({
      isReady: ready,
      end,
      differentiate: (/** @type {Float32Array} */ parameters, /** @type {Part[]} */ parts) => {
        sizes.push(parts.length);
        return help(parameters, parts);
      },
    }));
    assert.deepEqual(await trained(helpers), await trained([]));
    assert.deepEqual(asked, [[1, 1, 1, 1], [1, 1, 1, 1]]); // prettier-ignore
  });

  it('has as many helpers as may start, none where there are no workers', () => {
    const { getBuiltinModule } = process;
    const started = () => startHelpers(3, text, { kernel: {}, config: model.config });
    process.getBuiltinModule = /** @type {any} */ (() => undefined);
    assert.deepEqual(started(), []);
    let left = 2;
    process.getBuiltinModule = /** @type {any} */ (
      (/** @type {string} */ name) => (left-- > 0 ? getBuiltinModule(name) : undefined)
    );
    const some = started();
    process.getBuiltinModule = getBuiltinModule;
    assert.equal(some.length, 2);
    for (const helper of some) helper.end();
  });

  it('takes at most as many parts as a batch has windows', async () => {
    const trainer = createTrainer(model, {});
    await assert.rejects(trainer.train(list, { batch: 2, parts: 3, steps: 1 }), {
      name: 'DTypeError',
      message: 'train: parts is 3, expected at most 2, the windows of a batch',
    });
    trainer.dispose();
  });
});

// Trainings that go wrong, texts that cannot be trained on, and files that lie.

import { any, refusal, rejection } from './case-values.js';

/** @import { Case, Load } from './case-values.js' */

const TEXT = Array(60).fill([0, 1, 2, 3, 1, 4]).flat();
const SIZES = { vocabulary: 5, context: 6, dModel: 8, seed: 1 };

/** Returns the package of language models, a model and a trainer. @param {Load} load @param {object} [options] */
async function begin(load, options = {}) {
  const language = await load.language();
  await language.initLanguage();
  const model = language.createModel(SIZES);
  const fixed = /** @type {const} */ ({ learningRate: 0.01, warmUp: 0, schedule: 'constant' });
  const trainer = language.createTrainer(model, { ...fixed, ...options });
  return { language, model, trainer };
}

/** Returns whether every parameter and every logit of the trainer's model is finite.
 *  @param {Awaited<ReturnType<typeof begin>>} state */
function isUsable({ language, trainer }) {
  const { model } = trainer;
  const numbers = Object.values(model.parameters).flatMap(({ data }) => [...data]);
  return [...numbers, ...language.logits(model, [1, 2]).data].every(Number.isFinite);
}

/** @type {Record<string, Case>} */
export const TRAINING = {
  'a rate that diverges says so and stops': {
    run: async (load) => {
      const { trainer } = await begin(load, { learningRate: 5 });
      const end = await rejection(trainer.train(TEXT, { steps: 5000, batch: 2 }));
      return [end.replace(/risen to .*: /, '… '), trainer.steps < 5000];
    },
    seen: ['TrainingError: train: the loss has … learningRate 5 may be too large', true],
  },

  'a loss that is no number stops the training and changes no parameter': {
    run: async (load) => {
      const { language, model } = await begin(load);
      model.parameters.token.data[3] = NaN;
      const trainer = language.createTrainer(model, { schedule: 'constant' });
      const end = refusal(() => trainer.step([[0, 1]], [[1, 2]]));
      const { data } = trainer.model.parameters['norm.weight'];
      return [end, trainer.steps, data.every((x) => x === 1)];
    },
    seen: [
      'TrainingError: step: the loss is NaN and the norm of its gradient NaN at step 1, expected finite numbers: learningRate 0.002 may be too large',
      0,
      true,
    ],
  },

  'a training that is cancelled leaves a model that can be used and trained on': {
    run: async (load) => {
      const state = await begin(load);
      const { trainer } = state;
      const controller = new AbortController();
      const onProgress = (/** @type {{ step: number }} */ { step }) => {
        if (step === 3) controller.abort();
      };
      const { signal } = controller;
      const ended = trainer.train(TEXT, { steps: 1000, signal, onProgress });
      const name = await ended.catch(({ name }) => name);
      const usable = isUsable(state);
      const { step } = await trainer.train(TEXT, { steps: 2 });
      return [name, usable, step];
    },
    seen: ['AbortError', true, 5],
  },

  'a trainer that is disposed of amid a training ends it, and harms no other': {
    run: async (load) => {
      const { language, model, trainer } = await begin(load);
      const other = language.createTrainer(model, { schedule: 'constant' });
      const onProgress = (/** @type {{ step: number }} */ { step }) => {
        if (step === 2) trainer.dispose();
      };
      const end = await rejection(trainer.train(TEXT, { steps: 100, onProgress }));
      const { step } = await other.train(TEXT, { steps: 2 });
      return [end, refusal(() => trainer.model), step];
    },
    seen: [
      'BackendError: train: this kernel has been disposed of',
      'BackendError: model: this kernel has been disposed of',
      2,
    ],
  },

  'a text that is empty, too short, of other tokens or no list is refused by name': {
    run: async (load) => {
      const state = await begin(load);
      const train = (/** @type {unknown} */ text) =>
        rejection(state.trainer.train(any(text), { steps: 1 }));
      const ends = [];
      for (const text of [[], [1, 2, 3], [...TEXT, 5], [...TEXT, -1], 'text', [TEXT, TEXT]]) {
        ends.push(await train(text));
      }
      return [...ends, isUsable(state)];
    },
    seen: [
      'ShapeError: train: tokens has length 0, expected at least 7, one more than the context',
      'ShapeError: train: tokens has length 3, expected at least 7, one more than the context',
      'DTypeError: train: tokens[360] is 5, expected an integer from 0 to 4',
      'DTypeError: train: tokens[360] is -1, expected an integer from 0 to 4',
      "DTypeError: train: tokens is 'text', expected a tensor",
      'ShapeError: train: tokens is [2, 360], expected one list of tokens, [n]',
      true,
    ],
  },

  'parameters and tokens on buffers that were transferred are refused': {
    run: async (load) => {
      const { language, model } = await begin(load);
      const tokens = Int32Array.of(1, 2);
      structuredClone(tokens, { transfer: [tokens.buffer] });
      const ofTokens = refusal(() => language.logits(model, any({ data: tokens, shape: [2] })));
      const { data } = model.parameters.token;
      structuredClone(data, { transfer: [any(data.buffer)] });
      return [ofTokens, refusal(() => language.logits(model, [1]))];
    },
    seen: [
      'DTypeError: logits: tokens is on a detached or shrunken buffer, expected one with data',
      'DTypeError: logits: token is on a detached or shrunken buffer, expected one with data',
    ],
  },

  'a file that is truncated, or announces gigabytes, is refused before memory is taken': {
    run: async (load) => {
      const { language, model } = await begin(load);
      const file = language.save(model);
      const announced = file.slice(0, 12);
      announced.set([255, 255, 255, 255], 8);
      return [file.subarray(0, 9), file.subarray(0, -2), announced].map((bytes) =>
        refusal(() => language.load(bytes)).replace(/\d{3,5} after/, '… after'),
      );
    },
    seen: [
      'ShapeError: load: bytes has length 9, expected 12 and a header of 4194304, at most 4194304',
      "ShapeError: load: bytes has … after the header, expected 4244 for the model's sizes",
      'ShapeError: load: bytes has length 12, expected 12 and a header of 4294967295, at most 4194304',
    ],
  },
};

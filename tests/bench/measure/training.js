// A step of training of the small language model: its share of the engine's peak, and against a peer that
// computes the same step.
import { createModel, createTrainer, initLanguage } from '../../../web/language/index.js';
import { bestOf } from '../clock.js';
import { peakFunction, PEAK_FLOP } from '../peak.js';
import { uniform } from '../problems.js';
import { openTrainingOfJax } from '../peers/training-jax.js';

/** @import { Backend, Options, Part } from './part.js' */

/**
 * @typedef {typeof SMALL} Sizes
 * @typedef {(tokens: number[][], targets: number[][]) => unknown} Step
 */

const PEAK_ITERATIONS = 2e5;
const SMALL = {
  batch: 16,
  context: 64,
  vocabulary: 512,
  dModel: 64,
  layers: 2,
  heads: 1,
  dKey: 64,
};

/**
 * @param {Options & { backend: Backend }} options
 * @returns {Promise<Part[]>} none where the engine lacks the backend
 */
export default async function measureTraining({ backend, seconds }) {
  if ((await initLanguage({ backend })) !== backend) return [];
  const { batch, context, vocabulary } = SMALL;
  const draw = () => Math.floor(Math.abs(uniform()) * vocabulary);
  const rows = () => Array.from({ length: batch }, () => Array.from({ length: context }, draw));
  const [tokens, targets] = [rows(), rows()];
  const trainer = createTrainer(createModel({ ...sizesOf(SMALL), seed: 1 }), {
    schedule: 'constant',
  });
  const step = () => trainer.step(tokens, targets);
  const peak = peakFunction(backend);
  const [milliseconds, peakTime] = await bestOf([step, () => peak(PEAK_ITERATIONS)], seconds);
  const gigaflops = flopOf(SMALL) / milliseconds / 1e6;
  const most = (PEAK_FLOP * PEAK_ITERATIONS) / peakTime / 1e6;
  const shape = '136 000 parameters, 1024 tokens';
  const own = { backend, shape, milliseconds };
  const share = { row: 'training', ...own, value: gigaflops / most, gigaflops, peak: most };
  if (backend === 'relaxed') return [share];
  const peer = await openTrainingOfJax(SMALL);
  const times = await bestOf([step, () => peer(tokens, targets)], seconds);
  return [share, { row: 'training-jax', ...own, value: times[1] / times[0] }];
}

/** Returns the options of a model. @param {Sizes} sizes */
function sizesOf({ vocabulary, context, dModel, layers, heads, dKey }) {
  return { vocabulary, context, dModel, layers, heads, dKey };
}

/** Returns the operations of a step: three products a weight and token, and those of attention. @param {Sizes} sizes */
function flopOf({ batch, context, vocabulary, dModel, layers, heads, dKey }) {
  const width = heads * dKey;
  const weights = layers * (4 * width * dModel + 8 * dModel ** 2) + vocabulary * dModel;
  return batch * context * (6 * weights + 14 * context * width * layers);
}

// A step of training of the small language model: its share of the engine's peak, by two workers, and against
// TensorFlow.js, which computes the same step on its one thread.
import {
  createModel,
  createTrainer,
  initLanguage,
  trainApart,
} from '../../../web/language/index.js';
import { bestOf } from '../clock.js';
import { peakFunction, PEAK_FLOP } from '../peak.js';
import { uniform } from '../problems.js';

/** @import { Files } from '../contenders.js' */
/** @import { Backend, Options, Part } from './results.js' */

/**
 * @typedef {typeof SMALL} Sizes
 * @typedef {(tokens: number[][], targets: number[][]) => unknown} Step
 */

const PEAK_ITERATIONS = 2e5;
/** Workers, and the parts of a batch; steps of a training, and those that a time is the mean of. */
const WORKERS = 2;
const PARTS = 4;
const STEPS = 120;
const TIMED = 10;
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
export default async function measureTraining({ backend, seconds, files }) {
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
  const shared = await leastOfWorkers(tokens.flat());
  const parts = [share, { row: 'training-workers', ...own, value: milliseconds / shared }];
  const peer = await openPeer(files);
  if (!peer) return parts;
  const [alone, theirs] = await bestOf([step, () => peer(tokens, targets)], seconds);
  parts.push({ row: 'training-tfjs', ...own, value: theirs / alone });
  parts.push({ row: 'training-workers-tfjs', ...own, value: theirs / shared });
  return parts;
}

/**
 * Opens TensorFlow.js, whose gradients only a bundler finds.
 * @param {Files} files
 * @returns {Promise<Step | undefined>} undefined in Node
 */
async function openPeer(files) {
  if (!globalThis.document) return undefined;
  const { openTrainingOfTfjs } = await import('../peers/training-tfjs.js');
  return openTrainingOfTfjs(SMALL, files);
}

/** Returns the least milliseconds of a step in workers. @param {number[]} tokens */
async function leastOfWorkers(tokens) {
  /** @type {number[]} */
  const times = [];
  const onProgress = () => times.push(performance.now());
  const { batch } = SMALL;
  const course = { batch, parts: PARTS, workers: WORKERS, steps: STEPS, onProgress };
  await trainApart({ model: { ...sizesOf(SMALL), seed: 1 }, tokens, ...course });
  const stretches = times.slice(TIMED).map((time, i) => (time - times[i]) / TIMED);
  return Math.min(...stretches);
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

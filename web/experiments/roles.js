/**
 * A head that finds its role: one layer with one head learns, in sentences of a toy language, which noun an
 * adjective describes. The model names the noun at the adjective, and can do so only by looking at it, so what
 * it learns is where to look. The language model does the training (attention-lab/language, loaded when it is
 * first needed), with the same bits in every engine.
 *
 * With a factor of 1 instead of 1/√d_k most adjectives look at one wrong word with a weight of 1 before they
 * have learned anything, and no gradient is left to move them.
 */
import { load } from '../assets/import.js';
import { inSlices, workOf } from '../shared/slices.js';
import { withStart } from './starts.js';
import { times } from '../shared/times.js';
import { TRAINER } from './assets.js';
import { scaleFactor } from './factors.js';
import { batchOf, drawSentences, rolesLanguage } from './roles-language.js';
import { mean } from './statistics.js';

/**
 * @import { InitOptions } from '../attention/index.js'
 * @import { Model } from '../language/index.js'
 * @import { Control, Work } from '../shared/slices.js'
 * @import { StartKey } from '../shared/starts.js'
 * @import { Sentence, ToyLanguage } from './roles-language.js'
 */

/** What is used of the language model. @typedef {Omit<typeof import('./trainer.js'), 'moduleForWorkers'>} LanguageModule */
/** @typedef {'1/√d' | 'none' | '1/d'} RolesScale */

/** The scales that are compared, in the order of the rows. @type {readonly RolesScale[]} */
export const ROLES_SCALES = Object.freeze(['1/√d', 'none', '1/d']);

const D_MODEL = 32;
const WARM_UP = 0.05;
/** Batches of step i come from stream i, and the sentences of the test from this one. */
const TEST_STREAM = 2 ** 31;
const TEST_SEED = 1;
/** An adjective has found its noun where it looks at it most in more than this share of its sentences. */
export const FOUND = 0.9;

/**
 * @typedef {object} RolesOptions
 * @property {string} [language] 'en' or 'zh'; 'en'
 * @property {readonly RolesScale[]} [scales] all three
 * @property {number} [dKey] entries of a query, key and value; 64
 * @property {StartKey} [start] of queries and keys; 'unit'
 * @property {'own' | 'keys'} [values] whether keys serve as values; 'own'
 * @property {number} [learningRate] .003
 * @property {number} [seed] of the start and of the batches; 1
 * @property {number} [seeds] how many runs of each scale; later ones take the next seeds; 1
 * @property {number} [steps] 100
 * @property {number} [batch] sentences a step; 32
 * @property {number} [every] steps between two rows; 5
 * @property {number} [tests] sentences of pairs that training never shows, asked at each row; 128
 * @property {boolean} [models] whether rows hold the model as it is then; true
 * @property {(row: RolesRow) => boolean} [isOver] whether a run ends with a row, before its last step; never
 * @property {InitOptions} [kernel] of the language model, as for `initLanguage`: a worker receives that of its page
 */

/**
 * What a model does with sentences whose pairs of noun and adjective training never showed.
 * @typedef {object} RolesRow
 * @property {RolesScale} scale
 * @property {number} seed
 * @property {number} step
 * @property {number} loss of the batch before the step, in nats; NaN at step 0
 * @property {number} right share of sentences whose described noun is the most probable word
 * @property {number} nounWeight on the described noun, the mean
 * @property {number} largestWeight the mean
 * @property {number} jacobianTrace 1 − Σp², the mean: how far a gradient can still move the weights
 * @property {string[]} found adjectives that look most at the noun they describe
 * @property {Model} [model] as it is then
 */

/**
 * Returns sentences whose pairs of noun and adjective training never shows, the same for every model.
 * @param {ToyLanguage} toy
 * @param {number} [count]
 */
export const testSentences = (toy, count = 128) =>
  drawSentences(toy, { count, seed: TEST_SEED, stream: TEST_STREAM, heldOut: true });

/**
 * Returns the attention of the one head and what it makes of sentences.
 * @param {LanguageModule} language
 * @param {Model} model
 * @param {ToyLanguage} toy
 * @param {readonly Sentence[]} sentences
 * @returns {{ weights: Float32Array, answer: number }[]} for each sentence the weights of its words at the
 *   adjective, and the most probable token
 */
export function lookAt(language, model, toy, sentences) {
  const { context, words } = toy;
  const { tokens } = batchOf(toy, sentences);
  const [{ weights }] = language.attentionOf(model, tokens);
  const { data: logits } = language.logits(model, tokens);
  return sentences.map(({ at }, i) => {
    const place = i * context + at;
    const row = logits.subarray(place * words.length, (place + 1) * words.length);
    return {
      weights: weights.data.slice(place * context, place * context + at + 1),
      answer: row.indexOf(Math.max(...row)),
    };
  });
}

/**
 * Measures a model on sentences.
 * @param {LanguageModule} language
 * @param {Model} model
 * @param {ToyLanguage} toy
 * @param {readonly Sentence[]} sentences
 * @returns {Pick<RolesRow, 'right' | 'nounWeight' | 'largestWeight' | 'jacobianTrace' | 'found'>}
 */
function measure(language, model, toy, sentences) {
  const looks = lookAt(language, model, toy, sentences).map(({ weights, answer }, i) => {
    const { words, tokens, noun, at } = sentences[i];
    const largest = Math.max(...weights);
    return {
      adjective: words[at],
      right: Number(answer === tokens[noun]),
      found: Number(weights[noun] === largest),
      nounWeight: weights[noun],
      largest,
      squares: weights.reduce((sum, weight) => sum + weight * weight, 0),
    };
  });
  /** Returns the mean of a number over the sentences. @param {'right' | 'nounWeight' | 'largest' | 'squares'} name */
  const meanOf = (name) => mean(looks.map((look) => look[name]));
  const adjectives = toy.kinds.flatMap((kind) => kind.adjectives);
  return {
    right: meanOf('right'),
    nounWeight: meanOf('nounWeight'),
    largestWeight: meanOf('largest'),
    jacobianTrace: 1 - meanOf('squares'),
    found: adjectives.filter(
      (each) =>
        mean(looks.flatMap((look) => (look.adjective === each ? [look.found] : []))) > FOUND,
    ),
  };
}

/**
 * Returns the work of training a model a scale and seed, step by step in turn, so that the rows so far can be
 * compared.
 * @param {LanguageModule} language
 * @param {RolesOptions} [options]
 * @returns {Work<RolesRow> & { dispose: () => void }}
 */
export function rolesRuns(language, options = {}) {
  const { scales = ROLES_SCALES, dKey = 64, learningRate = 0.003, seed = 1, seeds = 1 } = options;
  const { values = 'own', start = 'unit', isOver = () => false } = options;
  const { steps = 100, batch = 32, every = 5, tests = 128, models = true } = options;
  const toy = rolesLanguage(options.language ?? 'en');
  const asked = testSentences(toy, tests);
  const runs = times(seeds, (i) => seed + i).flatMap((each) =>
    scales.map((scale) => {
      const sizes = { vocabulary: toy.words.length, context: toy.context, dModel: D_MODEL, dKey };
      const model = {
        ...sizes,
        layers: 1,
        heads: 1,
        scale: scaleFactor(scale, dKey),
        seed: each,
        ...(values === 'keys' && { values }),
      };
      const training = { learningRate, steps, warmUp: Math.ceil(WARM_UP * steps), seed: each };
      return {
        scale,
        seed: each,
        trainer: language.createTrainer(withStart(language.createModel(model), start), training),
        isOver: false,
      };
    }),
  );
  /** @type {RolesRow[]} */
  const rows = [];
  const work = (/** @type {number} */ part) => {
    const run = runs[part % runs.length];
    if (run.isOver) return;
    const { scale, seed: own, trainer } = run;
    const step = Math.floor(part / runs.length);
    let loss = NaN;
    if (step > 0) {
      const sentences = drawSentences(toy, { count: batch, seed: own, stream: step, heldOut: false }); // prettier-ignore
      const { tokens, targets } = batchOf(toy, sentences);
      ({ loss } = trainer.step(tokens, targets));
    }
    if (step % every > 0 && step < steps) return;
    const { model } = trainer;
    const row = { scale, seed: own, step, loss, ...measure(language, model, toy, asked) };
    run.isOver = isOver(row);
    rows.push(models ? { ...row, model } : row);
  };
  return Object.assign(
    workOf((steps + 1) * runs.length, work, () => rows.slice()),
    { dispose: () => runs.forEach(({ trainer }) => trainer.dispose()) },
  );
}

/**
 * Trains models and measures them on the way, in slices with pauses between them. Cancelling resolves to the
 * rows so far.
 * @param {RolesOptions & Control<RolesRow>} [options]
 * @returns {Promise<RolesRow[]>}
 */
export const measureRoles = async (options) =>
  rolesInSlices(await load(TRAINER, 'model-trainer'), options);

/**
 * Does the same with the language model at hand.
 * @param {LanguageModule} language
 * @param {Parameters<typeof measureRoles>[0]} [options]
 * @returns {Promise<RolesRow[]>}
 */
export async function rolesInSlices(language, { signal, onProgress, kernel, ...options } = {}) {
  await language.initLanguage(kernel);
  const work = rolesRuns(language, options);
  try {
    return await inSlices(work, { signal, onProgress });
  } finally {
    work.dispose();
  }
}

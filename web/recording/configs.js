// The recorded runs: their models, scales, seeds and training. They are small, for a reader's device.
import { characters, createTokenizer } from '../language/index.js';
import { VARIANT_OPTIONS } from '../experiments/language.js';
import { dkScale } from '../shared/dk-scales.js';

/**
 * @import { ScaleName, Variant } from '../experiments/language.js'
 * @import { StartKey } from '../shared/starts.js'
 * @import { ModelLanguage } from '../shared/languages.js'
 * @typedef {ModelLanguage} Lang
 */

/** The scales of the scores. @type {readonly ScaleName[]} */
export const SCALES = ['sqrt', 'none', 'linear'];

/**
 * Returns a variant of the model with a scale, or a start of learned scales.
 * @param {Variant} name
 * @param {ScaleName} scale
 */
const variant = (name, scale) => ({
  name: `${name}-${scale}`,
  /** @template {{ dKey: number }} Sizes @param {Sizes} sizes */
  optionsOf: (sizes) => ({
    ...sizes,
    ...VARIANT_OPTIONS[name],
    scale: dkScale(scale).factor(sizes.dKey),
  }),
});

/** The variants that are recorded: what became of √d_k. */
export const VARIANTS = [
  variant('learned', 'sqrt'),
  variant('learned', 'none'),
  variant('learned', 'linear'),
  variant('norm', 'none'),
  variant('norm', 'sqrt'),
  variant('keys', 'sqrt'),
  variant('keys-norm', 'none'),
];

/**
 * The starts that are recorded besides unit variance, which the runs above have; in all of them weights are normal.
 * @type {readonly StartKey[]}
 */
export const RECORDED_STARTS = ['nn-linear', 'multihead', 'glorot'];

/** The steps after which the models of other starts are measured. */
export const STEPS_OF_STARTS = [0, 50, 100, 200, 500, 1000, 1500];

export const SEEDS = [1, 2, 3];
export const STEPS = 1500;
export const TRAINING = { learningRate: 0.003, warmUp: 100 };

/** By language: sizes of the models, texts a step, and how tokens are made: parts of words, or characters. */
export const CONFIGS = {
  en: {
    sizes: { context: 64, dModel: 64, layers: 2, heads: 2, dKey: 64 },
    batch: 16,
    tokenize: (/** @type {string} */ text) => createTokenizer(text, { vocabulary: 640 }),
  },
  zh: {
    sizes: { context: 48, dModel: 64, layers: 2, heads: 2, dKey: 32 },
    batch: 24,
    tokenize: (/** @type {string} */ text) => characters(text, { vocabulary: 1600 }),
  },
};

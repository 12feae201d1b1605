// The recorded models of <attn-language>, and what they make of texts.

import { VARIANT_OPTIONS } from '../../experiments/language.js';
import { mean, share } from '../../experiments/statistics.js';
import { dkScale } from '../../shared/dk-scales.js';
import { modelsOf } from '../../shared/languages.js';
import { attentionOf, characters, createModel, trainApart } from '../../language/index.js';
import {
  openAnyModel,
  openCurves,
  openModel,
  openText,
  openVariants,
} from '../../language/recorded/open.js';
import { readSentence, sizeOf } from '../common/read-sentence.js';

/**
 * @import { LayerAttention } from '../../language/index.js'
 * @import { RecordedVariants } from '../../language/recorded/measure.js'
 * @import { RecordedModel } from '../../language/recorded/open.js'
 * @import { Recorded, ScaleName, Variant } from '../../experiments/language.js'
 * @import { Reading } from '../common/read-sentence.js'
 * @import { Language } from '../../shared/languages.js'
 * @import { Control } from '../kit/spec.js'
 * @typedef {{ language: Language, scale: ScaleName, step: number }} Which  a model whose parameters were kept
 */

/** The fetched models by name. @type {Record<string, RecordedModel>} */
const models = {};
/** Their curves by language. @type {Record<string, Recorded>} */
const curves = {};

/** @type {RecordedVariants} */
let variants;

/** Fetches the runs of variants. */
export async function fetchVariants() {
  variants = await openVariants();
}

/** Returns the runs of variants that have been fetched. */
export const variantRuns = () => variants;

/** Returns the name of a model. @param {Which} which */
const nameOf = ({ language, scale, step }) => `${modelsOf(language)}-${scale}-${step}`;

/**
 * Fetches a model and the curves of its language. A model before training needs no file but the tokenizer.
 * @param {Which} which
 */
export async function fetchModel(which) {
  const name = nameOf(which);
  if (models[name]) return;
  const { language, scale, step } = which;
  const [recorded, trained] = await Promise.all([
    openCurves(language),
    step === 0 ? openModel(language) : openAnyModel(name),
  ]);
  curves[modelsOf(language)] = recorded;
  if (step > 0) models[name] = trained;
  else {
    const { tokenizer } = trained;
    const sizes = { ...recorded.config, scale: dkScale(scale).factor(recorded.config.dKey) };
    models[name] = { ...createModel({ ...sizes, seed: 1 }), tokenizer };
  }
}

/** Returns the curves of a language that have been fetched. @param {Language} language */
export const curvesOf = (language) => curves[modelsOf(language)];

/** Returns a model that has been fetched. @param {Which} which */
const modelOf = (which) => models[nameOf(which)];

/** Lets a model read a sentence. @param {Which} which  @param {string} sentence  @returns {Reading} */
export const read = (which, sentence) => readSentence(modelOf(which), sentence);

/**
 * Lets a model read one of the texts on which its heads were measured.
 * @param {Which} which
 * @param {number} index
 * @returns {{ layers: LayerAttention[], milliseconds: number }} and the time that it took
 */
export function readHeldOut(which, index) {
  const { config, parameters } = modelOf(which);
  const start = performance.now();
  const layers = attentionOf({ config, parameters }, curvesOf(which.language).heldOut[index]);
  return { layers, milliseconds: performance.now() - start };
}

/** Returns the factor of a model's scores. @param {Which} which */
export const scaleOf = (which) => modelOf(which).config.scale;

/** Returns the number of a model's parameters. @param {Which} which */
export const parametersOf = (which) => sizeOf(modelOf(which));

/** The models that a reader trains: windows a step, its parts, steps between texts, pieces of a pasted text. */
const BATCH = 8;
const PARTS = 4;
const EVERY = 100;
const CHARACTERS = 256;
/** The piece of all other characters. */
const UNKNOWN = '\uFFFD';
/** A step of training takes one thread as long as reading so many texts: 53 to 89, of all variants in both languages. */
const READINGS = 70;
/** Steps of which a point of the curve is the mean. */
const MEAN_OF = 10;
/** Characters with which a text begins. */
const PROMPT = 3;

/** Returns the threads that train each of two models; Node 20 has no navigator. */
const threads = () => Math.max(1, (globalThis.navigator?.hardwareConcurrency ?? 2) >> 1);

/**
 * Returns how long the training of two models will take, roughly, in milliseconds.
 * @param {number} steps
 * @param {number} milliseconds  to read a text
 */
export const trainingTime = (steps, milliseconds) =>
  Number(((READINGS * milliseconds * steps) / Math.min(PARTS, threads())).toPrecision(2));

/**
 * A reader's training so far.
 * @typedef {{ language: Language, steps: number, largest: number, lost: number, rows: TrainedRow[],
 *   texts: Partial<Record<ScaleName, { step: number, text: string }>> }} Trained  largest: the loss of guessing;
 *   lost: the share of the text's characters that are not among its pieces
 * @typedef {{ scale: ScaleName, step: number, loss: number }} TrainedRow  loss: mean of some steps
 */

/**
 * Returns the tokens to train on and their tokenizer: of a pasted text, or the beginning of the text that the
 * recorded models have read.
 * @param {Language} language
 * @param {string} pasted
 */
async function textOf(language, pasted) {
  if (pasted) {
    const tokenizer = characters(pasted, { vocabulary: CHARACTERS });
    return { tokenizer, tokens: tokenizer.encode(pasted) };
  }
  const { tokenizer } = await openModel(language);
  return { tokenizer, tokens: await openText(language) };
}

/**
 * Trains two models side by side, one with the scale and one without.
 * @param {{ language: Language, pasted: string, hint: string, steps: number, variant?: Variant }} options  hint: how texts begin
 * @param {Control<Trained>} control
 * @returns {Promise<Trained>}
 */
export async function train({ language, pasted, hint, steps, variant }, { signal, onProgress }) {
  const { tokenizer, tokens } = await textOf(language, pasted);
  const { config, training } = curvesOf(language);
  const { learningRate, warmUp } = training;
  const vocabulary = tokenizer.pieces.length;
  const lost = share(tokens, (token) => tokenizer.pieces[token] === UNKNOWN);
  /** @type {Trained} */
  const trained = { language, steps, largest: Math.log(vocabulary), lost, rows: [], texts: {} };
  const done = { sqrt: 0, none: 0 };
  const tell = () => {
    const fraction = (done.sqrt + done.none) / (2 * steps + 1);
    onProgress({
      fraction,
      rows: { ...trained, rows: [...trained.rows], texts: { ...trained.texts } },
    });
  };
  const ending = new AbortController();
  const end = () => ending.abort();
  signal.addEventListener('abort', end);
  /** @param {'sqrt' | 'none'} scale */
  const trainOne = async (scale) => {
    /** @type {number[]} */
    let losses = [];
    await trainApart({
      model: {
        ...config,
        ...(variant && VARIANT_OPTIONS[variant]),
        vocabulary,
        scale: dkScale(scale).factor(config.dKey),
        seed: 1,
      },
      training: { learningRate, warmUp, seed: 1 },
      tokens,
      steps,
      batch: BATCH,
      parts: PARTS,
      workers: threads(),
      tokenizer,
      prompt: (pasted || hint).trim().slice(0, PROMPT),
      every: EVERY,
      signal: ending.signal,
      onProgress({ step, loss, text }) {
        done[scale] = step;
        if (text !== undefined) {
          trained.texts[scale] = { step, text };
          return tell();
        }
        losses.push(loss);
        if (losses.length < MEAN_OF) return;
        trained.rows.push({ scale, step, loss: mean(losses) });
        losses = [];
        tell();
      },
    });
  };
  try {
    await Promise.all([trainOne('sqrt'), trainOne('none')]);
    return trained;
  } finally {
    end(); // one that failed ends the other
    signal.removeEventListener('abort', end);
  }
}

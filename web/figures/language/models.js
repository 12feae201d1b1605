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
 * @import { RecordedModel } from '../../language/recorded/open.js'
 * @import { ScaleName, Variant } from '../../experiments/language.js'
 * @import { Language } from '../../shared/languages.js'
 * @import { Control } from '../kit/spec.js'
 * @typedef {{ language: Language, scale: ScaleName, step: number }} Which  a model whose parameters were kept
 */

/** Returns the name of a model. @param {Which} which */
const nameOf = ({ language, scale, step }) => `${modelsOf(language)}-${scale}-${step}`;

/** What has been fetched for a state. @typedef {Awaited<ReturnType<typeof open>>} Opened */

/**
 * Fetches a model, the curves of its language, and the runs of variants if they are asked for. A model before training
 * needs no file but the tokenizer.
 * @param {Which} which
 * @param {boolean} withVariants
 */
export async function open(which, withVariants) {
  const name = nameOf(which);
  const [curves, recorded, variants] = await Promise.all([
    openCurves(which.language),
    which.step === 0 ? openModel(which.language) : openAnyModel(name),
    withVariants ? openVariants() : undefined,
  ]);
  return {
    curves,
    variants,
    /** Returns the model. @param {Which} asked  that it is to be @returns {RecordedModel} */
    modelOf(asked) {
      if (nameOf(asked) !== name) throw new Error(`${name} was fetched, not ${nameOf(asked)}`);
      if (asked.step > 0) return recorded;
      const sizes = { ...curves.config, scale: dkScale(asked.scale).factor(curves.config.dKey) };
      return { ...createModel({ ...sizes, seed: 1 }), tokenizer: recorded.tokenizer };
    },
    /** Lets a model read one of the texts on which its heads were measured. @param {RecordedModel} model @param {number} index */
    readHeldOut({ config, parameters }, index) {
      const start = performance.now();
      const layers = attentionOf({ config, parameters }, curves.heldOut[index]);
      return { layers, milliseconds: performance.now() - start };
    },
    readSentence,
    sizeOf,
    trainingTime,
  };
}

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
const trainingTime = (steps, milliseconds) =>
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
  const { config, training } = await openCurves(language);
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

// The models of <attn-roles>, trained on the reader's device: in workers, one for each scale, or in slices.

import { inWorker } from '../../experiments/in-worker.js';
import * as roles from '../../experiments/roles.js';
import * as looks from '../../experiments/roles-looks.js';
import * as language from '../../experiments/trainer.js';
import { now } from '../../shared/pause.js';
import { partsOf } from '../../shared/slices.js';

/**
 * @import { RolesOptions, RolesRow } from '../../experiments/roles.js'
 * @import { Sentence, ToyLanguage } from '../../experiments/roles-language.js'
 * @import { Model } from '../../language/index.js'
 * @import { Control, Steps } from '../../shared/slices.js'
 *
 * What a training depends on.
 * @typedef {Pick<RolesOptions, 'language' | 'dKey' | 'values' | 'start' | 'learningRate' | 'seed' | 'steps'>} Setting
 *
 * @typedef {object} Trained
 * @property {RolesRow[]} rows with the models
 * @property {number} milliseconds that it took; NaN if not in `train`
 */

/** Trainings that are remembered, each of a few megabytes. */
const KEPT = 4;
/** Steps between two rows. */
export const EVERY = 5;

/** The latest trainings by setting. @type {Map<string, Trained>} */
const known = new Map();
/** Those under way. @type {Map<string, Promise<void>>} */
const pending = new Map();

/** Remembers a training, and returns it. @param {string} key @param {Trained} trained */
function keep(key, trained) {
  known.set(key, trained);
  const [oldest] = known.keys();
  if (known.size > KEPT) known.delete(oldest);
  return trained;
}

/** Trains models in workers, or in slices, unless they are known. @param {Setting} setting @returns {Promise<void>} */
export async function train(setting) {
  const key = JSON.stringify(setting);
  if (known.has(key)) return;
  const training = pending.get(key) ?? trainAnew(key, setting);
  pending.set(key, training);
  await training.finally(() => pending.delete(key));
}

/** Trains in slices. @param {Parameters<typeof roles.measureRoles>[0]} options */
const inSlices = (options) => roles.rolesInSlices(language, options);

/** @param {string} key @param {Setting} setting */
async function trainAnew(key, setting) {
  await language.initLanguage();
  const start = now();
  const kernel = language.moduleForWorkers('train');
  const rows = await Promise.all(
    roles.ROLES_SCALES.map((scale) => {
      const options = { ...setting, scales: [scale], every: EVERY, kernel };
      return inWorker('roles', inSlices, options);
    }),
  );
  keep(key, { rows: rows.flat(), milliseconds: now() - start });
}

/**
 * Returns models that were trained, or trains them here.
 * @param {Setting} setting
 * @returns {Steps<Trained>}
 */
export function* trained(setting) {
  const key = JSON.stringify(setting);
  const kept = known.get(key);
  if (kept) return kept;
  const work = roles.rolesRuns(language, { ...setting, every: EVERY });
  try {
    return keep(key, { rows: yield* partsOf(work), milliseconds: NaN });
  } finally {
    work.dispose();
  }
}

/**
 * Trains several seeds with each scale, without keeping models.
 * @param {Setting & { seeds: number }} setting
 * @param {Control<RolesRow>} control
 * @returns {Promise<RolesRow[]>}
 */
export async function trainSeeds(setting, control) {
  await language.initLanguage();
  const kernel = language.moduleForWorkers('trainSeeds');
  const options = { ...setting, every: EVERY, models: false, kernel };
  return inWorker('roles', inSlices, options, control);
}

/** Returns where the last word of a sentence looks. @param {Model} model @param {ToyLanguage} toy @param {Sentence} sentence */
export const weightsOf = (model, toy, sentence) =>
  roles.lookAt(language, model, toy, [sentence])[0].weights;

/** Measures where an adjective looks. @param {Model} model @param {ToyLanguage} toy @param {string} adjective */
export const adjectiveOf = (model, toy, adjective) =>
  looks.adjectiveRow(language, model, toy, adjective);

/** Measures W_QᵀW_K. @param {Model} model */
export const scoreMatrixOf = (model) => looks.scoreMatrix(model);

/** Maps the nouns by their keys and by their values. @param {Model} model @param {ToyLanguage} toy */
export const mapsOf = (model, toy) => looks.nounMaps(language, model, toy);

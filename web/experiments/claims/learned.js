/**
 * Claims that a head decides which learns, on the reader's device, what an adjective describes (roles.js, in
 * English). Heads begin with seeds from 1 on, and are asked about pairs of words that training never shows.
 */
import { load } from '../../assets/import.js';
import { TRAINER } from '../assets.js';
import { recallLoss } from '../recall.js';
import { nounMaps } from '../roles-looks.js';
import { rolesLanguage } from '../roles-language.js';
import { measureRoles, ROLES_SCALES } from '../roles.js';
import { mean, quantiles } from '../statistics.js';
import { tiedModel } from './trained.js';

/**
 * @import { Model } from '../../language/index.js'
 * @import { RolesOptions, RolesRow } from '../roles.js'
 * @import { Cancellable } from './samples.js'
 */

/** The kernel of the language model: a worker receives that of its page. @typedef {Cancellable & Pick<RolesOptions, 'kernel'>} Learning */

/** A head has learned when it answers this share of the questions rightly. */
const LEARNED = 0.95;
/** Steps for which the learning rate is planned, and between two rounds of questions. */
const PLAN = { steps: 400, every: 20, models: false };
/** Steps of training of the heads whose keys and values are compared, as <attn-roles> begins. */
const STEPS = 100;
/** Heads whose numbers are averaged, or whose slowest counts. */
const FEW = 3;
/** Steps after which a head is given up: twice as many as any head with a scale takes. */
const PATIENCE = 200;

/**
 * Trains heads until they have learned.
 * @param {RolesOptions & Cancellable} options
 * @returns {Promise<RolesRow[]>} the last row of each head
 */
async function learn(options) {
  const rows = await measureRoles({ ...PLAN, isOver: hasLearned, ...options });
  return [...new Map(rows.map((row) => [`${row.scale} ${row.seed}`, row])).values()];
}

const hasLearned = (/** @type {RolesRow} */ { right }) => right >= LEARNED;

/** Returns the step after which the last of some heads has learned. @param {readonly RolesRow[]} rows */
const slowest = (rows) => Math.max(...rows.map(({ step }) => step));

/** Trains heads with each scale, until they have learned or are given up. @param {Learning} control */
export async function stuck(control) {
  const seeds = 5;
  const isOver = (/** @type {RolesRow} */ row) => hasLearned(row) || row.step >= PATIENCE;
  const last = await learn({ ...control, seeds, isOver });
  const [root, unscaled, linear] = ROLES_SCALES.map((of) =>
    last.filter(({ scale }) => scale === of),
  );
  const late = unscaled.filter((row) => !hasLearned(row));
  return {
    seeds,
    root: slowest(root),
    linear: slowest(linear),
    patience: PATIENCE,
    late: late.length,
    right: mean(late.map(({ right }) => right)),
  };
}

/**
 * Measures what keys as values cost: in recall where they have no room, the steps of heads of eight entries, and in a language model that was recorded.
 * @param {Learning} control
 */
export async function keysAsValues(control) {
  const { signal } = control;
  const headsWith = (/** @type {'own' | 'keys'} */ values) =>
    learn({ ...control, values, dKey: 8, seeds: FEW, scales: ['1/√d'] });
  const [tiedHeads, untiedHeads] = [await headsWith('keys'), await headsWith('own')];
  const learned = (/** @type {RolesRow[]} */ heads) => heads.filter(hasLearned).length;
  const median = (/** @type {RolesRow[]} */ heads) =>
    quantiles(
      heads.map(({ step }) => step),
      [0.5],
    )[0];
  return {
    tied: await recallLoss({ d: 2, tied: true, signal }),
    untied: await recallLoss({ d: 2, tied: false, signal }),
    heads: FEW,
    tiedHeads: learned(tiedHeads),
    tiedSteps: median(tiedHeads),
    untiedHeads: learned(untiedHeads),
    untiedSteps: median(untiedHeads),
    ...tiedModel(),
  };
}

/**
 * Measures how much of the variance of nouns' keys and values lies between the four kinds of nouns.
 * @param {Learning} control
 */
export async function keysAndValues(control) {
  const language = await load(TRAINER, 'model-trainer');
  const toy = rolesLanguage('en');
  const rows = await measureRoles({ ...control, seeds: FEW, every: STEPS, scales: ['1/√d'] });
  const maps = rows
    .filter(({ step }) => step === STEPS)
    .map(({ model }) => nounMaps(language, /** @type {Model} */ (model), toy));
  const nouns = toy.kinds.flatMap((kind) => kind.nouns);
  return {
    keys: mean(maps.map(({ keys }) => keys.between)),
    values: mean(maps.map(({ values }) => values.between)),
    chance: (toy.kinds.length - 1) / (nouns.length - 1),
  };
}

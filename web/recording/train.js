// Trains a model of a recorded run.
import { createModel, createTrainer, initLanguage } from '../language/index.js';
import { STEPS, TRAINING } from './configs.js';
import { prepare } from './files.js';

/**
 * @import { Model, ModelOptions } from '../language/index.js'
 * @import { Lang } from './configs.js'
 * @typedef {ReturnType<typeof prepare>} Prepared
 */

/** The steps after which a model is measured. */
const MEASURED = [0, 10, 20, 50, 100, 150, 200, 300, 400, 500, 700, 1000, 1250, STEPS];

/**
 * Trains a model and measures it on the way.
 * @template Row
 * @param {Lang} lang
 * @param {number} seed
 * @param {(sizes: Prepared['sizes']) => ModelOptions} optionsOf
 * @param {(step: number, model: Model, prepared: Prepared) => Row} measure
 * @param {{ measured?: readonly number[], startOf?: (model: Model) => Model }} [options] measured: the steps after
 *   which it is measured; startOf: what is made of the model before its training
 * @returns {Promise<Row[]>}
 */
export async function train(
  lang,
  seed,
  optionsOf,
  measure,
  { measured = MEASURED, startOf = (model) => model } = {},
) {
  await initLanguage();
  const prepared = prepare(lang);
  const model = startOf(createModel({ ...optionsOf(prepared.sizes), seed }));
  const trainer = createTrainer(model, { ...TRAINING, steps: STEPS, seed });
  /** @type {Row[]} */
  const rows = [];
  for (const step of measured) {
    const steps = step - trainer.steps;
    if (steps > 0) await trainer.train(prepared.tokens, { batch: prepared.batch, steps });
    rows.push(measure(step, trainer.model, prepared));
  }
  trainer.dispose();
  return rows;
}

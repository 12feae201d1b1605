// What the recorded runs of a language share, and the files that they write.
import { existsSync } from 'node:fs';
import { save } from '../language/index.js';
import { heldOutWindows } from '../language/recorded/measure.js';
import { CONFIGS, STEPS, TRAINING } from './configs.js';
import { textOf } from './texts.js';
import { FOLDER, writeModule } from './module.js';

/**
 * @import { Model, Tokenizer } from '../language/index.js'
 * @import { HeadRow } from '../language/recorded/measure.js'
 * @import { ScaleName } from '../experiments/language.js'
 * @import { Lang } from './configs.js'
 * @typedef {{ lang: Lang, scale: ScaleName, seed: number }} Job
 * @typedef {{ step: number, loss: number, heads: HeadRow[] }} CurveRow
 */

/** Tokens of the excerpt on which readers train: 256 kB as text. */
const EXCERPT = 96_000;

/** Returns what all runs of a language share. @param {Lang} lang */
export function prepare(lang) {
  const { training, heldOut, about } = textOf(lang);
  const { tokenize, sizes, batch } = CONFIGS[lang];
  const tokenizer = tokenize(training);
  return {
    about,
    batch,
    tokenizer,
    sizes: { ...sizes, vocabulary: tokenizer.pieces.length },
    tokens: tokenizer.encode(training),
    windows: heldOutWindows(tokenizer.encode(heldOut), sizes.context),
  };
}

/**
 * Writes a model with its tokenizer as a module, in eight bits a parameter.
 * @param {string} name
 * @param {Model} model
 * @param {Tokenizer} tokenizer
 */
export function writeModel(name, model, tokenizer) {
  const text = Buffer.from(save(model, { bits: 8, tokenizer })).toString('base64');
  writeModule(name, `'${text}'`);
}

/** Writes the first tokens of a text, two bytes each, on which readers train. @param {Lang} lang */
export function writeText(lang) {
  const tokens = Uint16Array.from(prepare(lang).tokens.slice(0, EXCERPT));
  writeModule(`${lang}-text`, `'${Buffer.from(tokens.buffer).toString('base64')}'`);
}

/** Returns what is needed to repeat the runs of a language. @param {Lang} lang */
function aboutRuns(lang) {
  const { about, batch, sizes } = prepare(lang);
  return { text: about, config: sizes, training: { ...TRAINING, batch, steps: STEPS } };
}

/**
 * Writes the curves of a language with all that is needed to repeat them.
 * @param {Lang} lang
 * @param {(Job & { rows: CurveRow[] })[]} runs
 */
export function writeCurves(lang, runs) {
  const file = {
    command: 'npm run language',
    ...aboutRuns(lang),
    heldOut: prepare(lang).windows.tokens.slice(0, 8),
    runs: runs
      .map(({ scale, seed, rows }) => ({ scale, seed, rows }))
      .sort((a, b) => a.scale.localeCompare(b.scale) || a.seed - b.seed),
  };
  writeModule(lang, JSON.stringify(file));
}

/**
 * Returns the runs of a file, such as en-variants, that are written.
 * @param {string} name
 * @returns {Promise<any[]>}
 */
export async function readRuns(name) {
  const file = new URL(`${name}.js`, FOLDER);
  if (!existsSync(file)) return [];
  return (await import(`${file}`)).default.runs;
}

/**
 * Writes runs of models in English with all that is needed to repeat them.
 * @template {{ seed: number }} Run
 * @param {string} name
 * @param {{ about: object, runs: Run[], keyOf: (run: Run) => string }} content  about: the command; keyOf: by which
 *   runs are sorted, and then by their seeds
 */
export function writeRuns(name, { about, runs, keyOf }) {
  const sorted = runs.sort((a, b) => keyOf(a).localeCompare(keyOf(b)) || a.seed - b.seed);
  writeModule(name, JSON.stringify({ ...about, ...aboutRuns('en'), runs: sorted }));
}

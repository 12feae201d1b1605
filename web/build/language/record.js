// Trains the models that the figures show, and writes what they need to web/language/recorded/data:
//   npm run language
// For English and Chinese, for each of three scales, three seeds: curves, and of the first seed the
// parameters at the end; with 1/√d_k also on the way. Every run starts from its seed and gives the same
// bits on every machine. It takes about half an hour on two cores.
import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { createModel, createTrainer, initLanguage, save } from '../../language/index.js';
import { keysOf } from '../../shared/keys.js';
import { times } from '../../shared/times.js';
import { CONFIGS, SCALES, SEEDS, STEPS, TRAINING } from './configs.js';
import { heldOutWindows, lossOn, measureHeads } from '../../language/recorded/measure.js';
import { textOf } from './texts.js';

/**
 * @import { Model, Tokenizer } from '../../language/index.js'
 * @import { Lang, ScaleName } from './configs.js'
 * @import { HeadRow } from '../../language/recorded/measure.js'
 * @typedef {{ lang: Lang, scale: ScaleName, seed: number }} Job
 * @typedef {{ step: number, loss: number, heads: HeadRow[] }} CurveRow
 */

const FOLDER = new URL('../../language/recorded/data/', import.meta.url);

/** The steps after which a model is measured. */
const MEASURED = [0, 10, 20, 50, 100, 150, 200, 300, 400, 500, 700, 1000, 1250, STEPS];

/** The steps at which the parameters of the first run with 1/√d_k are kept, besides the end. */
const KEPT = [100, 300, 1000];

/** Returns what all runs of a language share. @param {Lang} lang */
function prepare(lang) {
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
function writeModel(name, model, tokenizer) {
  const text = Buffer.from(save(model, { bits: 8, tokenizer })).toString('base64');
  writeFileSync(new URL(`${name}.js`, FOLDER), `export default '${text}';\n`);
}

/** Trains one model. @param {Job} job  @returns {Promise<CurveRow[]>} */
async function train({ lang, scale, seed }) {
  await initLanguage();
  const { sizes, batch, tokenizer, tokens, windows } = prepare(lang);
  const model = createModel({ ...sizes, scale: SCALES[scale](sizes.dKey), seed });
  const trainer = createTrainer(model, { ...TRAINING, steps: STEPS, seed });
  /** @type {CurveRow[]} */
  const rows = [];
  for (const step of MEASURED) {
    const steps = step - trainer.steps;
    if (steps > 0) await trainer.train(tokens, { batch, steps });
    const now = trainer.model;
    rows.push({ step, loss: lossOn(now, windows), heads: measureHeads(now, windows) });
    const isKept = step === STEPS || (scale === 'sqrt' && KEPT.includes(step));
    if (isKept && seed === SEEDS[0]) writeModel(`${lang}-${scale}-${step}`, now, tokenizer);
  }
  trainer.dispose();
  return rows;
}

/** Trains one model in a worker. @param {Job} job  @returns {Promise<CurveRow[]>} */
const trainApart = (job) =>
  new Promise((resolve, reject) => {
    const worker = new Worker(fileURLToPath(import.meta.url), { workerData: job });
    worker.once('message', resolve);
    worker.once('error', reject);
  });

/** Trains all models, as many at a time as there are processors. */
async function record() {
  mkdirSync(FOLDER, { recursive: true });
  const jobs = keysOf(CONFIGS).flatMap((lang) =>
    SEEDS.flatMap((seed) => keysOf(SCALES).map((scale) => ({ lang, scale, seed }))),
  );
  /** @type {(Job & { rows: CurveRow[] })[]} */
  const runs = [];
  const waiting = [...jobs];
  const work = async () => {
    for (let job = waiting.shift(); job; job = waiting.shift()) {
      const rows = await trainApart(job);
      runs.push({ ...job, rows });
      const { lang, scale, seed } = job;
      console.log(`${lang} ${scale} seed ${seed}: loss ${rows.at(-1)?.loss.toFixed(3)}`);
    }
  };
  await Promise.all(times(availableParallelism(), work));
  for (const lang of keysOf(CONFIGS))
    writeCurves(
      lang,
      runs.filter((run) => run.lang === lang),
    );
}

/**
 * Writes the curves of a language with all that is needed to repeat them.
 * @param {Lang} lang
 * @param {(Job & { rows: CurveRow[] })[]} runs
 */
function writeCurves(lang, runs) {
  const { about, batch, sizes, windows } = prepare(lang);
  const file = {
    command: 'npm run language',
    text: about,
    config: sizes,
    training: { ...TRAINING, batch, steps: STEPS },
    heldOut: windows.tokens.slice(0, 8),
    runs: runs
      .map(({ scale, seed, rows }) => ({ scale, seed, rows }))
      .sort((a, b) => a.scale.localeCompare(b.scale) || a.seed - b.seed),
  };
  writeFileSync(new URL(`${lang}.js`, FOLDER), `export default ${JSON.stringify(file)};\n`);
}

if (isMainThread) await record();
else parentPort?.postMessage(await train(workerData));

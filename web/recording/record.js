// Trains the models that the figures show, and writes what they need to web/language/recorded/data:
//   npm run language
// For English and Chinese, for each of three scales, three seeds: curves, and of the first seed the
// parameters at the end; with 1/√d_k also on the way. Every run starts from its seed and gives the same
// bits on every machine. It takes about half an hour on two cores.
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { lossOn, measureHeads } from '../language/recorded/measure.js';
import { dkScale } from '../shared/dk-scales.js';
import { keysOf } from '../shared/keys.js';
import { times } from '../shared/times.js';
import { competitorsOf } from './competitors.js';
import { CONFIGS, SCALES, SEEDS, STEPS } from './configs.js';
import { writeCurves, writeModel, writeText } from './files.js';
import { writeModule } from './module.js';
import { sentenceOf } from './sentences.js';
import { train } from './train.js';

/**
 * @import { Lang } from './configs.js'
 * @import { CurveRow, Job } from './files.js'
 */

/** The steps at which the parameters of the first run with 1/√d_k are kept, besides the end. */
const KEPT = [100, 300, 1000];

/** Trains one model. @param {Job} job  @returns {Promise<CurveRow[]>} */
const record = ({ lang, scale, seed }) =>
  train(
    lang,
    seed,
    (sizes) => ({ ...sizes, scale: dkScale(scale).factor(sizes.dKey) }),
    (step, model, { tokenizer, windows }) => {
      const isKept = step === STEPS || (scale === 'sqrt' && KEPT.includes(step));
      if (isKept && seed === SEEDS[0]) writeModel(`${lang}-${scale}-${step}`, model, tokenizer);
      return { step, loss: lossOn(model, windows), heads: measureHeads(model, windows) };
    },
  );

/** Trains one model in a worker. @param {Job} job  @returns {Promise<CurveRow[]>} */
const trainApart = (job) =>
  new Promise((resolve, reject) => {
    const worker = new Worker(fileURLToPath(import.meta.url), { workerData: job });
    worker.once('message', resolve);
    worker.once('error', reject);
  });

/** Trains all models, as many at a time as there are processors. */
async function recordAll() {
  for (const lang of keysOf(CONFIGS)) writeText(lang);
  const jobs = keysOf(CONFIGS).flatMap((lang) =>
    SEEDS.flatMap((seed) => SCALES.map((scale) => ({ lang, scale, seed }))),
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
  await writePart('competitors', competitorsOf);
  await writePart('sentences', sentenceOf);
}

/**
 * Writes what is measured of the trained model of each language. The file stands apart from the others, which figures
 * load on demand: it is small, and part of a figure.
 * @param {string} name
 * @param {(lang: Lang) => Promise<object>} measure
 */
async function writePart(name, measure) {
  const parts = keysOf(CONFIGS).map(async (lang) => [lang, await measure(lang)]);
  writeModule(`../${name}`, JSON.stringify(Object.fromEntries(await Promise.all(parts))));
}

if (isMainThread) await recordAll();
else parentPort?.postMessage(await record(workerData));

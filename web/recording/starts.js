// Trains the model in English from starts of other variances of queries and keys, with each scale, and writes losses
// and σ(q·k) to web/language/recorded/starts.js:
//   npm run language:starts -- [SEED…]
// The file is written after every run, and a run that is in it already is left out. Each takes about two minutes. The
// losses from unit variance are those of web/language/recorded/data/en.js.
import { withStart } from '../experiments/starts.js';
import { lossOn, measureDeviation, short } from '../language/recorded/measure.js';
import { openCurves } from '../language/recorded/open.js';
import { dkScale } from '../shared/dk-scales.js';
import { RECORDED_STARTS, SCALES, SEEDS, STEPS_OF_STARTS } from './configs.js';
import { readRuns, writeRuns } from './files.js';
import { train } from './train.js';

/**
 * @import { Recorded } from '../experiments/language.js'
 * @import { StartRun } from '../language/recorded/measure.js'
 */

// The file stands apart from those that figures load on demand: it is small, and part of a figure.
const FILE = '../starts';

/** @type {Recorded} */
const { runs: unit } = await openCurves('en');
/** @type {StartRun[]} */
const runs = unit.map(({ scale, seed, rows }) => ({
  start: 'unit',
  scale,
  seed,
  loss: rows.filter(({ step }) => STEPS_OF_STARTS.includes(step)).map(({ loss }) => short(loss)),
}));
/** @type {StartRun[]} */
const known = await readRuns(FILE);
runs.push(...known.filter(({ start }) => start !== 'unit'));

const seeds = process.argv.slice(2).map(Number);
// The factor 1/d_k comes last: what leaving 1/√d_k out costs needs the other two.
const jobs = [SCALES.slice(0, 2), SCALES.slice(2)].flatMap((scales) =>
  (seeds.length > 0 ? seeds : SEEDS).flatMap((seed) =>
    RECORDED_STARTS.flatMap((start) => scales.map((scale) => ({ start, scale, seed }))),
  ),
);
for (const { start, scale, seed } of jobs) {
  if (runs.some((run) => run.start === start && run.scale === scale && run.seed === seed)) continue;
  const rows = await train(
    'en',
    seed,
    (sizes) => ({ ...sizes, scale: dkScale(scale).factor(sizes.dKey) }),
    (_step, model, { windows }) => ({
      loss: short(lossOn(model, windows)),
      deviation: measureDeviation(model, windows),
    }),
    { measured: STEPS_OF_STARTS, startOf: (model) => withStart(model, start) },
  );
  const [loss, deviation] = [rows.map((row) => row.loss), rows.map((row) => row.deviation)];
  runs.push({ start, scale, seed, loss, deviation });
  writeRuns(FILE, {
    about: { command: 'npm run language:starts', steps: STEPS_OF_STARTS },
    runs,
    keyOf: (run) => `${run.start} ${run.scale}`,
  });
  console.log(`${start} ${scale} seed ${seed}: loss ${loss.at(-1)}`);
}

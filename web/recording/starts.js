// Trains the model in English from starts of other variances of queries and keys, with each scale, and writes losses
// and σ(q·k) to web/language/recorded/data/en-starts.js:
//   npm run language:starts -- [SEED…]
// The file is written after every run, and a run that is in it already is left out. Each takes about two minutes.
import { lossOn, measureDeviation } from '../language/recorded/measure.js';
import { dkScale } from '../shared/dk-scales.js';
import { RECORDED_STARTS, SCALES, SEEDS, STEPS_OF_STARTS, withStart } from './configs.js';
import { readRuns, writeRuns } from './files.js';
import { train } from './train.js';

/** @import { StartRun } from '../language/recorded/measure.js' */

const FILE = 'en-starts';

/** @type {StartRun[]} */
const runs = await readRuns(FILE);
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
    (step, model, { windows }) => ({
      step,
      loss: lossOn(model, windows),
      deviation: measureDeviation(model, windows),
    }),
    { measured: STEPS_OF_STARTS, startOf: (model) => withStart(model, start) },
  );
  runs.push({ start, scale, seed, rows });
  writeRuns(FILE, 'npm run language:starts', runs, (run) => `${run.start} ${run.scale}`);
  console.log(`${start} ${scale} seed ${seed}: loss ${rows.at(-1)?.loss.toFixed(3)}`);
}

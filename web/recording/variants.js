// Trains variants of the model in English, and writes their curves to web/language/recorded/data/en-variants.js:
//   npm run language:variants -- [SEED…]
// Seven variants with each seed, one after another; the file is written after every run, and a run that is in
// it already is left out. Each takes two to four minutes.
import { lossOn, measureVariant } from '../language/recorded/measure.js';
import { SEEDS, VARIANTS } from './configs.js';
import { readRuns, writeRuns } from './files.js';
import { train } from './train.js';

/** @import { VariantRun } from '../language/recorded/measure.js' */

const FILE = 'en-variants';

/** @type {VariantRun[]} */
const runs = await readRuns(FILE);
const seeds = process.argv.slice(2).map(Number);
for (const seed of seeds.length > 0 ? seeds : SEEDS) {
  for (const { name, optionsOf } of VARIANTS) {
    if (runs.some((run) => run.variant === name && run.seed === seed)) continue;
    const rows = await train('en', seed, optionsOf, (step, model, { windows }) => ({
      step,
      loss: lossOn(model, windows),
      heads: measureVariant(model, windows),
    }));
    runs.push({ variant: name, seed, rows });
    const about = { command: 'npm run language:variants' };
    writeRuns(FILE, { about, runs, keyOf: (run) => run.variant });
    console.log(`${name} seed ${seed}: loss ${rows.at(-1)?.loss.toFixed(3)}`);
  }
}

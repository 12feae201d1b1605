// Trains heads that learn their role with 16 seeds and each scale, for the table in NOTES.md.
//   node tests/bench/roles.js [DKEY [RATE [STEPS [own|keys]]]]    what serves as values
import { measureRoles, ROLES_SCALES } from '../../web/experiments/roles.js';

const [dKey = 64, learningRate = 0.003, steps = 100] = process.argv.slice(2, 5).map(Number);
const values = /** @type {'own' | 'keys'} */ (process.argv[5] ?? 'own');
const SEEDS = 16;
/** A head has arrived at the first row with this share of right answers. */
const ARRIVED = 0.95;

const every = steps / 20;
const setting = { dKey, values, learningRate, steps, every, seeds: SEEDS, models: false };
for (const language of ['en', 'zh']) {
  const rows = await measureRoles({ ...setting, language });
  console.log(`\n${language}, d_k ${dKey}, ${values}, rate ${learningRate}, ${steps} steps\n`);
  console.log(
    '| scale | right, seeds 1 to 16 | adjectives found, of 16 | largest weight | 95 % from |',
  );
  console.log('|---|---|---|---|---|');
  for (const scale of ROLES_SCALES) {
    const own = rows.filter((row) => row.scale === scale);
    const last = own.filter(({ step }) => step === steps);
    const arrivals = last.map(({ seed }) => {
      const first = own.find((row) => row.seed === seed && row.right >= ARRIVED);
      return first?.step ?? '–';
    });
    const columns = [
      last.map(({ right }) => right.toFixed(2)),
      last.map(({ found }) => found.length),
      last.map(({ largestWeight }) => largestWeight.toFixed(2)),
      arrivals,
    ];
    console.log(`| ${scale} | ${columns.map((column) => column.join(' ')).join(' | ')} |`);
  }
}

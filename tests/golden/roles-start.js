// Writes the start of three trainings of web/experiments/roles.js, their batches and their test, for make_roles.py.
//   node tests/golden/roles-start.js > build/roles-start.json
import { scaleFactor } from '../../web/experiments/factors.js';
import {
  batchOf,
  drawSentences,
  rolesLanguage,
} from '../../web/experiments/roles-language.js';
import { ROLES_SCALES, rolesRuns, testSentences } from '../../web/experiments/roles.js';
import * as language from '../../web/language/index.js';
import { times } from '../../web/shared/times.js';

/** What the test trains, too. */
const SETTING = { steps: 30, batch: 32, dKey: 64, learningRate: 0.003, seed: 1, tests: 64 };

/** Returns a tensor as nested lists. @param {{ data: ArrayLike<number>, shape: number[] }} tensor */
const nested = ({ data, shape: [rows, columns = 0] }) =>
  columns === 0
    ? Array.from(data)
    : times(rows, (i) => Array.from(data).slice(i * columns, (i + 1) * columns));

const toy = rolesLanguage('en');
const work = rolesRuns(language, { ...SETTING, scales: ['none'], every: SETTING.steps });
work.advance();
const [{ model }] = work.rows();
const parameters = Object.entries(model?.parameters ?? {}).map(([name, each]) => [name, nested(each)]);
const sentences = testSentences(toy, SETTING.tests);
const batches = times(SETTING.steps, (i) => {
  const options = { count: SETTING.batch, seed: SETTING.seed, stream: i + 1, heldOut: false };
  const { tokens, targets } = batchOf(toy, drawSentences(toy, options));
  return { tokens: nested(tokens), targets: nested(targets) };
});
const test = sentences.map(({ at, noun, tokens }) => ({ at, noun, answer: tokens[noun] }));
const scales = ROLES_SCALES.map((name) => ({ name, factor: scaleFactor(name, SETTING.dKey) }));
const tokens = nested(batchOf(toy, sentences).tokens);
const start = { setting: SETTING, parameters: Object.fromEntries(parameters), scales, batches };
process.stdout.write(JSON.stringify({ ...start, test: { tokens, sentences: test } }));

/**
 * Makes mistakes in the kernel and the package, one at a time, and runs their tests: a mistake that
 * no test notices shows a gap in the tests, or makes no difference.
 *
 *   node tests/mutation/mutate.js [--count=100] [--seed=1] [--near] [file…]
 *
 * A sample of `count` mutants of the files (those of c/, web/attention/ and web/diagnosis/ unless named), the same
 * for the same seed, in a copy of the project under build/mutation. With `near` only the tests that
 * are named after a file judge its mutants.
 */
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { mutantsOf } from './mutants.js';

/** @import { Mutant as Mistake } from './mutants.js' */
/** @typedef {Mistake & { file: string }} Mutant */
/** 'invalid' does not compile; 'survived' means that no test failed.
 *  @typedef {'killed' | 'survived' | 'invalid'} Outcome */

const { values, positionals } = parseArgs({
  options: {
    count: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    near: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});

const COPY = 'build/mutation';
const CPU_SECONDS = 60; // a loop without end is noticed, too,
const PATIENCE = 900_000; // and a wait that never ends; milliseconds
const CC = process.env.CC ?? 'clang';
const FLAGS = ['-std=c11', '-O1', '-ffp-contract=off', '-w', '-Ic', '-Itests/c'];

/** Returns whether a command succeeds in the copy, within its time.
 *  @param {string} command @param {string[]} args */
function succeeds(command, args, input = '') {
  const limited = ['-c', `ulimit -t ${CPU_SECONDS}; exec "$0" "$@"`, command, ...args];
  const env = { ...process.env, PROPERTY_FACTOR: '0.1' }; // properties: a tenth of their cases
  const options = { cwd: COPY, input, env, timeout: PATIENCE };
  return spawnSync('bash', limited, options).status === 0;
}

/** @param {string} folder @param {RegExp} name @returns {string[]} paths below it */
const filesIn = (folder, name) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => name.test(path) && !path.startsWith('kernel/generated'))
    .map((path) => join(folder, path))
    .sort();

/** Sorts tests, those named after the file first: they are the likeliest to notice. With `near`, they
 *  are the only ones.
 *  @param {string[]} tests @param {string} file */
function nearestFirst(tests, file) {
  const stem = basename(file)
    .replace(/\.\w+$/, '')
    .replace(/_backward$|_kernel$/, '');
  const distance = (/** @type {string} */ test) => (basename(test).startsWith(stem) ? 0 : 1);
  const judging = values.near ? tests.filter((test) => distance(test) === 0) : [...tests];
  return judging.sort((a, b) => distance(a) - distance(b));
}

// ---- the two languages ------------------------------------------------------------------------

const sources = filesIn('c', /\.c$/);
const programs = [...filesIn('tests/c', /_test\.c$/), ...filesIn('tests/fuzz', /_fuzz\.c$/)];
const REPLAY = 'tests/fuzz/replay.c';

/** @param {string} path @param {string} folder */
const object = (path, folder) => `${folder}/${path.replaceAll('/', '_')}.o`;

/** @param {string[]} paths @param {string} folder */
const compile = (paths, folder) =>
  paths.every((path) => succeeds(CC, [...FLAGS, '-c', path, '-o', object(path, folder)]));

/** Returns the files to compile again when a file changes: itself, or those that include it.
 *  @param {string} file */
function affectedBy(file) {
  if (file.endsWith('.c')) return [file];
  return [...sources, ...programs].filter((path) => {
    const { stdout } = spawnSync(CC, [...FLAGS, '-MM', path], { cwd: COPY, encoding: 'utf8' });
    return stdout.includes(basename(file));
  });
}

/** @param {string} program @param {string[]} affected those in the folder `mutant` */
function passes(program, affected) {
  const replays = program.startsWith('tests/fuzz');
  const objects = [program, ...(replays ? [REPLAY] : []), ...sources].map((path) =>
    object(path, affected.includes(path) ? 'mutant' : 'original'),
  );
  const corpus = replays
    ? readFileSync(`tests/fuzz/corpus/${basename(program, '_fuzz.c')}.txt`, 'utf8')
    : '';
  return succeeds(CC, [...objects, '-lm', '-o', 'program']) && succeeds('./program', [], corpus);
}

/** @param {Mutant} mutant @returns {Outcome} */
function judgeC({ file }) {
  const affected = affectedBy(file);
  if (!compile(affected, 'mutant')) return 'invalid';
  const noticed = nearestFirst(programs, file).some((program) => !passes(program, affected));
  return noticed ? 'killed' : 'survived';
}

const jsTests = [...filesIn('tests/js/attention', /\.test\.js$/), 'tests/js/faults.test.js'];

/** @param {Mutant} mutant @returns {Outcome} */
function judgeJs({ file }) {
  if (!succeeds('node', ['--check', file])) return 'invalid';
  const run = (/** @type {string} */ test) => succeeds('node', ['--test', test]);
  return nearestFirst(jsTests, file).every(run) ? 'survived' : 'killed';
}

// ---- sampling -----------------------------------------------------------------------------------

/** Uniform on [0, 1): Steele, Lea & Flood's mixer. @param {number} seed */
function generator(seed) {
  let state = seed;
  return () => {
    state = (state + 0x9e3779b9) | 0;
    let z = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
    return ((z ^ (z >>> 15)) >>> 0) / 2 ** 32;
  };
}

/** @template T @param {T[]} all @param {number} count @param {number} seed */
function sample(all, count, seed) {
  const random = generator(seed);
  const left = [...all];
  const chosen = [];
  while (chosen.length < count && left.length > 0) {
    chosen.push(...left.splice(Math.floor(random() * left.length), 1));
  }
  return chosen;
}

// ---- the run --------------------------------------------------------------------------------------

function prepare() {
  rmSync(COPY, { recursive: true, force: true });
  const filter = (/** @type {string} */ path) => basename(path) !== 'node_modules';
  const shipped = ['build/kernel.wasm', 'build/kernel-relaxed.wasm'];
  for (const path of ['c', 'web', 'tests', 'package.json', 'README.md', ...shipped]) {
    cpSync(path, join(COPY, path), { recursive: true, filter });
  }
  for (const folder of ['original', 'mutant']) mkdirSync(join(COPY, folder));
  for (const path of ['node_modules', 'tests/engines/node_modules']) {
    symlinkSync(resolve(path), join(COPY, path));
  }
  if (!compile([...sources, ...programs, REPLAY], 'original'))
    throw new Error('c/ does not compile');
}

/** @param {string} file */
const isC = (file) => file.startsWith('c/');

/** @param {Mutant} mutant @returns {Outcome} */
function judge(mutant) {
  const path = join(COPY, mutant.file);
  writeFileSync(path, mutant.text);
  try {
    return isC(mutant.file) ? judgeC(mutant) : judgeJs(mutant);
  } finally {
    cpSync(mutant.file, path);
  }
}

const files =
  positionals.length > 0
    ? positionals
    : [
        ...filesIn('c', /\.[ch]$/),
        ...['web/attention', 'web/diagnosis'].flatMap((room) => filesIn(room, /\.js$/)),
      ];
const mutants = files.flatMap((file) =>
  mutantsOf(readFileSync(file, 'utf8')).map((mutant) => ({ file, ...mutant })),
);
prepare();
for (const file of [files.find(isC), files.find((name) => !isC(name))]) {
  const unchanged = file && { file, line: 0, from: '', to: '', text: readFileSync(file, 'utf8') };
  if (unchanged && judge(unchanged) !== 'survived') throw new Error('the tests fail as they are');
}
const tally = { killed: 0, survived: 0, invalid: 0 };
for (const mutant of sample(mutants, Number(values.count), Number(values.seed))) {
  const outcome = judge(mutant);
  tally[outcome] += 1;
  const { file, line, from, to } = mutant;
  console.log(`${outcome}  ${file}:${line}: ${from.trim()} → ${to || 'nothing'}`);
}
const judged = tally.killed + tally.survived;
console.log(
  `${tally.killed} of ${judged} mutants noticed (${((100 * tally.killed) / judged).toFixed(1)} %), ` +
    `${tally.invalid} did not compile; a sample of ${mutants.length}`,
);

// Runs the tests of files and folders, one file more at a time than there are processors, since a test in a
// browser waits for its frames and timers:
//   node tests/run.js [--containing TEXT] [--without TEXT] PATH…
//
// Those that took longest in their last run come first, so that no processor idles at the end; `node --test` takes
// files by name. A file whose time is not known yet may take long.

import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, relative } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { parseArgs } from 'node:util';

/** The milliseconds that the tests of each file took in their last run. */
const DURATIONS = 'build/durations.json';

/** A test that has not ended after this time in ms never will: it fails by its name. */
const LONGEST = 3_600_000;

/**
 * What tests of several files need, which takes each of them seconds of a processor: the files, the variable that says
 * where it is, and the module that makes it.
 */
const SHARED = /** @type {const} */ ([
  [/^tests\/package\//, 'INSTALLED_PACKAGE', './package/packed.js'],
  [/^tests\/(browser|engines|faults)\//, 'BUNDLED_FIGURES', './browser/bundle.js'],
  [/^tests\/engines\//, 'EXPECTED_BITS', './engines/expected-bits.js'],
  [/firefox\.test/, 'FIREFOX_PROFILE', './engines/driver.js'],
]);

/** Returns the test files that a path names. @param {string} path @returns {string[]} */
function testFiles(path) {
  if (statSync(path).isFile()) return [path];
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.js') && !name.includes('node_modules'))
    .map((name) => join(path, name));
}

/** @type {Record<string, number>} */
const durations = existsSync(DURATIONS) ? JSON.parse(readFileSync(DURATIONS, 'utf8')) : {};
const lastOf = (/** @type {string} */ file) => durations[file] ?? 1e9;

const { values, positionals } = parseArgs({
  options: {
    containing: { type: 'string', default: '' },
    without: { type: 'string' },
  },
  allowPositionals: true,
});
const files = positionals
  .flatMap(testFiles)
  .filter((file) => {
    const text = readFileSync(file, 'utf8');
    return text.includes(values.containing) && !(values.without && text.includes(values.without));
  })
  .sort((a, b) => lastOf(b) - lastOf(a));
if (files.length === 0) throw new Error(`no test of ${positionals.join(' ')} is meant`);

const needed = SHARED.filter(([of]) => files.some((file) => of.test(file)));
await Promise.all(
  needed.map(async ([, variable, module]) => {
    const { share } = await import(module);
    process.env[variable] = await share();
  }),
);

let cases = 0;
/** @type {Record<string, number>} */
const took = {};
/** @param {{ nesting: number, file?: string, details: { duration_ms: number } }} test */
function count({ nesting, file, details }) {
  if (nesting > 0 || !file) return;
  const path = relative('.', file);
  took[path] = (took[path] ?? 0) + details.duration_ms;
}
const events = run({
  files,
  concurrency: availableParallelism() + 1,
  timeout: LONGEST,
})
  .on('test:pass', count)
  .on('test:fail', (test) => {
    process.exitCode = 1;
    count(test);
  })
  .on('test:stdout', ({ message }) => {
    cases += Number(/^(\d+) property cases$/m.exec(message)?.[1] ?? 0); // written by js/runs.js
  });
events
  .on('end', () => {
    if (cases > 0) console.log(`${cases} property cases in all`);
    writeFileSync(DURATIONS, JSON.stringify({ ...durations, ...took }));
  })
  .compose(new spec())
  .pipe(process.stdout);

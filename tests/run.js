// Runs the tests of files and folders, one file more at a time than there are processors, since a test in a
// browser waits for its frames and timers:
//   node tests/run.js [--containing TEXT] PATH…
//
// The longest first, so that no processor idles at the end; `node --test` takes files by name. A file
// takes about as long as its text, except for a few.

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { parseArgs } from 'node:util';

/** Short files that import or compute much, or start whole engines. */
const SLOW = /relaxed|dragging|slices|identity|stills|labels|head\.|engines\/|faults\//;

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

/** Estimates how long a file takes, in bytes of text. @param {string} file */
const length = (file) => statSync(file).size + (SLOW.test(file) ? 1e5 : 0);

const { values, positionals } = parseArgs({
  options: { containing: { type: 'string', default: '' } },
  allowPositionals: true,
});
const files = positionals
  .flatMap(testFiles)
  .filter((file) => readFileSync(file, 'utf8').includes(values.containing))
  .sort((a, b) => length(b) - length(a));

const needed = SHARED.filter(([of]) => files.some((file) => of.test(file)));
await Promise.all(
  needed.map(async ([, variable, module]) => {
    const { share } = await import(module);
    process.env[variable] = await share();
  }),
);

let cases = 0;
const events = run({ files, concurrency: availableParallelism() + 1 })
  .on('test:fail', () => (process.exitCode = 1))
  .on('test:stdout', ({ message }) => {
    cases += Number(/^(\d+) property cases$/m.exec(message)?.[1] ?? 0); // written by js/runs.js
  });
events
  .on('end', () => cases > 0 && console.log(`${cases} property cases in all`))
  .compose(new spec())
  .pipe(process.stdout);

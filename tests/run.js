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
const SLOW = /relaxed|dragging|slices|identity|stills|engines\/|faults\//;

/** Files whose tests show figures from one bundle. */
const IN_BROWSERS = /^tests\/(browser|engines|faults)\//;

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

// To bundle the figures takes every file of tests in browsers a second of a processor.
if (files.some((file) => IN_BROWSERS.test(file))) {
  const { writeBundle } = await import('./browser/bundle.js');
  process.env.BUNDLED_FIGURES = await writeBundle();
}

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

// Measures what readers download against the budgets of the project; fails when one is exceeded.
//   node web/build/size.js
import { existsSync, readFileSync } from 'node:fs';
import { brotliCompressSync } from 'node:zlib';
import { ELEMENTS } from './vite.config.js';

const KB = 1000;

const ASSETS = 'dist/site/assets/';

/** All scripts that the article loads, at once or later; other kernels are not asked for. */
function articleScripts() {
  const named = (/** @type {string} */ text) =>
    [...text.matchAll(/["'`/]([\w-]+\.js)["'`]/g)].map(([, name]) => name);
  const found = new Set(named(readFileSync('dist/site/en/index.html', 'utf8')));
  found.delete('figures.min.js'); // the text shows how to embed it
  for (const name of found) {
    for (const next of named(readFileSync(ASSETS + name, 'utf8'))) {
      if (existsSync(ASSETS + next) && !next.startsWith('kernel-')) found.add(next);
    }
  }
  return [...found].map((name) => ASSETS + name);
}

/**
 * A goal is what is hoped for, the budget what may not be passed: the kernel has grown past its goal,
 * and the bundle of all figures, a little. There a changed line moves the names of many, by up to .1 kB.
 * @type {{ what: string, file?: string, files?: string[], raw?: number, brotli: number, goal?: number }[]}
 */
const budgets = [
  { what: 'kernel', file: 'build/kernel.wasm', raw: 31.7 * KB, brotli: 13.4 * KB, goal: 9 * KB },
  {
    what: 'kernel inlined as text',
    file: 'web/attention/kernel/generated/simd.js',
    brotli: 12 * KB,
  },
  {
    what: 'every figure',
    file: 'dist/site/figures.min.js',
    brotli: 81.2 * KB,
    goal: 80 * KB,
  },
  { what: 'all scripts of the article', files: articleScripts(), brotli: 90 * KB },
  ...ELEMENTS.flatMap((name) => [
    { what: `one figure: ${name}`, file: `dist/site/figures/${name}.min.js`, brotli: 60 * KB },
    { what: `embed: ${name}`, file: `dist/site/embed/${name}.html`, brotli: 60 * KB },
  ]),
];

const kilobytes = (/** @type {number} */ bytes) => `${(bytes / KB).toFixed(1)} kB`;

const total = (/** @type {Buffer[]} */ buffers) =>
  buffers.reduce((sum, { length }) => sum + length, 0);

let exceeded = 0;
for (const { what, file = '', files = [file], raw = Infinity, brotli, goal } of budgets) {
  const contents = files.map((each) => readFileSync(each));
  const size = total(contents);
  const compressed = total(contents.map((content) => brotliCompressSync(content)));
  const fits = size <= raw && compressed <= brotli;
  if (!fits) exceeded += 1;
  console.log(
    `${fits ? 'ok  ' : 'OVER'} ${what.padEnd(26)} ${kilobytes(size).padStart(9)}` +
      `  brotli ${kilobytes(compressed).padStart(8)} of ${kilobytes(brotli)}` +
      `${goal ? ` (goal ${kilobytes(goal)})` : ''}  ${file || `${files.length} files`}`,
  );
}
console.log(`${budgets.length - exceeded} passed, ${exceeded} failed`);
process.exitCode = exceeded > 0 ? 1 : 0;

// Measures what readers download against the budgets of the project; fails when one is exceeded.
//   node web/build/size.js
import { readFileSync } from 'node:fs';
import { brotliCompressSync } from 'node:zlib';
import { ELEMENTS } from './vite.config.js';

const KB = 1000;

/**
 * The kernel and the bundle of all figures have grown past what was hoped for (goal); their budgets
 * keep them from growing further.
 * @type {{ what: string, file: string, raw?: number, brotli: number, goal?: number }[]}
 */
const budgets = [
  { what: 'kernel', file: 'build/kernel.wasm', raw: 34 * KB, brotli: 14 * KB, goal: 9 * KB },
  {
    what: 'kernel inlined as text',
    file: 'web/attention/kernel/generated/simd.js',
    brotli: 15 * KB,
  },
  {
    what: 'every figure',
    file: 'dist/site/figures.min.js',
    brotli: 92 * KB,
    goal: 80 * KB,
  },
  ...ELEMENTS.flatMap((name) => [
    { what: `one figure: ${name}`, file: `dist/site/figures/${name}.min.js`, brotli: 60 * KB },
    { what: `embed: ${name}`, file: `dist/site/embed/${name}.html`, brotli: 60 * KB },
  ]),
];

const kilobytes = (/** @type {number} */ bytes) => `${(bytes / KB).toFixed(1)} kB`;

let exceeded = 0;
for (const { what, file, raw = Infinity, brotli, goal } of budgets) {
  const bytes = readFileSync(file);
  const compressed = brotliCompressSync(bytes).length;
  const fits = bytes.length <= raw && compressed <= brotli;
  if (!fits) exceeded += 1;
  console.log(
    `${fits ? 'ok  ' : 'OVER'} ${what.padEnd(26)} ${kilobytes(bytes.length).padStart(9)}` +
      `  brotli ${kilobytes(compressed).padStart(8)} of ${kilobytes(brotli)}` +
      `${goal ? ` (goal ${kilobytes(goal)})` : ''}  ${file}`,
  );
}
console.log(`${budgets.length - exceeded} passed, ${exceeded} failed`);
process.exitCode = exceeded > 0 ? 1 : 0;

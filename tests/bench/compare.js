// Two or more builds of the kernel against each other, in one process and in turn:
//   node tests/bench/compare.js [--shape forward:512:64]… [--seconds 3] OLD.wasm NEW.wasm…
// prints the best times and their ratios to the first build. A shape is a direction, keys, d and
// optionally queries (default: as many as keys). Run it with each Node that matters: engines
// disagree.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

import { bestOf } from './clock.js';
import { RawKernel } from './raw-kernel.js';

const USUAL = [
  'forward:512:64',
  'forward:512:128',
  'forward:128:64',
  'forward:8:512',
  'backward:512:64',
];

const { values: given, positionals: files } = parseArgs({
  allowPositionals: true,
  options: {
    shape: { type: 'string', multiple: true, default: USUAL },
    seconds: { type: 'string', default: '3' },
  },
}); // prettier-ignore

const kernels = files.map((file) => {
  const module = new WebAssembly.Module(readFileSync(file));
  return new RawKernel(new WebAssembly.Instance(module).exports);
});

/** @param {RawKernel} kernel @param {string} shape */
function prepare(kernel, shape) {
  const [direction, ...sizes] = shape.split(':');
  const [n, d, queries] = sizes.map(Number);
  if (direction === 'forward') return kernel.forward(n, d, queries);
  if (direction === 'window') return kernel.forward(n, d, n, { window: [queries, 0] });
  if (direction === 'softcap') return kernel.forward(n, d, n, { softcap: 30 });
  if (direction === 'weights') return kernel.attend(n, d, n, ['output', 'lse', 'weights']);
  if (direction === 'scores') return kernel.attend(n, d, n, ['scores']);
  if (direction === 'backward') return kernel.backward(n, d);
  if (direction === 'additive') return kernel.additive(n, d);
  if (direction === 'additiveBackward') return kernel.additiveBackward(n, d);
  throw new Error(
    `--shape: ${shape}, expected forward:KEYS:D[:QUERIES], window:KEYS:D:LEFT, softcap, weights, scores, backward, additive or additiveBackward:KEYS:D`,
  );
}

for (const shape of given.shape) {
  const runs = kernels.map((kernel) => prepare(kernel, shape));
  const times = await bestOf(runs, Number(given.seconds));
  const cells = times.map((ms) => `${ms.toFixed(4)} ms (${(ms / times[0]).toFixed(3)})`);
  console.log(`${shape.padEnd(16)} ${cells.join('   ')}`);
}

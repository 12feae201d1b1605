// A pool of workers against one thread: how much sooner it is done, and the longest time in which the
// thread that calls it can do nothing else.
import { attention, randomNormal } from '../../../web/attention/index.js';
import { createPool } from '../../../web/parallel/index.js';
import { bestOf, wallClock } from '../clock.js';
import { openRawKernel } from '../raw-kernel.js';
import { shapeName } from './results.js';

/** @import { Options, Part } from './results.js' */

const SHAPES = [
  [8, 512, 64],
  [1, 2048, 64],
];
const LONG = [8, 4096, 64];
/** A picture of side × side of the weights of n queries and keys, and the products of `block` of them that time n × n. */
const PICTURE = { n: 16_384, d: 64, side: 512, block: 2048 };
/** Numbers of workers that few machines have; their rows are computed from those of 1 and 2. */
const MORE_WORKERS = [4, 8];

/** @param {Options} options @returns {Promise<Part[]>} */
export default async function measurePool({ seconds, quick }) {
  const pools = [1, 2].map((workers) => createPool({ workers }));
  try {
    const parts = [];
    for (const shape of SHAPES) parts.push(...(await compare(shape, pools, seconds)));
    if (quick) return parts;
    return [...parts, await measurePause(pools[0]), await measurePicture(pools[1], seconds)];
  } finally {
    for (const pool of pools) pool.dispose();
  }
}

/** Draws query, key and value. @param {number[]} shape */
const draw = (shape) => [1, 2, 3].map((seed) => randomNormal(shape, { seed }));

/**
 * Compares one thread, a worker and two, each with results in given arrays.
 * @param {number[]} shape
 * @param {ReturnType<typeof createPool>[]} pools of 1 and of 2 workers
 * @param {number} seconds
 * @returns {Promise<Part[]>}
 */
async function compare(shape, pools, seconds) {
  const [query, key, value] = draw(shape);
  const options = { into: { output: new Float32Array(query.data.length) } };
  const runs = [{ attention }, ...pools].map(
    (lab) => () => lab.attention(query, key, value, options),
  );
  const [one, first, second] = await bestOf(runs, seconds, { clock: wallClock });
  const shared = Math.min(2 * (first - second), first); // the time that workers divide
  const name = shapeName(...shape);
  /** @type {(row: string, milliseconds: number) => Part} */
  const part = (row, milliseconds) => ({
    row,
    backend: 'simd',
    shape: name,
    into: true,
    value: one / milliseconds,
    milliseconds,
  });
  const more = MORE_WORKERS.map((workers) =>
    part(`pool-${workers}`, first - shared + shared / workers),
  );
  return [part('pool', second), ...more];
}

/**
 * Measures the longest time between two turns of this thread while workers compute. A timer leaves no garbage:
 * messages to itself would, and their collection is the longest pause then.
 * @param {ReturnType<typeof createPool>} pool
 * @returns {Promise<Part>}
 */
async function measurePause(pool) {
  const [query, key, value] = draw(LONG);
  await pool.attention(query, key, value);
  let last = performance.now();
  let longest = 0;
  const timer = setInterval(() => {
    const time = performance.now();
    longest = Math.max(longest, time - last);
    last = time;
  }, 1);
  await pool.attention(query, key, value);
  clearInterval(timer);
  return { row: 'pool-pause', backend: 'simd', shape: shapeName(...LONG), value: longest };
}

/**
 * Compares a picture, which needs each product of a query and a key twice, with these products on one thread.
 * @param {ReturnType<typeof createPool>} pool of two workers
 * @param {number} seconds
 * @returns {Promise<Part>}
 */
async function measurePicture(pool, seconds) {
  const { n, d, side, block } = PICTURE;
  const [query, key] = draw([n, d]);
  const product = (await openRawKernel('simd')).product(block, d, block);
  const blocks = 2 * (n / block) ** 2;
  const runs = [
    () => pool.attentionMap(query, key, { rows: side, columns: side }),
    () => {
      for (let i = 0; i < blocks; i++) product();
    },
  ];
  const [milliseconds, products] = await bestOf(runs, seconds, { clock: wallClock });
  const shape = shapeName(n, d);
  return { row: 'picture', backend: 'simd', shape, value: milliseconds / products, milliseconds };
}

// The memory of WebAssembly that attention takes, seen through its growth; and that a long one runs.
import { createKernel } from '../../../web/attention/index.js';
import { processorClock, timeOf } from '../clock.js';
import { openOwn } from '../peers/own.js';
import { makeProblem } from '../problems.js';
import { shapeName } from './results.js';

/**
 * @import { Problem } from '../problems.js'
 * @import { Options, Part } from './results.js'
 */

const D = 64;
const [N, LONG] = [4096, 65536];
/** Numbers of each query that attentionStatistics gives. */
const STATISTICS = 11;

/** @param {Options} options @returns {Promise<Part[]>} */
export default async function measureMemory({ quick }) {
  const problem = makeProblem('forward', { n: N, d: D });
  const { query, key } = problem.inputs;
  const kernel = await createKernel({ backend: 'simd' });
  const parts = [
    await beyond('memory', 4, await prepare(problem)), // query, key, value and output
    await beyond('memory-statistics', 2 + STATISTICS / D, () =>
      kernel.attentionStatistics(query, key),
    ),
  ];
  return quick ? parts : [...parts, await measureLong()];
}

/**
 * Measures the memory that a first call takes beyond matrices of n × d.
 * @param {string} row
 * @param {number} matrices how many the call reads and writes
 * @param {() => unknown} call of a kernel without memory so far
 * @returns {Promise<Part>}
 */
async function beyond(row, matrices, call) {
  const size = 4 * N * D;
  const value = (await sizeAfter(call)) / size - matrices;
  return { row, backend: 'simd', shape: shapeName(N, D), value };
}

/** @param {Problem} problem */
async function prepare(problem) {
  const contender = await openOwn('simd');
  if (!contender) throw new Error('no simd here');
  return contender.prepare(problem);
}

/**
 * Returns the bytes of the memory that grows while `call` runs. The package hides its memory, but
 * every growth goes through this method.
 * @param {() => unknown} call
 */
async function sizeAfter(call) {
  const { prototype } = WebAssembly.Memory;
  const { grow } = prototype;
  let bytes = NaN;
  prototype.grow = function (pages) {
    const before = grow.call(this, pages);
    bytes = this.buffer.byteLength;
    return before;
  };
  try {
    await call();
  } finally {
    prototype.grow = grow;
  }
  return bytes;
}

/** @returns {Promise<Part>} the largest error of some rows, of the largest number in them */
async function measureLong() {
  const problem = makeProblem('forward', { n: LONG, d: D });
  const call = await prepare(problem);
  /** @type {Float32Array} */
  let output = new Float32Array();
  const milliseconds = await timeOf(processorClock, async () => ([output] = await call()));
  const errors = [0, LONG / 2 + 1, LONG - 1].map((row) => errorOfRow(problem, output, row));
  const shape = shapeName(LONG, D);
  return { row: 'long', backend: 'simd', shape, value: Math.max(...errors), milliseconds };
}

/**
 * Compares with the formula in float64.
 * @param {Problem} problem
 * @param {Float32Array} output
 * @param {number} row
 */
function errorOfRow({ inputs }, output, row) {
  const [query, key, value] = [inputs.query.data, inputs.key.data, inputs.value.data];
  const weights = Float64Array.from({ length: LONG }, (_, j) => {
    let score = 0;
    for (let c = 0; c < D; c++) score += query[row * D + c] * key[j * D + c];
    return Math.exp(score / Math.sqrt(D));
  });
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const exact = Array.from({ length: D }, (_, c) =>
    weights.reduce((sum, weight, j) => sum + (weight / total) * value[j * D + c], 0),
  );
  const largest = Math.max(...exact.map(Math.abs));
  return Math.max(...exact.map((x, c) => Math.abs(output[row * D + c] - x))) / largest;
}

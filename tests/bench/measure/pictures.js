// The results that pictures of attention need: weights, scores, windows and statistics, each against its parts,
// with `into`, as in a loop.
import { bestOf } from '../clock.js';
import { openKernelOf } from '../peers/own.js';
import { makeProblem } from '../problems.js';
import { openRawKernel } from '../raw-kernel.js';
import { shapeName } from './results.js';

/**
 * @import { Kernel } from '../../../web/attention/index.js'
 * @import { Backend, Options, Part } from './results.js'
 */

const D = 64;
const MATRIX_SIZES = [64, 128, 256, 512, 1024];
const SCORE_SIZES = [256, 512, 1024];
const STATISTICS_SIZES = [512, 1024, 4096];
const WINDOW = { n: 4096, keys: 64 };

/**
 * @param {Options & { backend: Backend }} options
 * @returns {Promise<Part[]>} none where the engine lacks the backend
 */
export default async function measurePictures({ backend, seconds }) {
  const kernel = await openKernelOf(backend);
  if (!kernel) return [];
  /** @type {Part[]} */
  const parts = [];
  /** @type {(row: string, shape: string, runs: (() => unknown)[]) => Promise<void>} */
  const compare = async (row, shape, runs) => {
    const [milliseconds, base] = await bestOf(runs, seconds);
    parts.push({ row, backend, shape, value: milliseconds / base, milliseconds });
  };
  for (const n of MATRIX_SIZES) {
    await compare('weights-output', shapeName(n, D), weightsAndOutput(kernel, n));
  }
  const raw = await openRawKernel(backend);
  for (const n of SCORE_SIZES) {
    const runs = [scoresOf(kernel, n), raw.product(n, D, n)];
    await compare('scores-product', shapeName(n, D), runs);
  }
  for (const n of STATISTICS_SIZES) {
    await compare('statistics-output', shapeName(n, D), statisticsAndOutput(kernel, n));
  }
  const shape = `${WINDOW.keys} of ${shapeName(WINDOW.n, D)}`;
  await compare('window', shape, windowAndFull(kernel));
  return parts;
}

/** @param {Kernel} kernel @param {number} n */
function weightsAndOutput(kernel, n) {
  const { query, key, value } = makeProblem('forward', { n, d: D }).inputs;
  const [output, weights] = [new Float32Array(n * D), new Float32Array(n * n)];
  return [
    () => kernel.attention(query, key, value, { returns: 'weights', into: { output, weights } }),
    () => kernel.attention(query, key, value, { into: { output } }),
  ];
}

/** @param {Kernel} kernel @param {number} n */
function scoresOf(kernel, n) {
  const { query, key } = makeProblem('forward', { n, d: D }).inputs;
  const into = { scores: new Float32Array(n * n) };
  return () => kernel.attentionScores(query, key, { into });
}

/** @param {Kernel} kernel @param {number} n */
function statisticsAndOutput(kernel, n) {
  const { query, key, value } = makeProblem('forward', { n, d: D }).inputs;
  const into = { output: new Float32Array(n * D) };
  return [
    () => kernel.attentionStatistics(query, key),
    () => kernel.attention(query, key, value, { into }),
  ];
}

/** @param {Kernel} kernel */
function windowAndFull(kernel) {
  const { n, keys } = WINDOW;
  const { query, key, value } = makeProblem('forward', { n, d: D }).inputs;
  const into = { output: new Float32Array(n * D) };
  return [
    () => kernel.attention(query, key, value, { window: [keys - 1, 0], into }),
    () => kernel.attention(query, key, value, { into }),
  ];
}

// The goals of the kernel, row by row, and the judgement whether measurements meet them.
import { readFileSync } from 'node:fs';

/** In kB after brotli. */
const BUDGETS = JSON.parse(readFileSync(new URL('../budgets.json', import.meta.url), 'utf8'));

/** @import { Backend, Part } from './measure/results.js' */

/**
 * The goals are by backend, `least` or `most`; a row without either is there for comparison. Where a fresh
 * page of memory costs more than 2 µs, rows from end to end are judged with results in given arrays.
 * @typedef {{ id: string, title: string, unit: '%' | '×' | 'ms' | 'µs' | 'kB' | 'n·d' | 'error',
 *   least?: Partial<Record<Backend, number>>, most?: Partial<Record<Backend, number>> }} Row
 */

/** @type {(simd: number, relaxed?: number) => Partial<Record<Backend, number>>} */
const by = (simd, relaxed) => (relaxed === undefined ? { simd } : { simd, relaxed });

/** @type {readonly Row[]} */
export const ROWS = [
  {
    id: 'forward-64',
    title: 'forward, d = 64: share of the peak',
    unit: '%',
    least: by(0.8, 0.84),
  },
  {
    id: 'forward-128',
    title: 'forward, d = 128: share of the peak',
    unit: '%',
    least: by(0.85, 0.88),
  },
  {
    id: 'backward',
    title: 'gradient, 10 n²d: share of the peak',
    unit: '%',
    least: by(0.82, 0.85),
  },
  {
    id: 'end-to-end',
    title: 'end to end with `into`, n = 128, d = 64: share of the peak',
    unit: '%',
    least: by(0.75, 0.75),
  },
  { id: 'end-to-end-fresh', title: 'the same with fresh results', unit: '%' },
  {
    id: 'weights-output',
    title: 'output and weights against the output alone, `into`',
    unit: '×',
    most: by(1.25, 1.3),
  },
  {
    id: 'weights-peers',
    title: 'the best peer takes, output and weights',
    unit: '×',
    least: by(1.15, 1.3),
  },
  {
    id: 'weights-peers-into',
    title: 'the best peer takes, output and weights, ours with `into`',
    unit: '×',
    least: by(2, 2.2),
  },
  {
    id: 'scores-product',
    title: '`attentionScores` against the matrix product that it is',
    unit: '×',
    most: by(1.15),
  },
  {
    id: 'window',
    title: 'a window of 64 keys against all 4096',
    unit: '%',
    most: by(1 / 25),
  },
  {
    id: 'statistics-output',
    title: '`attentionStatistics` against attention of the same queries and keys',
    unit: '×',
    most: by(0.75, 0.8),
  },
  {
    id: 'statistics-peers',
    title: 'the best peer takes, weights and their reduction to entropy, Σp² and the largest',
    unit: '×',
    least: by(1),
  },
  {
    id: 'forward-litert',
    title: 'LiteRT.js takes, forward end to end',
    unit: '×',
    least: by(1.1, 1.25),
  },
  {
    id: 'forward-ort',
    title: 'ONNX Runtime Web takes, forward end to end',
    unit: '×',
    least: by(1.4),
  },
  {
    id: 'forward-tfjs',
    title: 'TensorFlow.js takes, forward end to end',
    unit: '×',
    least: by(1.35),
  },
  {
    id: 'causal-peers',
    title: 'the best peer takes, causal forward end to end',
    unit: '×',
    least: by(1),
  },
  {
    id: 'masked-peers',
    title: 'the best peer takes, forward with a mask of [n, n] end to end',
    unit: '×',
    least: by(1),
  },
  { id: 'forward-short', title: 'the best peer takes, forward end to end, n = 128', unit: '×' },
  {
    id: 'gradient-litert',
    title: 'LiteRT.js takes, gradient end to end',
    unit: '×',
    least: by(1.15, 1.3),
  },
  {
    id: 'gradient-others',
    title: 'the better of ONNX Runtime Web and TensorFlow.js takes, gradient',
    unit: '×',
  },
  {
    id: 'additive-dot',
    title: 'additive attention against the dot product',
    unit: '×',
    most: by(2.4, 2.4),
  },
  {
    id: 'additive-peers',
    title: 'the best peer takes, additive end to end',
    unit: '×',
    least: by(12, 12),
  },
  {
    id: 'softmax-peers',
    title: 'the best peer takes, softmax end to end',
    unit: '×',
    least: by(1),
  },
  {
    id: 'edges',
    title: 'shapes that do not fill tiles, against the next that do',
    unit: '×',
    most: by(1.25, 1.25),
  },
  {
    id: 'short-wide',
    title: 'n = 8, d = 512 with `into`, copies taken off: share of the peak',
    unit: '%',
    least: by(0.5, 0.5),
  },
  { id: 'short-wide-kernel', title: 'the same, the kernel alone', unit: '%' },
  { id: 'forward-1024', title: 'forward, d = 1024: share of the peak', unit: '%' },
  { id: 'decoding', title: 'one query: share of the speed of reading keys and values', unit: '%' },
  { id: 'pool', title: 'two workers against one thread', unit: '×', least: by(1.75) },
  { id: 'pool-4', title: 'four workers, computed from one and two', unit: '×' },
  { id: 'pool-8', title: 'eight workers, computed from one and two', unit: '×' },
  {
    id: 'pool-pause',
    title: 'the longest pause of a page while a worker computes',
    unit: 'ms',
    most: by(16),
  },
  {
    id: 'picture',
    title:
      'a picture of 512 × 512 from n = 16384, two workers, against two products of queries and keys',
    unit: '×',
    most: by(1.3),
  },
  {
    id: 'training',
    title: 'a step of training of the small language model: share of the peak',
    unit: '%',
    least: by(0.5, 0.55),
  },
  {
    id: 'training-workers',
    title: 'two workers against one thread, a step of training',
    unit: '×',
  },
  { id: 'training-tfjs', title: 'TensorFlow.js takes, the same step on one thread', unit: '×' },
  {
    id: 'training-workers-tfjs',
    title: 'TensorFlow.js takes, the same step as two workers of ours',
    unit: '×',
    least: by(3),
  },
  {
    id: 'memory',
    title: 'memory beyond query, key, value and output',
    unit: 'n·d',
    most: by(1),
  },
  {
    id: 'memory-statistics',
    title: 'memory of `attentionStatistics` beyond query, key and results',
    unit: 'n·d',
    most: by(1),
  },
  {
    id: 'long',
    title: 'a long sequence runs: largest relative error of three rows',
    unit: 'error',
    most: by(1e-4),
  },
  {
    id: 'start-up-beyond-plain',
    title: 'import, compile and a first attention, n = 128, beyond plain JavaScript',
    unit: 'ms',
    most: by(10),
  },
  { id: 'start-up', title: 'import, compile and a first attention, n = 128', unit: 'ms' },
  { id: 'start-up-litert', title: 'the same: LiteRT.js', unit: 'ms' },
  { id: 'start-up-ort', title: 'the same: ONNX Runtime Web', unit: 'ms' },
  { id: 'start-up-tfjs', title: 'the same: TensorFlow.js', unit: 'ms' },
  { id: 'start-up-plain', title: 'the same: plain JavaScript', unit: 'ms' },
  {
    id: 'first-call',
    title: 'a first, long call against later ones',
    unit: '×',
    most: by(1.3, 1.3),
  },
  {
    id: 'growth',
    title: 'time / n², largest against least',
    unit: '×',
    most: by(1.1, 1.1),
  },
  {
    id: 'dragging',
    title: 'dragging a main slider at 390 pixels, 95th percentile of the frames',
    unit: 'ms',
    most: by(25),
  },
  {
    id: 'phone',
    title: 'slower than this machine is a phone, on which plain JavaScript takes 124 ms',
    unit: '×',
  },
  {
    id: 'dragging-phone',
    title: 'dragging a main slider on such a phone, 95th percentile of the frames',
    unit: 'ms',
    most: by(60),
  },
  {
    id: 'viewing',
    title: 'a text of 16 384 tokens, or 1000 steps of 144 heads, in `<attn-view>`: longest frame',
    unit: 'ms',
    most: by(50),
  },
  { id: 'viewing-95', title: 'the same: 95th percentile of the frames', unit: 'ms' },
  { id: 'viewing-median', title: 'the same: median of the frames', unit: 'ms' },
  { id: 'viewing-plain', title: 'plain JavaScript in that page, forward', unit: 'ms' },
  { id: 'module', title: 'the module, every function', unit: 'kB' },
  {
    id: 'module-brotli',
    title: 'the module, every function, brotli',
    unit: 'kB',
    most: by(BUDGETS.kernel, BUDGETS.relaxedKernel),
  },
  {
    id: 'language-brotli',
    title: 'the module of the language model, brotli',
    unit: 'kB',
    most: by(BUDGETS.language, BUDGETS.language),
  },
  { id: 'page-fault', title: 'a fresh page of memory', unit: 'µs' },
];

/**
 * Judges a row by its worst shape.
 * @param {Row} row
 * @param {Backend} backend
 * @param {readonly Part[]} parts all that was measured
 * @param {boolean} [isJudged] false where the engine is none that goals of the backend are set for
 * @returns {{ parts: Part[], worst?: Part, goal?: number, holds?: boolean }} worst and holds are
 *   undefined where nothing was measured, or there is no goal
 */
export function judge({ id, least, most }, backend, parts, isJudged = true) {
  const own = parts.filter((part) => part.row === id && part.backend === backend);
  const ascending = own.toSorted((a, b) => a.value - b.value);
  const goal = isJudged ? (least ?? most)?.[backend] : undefined;
  const worst = least ? ascending[0] : ascending.at(-1);
  if (!worst || goal === undefined) return { parts: own, worst, goal };
  return { parts: own, worst, goal, holds: least ? worst.value >= goal : worst.value <= goal };
}

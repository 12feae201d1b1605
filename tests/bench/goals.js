// The goals of the kernel, row by row, and whether measurements meet them.
import { readFileSync } from 'node:fs';

/** In kB after brotli. */
const BUDGETS = JSON.parse(readFileSync(new URL('../budgets.json', import.meta.url), 'utf8'));

/** @import { Backend, Part } from './measure/part.js' */

/**
 * least and most are goals by backend; a row without either is told for comparison only.
 * @typedef {{ id: string, title: string, unit: '%' | '×' | 'ms' | 'kB' | 'n·d' | 'error',
 *   least?: Partial<Record<Backend, number>>, most?: Partial<Record<Backend, number>> }} Row
 */

/** @type {readonly Row[]} */
export const ROWS = [
  {
    id: 'forward-64',
    title: 'forward, d = 64: share of the peak',
    unit: '%',
    least: { simd: 0.78, relaxed: 0.82 },
  },
  {
    id: 'forward-128',
    title: 'forward, d = 128: share of the peak',
    unit: '%',
    least: { simd: 0.82, relaxed: 0.85 },
  },
  {
    id: 'end-to-end',
    title: 'end to end, n = 128, d = 64: share of the peak',
    unit: '%',
    least: { simd: 0.73, relaxed: 0.75 },
  },
  { id: 'fresh', title: 'of this a fresh array for the result, filled', unit: '%' },
  {
    id: 'backward',
    title: 'gradient, 10 n²d: share of the peak',
    unit: '%',
    least: { simd: 0.8, relaxed: 0.82 },
  },
  {
    id: 'short-wide',
    title: 'forward, n = 8, d = 512: share of the peak',
    unit: '%',
    least: { simd: 0.52, relaxed: 0.52 },
  },
  { id: 'forward-1024', title: 'forward, d = 1024: share of the peak', unit: '%' },
  { id: 'decoding', title: 'one query: share of the speed of reading keys and values', unit: '%' },
  {
    id: 'edges',
    title: 'shapes that do not fill tiles, against the next that do',
    unit: '×',
    most: { simd: 1.25, relaxed: 1.25 },
  },
  {
    id: 'forward-litert',
    title: 'LiteRT.js takes, forward end to end',
    unit: '×',
    least: { simd: 1.1, relaxed: 1.3 },
  },
  {
    id: 'forward-ort',
    title: 'ONNX Runtime Web takes, forward end to end',
    unit: '×',
    least: { simd: 1.6 },
  },
  {
    id: 'forward-tfjs',
    title: 'TensorFlow.js takes, forward end to end',
    unit: '×',
    least: { simd: 1.5 },
  },
  {
    id: 'gradient-litert',
    title: 'LiteRT.js takes, gradient end to end',
    unit: '×',
    least: { simd: 1.2, relaxed: 1.4 },
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
    most: { simd: 3.2, relaxed: 3.2 },
  },
  {
    id: 'additive-peers',
    title: 'the best peer takes, additive end to end',
    unit: '×',
    least: { simd: 10, relaxed: 12 },
  },
  {
    id: 'softmax-tfjs',
    title: 'TensorFlow.js takes, softmax end to end',
    unit: '×',
    least: { simd: 1 },
  },
  {
    id: 'memory',
    title: 'memory beyond query, key, value and output',
    unit: 'n·d',
    most: { simd: 2 },
  },
  {
    id: 'long',
    title: 'a long sequence runs: largest relative error of three rows',
    unit: 'error',
    most: { simd: 1e-4 },
  },
  { id: 'module', title: 'the module, every function', unit: 'kB' },
  {
    id: 'module-brotli',
    title: 'the module, every function, brotli',
    unit: 'kB',
    most: { simd: BUDGETS.kernel, relaxed: BUDGETS.relaxedKernel },
  },
  {
    id: 'start-up',
    title: 'import, compile and a first attention, n = 128',
    unit: 'ms',
    most: { simd: 25 },
  },
  { id: 'start-up-litert', title: 'the same: LiteRT.js', unit: 'ms' },
  { id: 'start-up-ort', title: 'the same: ONNX Runtime Web', unit: 'ms' },
  { id: 'start-up-tfjs', title: 'the same: TensorFlow.js', unit: 'ms' },
  { id: 'start-up-plain', title: 'the same: plain JavaScript', unit: 'ms' },
  {
    id: 'first-call',
    title: 'a first, long call against later ones',
    unit: '×',
    most: { simd: 1.3, relaxed: 1.3 },
  },
  {
    id: 'growth',
    title: 'time / n², largest against least',
    unit: '×',
    most: { simd: 1.1, relaxed: 1.1 },
  },
];

/**
 * The row's worst shape decides.
 *
 * @param {Row} row
 * @param {Backend} backend
 * @param {readonly Part[]} parts all that was measured
 * @returns {{ parts: Part[], worst?: Part, goal?: number, holds?: boolean }} worst and holds are
 *   undefined where nothing was measured, or there is no goal
 */
export function judge({ id, least, most }, backend, parts) {
  const own = parts.filter((part) => part.row === id && part.backend === backend);
  const ascending = own.toSorted((a, b) => a.value - b.value);
  const goal = (least ?? most)?.[backend];
  const worst = least ? ascending[0] : ascending.at(-1);
  if (!worst || goal === undefined) return { parts: own, worst, goal };
  return { parts: own, worst, goal, holds: least ? worst.value >= goal : worst.value <= goal };
}

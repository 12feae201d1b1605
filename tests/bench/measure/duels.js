// End to end against the peers: all that can compute a problem, checked against plain JavaScript,
// then measured in turn.
import { expectAgreement } from '../agree.js';
import { bestOf, processorClock, timeOf } from '../clock.js';
import { openContender } from '../contenders.js';
import { reduceRows } from '../peers/plain.js';
import { makeProblem } from '../problems.js';
import { isFreshDear } from './page-fault.js';
import { BACKENDS, shapeName } from './results.js';

/**
 * @import { ContenderName } from '../contenders.js'
 * @import { Call, Problem, Task } from '../problems.js'
 * @import { Options, Part } from './results.js'
 */

/**
 * @typedef {Record<string, number | string>} Times milliseconds, or why there are none
 */

/** The contenders that each row names; the best of several counts.
 *  @type {Record<Task | 'short', Record<string, ContenderName[]>>} */
const RIVALS = {
  forward: {
    'forward-litert': ['litert'],
    'forward-ort': ['ort', 'ortAttention'],
    'forward-tfjs': ['tfjs'],
  },
  causal: { 'causal-peers': ['litert', 'ort', 'ortAttention', 'ortGroupQuery', 'tfjs'] },
  masked: { 'masked-peers': ['litert', 'ort', 'ortAttention', 'tfjs'] },
  short: { 'forward-short': ['litert', 'ort', 'ortAttention', 'tfjs'] },
  weights: { 'weights-peers': ['litert', 'ort', 'ortAttention', 'tfjs'] },
  statistics: { 'statistics-peers': ['litert', 'ort', 'ortAttention', 'tfjs'] },
  gradient: {
    'gradient-litert': ['litert'],
    'gradient-others': ['ort', 'tfjs'],
  },
  additive: { 'additive-peers': ['litert', 'ort', 'tfjs'] },
  softmax: { 'softmax-peers': ['litert', 'ort', 'tfjs'] },
};
/** Rows of the same rivals that are judged with `into`, without the cost of fresh memory. */
const INTO = /** @type {Partial<Record<string, string>>} */ ({
  'weights-peers': 'weights-peers-into',
});
/** Below this number of queries a forward pass belongs to a separate row. */
const SHORT = 512;

/** @type {readonly ContenderName[]} */
const OWN = [...BACKENDS, 'simdInto', 'relaxedInto'];

/** Contenders whose first call takes longer are not timed further. */
const PATIENCE = 300; // milliseconds
/** The same for peers that compile or tune in their first call. */
const PEERS_PATIENCE = 3000;

/**
 * @param {Options & { task: Task, sizes: { heads?: number, n: number, d: number } }} options
 * @returns {Promise<Part[]>}
 */
export default async function measureDuel({ task, sizes, seconds, files }) {
  const problem = makeProblem(task, sizes);
  /** @type {Times} */
  const times = {};
  /** @type {Record<string, Call>} */
  const calls = {};

  const plain = await prepare('plain', problem, files);
  /** @type {Float32Array[]} */
  let expected = [];
  times.plain = await timeOf(processorClock, async () => (expected = await plain()));
  if (times.plain < PATIENCE) calls.plain = plain;

  const rivals = rivalsOf(task, sizes.n);
  for (const name of new Set([...OWN, ...Object.values(rivals).flat()])) {
    try {
      const call = await prepare(name, problem, files);
      /** @type {Float32Array[]} */
      let results = [];
      const time = await timeOf(processorClock, async () => (results = await call()));
      expectAgreement(name, results, expected);
      if (time < PEERS_PATIENCE) calls[name] = call;
      else times[name] = time;
    } catch (thrown) {
      times[name] = String(thrown);
    }
  }
  const best = await bestOf(Object.values(calls), seconds);
  Object.keys(calls).forEach((name, i) => (times[name] = best[i]));
  return partsOf(rivals, sizes, times, await isFreshDear(seconds / 5));
}

/** @param {Task} task @param {number} n */
const rivalsOf = (task, n) => RIVALS[task === 'forward' && n < SHORT ? 'short' : task];

/**
 * Prepares a call. A peer gives weights for statistics, which are to be reduced.
 * @param {ContenderName} name
 * @param {Problem} problem
 * @param {Options['files']} files
 */
async function prepare(name, problem, files) {
  const contender = await openContender(name, files);
  if (!contender) throw new Error('not in this engine');
  const call = await contender.prepare(problem);
  if (problem.task !== 'statistics' || OWN.includes(name) || name === 'plain') return call;
  return async () => reduceRows((await call())[1], problem.n);
}

/**
 * @param {Record<string, ContenderName[]>} rivals
 * @param {{ heads?: number, n: number, d: number }} sizes
 * @param {Times} times
 * @param {boolean} isDear whether rows are judged with `into`
 * @returns {Part[]}
 */
function partsOf(rivals, { heads, n, d }, times, isDear) {
  const shape = heads ? shapeName(heads, n, d) : shapeName(n, d);
  /** @type {(row: string, peers: ContenderName[], into: boolean) => Part[]} */
  const partsOfRow = (row, peers, into) =>
    BACKENDS.flatMap((backend) => {
      const milliseconds = times[into ? `${backend}Into` : backend];
      const theirs = peers.map((name) => times[name]).filter((time) => typeof time === 'number');
      if (typeof milliseconds !== 'number' || theirs.length === 0) return [];
      const value = Math.min(.../** @type {number[]} */ (theirs)) / milliseconds;
      return [{ row, backend, shape, value, into, milliseconds, times }];
    });
  return Object.entries(rivals).flatMap(([row, peers]) => {
    const also = INTO[row];
    return [...partsOfRow(row, peers, isDear), ...(also ? partsOfRow(also, peers, true) : [])];
  });
}

// End to end against the peers: all that can compute a problem, checked against plain JavaScript,
// then measured in turn.
import { expectAgreement } from '../agree.js';
import { bestOf, processorClock, timeOf } from '../clock.js';
import { openContender } from '../contenders.js';
import { makeProblem } from '../problems.js';
import { BACKENDS, shapeName } from './part.js';

/**
 * @import { ContenderName } from '../contenders.js'
 * @import { Call, Problem, Task } from '../problems.js'
 * @import { Options, Part } from './part.js'
 */

/**
 * @typedef {Record<string, number | string>} Times milliseconds, or why there are none
 */

/** Whom each row names; the best of several counts.
 *  @type {Record<Task, Record<string, ContenderName[]>>} */
const RIVALS = {
  forward: {
    'forward-litert': ['litert'],
    'forward-ort': ['ort', 'ortAttention'],
    'forward-tfjs': ['tfjs'],
  },
  gradient: { 'gradient-litert': ['litert'], 'gradient-others': ['ort', 'tfjs'] },
  additive: { 'additive-peers': ['litert', 'ort', 'tfjs'] },
  softmax: { 'softmax-tfjs': ['tfjs'] },
};

/** @type {readonly ContenderName[]} */
const CONTENDERS = [...BACKENDS, 'litert', 'ort', 'ortAttention', 'tfjs'];

/** Plain JavaScript, the truth of all, is timed further only where it does not take longer. */
const PATIENCE = 300; // milliseconds

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

  for (const name of CONTENDERS) {
    if (name === 'ortAttention' && task !== 'forward') continue;
    try {
      const call = await prepare(name, problem, files);
      expectAgreement(name, await call(), expected);
      calls[name] = call;
    } catch (thrown) {
      times[name] = String(thrown);
    }
  }
  const best = await bestOf(Object.values(calls), seconds);
  Object.keys(calls).forEach((name, i) => (times[name] = best[i]));
  return partsOf(task, sizes, times);
}

/**
 * @param {ContenderName} name
 * @param {Problem} problem
 * @param {Options['files']} files
 */
async function prepare(name, problem, files) {
  const contender = await openContender(name, files);
  if (!contender) throw new Error('not in this engine');
  return contender.prepare(problem);
}

/**
 * @param {Task} task
 * @param {{ heads?: number, n: number, d: number }} sizes
 * @param {Times} times
 * @returns {Part[]}
 */
function partsOf(task, { heads, n, d }, times) {
  const shape = heads ? shapeName(heads, n, d) : shapeName(n, d);
  return Object.entries(RIVALS[task]).flatMap(([row, peers]) =>
    BACKENDS.flatMap((backend) => {
      const milliseconds = times[backend];
      const rivals = peers.map((name) => times[name]).filter((time) => typeof time === 'number');
      if (typeof milliseconds !== 'number' || rivals.length === 0) return [];
      const value = Math.min(.../** @type {number[]} */ (rivals)) / milliseconds;
      return [{ row, backend, shape, value, milliseconds, times }];
    }),
  );
}

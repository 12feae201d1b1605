// Problems, the same numbers for every contender, by task and size.

/**
 * @typedef {'forward' | 'causal' | 'masked' | 'weights' | 'statistics' | 'gradient' | 'additive' | 'softmax'} Task
 * @typedef {{ data: Float32Array, shape: number[] }} Input
 * @typedef {{ task: Task, heads: number, n: number, d: number, inputs: Record<string, Input>, visible?: Uint8Array }} Problem
 *   visible: [n, n], 1 where a query may attend to a key, for 'causal' and 'masked'
 *
 * A call computes a problem once, copies in and out included, and returns its results: output, for
 * 'weights' followed by the weights; entropy, effective keys and largest weight of each query; dQuery, dKey and dValue; or the rows of softmax.
 * @typedef {() => Float32Array[] | Promise<Float32Array[]>} Call
 *
 * A contender prepares calls, and refuses with an Error a problem that it cannot compute.
 * @typedef {{ name: string, prepare: (problem: Problem) => Promise<Call> | Call }} Contender
 */

let seed = 1;

/** Returns numbers uniform on (-1, 1). */
export function uniform() {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
  return seed / 2 ** 31 - 1;
}

/** @param {number[]} shape @param {number} [limit] @returns {Input} uniform on (-limit, limit) */
function random(shape, limit = 1) {
  const count = shape.reduce((product, size) => product * size, 1);
  return { data: Float32Array.from({ length: count }, () => limit * uniform()), shape };
}

/**
 * @param {Task} task
 * @param {{ heads?: number, n: number, d: number }} sizes
 * @returns {Problem} query, key, value (and dOutput) [heads, n, d]; for 'additive' [n, d] with d
 *   hidden units; for 'softmax' x [n, d]
 */
export function makeProblem(task, { heads = 1, n, d }) {
  const matrix = [heads, n, d];
  /** @type {Record<Task, () => Problem['inputs']>} */
  const inputs = {
    forward: () => ({ query: random(matrix), key: random(matrix), value: random(matrix) }),
    causal: () => inputs.forward(),
    masked: () => inputs.forward(),
    weights: () => inputs.forward(),
    statistics: () => inputs.forward(),
    gradient: () => ({ ...inputs.forward(), dOutput: random(matrix) }),
    additive: () => ({
      query: random([n, d]),
      key: random([n, d]),
      value: random([n, d]),
      queryWeight: random([d, d], 3 / Math.sqrt(d)),
      keyWeight: random([d, d], 3 / Math.sqrt(d)),
      scoreWeight: random([d]),
    }),
    softmax: () => ({ x: random([n, d], 5) }),
  };
  return { task, heads, n, d, inputs: inputs[task](), visible: visibleIn(task, n) };
}

/**
 * Returns the keys that each query sees: up to itself for 'causal', itself and about half of the others for 'masked'.
 * @param {Task} task
 * @param {number} n
 */
function visibleIn(task, n) {
  if (task !== 'causal' && task !== 'masked') return undefined;
  const sees = (/** @type {number} */ query, /** @type {number} */ key) =>
    task === 'causal' ? key <= query : key === query || uniform() < 0;
  return Uint8Array.from({ length: n * n }, (_, i) => +sees(Math.floor(i / n), i % n));
}

/**
 * Returns what a mask adds to scores: 0 for keys that a query sees, and for others a number that no score makes up for.
 * Every contender takes such numbers; to peers they are a constant that no call copies.
 * @param {Uint8Array} visible
 */
export const addedTo = (visible) => Float32Array.from(visible, (sees) => (sees ? 0 : -1e9));

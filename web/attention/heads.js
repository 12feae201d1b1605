/**
 * What dot-product and additive attention have in common: batch and head axes, masks, and which
 * results to give. The kernel works on one head at a time, so that only one head's matrices are in
 * its memory, however many there are.
 */
import { readChoice, readChoices } from './options.js';
import { readTensor } from './read.js';
import { countOf, rejectShape, showShape } from './shape.js';

/**
 * @import { Kernel } from './kernel/active.js'
 * @import { Shapes } from './results.js'
 * @import { Tensor, TensorLike } from './tensor.js'
 */

/** @typedef {ReturnType<Kernel['floats']>} Block */
/** @typedef {'weights' | 'scores' | 'logSumExp'} Extra */
/** @typedef {false | true | 'upper-left' | 'lower-right'} Causal */

/**
 * query [b, h, nQ, dQ], key [b, kvHeads, nK, dK], value [b, kvHeads, nK, dV]; lead is the part of
 * [b, h] that the caller wrote.
 *
 * @typedef {{ query: Float32Array, key: Float32Array, value: Float32Array, lead: number[],
 *   batch: number, heads: number, kvHeads: number, nQ: number, nK: number, dQ: number,
 *   dK: number, dV: number }} Inputs
 */

/** @typedef {{ output: Tensor, weights?: Tensor, scores?: Tensor, logSumExp?: Tensor }} Results */

/** @typedef {{ nQ: number, nK: number, dK: number, dV: number }} HeadSizes */

/** What can be asked for, at the place that windowFields takes; `true` is upper-left.
 *  @type {readonly Causal[]} */
const CAUSAL = [false, 'upper-left', 'lower-right', true];
/** @type {readonly Extra[]} */
const EXTRAS = ['weights', 'scores', 'logSumExp'];
const FORMS = '[n, d], [h, n, d] or [b, h, n, d]';

/**
 * Reads query, key and value and holds their shapes to each other.
 *
 * @param {string} caller
 * @param {TensorLike} query
 * @param {TensorLike} key
 * @param {TensorLike} value
 * @param {'dot' | 'additive'} kind the dot product needs d_q = d_k, and allows fewer key heads
 * @returns {Inputs}
 */
export function readInputs(caller, query, key, value, kind) {
  const q = readTensor(caller, 'query', query);
  const k = readTensor(caller, 'key', key);
  const v = readTensor(caller, 'value', value);
  const axes = q.shape.length;
  if (axes < 2 || axes > 4) {
    rejectShape(caller, 'query', q.shape, FORMS);
  }
  expectLike(caller, 'key', k.shape, 'query', q.shape, kind === 'dot');
  expectLike(caller, 'value', v.shape, 'key', k.shape, false);
  const [batch, heads, nQ, dQ] = fourAxes(q.shape);
  const [, kvHeads, nK, dK] = fourAxes(k.shape);
  const [, , rows, dV] = fourAxes(v.shape);
  if (kind === 'dot' && dK !== dQ)
    fail(caller, 'key', k.shape, `last axis ${dQ}`, 'query', q.shape);
  if (rows !== nK) fail(caller, 'value', v.shape, `${nK} rows`, 'key', k.shape);
  if (dQ === 0 || dK === 0) {
    const [name, shape] = dQ === 0 ? ['query', q.shape] : ['key', k.shape];
    rejectShape(caller, name, shape, 'a last axis above 0');
  }
  const lead = q.shape.slice(0, -2);
  return {
    query: q.data,
    key: k.data,
    value: v.data,
    lead,
    batch,
    heads,
    kvHeads,
    nQ,
    nK,
    dQ,
    dK,
    dV,
  };
}

/**
 * The message all comparisons of shapes share.
 *
 * @param {string} caller
 * @param {string} name
 * @param {readonly number[]} shape
 * @param {string} expected
 * @param {string} otherName
 * @param {readonly number[]} other
 * @returns {never}
 */
export function fail(caller, name, shape, expected, otherName, other) {
  rejectShape(caller, name, shape, `${expected} to match ${otherName} ${showShape(other)}`);
}

/** Same number of axes, same batch, heads that fit.
 *  @param {string} caller @param {string} name @param {number[]} shape
 *  @param {string} otherName @param {number[]} other @param {boolean} grouped */
function expectLike(caller, name, shape, otherName, other, grouped) {
  if (shape.length !== other.length) {
    fail(caller, name, shape, `${other.length} axes`, otherName, other);
  }
  const [batch, heads] = fourAxes(shape);
  const [otherBatch, otherHeads] = fourAxes(other);
  if (batch !== otherBatch) fail(caller, name, shape, `batch ${otherBatch}`, otherName, other);
  if (heads === otherHeads) return;
  if (!grouped) fail(caller, name, shape, `${otherHeads} heads`, otherName, other);
  if (heads === 0 || otherHeads === 0 || otherHeads % heads !== 0) {
    fail(caller, name, shape, `heads that divide ${otherHeads}`, otherName, other);
  }
}

/** @param {readonly number[]} shape of 2 to 4 axes @returns {readonly number[]} */
const fourAxes = (shape) => [...[1, 1].slice(shape.length - 2), ...shape];

/**
 * The number that windowFields takes for an option.
 *
 * @param {string} caller
 * @param {unknown} causal
 * @returns {number}
 */
export function readCausal(caller, causal) {
  const choice = readChoice(caller, 'causal', causal, CAUSAL);
  return CAUSAL.indexOf(choice === true ? 'upper-left' : choice);
}

/**
 * What a forward pass shall give besides the output.
 *
 * @param {string} caller
 * @param {unknown} returns
 * @returns {Extra[]}
 */
export const readReturns = (caller, returns) => readChoices(caller, 'returns', returns, EXTRAS);

/**
 * The gradient of a loss with respect to the output.
 *
 * @param {string} caller
 * @param {TensorLike} dOutput
 * @param {readonly number[]} shape of the output
 * @returns {Float32Array}
 */
export function readOutputGradient(caller, dOutput, shape) {
  const read = readTensor(caller, 'dOutput', dOutput);
  if (showShape(read.shape) === showShape(shape)) return read.data;
  rejectShape(caller, 'dOutput', read.shape, `${showShape(shape)} to match the output`);
}

/**
 * The shapes of the gradients of query, key and value: those of query, key and value.
 *
 * @param {Inputs} inputs
 * @returns {{ dQuery: number[], dKey: number[], dValue: number[] }}
 */
export function gradientShapes({ lead, kvHeads, nQ, nK, dQ, dK, dV }) {
  const keyLead = lead.length === 0 ? [] : [...lead.slice(0, -1), kvHeads];
  return {
    dQuery: [...lead, nQ, dQ],
    dKey: [...keyLead, nK, dK],
    dValue: [...keyLead, nK, dV],
  };
}

/**
 * The shapes of the results of a forward pass: the output, and what `extras` names.
 *
 * @param {Inputs} inputs
 * @param {readonly Extra[]} extras
 * @returns {Shapes<Results>}
 */
export function resultShapes({ lead, nQ, nK, dV }, extras) {
  /** @type {Record<Extra, number[]>} */
  const shapes = {
    weights: [...lead, nQ, nK],
    scores: [...lead, nQ, nK],
    logSumExp: [...lead, nQ],
  };
  /** @type {Shapes<Results>} */
  const wanted = { output: [...lead, nQ, dV] };
  for (const name of extras) wanted[name] = shapes[name];
  return wanted;
}

/**
 * Memory of the kernel for one head's results.
 *
 * @param {Kernel} kernel
 * @param {Inputs} inputs
 * @param {Results} results
 * @returns {{ output: Block, logSumExp: Block, weights: Block | null, scores: Block | null,
 *   store: (head: number) => void }} `store` copies them to the place of a head in `results`
 */
export function takeResults(kernel, { nQ, nK, dV }, results) {
  const sizes = { output: nQ * dV, logSumExp: nQ, weights: nQ * nK, scores: nQ * nK };
  const output = kernel.floats(sizes.output);
  const logSumExp = kernel.floats(sizes.logSumExp);
  const weights = results.weights ? kernel.floats(sizes.weights) : null;
  const scores = results.scores ? kernel.floats(sizes.scores) : null;
  const blocks = { output, logSumExp, weights, scores };
  const names = /** @type {(keyof typeof blocks)[]} */ (Object.keys(blocks));
  const store = (/** @type {number} */ head) => {
    for (const name of names) {
      const [block, result] = [blocks[name], results[name]];
      if (block && result) kernel.read(block, result.data, head * sizes[name], sizes[name]);
    }
  };
  return { ...blocks, store };
}

/**
 * Whether there is no query at all, and so nothing to compute.
 *
 * @param {Pick<Inputs, 'batch' | 'heads' | 'nQ'>} inputs
 * @returns {boolean}
 */
export const isEmpty = ({ batch, heads, nQ }) => countOf([nQ, batch, heads]) === 0;

/**
 * Calls `work` with each head's number, in order; before and after the heads that share a key and
 * value head `begin` and `end` with that one's.
 *
 * @param {Inputs} inputs
 * @param {{ begin?: (group: number) => void, work: (head: number) => void,
 *   end?: (group: number) => void }} steps
 */
export function forHeads(inputs, { begin, work, end }) {
  if (isEmpty(inputs)) return;
  const { batch, heads, kvHeads } = inputs;
  const shared = heads / kvHeads;
  for (let group = 0; group < batch * kvHeads; group++) {
    begin?.(group);
    for (let head = group * shared; head < (group + 1) * shared; head++) work(head);
    end?.(group);
  }
}

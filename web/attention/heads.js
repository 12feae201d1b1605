/**
 * The parts that dot-product and additive attention share: batch and head axes, shapes of results.
 * The kernel works on one head at a time, so that only one head's matrices are in its memory.
 */
import { recordOf } from '../shared/keys.js';
import { STATISTICS } from './head-statistics.js';
import { readTensor } from './read.js';
import { rejectShape, showShape } from './shape.js';

/**
 * @import { Statistic } from './head-statistics.js'
 * @import { Kernel } from './kernel/active.js'
 * @import { Tensor, TensorLike } from './tensor.js'
 */

/** @typedef {ReturnType<Kernel['floats']>} Block */
/** @typedef {(typeof EXTRAS)[number]} Extra */

/**
 * query [b, h, nQ, dQ], key [b, kvHeads, nK, dK], value [b, kvHeads, nK, dV]; lead is the part of
 * [b, h] that the caller wrote.
 *
 * @typedef {{ query: Float32Array, key: Float32Array, value: Float32Array, lead: number[],
 *   batch: number, heads: number, kvHeads: number, nQ: number, nK: number, dQ: number,
 *   dK: number, dV: number }} Inputs
 */

/**
 * @typedef {{ output: Tensor, weights?: Tensor, scores?: Tensor, cappedScores?: Tensor,
 *   maskedScores?: Tensor, meanWeights?: Tensor, logSumExp?: Tensor,
 *   entropy?: Tensor, effectiveKeys?: Tensor, jacobianTrace?: Tensor,
 *   largestWeight?: Tensor, largestScore?: Tensor, scoreMean?: Tensor, scoreDeviation?: Tensor,
 *   visibleKeys?: Tensor, firstWeight?: Tensor, previousWeight?: Tensor, sinkWeight?: Tensor,
 *   receivedWeight?: Tensor }} Results
 */

/** @typedef {{ nQ: number, nK: number, dK: number, dV: number }} HeadSizes */

/** Their type is that of the list, so that a compiler's error on another name shows them. */
export const EXTRAS = /** @type {const} */ ([
  'weights',
  'scores',
  'cappedScores',
  'maskedScores',
  'meanWeights',
  'logSumExp',
  ...STATISTICS,
  'receivedWeight',
]);
const FORMS = '[n, d], [h, n, d] or [b, h, n, d]';

/**
 * Reads query, key and value and compares their shapes.
 *
 * @param {string} caller
 * @param {unknown} query a TensorLike
 * @param {unknown} key a TensorLike
 * @param {unknown} value a TensorLike, or null where only scores are wanted: then d_v is 0
 * @param {'dot' | 'additive'} kind the dot product needs d_q = d_k, and allows fewer key heads
 * @returns {Inputs}
 */
export function readInputs(caller, query, key, value, kind) {
  const q = readTensor(caller, 'query', query);
  const k = readTensor(caller, 'key', key);
  const v = value === null ? withoutColumns(k) : readTensor(caller, 'value', value);
  const axes = q.shape.length;
  if (axes < 2 || axes > 4) {
    rejectShape(caller, 'query', q.shape, FORMS);
  }
  expectLike(caller, 'key', k.shape, 'query', q.shape, kind === 'dot');
  expectLike(caller, 'value', v.shape, 'key', k.shape, false);
  const { batch, heads, n: nQ, d: dQ } = axesOf(q.shape);
  const { heads: kvHeads, n: nK, d: dK } = axesOf(k.shape);
  const { n: rows, d: dV } = axesOf(v.shape);
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

const NO_NUMBERS = new Float32Array(0);

/**
 * Returns values of no columns for some keys.
 *
 * @param {Tensor} key
 * @returns {Tensor}
 */
const withoutColumns = ({ shape }) => ({
  data: NO_NUMBERS,
  shape: [...shape.slice(0, -1), 0],
});

/**
 * Throws a ShapeError for a shape that does not match another argument's.
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

/** Expects the same number of axes, the same batch, and heads that fit.
 *  @param {string} caller @param {string} name @param {number[]} shape
 *  @param {string} otherName @param {number[]} other @param {boolean} grouped */
function expectLike(caller, name, shape, otherName, other, grouped) {
  if (shape.length !== other.length) {
    fail(caller, name, shape, `${other.length} axes`, otherName, other);
  }
  const { batch, heads } = axesOf(shape);
  const { batch: otherBatch, heads: otherHeads } = axesOf(other);
  if (batch !== otherBatch) fail(caller, name, shape, `batch ${otherBatch}`, otherName, other);
  if (heads === otherHeads) return;
  if (!grouped) fail(caller, name, shape, `${otherHeads} heads`, otherName, other);
  if (heads === 0 || otherHeads === 0 || otherHeads % heads !== 0) {
    fail(caller, name, shape, `heads that divide ${otherHeads}`, otherName, other);
  }
}

/** Returns the axes by name, 1 for a missing one. @param {readonly number[]} shape of 2 to 4 axes */
export const axesOf = (shape) => {
  const { length } = shape;
  return {
    batch: length > 3 ? shape[0] : 1,
    heads: length > 2 ? shape[length - 3] : 1,
    n: shape[length - 2],
    d: shape[length - 1],
  };
};

/**
 * Reads the gradient of a loss with respect to the output.
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
 * Returns the shapes of the gradients of query, key and value, which are those of query, key and value.
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
 * Returns the shapes of those results of a forward pass that `names` lists.
 *
 * @template {'output' | Extra} Name
 * @param {Inputs} inputs
 * @param {readonly Name[]} names
 * @returns {Record<Name, number[]>}
 */
export const resultShapes = (inputs, names) => recordOf(names, (name) => resultShape(inputs, name));

/**
 * Returns the shape of a result.
 * @param {Inputs} inputs
 * @param {'output' | Extra} name
 * @returns {number[]}
 */
function resultShape({ lead, nQ, nK, dV }, name) {
  if (name === 'output') return [...lead, nQ, dV];
  if (name === 'receivedWeight') return [...lead, nK];
  if (name === 'logSumExp' || isStatistic(name)) return [...lead, nQ];
  return [...(name === 'meanWeights' ? lead.slice(0, -1) : lead), nQ, nK];
}

/** Returns whether a result is a statistic of queries. @param {string} name @returns {name is Statistic} */
const isStatistic = (name) => STATISTICS.some((statistic) => statistic === name);

/**
 * Returns whether there is no query, so that there is nothing to compute.
 *
 * @param {Pick<Inputs, 'batch' | 'heads' | 'nQ'>} inputs
 * @returns {boolean}
 */
export const isEmpty = ({ batch, heads, nQ }) => batch === 0 || heads === 0 || nQ === 0;

/**
 * Calls `work` with the number of each head, in order. Before and after the heads that share a head of
 * key and value, calls `begin` and `end` with the number of that head.
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

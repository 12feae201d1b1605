/**
 * Plans calls: reads the arguments and makes the results on the thread of the caller, then cuts the work into
 * parts as web/attention/works.js describes it. A function without a description is one part: its whole call.
 */
import * as FUNCTIONS from '../attention/functions.js';
import { withKernel } from '../attention/kernel/active.js';
import { EXPONENTIAL } from '../attention/limit.js';
import { complete, finish } from '../attention/work.js';
import { WORKS } from '../attention/works.js';
import { boxesOf, countIn, putBox, takeBox } from './box.js';

/**
 * @import { Kernel } from '../attention/kernel/active.js'
 * @import { Tensor } from '../attention/tensor.js'
 * @import { AnyCuts, Axes, Box, Prepared, Sizes, Sums, Work } from '../attention/work.js'
 * @import { Data, Filled } from './part.js'
 */

/**
 * A part of a call. `shared` has the arguments that other parts of its group have too, so that a worker
 * keeps them; `lengths` are those of its results, none where a function does its whole call. `store`
 * writes the value to its place, unless `isResult`: then the arrays of the value become the result.
 *
 * @typedef {{ shared: Data, own: Data, lengths?: Record<string, number>, isResult: boolean,
 *   store: (value: unknown) => void }} Part
 */

/**
 * How to do a call: at once on a kernel, or in parts, in groups that share arguments; without `cut` only at
 * once. `finish` returns the result once all parts are stored. `numbers` counts those of the results that can
 * be cut.
 *
 * @typedef {{ operations: number, numbers: number, compute: (kernel: Kernel) => unknown,
 *   cut?: (count: number) => Part[][], finish: () => unknown }} Plan
 */

/**
 * Plans a call.
 *
 * @param {string} caller the name of the function
 * @param {readonly unknown[]} args
 * @returns {Plan}
 */
export function planCall(caller, args) {
  /** @type {Work | undefined} */
  const work = Reflect.get(WORKS, caller);
  return work ? planWork(caller, work, work.prepare(caller, ...args)) : planWhole(caller, args);
}

/**
 * Plans a call that one worker does whole.
 *
 * @param {string} caller
 * @param {readonly unknown[]} args
 * @returns {Plan}
 */
function planWhole(caller, args) {
  /** @type {unknown} */
  let result;
  const store = (/** @type {unknown} */ value) => {
    result = value;
  };
  // Arrays to write to stay here, and so does the function that checks them.
  const isHere = args.some(
    (arg) => arg instanceof Object && Reflect.get(arg, 'into') !== undefined,
  );
  return {
    operations: Math.max(numbersIn(args), 1) * EXPONENTIAL,
    numbers: 0,
    compute: (kernel) => withKernel(kernel, () => Reflect.get(FUNCTIONS, caller)(...args)),
    cut: isHere ? undefined : () => [[{ shared: {}, own: { args }, isResult: true, store }]],
    finish: () => result,
  };
}

/** Counts the numbers of arguments. @param {unknown} value @returns {number} */
function numbersIn(value) {
  if (ArrayBuffer.isView(value)) return Reflect.get(value, 'length');
  if (Array.isArray(value) && typeof value[0] === 'number') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce(
    (/** @type {number} */ sum, entry) => sum + numbersIn(entry),
    0,
  );
}

/**
 * Plans a call whose function is described in steps.
 *
 * @param {string} caller
 * @param {Work} work
 * @param {Prepared} call
 * @returns {Plan}
 */
function planWork(caller, work, call) {
  /** @type {Sums} */
  const sums = {};
  const { sizes, operations, isEmpty, into, step = work.step ?? 1 } = call;
  const results = resultsOf(work, call);
  const isWhole = !work.cuts || results.some(({ axes }) => axes === undefined);
  return {
    operations,
    numbers: isWhole ? 0 : results.reduce((sum, { tensor }) => sum + tensor.data.length, 0),
    compute: (kernel) => complete(work, call, (compute) => kernel.run(caller, compute)),
    cut(count) {
      if (isEmpty) return [];
      const axes = isWhole ? [undefined] : results.map((result) => result.axes);
      const groups = boxesOf(sizes, axes, count, step);
      const isResult = into === undefined && groups.length === 1 && groups[0].length === 1;
      const sharedOf = sharesOf(work, call);
      return groups.map((boxes) => {
        const shared = sharedOf(boxes[0]);
        return boxes.map((box) => ({
          shared,
          own: work.cuts ? cutEntries(work.cuts, call.data, box, sizes, false) : call.data,
          lengths: lengthsIn(results, box, sizes),
          isResult,
          store: (value) => storePart(results, sums, box, sizes, isResult, value),
        }));
      });
    },
    finish: () => finish(work, call, sums),
  };
}

/** A result of a call that parts fill; undefined axes are those of a sum over everything.
 *  @typedef {{ name: string, tensor: Tensor, axes: Axes | undefined }} Result */

/** Lists the results that parts fill. @param {Work} work @param {Prepared} call @returns {Result[]} */
function resultsOf({ places = {} }, { results }) {
  /** @type {[name: string, tensor: Tensor | undefined][]} */
  const entries = Object.entries(results);
  return entries.flatMap(([name, tensor]) => {
    const axes = places[name];
    return tensor && axes !== 'here' ? [{ name, tensor, axes }] : [];
  });
}

/** Returns the lengths of the results of a box. @param {Result[]} results @param {Box} box @param {Sizes} sizes */
const lengthsIn = (results, box, sizes) =>
  Object.fromEntries(
    results.map(({ name, tensor, axes }) => [name, countIn(tensor.data.length, axes, box, sizes)]),
  );

/**
 * Stores the value of a part.
 *
 * @param {Result[]} results
 * @param {Sums} sums of the whole call, so far
 * @param {Box} box
 * @param {Sizes} sizes
 * @param {boolean} isResult whether the arrays of the value become the results
 * @param {unknown} value
 */
function storePart(results, sums, box, sizes, isResult, value) {
  const filled = /** @type {Filled} */ (value);
  for (const { name, tensor, axes } of results) {
    if (isResult) tensor.data = filled.arrays[name];
    else putBox(tensor.data, axes, box, sizes, filled.arrays[name]);
  }
  for (const name of Object.keys(filled.sums)) {
    sums[name] ??= new Float64Array(sizes.batch * sizes.heads);
    putBox(sums[name], 'heads', box, sizes, filled.sums[name]);
  }
}

/**
 * Returns a function that gives what the boxes of a group share: keys and values, and all that is the same for
 * the whole call. Without keys all groups share one object, which a worker then receives once.
 *
 * @param {Work} work
 * @param {Prepared} call
 * @returns {(first: Box) => Data}
 */
function sharesOf({ cuts }, { data, sizes }) {
  if (!cuts) return () => ({});
  /** @type {Data | undefined} */
  let common;
  const cut = (/** @type {Box} */ box) => cutEntries(cuts, data, box, sizes, true);
  return hasKeys(cuts) ? cut : (box) => (common ??= cut(box));
}

/** Returns whether some entry is cut by the heads of keys. @param {AnyCuts} cuts @returns {boolean} */
const hasKeys = (cuts) =>
  Object.values(cuts).some((cut) => cut === 'keys' || (typeof cut === 'object' && hasKeys(cut)));

/**
 * Cuts the entries of an object for a box: those that its group shares, or the others.
 *
 * @param {AnyCuts} cuts
 * @param {Data} entries
 * @param {Box} box
 * @param {Sizes} sizes
 * @param {boolean} isShared
 * @returns {Data}
 * @throws {Error} for an entry without a cut, which no part would have
 */
function cutEntries(cuts, entries, box, sizes, isShared) {
  /** @type {Data} */
  const some = {};
  for (const name of Object.keys(entries)) {
    const [cut, value] = [cuts[name], entries[name]];
    if (cut === undefined) throw new Error(`${name} does not say how it is cut`);
    if (cut === 'here') continue;
    if (typeof cut === 'object') {
      some[name] = cutEntries(cut, /** @type {Data} */ (value), box, sizes, isShared);
    } else if (isShared === (cut === 'same' || cut === 'keys')) {
      some[name] = cutEntry(cut, value, box, sizes);
    }
  }
  return some;
}

/** Cuts one entry. @param {'same' | Axes | ((value: unknown, box: Box, sizes: Sizes) => unknown)} cut @param {unknown} value
 *  @param {Box} box @param {Sizes} sizes @returns {unknown} */
function cutEntry(cut, value, box, sizes) {
  if (cut === 'same' || value === null) return value;
  if (typeof cut === 'function') return cut(value, box, sizes);
  return takeBox(/** @type {Float32Array} */ (value), cut, box, sizes);
}

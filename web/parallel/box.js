/**
 * Cuts calls into boxes of items, heads and queries, where that leaves every bit as it is: queries are
 * independent of each other, so blocks of them only have to begin where the kernel's own do.
 */
import { extentOf, keyHeads } from '../attention/work.js';

/** @import { Axes, Box, Range, Sizes } from '../attention/work.js' */

/** Returns a box of everything. @param {Sizes} sizes @returns {Box} */
const wholeOf = ({ batch, heads, nQ }) => ({
  items: [0, batch],
  heads: [0, heads],
  queries: [0, nQ],
});

/**
 * Cuts a range into pieces of about equal length.
 *
 * @param {Range} range
 * @param {number} count the number of pieces wanted
 * @param {number} [step] pieces begin at multiples of it
 * @returns {Range[]}
 */
function piecesOf([first, end], count, step = 1) {
  const length = Math.max(step, Math.ceil((end - first) / Math.max(count, 1) / step) * step);
  /** @type {Range[]} */
  const pieces = [];
  for (let at = first; at < end; at += length) pieces.push([at, Math.min(at + length, end)]);
  return pieces;
}

/**
 * Cuts a call into about `count` boxes, in groups of the same item and head of key and value.
 *
 * @param {Sizes} sizes
 * @param {readonly (Axes | undefined)[]} axes of the results; undefined is a sum over everything
 * @param {number} count
 * @param {number} step blocks of queries begin at multiples of it
 * @returns {Box[][]}
 */
export function boxesOf(sizes, axes, count, step) {
  const { batch, heads, kvHeads } = sizes;
  const whole = wholeOf(sizes);
  if (axes.includes(undefined)) return [[whole]];
  if (count <= batch) return piecesOf(whole.items, count).map((items) => [{ ...whole, items }]);
  const items = piecesOf(whole.items, batch);
  const perItem = Math.ceil(count / batch);
  const hasBlocks = axes.every((axis) => axis === 'queries' || axis === 'itemQueries');
  const blocksOf = (/** @type {number} */ blocks) =>
    hasBlocks ? piecesOf(whole.queries, blocks, step) : [whole.queries];
  if (axes.includes('items') || axes.includes('itemQueries')) {
    const blocks = blocksOf(perItem);
    return items.map((item) => blocks.map((queries) => ({ ...whole, items: item, queries })));
  }
  const shared = heads / kvHeads;
  if (axes.includes('keys') || perItem <= kvHeads) {
    const pieces = piecesOf(whole.heads, perItem, shared);
    return items.flatMap((item) => pieces.map((some) => [{ ...whole, items: item, heads: some }]));
  }
  const perGroup = Math.ceil(perItem / kvHeads);
  const blocks = blocksOf(Math.ceil(perGroup / shared));
  return items.flatMap((item) =>
    piecesOf(whole.heads, kvHeads).map((group) =>
      piecesOf(group, Math.min(shared, perGroup)).flatMap((some) =>
        extentOf(some) > 1
          ? [{ items: item, heads: some, queries: whole.queries }]
          : blocks.map((queries) => ({ items: item, heads: some, queries })),
      ),
    ),
  );
}

/**
 * Returns the runs of numbers that a box has of an array.
 *
 * @param {number} length of the array
 * @param {Axes | undefined} axes undefined for all of it
 * @param {Box} box
 * @param {Sizes} sizes
 * @returns {{ start: number, length: number }[]}
 */
function runsOf(length, axes, box, sizes) {
  if (axes === undefined) return [{ start: 0, length }];
  const { items } = box;
  const [heads, some] = headsOf(axes, box, sizes);
  const hasQueries = axes === 'queries' || axes === 'itemQueries';
  const perHead = length / (sizes.batch * heads);
  const [first, end] = hasQueries
    ? box.queries.map((query) => (query * perHead) / sizes.nQ)
    : [0, perHead];
  const each = end - first;
  const runs = [];
  for (let item = items[0]; item < items[1]; item++) {
    for (let head = some[0]; head < some[1]; head++) {
      runs.push({ start: (item * heads + head) * perHead + first, length: each });
    }
  }
  const isDense = each === perHead && (extentOf(items) === 1 || extentOf(some) === heads);
  if (isDense && runs.length > 1) return [{ start: runs[0].start, length: each * runs.length }];
  return runs;
}

/** Returns the number of heads of an array, and those that a box has. @param {Axes} axes @param {Box} box
 *  @param {Sizes} sizes @returns {[count: number, some: Range]} */
function headsOf(axes, box, sizes) {
  if (axes === 'keys') return [sizes.kvHeads, keyHeads(box, sizes)];
  return axes === 'queries' || axes === 'heads' ? [sizes.heads, box.heads] : [1, [0, 1]];
}

/**
 * Returns how many numbers a box has of an array.
 *
 * @param {number} length of the array
 * @param {Axes | undefined} axes
 * @param {Box} box
 * @param {Sizes} sizes
 */
export const countIn = (length, axes, box, sizes) =>
  runsOf(length, axes, box, sizes).reduce((sum, run) => sum + run.length, 0);

/**
 * Returns the numbers of a box: a view where they lie together, else a copy.
 *
 * @param {Float32Array} data
 * @param {Axes} axes
 * @param {Box} box
 * @param {Sizes} sizes
 * @returns {Float32Array}
 */
export function takeBox(data, axes, box, sizes) {
  const runs = runsOf(data.length, axes, box, sizes);
  const views = runs.map(({ start, length }) => data.subarray(start, start + length));
  if (views.length === 1) return views[0];
  const copy = new Float32Array(views.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const view of views) {
    copy.set(view, at);
    at += view.length;
  }
  return copy;
}

/**
 * Writes the numbers of a box to their places.
 *
 * @param {Float32Array | Float64Array} target
 * @param {Axes | undefined} axes
 * @param {Box} box
 * @param {Sizes} sizes
 * @param {Float32Array | Float64Array} source
 */
export function putBox(target, axes, box, sizes, source) {
  let at = 0;
  for (const { start, length } of runsOf(target.length, axes, box, sizes)) {
    target.set(source.length === length ? source : source.subarray(at, at + length), start);
    at += length;
  }
}

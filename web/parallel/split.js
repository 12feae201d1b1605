/**
 * Divides calls of attention: a part is a call of the same function with some items, heads and queries of the
 * arguments. All of these are independent of each other, so every bit stays as it is, if blocks of queries
 * begin where the kernel's own do.
 */
import { axesOf } from '../attention/heads.js';
import { readMask } from '../attention/mask.js';
import { readTensor } from '../attention/read.js';
import { OF_HEADS } from '../attention/settings.js';
import { readSpans } from '../attention/visible.js';
import { isObject, recordOf } from '../shared/keys.js';
import { copyOf } from './message.js';

/** @import { Take } from './memory.js' */

/** @typedef {readonly [first: number, end: number]} Range from the first to before the last */
/** The items, heads and queries of a part. @typedef {readonly Range[]} Box */
/** How many items, heads and queries an array tells apart: 1 where all have the same entries.
 *  @typedef {readonly number[]} Counts */

/** A part of a call: its arguments, in memory of their own, and what stores its result.
 *  @typedef {{ args: (take: Take) => unknown[], store: (result: any) => void }} Part */

/** The functions that are divided, with the tensors before their options. @type {Record<string, string[]>} */
const DIVIDED = {
  attention: ['query', 'key', 'value'],
  attentionScores: ['query', 'key'],
  attentionStatistics: ['query', 'key'],
  attentionMap: ['query', 'key'],
  attentionGradient: ['query', 'key', 'value', 'dOutput'],
  additiveAttention: ['query', 'key', 'value'],
};

/**
 * Blocks of queries begin at its multiples: whole tiles of the kernel (8 queries, additive 32), and as many as
 * it packs keys for, which gives other bits than few queries do.
 */
const BLOCK = 128;
/** The largest offset, an int32_t. */
const MOST = 2 ** 31 - 1;

/** Returns whether calls of a function can be divided. @param {string} name */
export const isDivided = (name) => name in DIVIDED;

/**
 * Divides a call into about `count` parts.
 *
 * @param {string} name of a function that is divided
 * @param {readonly any[]} args that the function accepts
 * @param {Record<string, any>} target its results, to which parts write
 * @param {number} count
 * @returns {Part[]} fewer than two if the call is better left whole
 */
export function split(name, args, target, count) {
  const names = DIVIDED[name];
  const tensors = names.map((tensor, i) => readTensor(name, tensor, args[i]));
  const options = args[names.length] ?? {};
  const others = { ...options, mask: null, into: undefined, limit: undefined };
  const [{ batch, heads, n: nQ }, { heads: kvHeads, n: nK }] = tensors.map(({ shape }) =>
    axesOf(shape),
  );
  const sizes = [batch, heads, nQ];
  /** Arrays that do not tell all queries apart. @type {Record<string, Counts>} */
  const counts = {
    meanWeights: [batch, 1, nQ],
    receivedWeight: [batch, heads, 1],
    ...Object.fromEntries(
      ['key', 'value', 'dKey', 'dValue'].map((key) => [key, [batch, kvHeads, 1]]),
    ),
  };
  const countsOf = (/** @type {string} */ array) => counts[array] ?? sizes;
  const spans = readSpans(name, options, { batch, nQ, nK });
  const mask = options.mask ? readMask(name, options.mask) : null;
  const hasSink = options.sink !== undefined && options.sink !== null;
  const isGradient = name === 'attentionGradient';
  // Sums over heads are the same only if the parts have one each, and are not multiplied by anything.
  if (isGradient && (hasSink || kvHeads < heads || (options.temperature ?? 1) !== 1)) return [];
  if (spans.some(({ offset }) => offset + nQ > MOST)) return [];
  // A part of such numbers may look like flags, which are refused.
  if (mask?.data instanceof Float32Array && mask.data.includes(1)) return [];
  if (batch * heads * nQ === 0) return [];
  const groups = target.meanWeights ? 1 : kvHeads;
  const step = isGradient || target.receivedWeight ? nQ : stepOf(options.rows ?? nQ, nQ);
  const wanted = isGradient && 2 * count >= batch * heads ? Math.max(count, batch * heads) : count;
  const boxes = boxesOf(sizes, groups, step, wanted);
  if (isGradient && boxes.length < batch * heads) return [];
  const scales = new Float64Array(boxes.length);

  return boxes.map((box, place) => ({
    args(take) {
      const [items, some, [first, end]] = box;
      const own = tensors.map((tensor, i) => cut(tensor, countsOf(names[i]), sizes, box, take));
      const maskAxes = mask && [1, 1, ...mask.shape].slice(-4, -1);
      const seen = spans.slice(...items);
      return [
        ...own,
        {
          .../** @type {object} */ (copyOf(others, take)),
          offset: seen.map(({ offset }) => offset + first),
          keyLengths: seen.map(({ keyCount }) => keyCount),
          mask: maskAxes && cut(mask, maskAxes, sizes, box, take),
          ...recordOf(OF_HEADS, (option) => ofHeads(name, option, options[option], some)),
          ...(options.rows && { rows: ((end - first) * options.rows) / nQ }),
        },
      ];
    },
    store(results) {
      for (const [array, result] of Object.entries(results)) {
        if (array === 'dScale') scales[place] = result;
        else put(target[array].data, result.data, countsOf(array), sizes, box);
      }
      if (isGradient) target.dScale = scales.reduce((sum, scale) => sum + scale, 0);
    },
  }));
}

/** Returns an option for some heads: one for all of them, or the entries of its array. @param {string} caller
 *  @param {string} name @param {unknown} value @param {Range} heads */
const ofHeads = (caller, name, value, heads) =>
  isObject(value) ? readTensor(caller, name, value).data.slice(...heads) : value;

/** Returns the fewest queries, whole blocks of the kernel, that are a whole number of rows of a map.
 *  @param {number} rows @param {number} nQ */
function stepOf(rows, nQ) {
  let step = BLOCK;
  while (step < nQ && (step * rows) % nQ !== 0) step += BLOCK;
  return step;
}

/**
 * Divides items first, then groups of heads, then queries.
 *
 * @param {Counts} sizes
 * @param {number} groups of heads that stay together
 * @param {number} step blocks of queries begin at its multiples, and have at least as many
 * @param {number} count of boxes wanted
 * @returns {Box[]}
 */
function boxesOf([batch, heads, nQ], groups, step, count) {
  const perItem = Math.ceil(count / batch);
  const some = pieces(groups, perItem).map((range) => range.map((g) => (g * heads) / groups));
  const blocks = pieces(nQ, Math.ceil(perItem / groups), step);
  return pieces(batch, count).flatMap((items) =>
    some.flatMap((own) => blocks.map((queries) => /** @type {any} */ ([items, own, queries]))),
  );
}

/**
 * Divides 0 … extent into at most `count` pieces of about equal length.
 *
 * @param {number} extent
 * @param {number} count
 * @param {number} [step] pieces begin at its multiples, and are as long at least
 * @returns {Range[]}
 */
function pieces(extent, count, step = 1) {
  const most = Math.max(1, Math.min(count, Math.floor(extent / step)));
  const at = (/** @type {number} */ i) =>
    i === most ? extent : Math.floor((i * extent) / most / step) * step;
  return [...Array(most).keys()].map((i) => [at(i), at(i + 1)]);
}

/**
 * Returns the runs of entries that a box has of an array.
 *
 * @param {number} length of the array
 * @param {Counts} counts of the array
 * @param {Counts} sizes of the call
 * @param {Box} box
 * @returns {[start: number, end: number][]}
 */
function runsOf(length, counts, sizes, box) {
  const all = counts[0] * counts[1] * counts[2];
  const [items, heads, queries] = counts.map((count, axis) =>
    count === 1 ? [0, 1] : box[axis].map((place) => (place * count) / sizes[axis]),
  );
  /** @type {[start: number, end: number][]} */
  const runs = [];
  for (let item = items[0]; item < items[1]; item++) {
    for (let head = heads[0]; head < heads[1]; head++) {
      const row = (item * counts[1] + head) * counts[2];
      const [start, end] = queries.map((query) => ((row + query) * length) / all);
      const last = runs[runs.length - 1];
      if (last?.[1] === start) last[1] = end;
      else runs.push([start, end]);
    }
  }
  return runs;
}

/**
 * Copies the entries of a box.
 *
 * @param {{ data: Float32Array | Uint8Array, shape: number[] }} tensor
 * @param {Counts} counts
 * @param {Counts} sizes
 * @param {Box} box
 * @param {Take} take
 * @returns {{ data: Float32Array | Uint8Array, shape: number[] }} of four axes
 */
function cut({ data, shape }, counts, sizes, box, take) {
  const runs = runsOf(data.length, counts, sizes, box);
  const length = runs.reduce((sum, [start, end]) => sum + end - start, 0);
  const Numbers = data instanceof Uint8Array ? Uint8Array : Float32Array;
  const copy = new Numbers(take(length * Numbers.BYTES_PER_ELEMENT));
  let at = 0;
  for (const [start, end] of runs) {
    copy.set(data.subarray(start, end), at);
    at += end - start;
  }
  const lead = counts.slice(0, 2).map((count, axis) => extentOf(count, sizes[axis], box[axis]));
  const rows = shape[shape.length - 2];
  const own = counts[2] === 1 ? rows : extentOf(counts[2], sizes[2], box[2]);
  return { data: copy, shape: [...lead, own, shape[shape.length - 1]] };
}

/** Returns how many entries of an axis a range has. @param {number} count @param {number} size
 *  @param {Range} range */
const extentOf = (count, size, [first, end]) => (count === 1 ? 1 : ((end - first) * count) / size);

/**
 * Writes the entries of a box to their places.
 *
 * @param {Float32Array} target
 * @param {Float32Array} source
 * @param {Counts} counts
 * @param {Counts} sizes
 * @param {Box} box
 */
function put(target, source, counts, sizes, box) {
  let at = 0;
  for (const [start, end] of runsOf(target.length, counts, sizes, box)) {
    target.set(source.subarray(at, at + end - start), start);
    at += end - start;
  }
}

/**
 * Statistics of the weights of a head, and weights pooled over blocks, which the kernel finds in the
 * tiles of attention. The twin of c/attention_statistics.c and c/attention_map.c.
 */
import { recordOf } from '../shared/keys.js';
import { ATTN_ATTENTION_MAP, ATTN_STATISTICS } from './kernel/generated/structs.js';

/**
 * @import { Block, HeadSizes } from './heads.js'
 * @import { Kernel } from './kernel/active.js'
 * @import { AttnStatistics } from './kernel/generated/structs.js'
 * @import { Tensor } from './tensor.js'
 */

/** @typedef {(typeof STATISTICS)[number]} Statistic */

/** The statistics of a query, with or without a sink. */
export const KEY_STATISTICS = /** @type {const} */ ([
  'entropy',
  'effectiveKeys',
  'jacobianTrace',
  'largestWeight',
  'largestScore',
  'scoreMean',
  'scoreDeviation',
  'visibleKeys',
  'firstWeight',
  'previousWeight',
]);

/** All statistics of a query, [..., n_q]. */
export const STATISTICS = /** @type {const} */ ([...KEY_STATISTICS, 'sinkWeight']);

/**
 * Weights pooled over rows × columns blocks of all queries × keys of a head; `target` has the rows of the
 * queries from `first` on, [batch, heads, …, columns].
 *
 * @typedef {{ rows: number, columns: number, pool: 'sum' | 'mean' | 'max', target: Tensor }} Pooled
 */

/**
 * A struct for the kernel: `at` returns it for queries from `first` on, `begin` and `store` frame a head.
 *
 * @typedef {{ at: (first: number) => Block, begin: () => void, store: (head: number) => void }} HeadPart
 */

/**
 * Allocates memory for the statistics among some results.
 *
 * @param {Kernel} kernel
 * @param {number} nQ
 * @param {Partial<Record<Statistic, Tensor>>} results filled
 * @returns {HeadPart | null} null if there is none
 */
export function allocateStatistics(kernel, nQ, results) {
  const names = STATISTICS.filter((name) => results[name]);
  if (names.length === 0) return null;
  const blocks = names.map(() => kernel.floats(nQ));
  const struct = kernel.bytes(ATTN_STATISTICS.bytes);
  return {
    at(first) {
      /** @type {AttnStatistics} */
      const fields = recordOf(STATISTICS, (name) => {
        const place = names.indexOf(name);
        return place < 0 ? null : kernel.part(blocks[place], first);
      });
      kernel.writeStruct(struct, ATTN_STATISTICS, fields);
      return struct;
    },
    begin() {},
    store(head) {
      names.forEach((name, i) => {
        const result = results[name];
        if (result) kernel.read(blocks[i], result.data, head * nQ, nQ);
      });
    },
  };
}

/**
 * Allocates memory for the pooled weights of a head.
 *
 * @param {Kernel} kernel
 * @param {HeadSizes} sizes
 * @param {Pooled | null} pooled
 * @returns {HeadPart | null} null if there are no keys, or nothing is wanted
 */
export function allocateMap(kernel, { nQ, nK }, pooled) {
  if (!pooled || nK === 0) return null;
  const { rows, columns, pool, target } = pooled;
  const cells = kernel.bytes(8 * rows * columns);
  const struct = kernel.bytes(ATTN_ATTENTION_MAP.bytes);
  const largest = pool === 'max' ? 1 : 0;
  return {
    at(first) {
      kernel.writeStruct(struct, ATTN_ATTENTION_MAP, { cells, rows, columns, first, largest });
      return struct;
    },
    begin: () => kernel.clear(cells, 2 * rows * columns),
    store(head) {
      const start = head * rows * columns;
      kernel.readDoubles(cells, rows * columns).forEach((cell, i) => {
        const row = Math.floor(i / columns);
        const pairs = lengthOf(row, nQ, rows) * lengthOf(i % columns, nK, columns);
        target.data[start + i] = pool === 'mean' ? cell / pairs : cell;
      });
    },
  };
}

/** Returns the number of elements in block b of `blocks` over n. @param {number} b @param {number} n
 *  @param {number} blocks */
const lengthOf = (b, n, blocks) =>
  Math.floor(((b + 1) * n) / blocks) - Math.floor((b * n) / blocks);

/**
 * Common random numbers: queries and keys whose noise is nested, so that moving a slider keeps the
 * sample. Row r of the queries is Philox stream 2r, row r of the keys stream 2r + 1; a larger d_k
 * appends columns, more keys append rows, and nothing that was there changes.
 */
import { randomNormal } from '../attention/index.js';

/** Rows are kept for this many seeds, the latest used; older ones are drawn again when asked for. */
const SEEDS_KEPT = 4;
const FEWEST_COLUMNS = 64;

/** @type {Map<number, Float32Array[]>} seed → row of each stream, most recently used last */
const cache = new Map();

/** @param {number} seed @returns {Float32Array[]} */
function rowsOf(seed) {
  const rows = cache.get(seed) ?? [];
  cache.delete(seed);
  cache.set(seed, rows);
  for (const oldest of cache.keys()) {
    if (cache.size <= SEEDS_KEPT) break;
    cache.delete(oldest);
  }
  return rows;
}

/**
 * @param {Float32Array[]} rows
 * @param {number} seed
 * @param {number} stream
 * @param {number} columns
 * @returns {Float32Array} at least `columns` numbers
 */
function row(rows, seed, stream, columns) {
  if (!(rows[stream]?.length >= columns)) {
    // Room for a slider to grow into: the next power of two.
    const length = Math.max(FEWEST_COLUMNS, 2 ** Math.ceil(Math.log2(columns)));
    rows[stream] = randomNormal([length], { seed, stream }).data;
  }
  return rows[stream];
}

/**
 * @param {'query' | 'key'} role
 * @param {{ rows: number, columns: number, seed: number, entrySize?: number, first?: number }} options
 *   `first` is the index of the first row wanted
 * @returns {{ data: Float32Array, shape: number[] }} [rows, columns], entries iid N(0, entrySize²)
 */
export function noise(role, { rows, columns, seed, entrySize = 1, first = 0 }) {
  const data = new Float32Array(rows * columns);
  const kept = rowsOf(seed);
  for (let r = 0; r < rows; r++) {
    const source = row(kept, seed, 2 * (first + r) + (role === 'key' ? 1 : 0), columns);
    data.set(source.subarray(0, columns), r * columns);
  }
  if (entrySize !== 1) for (let i = 0; i < data.length; i++) data[i] *= entrySize;
  return { data, shape: [rows, columns] };
}

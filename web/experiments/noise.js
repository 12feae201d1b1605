/**
 * Common random numbers: queries and keys whose noise is nested, so that moving a slider keeps the
 * sample. Row r of the queries is Philox stream 2r, row r of the keys stream 2r + 1; a larger d_k
 * appends columns, more keys append rows, and earlier numbers stay the same.
 */
import { randomNormal } from '../attention/index.js';
import { recent } from '../shared/recent.js';

/** @import { Tensor } from '../attention/index.js' */

/** The number of seeds, those used last, whose rows are kept; others are drawn again when needed. */
const SEEDS_KEPT = 4;
const FEWEST_COLUMNS = 64;

/** The rows of a seed by stream. @type {(seed: number) => Float32Array[]} */
const rowsOf = recent(SEEDS_KEPT, () => []);

/**
 * Returns the row of a stream, with at least `columns` numbers.
 * @param {Float32Array[]} rows
 * @param {number} seed
 * @param {number} stream
 * @param {number} columns
 */
function row(rows, seed, stream, columns) {
  if (!(rows[stream]?.length >= columns)) {
    // Returns the next power of two, which leaves room for a slider to grow into.
    const length = Math.max(FEWEST_COLUMNS, 2 ** Math.ceil(Math.log2(columns)));
    rows[stream] = randomNormal([length], { seed, stream }).data;
  }
  return rows[stream];
}

/**
 * Returns rows of queries or keys with iid N(mean·entrySize, entrySize²) entries.
 * @param {'query' | 'key'} role
 * @param {{ rows: number, columns: number, seed: number, entrySize?: number, mean?: number, first?: number,
 *   at?: (row: number) => number }} options `mean` is in deviations; `first` is the index of the first row; `at` gives the
 *   index of each, where they do not follow one another
 * @returns {Tensor} [rows, columns]
 */
export function noise(
  role,
  { rows, columns, seed, entrySize = 1, mean = 0, first = 0, at = (r) => first + r },
) {
  const data = new Float32Array(rows * columns);
  const kept = rowsOf(seed);
  for (let r = 0; r < rows; r++) {
    const source = row(kept, seed, 2 * at(r) + (role === 'key' ? 1 : 0), columns);
    data.set(source.subarray(0, columns), r * columns);
  }
  if (mean !== 0) for (let i = 0; i < data.length; i++) data[i] += mean;
  if (entrySize !== 1) for (let i = 0; i < data.length; i++) data[i] *= entrySize;
  return { data, shape: [rows, columns] };
}

/** Added to the seed for the noise of aligned keys; seeds of figures are below a million. */
const ALIGNED_SEED = 2_000_000;

/** Returns the ε of keys ρq + √(1 − ρ²)ε aligned with queries. @param {number} rows @param {number} columns @param {number} seed */
export const alignedNoise = (rows, columns, seed) =>
  noise('query', { rows, columns, seed: seed + ALIGNED_SEED });

/** Distance from one set of keys to the next, in rows of noise; sets are shorter where there are several. */
const SET_ROWS = 2 ** 16;
/**
 * The most numbers in all sets together, unless a single set has more, since drawing and copying
 * take time.
 */
const SET_NUMBERS = 2 ** 16;
/** The least length of a row that counts, since shorter ones take as long to draw. */
const SHORTEST = 32;
export const MOST_SETS = 16;

/**
 * Returns queries and the keys that they meet. A single set of keys would leave its luck in every mean
 * over queries (at d_k = 2, n = 64 a fifth of the largest weight), so the queries are divided among up
 * to 16 independent sets: query r meets set r mod sets, and set 0 is `noise('key', …)`. There are fewer
 * sets where keys are many or long; their number is a power of two that divides the queries.
 * @param {{ dK: number, keys: number, queries: number, seed: number, entrySize?: number, mean?: number }} options
 * @returns {{ query: Tensor, key: Tensor, at: (row: number) => number }} [sets, queries / sets, d_k]
 *   and [sets, keys, d_k]; `at` is the index of the query in each row of `query`
 */
export function pairs({ dK, keys, queries, seed, entrySize, mean }) {
  let sets = MOST_SETS;
  while (sets > 1 && (queries % sets || sets * keys * Math.max(dK, SHORTEST) > SET_NUMBERS))
    sets /= 2;
  const each = queries / sets;
  const at = (/** @type {number} */ r) => Math.floor(r / each) + sets * (r % each);
  const common = { columns: dK, seed, entrySize, mean };
  const inSet = (/** @type {number} */ r) => SET_ROWS * Math.floor(r / keys) + (r % keys);
  const query = noise('query', { ...common, rows: queries, at });
  const key = noise('key', { ...common, rows: sets * keys, at: inSet });
  return {
    query: { data: query.data, shape: [sets, each, dK] },
    key: { data: key.data, shape: [sets, keys, dK] },
    at,
  };
}

/** Lines beside the measurements of `cost.js`: the models of time and memory of `../theory/cost.js`. */
import { memoryModel } from '../theory/cost.js';
import { flopOf, METHODS, SIZES } from './cost-methods.js';

/** @import { CostOptions, Method } from './cost-methods.js' */

/**
 * A point of a model line.
 * @typedef {object} PredictionRow
 * @property {Method} method
 * @property {number} keys
 * @property {number} milliseconds predicted time of one call
 */

/**
 * Returns lines of the flop model (`costModel`), each through one measured point: of the rows of its
 * method in `calibration`, the one whose `keys` is nearest `calibrationKeys` on a log scale. A method
 * without a row has the flop rate of the first method with one, 'dot' before the others, which is the
 * prediction of the flop count alone.
 * @param {CostOptions & { sizes?: readonly number[], calibrationKeys?: number,
 *   calibration: readonly { method: Method, keys: number, milliseconds: number }[] }} options
 *   `calibration` are rows of `measureCost` or `quickSample`; `calibrationKeys` 512
 * @returns {PredictionRow[]} ordered by method, then as `sizes`; empty if `calibration` is empty
 */
export function costPrediction({
  dK = 64,
  hidden = 64,
  tanh = 'vectorised',
  methods = METHODS,
  sizes = SIZES,
  calibrationKeys = 512,
  calibration,
}) {
  const distance = (/** @type {{ keys: number }} */ row) =>
    Math.abs(Math.log(row.keys / calibrationKeys));
  const nearest = (/** @type {Method} */ method) =>
    calibration.filter((row) => row.method === method).sort((a, b) => distance(a) - distance(b))[0];
  const fallback = METHODS.map(nearest).find((row) => row);
  return methods.flatMap((method) => {
    const row = nearest(method) ?? fallback;
    if (!row) return [];
    const rate = flopOf(row.method, row.keys, { dK, hidden, tanh }) / row.milliseconds;
    return sizes.map((keys) => {
      return { method, keys, milliseconds: flopOf(method, keys, { dK, hidden, tanh }) / rate };
    });
  });
}

/**
 * A point of a memory line.
 * @typedef {object} MemoryRow
 * @property {'dot' | 'broadcast' | 'fused'} method as in `memoryModel`
 * @property {number} keys
 * @property {number} bytes of float32 working memory beyond inputs and output
 */

/**
 * Returns lines of the memory model (`memoryModel`). Nothing is measured.
 * @param {{ dK?: number, hidden?: number, sizes?: readonly number[] }} [options]
 * @returns {MemoryRow[]} ordered by method, then as `sizes`
 */
export function memoryRows({ dK = 64, hidden = 64, sizes = SIZES } = {}) {
  /** @type {MemoryRow['method'][]} */
  const methods = ['dot', 'broadcast', 'fused'];
  return methods.flatMap((method) =>
    sizes.map((keys) => ({ method, keys, bytes: memoryModel({ method, keys, dK, hidden }) })),
  );
}

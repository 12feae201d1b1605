/**
 * The factor by which products of queries and keys became the scores of given weights. In each row
 * ln p_j = c·(q·k_j) + const, so that c follows by least squares: exactly where nothing else acts.
 */

/** The most queries whose products are formed: the factor is one number. */
const MOST_ROWS = 256;
/** Weights below this have few digits in half precision, and count less. */
const WHOLE_HALF = 2 ** -14;
/** How far a factor may be from a named one by rounding of the weights. */
const SAME = 0.02;

/**
 * @typedef {object} UsedScale
 * @property {number} scale c
 * @property {number} residual the share of the variance of ln p within rows that c leaves, from 0
 */

/**
 * Finds the factor of weights by least squares over some of the rows.
 *
 * @param {{ weights: Float32Array, query: Float32Array, key: Float32Array, dK: number }} head
 * @param {(i: number, j: number) => boolean} sees
 * @returns {UsedScale | undefined} undefined if no row has two weights with different products
 */
export function usedScale({ weights, query, key, dK }, sees) {
  const [nQ, nK] = [query.length / dK, key.length / dK];
  const rows = Math.min(nQ, MOST_ROWS);
  let [products, logs, both] = [0, 0, 0]; // sums of squares and of products of deviations
  for (let row = 0; row < rows; row++) {
    const i = Math.floor((row * nQ) / rows);
    /** @type {{ x: number, y: number, share: number }[]} */
    const points = [];
    for (let j = 0; j < nK; j++) {
      const p = weights[i * nK + j];
      if (!(p > 0) || !sees(i, j)) continue;
      let x = 0;
      for (let c = 0; c < dK; c++) x += query[i * dK + c] * key[j * dK + c];
      points.push({ x, y: Math.log(p), share: Math.min(1, p / WHOLE_HALF) ** 2 });
    }
    const total = points.reduce((sum, { share }) => sum + share, 0);
    const meanX = points.reduce((sum, { x, share }) => sum + share * x, 0) / total;
    const meanY = points.reduce((sum, { y, share }) => sum + share * y, 0) / total;
    for (const { x, y, share } of points) {
      products += share * (x - meanX) ** 2;
      logs += share * (y - meanY) ** 2;
      both += share * (x - meanX) * (y - meanY);
    }
  }
  if (!(products > 0)) return undefined;
  const residual = logs > 0 ? Math.max(0, 1 - both ** 2 / (products * logs)) : 1;
  return { scale: both / products, residual };
}

/**
 * Names a factor.
 *
 * @param {number} scale
 * @param {{ dK: number, heads: number, layer: number, dModel?: number }} sizes
 * @returns {string | undefined} `'1/√d_k'` and the like; for another factor above 0 the temperature of 1/√d_k that
 *   gives it, as `'T = 0.25'`
 */
export function nameOfScale(scale, { dK, heads, layer, dModel }) {
  const root = 1 / Math.sqrt(dK);
  /** @type {[name: string, factor: number][]} */
  const known = [
    ['1/√d_k', root],
    ['1', 1],
    ['1/d_k', 1 / dK],
    ['1/√d_model', dModel ? 1 / Math.sqrt(dModel) : NaN],
    ['1/√heads', 1 / Math.sqrt(heads)],
    ['1/(2√d_k)', root / 2],
    ['1/√(heads·d_k)', root / Math.sqrt(heads)],
    ['1/((layer + 1)√d_k)', root / (layer + 1)],
    ['1/(layer + 1)', 1 / (layer + 1)],
  ];
  const found = known.find(([, factor]) => Math.abs(scale / factor - 1) < SAME);
  if (found) return found[0];
  return scale > 0 ? `T = ${Number((root / scale).toPrecision(2))}` : undefined;
}

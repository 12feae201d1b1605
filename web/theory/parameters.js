/**
 * Counts of the numbers that a self-attention layer learns and remembers, from its formula.
 */

/**
 * Counts the weights and biases of one layer with h query heads and g heads of keys and values:
 *   d_model·(h + g)·(d_k + d_v)
 * and, with biases, h·d_k + g·(d_k + d_v) + d_model more. With d_k = d_v = d_model/h and g = h that
 * is 4·d_model² for any h.
 * @param {{ dModel: number, heads: number, kvHeads?: number, dKey?: number, dValue?: number,
 *   bias?: boolean }} options `kvHeads` is h, `dKey` d_model/h and `dValue` d_k unless given
 * @returns {number}
 */
export function layerParameters({
  dModel,
  heads,
  kvHeads = heads,
  dKey = dModel / heads,
  dValue = dKey,
  bias = false,
}) {
  const weights = dModel * (heads + kvHeads) * (dKey + dValue);
  const biases = heads * dKey + kvHeads * (dKey + dValue) + dModel;
  return bias ? weights + biases : weights;
}

/**
 * Counts the numbers that decoding keeps for each token, one key and one value for each key/value
 * head: g·(d_k + d_v).
 * @param {{ kvHeads: number, dKey: number, dValue?: number }} options
 * @returns {number}
 */
export function cachePerToken({ kvHeads, dKey, dValue = dKey }) {
  return kvHeads * (dKey + dValue);
}

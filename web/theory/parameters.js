/** Counts of the numbers that a self-attention layer learns and remembers, from its formula. */

/**
 * Counts the weights and biases of one layer with h query heads and g heads of keys and values:
 *   2·d_model·(h + g)·d_k
 * and, with biases, (h + 2g)·d_k + d_model more. With d_k = d_model/h and g = h that is 4·d_model² for any h.
 * @param {{ dModel: number, heads: number, kvHeads: number, dKey: number, bias?: boolean }} options
 */
export function layerParameters({ dModel, heads, kvHeads, dKey, bias = false }) {
  const weights = 2 * dModel * (heads + kvHeads) * dKey;
  return bias ? weights + (heads + 2 * kvHeads) * dKey + dModel : weights;
}

/**
 * Counts the numbers that decoding keeps for each token, one key and one value for each key/value head: 2·g·d_k.
 * @param {{ kvHeads: number, dKey: number }} options
 */
export const cachePerToken = ({ kvHeads, dKey }) => 2 * kvHeads * dKey;

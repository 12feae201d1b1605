/** The starts of the weights that make queries and keys, once for every room. */

/**
 * @typedef {'unit' | 'nn-linear' | 'multihead' | 'glorot' | 'gpt-2'} StartKey in attributes, links and recorded files
 * @typedef {{ key: StartKey, weight: (dModel: number, dK: number) => number }} Start  weight: variance of one
 */

/**
 * Unit variance, with which queries and keys have entries of variance 1; `kaiming_uniform_(a=√5)` of PyTorch's
 * nn.Linear, which is U(±1/√d_model); `xavier_uniform_` (Glorot & Bengio, "Understanding the difficulty of training
 * deep feedforward neural networks", 2010) on the weights of queries, keys and values in one matrix
 * [3·d_model, d_model], as in nn.MultiheadAttention, and on one [d_k, d_model] of a head of its own; GPT-2's N(0, .02²).
 * @type {readonly Start[]}
 */
export const STARTS = Object.freeze([
  { key: 'unit', weight: (dModel) => 1 / dModel },
  { key: 'nn-linear', weight: (dModel) => 1 / (3 * dModel) },
  { key: 'multihead', weight: (dModel) => 2 / (dModel + 3 * dModel) },
  { key: 'glorot', weight: (dModel, dK) => 2 / (dModel + dK) },
  { key: 'gpt-2', weight: () => 0.02 ** 2 },
]);

export const START_KEYS = Object.freeze(STARTS.map(({ key }) => key));

/** The sizes for which figures name a start: those of GPT-2, but with eight heads. */
const SIZES = { dModel: 768, dK: 96 };

/**
 * Returns v, the variance of the entries of queries and keys that come from inputs of variance 1, as after a layer norm.
 * Scores then have a deviation of √d_k·v.
 * @param {StartKey} called
 * @param {{ dModel: number, dK: number }} [sizes]
 */
export function startVariance(called, { dModel, dK } = SIZES) {
  const { weight } = /** @type {Start} */ (STARTS.find(({ key }) => key === called));
  return dModel * weight(dModel, dK);
}

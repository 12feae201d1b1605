/**
 * The starts of query and key weights, once for every room. A layer norm hands on inputs of variance 1; weights of
 * variance s² make of them entries of queries and keys of variance v = d_model·s².
 */

/**
 * @typedef {'unit' | 'nn-linear' | 'multihead' | 'glorot' | 'gpt-2'} StartKey in attributes, links and recorded files
 * @typedef {{ key: StartKey, variance: number }} Start  variance: v of an entry
 */

/**
 * Unit variance; the defaults of PyTorch's nn.Linear, U(±1/√d_model), and of nn.MultiheadAttention, Xavier's on a
 * packed 3·d_model × d_model; Xavier's on a head of its own, d_k = d_model/8; GPT-2's N(0, .02²) at d_model = 768.
 * @type {readonly Start[]}
 */
export const STARTS = Object.freeze([
  { key: 'unit', variance: 1 },
  { key: 'nn-linear', variance: 1 / 3 },
  { key: 'multihead', variance: 1 / 2 },
  { key: 'glorot', variance: 16 / 9 },
  { key: 'gpt-2', variance: 768 * 0.02 ** 2 },
]);

/** Returns the variance of an entry of queries and keys at a start. @param {StartKey} called */
export const startVariance = (called) =>
  /** @type {Start} */ (STARTS.find(({ key }) => key === called)).variance;

/**
 * The independent truth of the JavaScript tests: the formulas in float64, one loop after another,
 * written to be read. A matrix is an array of rows.
 *
 * Beside each result stands its magnitude, the same formula with every term replaced by its
 * absolute value and first-order error factors: a float32 implementation is expected within a
 * small multiple of 2^-24 times that, also where the result is tiny through cancellation.
 */
export { additiveAttention, additiveAttentionGradient } from './oracle/additive.js';
export {
  attend,
  attention,
  attentionGradient,
  unitRows,
  unitRowsGradient,
} from './oracle/attention.js';
export { distance, EPSILON, errorInUnits } from './oracle/error.js';
export { multiHeadAttention, multiHeadAttentionGradient } from './oracle/layer.js';
export { dot, matrixOf, sum, transpose } from './oracle/matrices.js';
export {
  entropy,
  logSumExp,
  softmax,
  softmaxJacobian,
  softmaxMagnitude,
} from './oracle/softmax.js';

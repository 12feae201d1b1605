/**
 * The functions of the package that compute: on the shared kernel, or bound by `createKernel` to another.
 */
export { additiveAttention, additiveAttentionGradient } from './additive.js';
export { attention, attentionGradient, attentionScores } from './attention.js';
export { attentionMap } from './attention-map.js';
export { attentionStatistics } from './attention-statistics.js';
export { describe } from './describe.js';
export { diagnose } from '../diagnosis/diagnose.js';
export { roundToBFloat16, roundToFloat16, softmaxFloat16 } from './half.js';
export { linear, linearGradient } from './linear.js';
export { multiHeadAttention, multiHeadAttentionGradient } from './multihead.js';
export { parameterCount } from './parameter-count.js';
export { randomNormal, randomUniform } from './random.js';
export { rotary } from './rotary.js';
export { scoreMoments } from './score-moments.js';
export { logSoftmax, logSumExp, softmax, softmaxGradient, softmaxJacobian } from './softmax.js';
export { effectiveKeys, entropy, jacobianTrace } from './statistics.js';
export { rows, tensor, toNested } from './tensor.js';
export { whyThisKey } from '../diagnosis/why-this-key.js';

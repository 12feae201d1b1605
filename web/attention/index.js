/**
 * attention-lab: attention, its softmax and its additive baseline, computed by a WebAssembly SIMD
 * kernel. No DOM, no side effects at import; works in browsers, workers, Node, Deno and Bun.
 */
export { diagnosisCourse } from '../diagnosis/course.js';
export { BackendError, CapacityError, DTypeError, errorFrom, ShapeError } from './errors.js';
export * from './functions.js';
export { backend, init } from './kernel/active.js';
export { createKernel } from './kernels.js';

/**
 * @typedef {import('./tensor.js').Tensor} Tensor
 * @typedef {import('./tensor.js').TensorLike} TensorLike
 * @typedef {import('./tensor.js').MaskLike} MaskLike
 * @typedef {import('./kernel/backends.js').Backend} Backend
 * @typedef {import('./kernel/active.js').InitOptions} InitOptions
 * @typedef {import('./kernels.js').Kernel} Kernel
 * @typedef {import('./results.js').Into} Into
 * @typedef {import('./limit.js').Limit} Limit
 * @typedef {import('./softmax.js').SoftmaxOptions} SoftmaxOptions
 * @typedef {import('./statistics.js').StatisticOptions} StatisticOptions
 * @typedef {import('./half.js').RoundOptions} RoundOptions
 * @typedef {import('./half.js').HalfSoftmaxOptions} HalfSoftmaxOptions
 * @typedef {import('./random.js').RandomOptions} RandomOptions
 * @typedef {import('./linear.js').LinearOptions} LinearOptions
 * @typedef {import('./linear.js').LinearGradientOptions} LinearGradientOptions
 * @typedef {import('./attention.js').AttentionGradientOptions} AttentionGradientOptions
 * @typedef {import('./attention.js').AttentionGradients} AttentionGradients
 * @typedef {import('./attention-map.js').AttentionMapOptions} AttentionMapOptions
 * @typedef {import('./score-moments.js').ScoreMoments} ScoreMoments
 * @typedef {import('../diagnosis/diagnose.js').Diagnosis} Diagnosis
 * @typedef {import('../diagnosis/course.js').DiagnosisRow} DiagnosisRow
 * @typedef {import('../diagnosis/course.js').HeadReport} HeadReport
 * @typedef {import('../diagnosis/course.js').StepReport} StepReport
 * @typedef {import('../diagnosis/why-this-key.js').WhyOptions} WhyOptions
 * @typedef {import('../diagnosis/why-this-key.js').WhyThisKey} WhyThisKey
 * @typedef {import('./rotary.js').RotaryOptions} RotaryOptions
 * @typedef {import('./additive.js').AdditiveGradientOptions} AdditiveGradientOptions
 * @typedef {import('./additive.js').AdditiveGradients} AdditiveGradients
 * @typedef {import('./multihead.js').MultiHeadGradientOptions} MultiHeadGradientOptions
 * @typedef {import('./multihead.js').MultiHeadParameters} MultiHeadParameters
 * @typedef {import('./multihead.js').MultiHeadGradients} MultiHeadGradients
 * @typedef {import('./parameter-count.js').AdditiveCountOptions} AdditiveCountOptions
 * @typedef {import('./parameter-count.js').ParameterCountOptions} ParameterCountOptions
 */
/**
 * @template {import('./attention.js').FurtherResult} [R=import('./attention.js').FurtherResult]
 * @typedef {import('./attention.js').AttentionOptions<R>} AttentionOptions
 */
/**
 * @template {import('./attention.js').FurtherResult} [R=import('./attention.js').FurtherResult]
 * @typedef {import('./attention.js').ScoreOptions<R>} ScoreOptions
 */
/**
 * @template {import('./attention-statistics.js').StatisticName} [R=import('./attention-statistics.js').StatisticName]
 * @typedef {import('./attention-statistics.js').AttentionStatisticOptions<R>} AttentionStatisticOptions
 */
/**
 * @template {'weights' | 'scores' | 'logSumExp'} [R='weights' | 'scores' | 'logSumExp']
 * @typedef {import('./additive.js').AdditiveOptions<R>} AdditiveOptions
 */
/**
 * @template {'weights' | 'meanWeights' | 'query' | 'key' | 'value' | 'concatenated'} [R='weights' | 'meanWeights' | 'query' | 'key' | 'value' | 'concatenated']
 * @typedef {import('./multihead.js').MultiHeadOptions<R>} MultiHeadOptions
 */

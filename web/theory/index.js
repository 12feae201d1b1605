/**
 * Closed forms and exact integrals behind the figures; float64, no DOM, nothing random.
 *
 * Assumption throughout: entries of queries and keys are iid normal, as at initialisation; given
 * the query, the scores of n keys are then iid N(0, σ²). Logarithms are natural.
 */
export {
  expectedEntropy,
  expectedLogSumExp,
  expectedMaxWeight,
  expectedSumOfSquares,
  softmaxMoments,
} from './moments.js';
export { expectedEffectiveKeys, expectedSaturation } from './saturation.js';
export { normNodes, overRandomNorm } from './norm.js';
export { scoreDensity, scoreProbability } from './density.js';
export { freezingDimension, freezingSigma } from './freezing.js';
export { exactGap, exactJacobian, gapTail, medianGap, medianTraceOfTwo } from './gradient.js';
export {
  competitorGap,
  competitorsWithin,
  farBelowLargest,
  FORMATS,
  rowTail,
  scoreTail,
} from './precision.js';
export { alignedWeights, entropyExponents, freezingExponent } from './scale.js';
export {
  alignedRow,
  cosineGain,
  crossingCorrelation,
  expectedRow,
  sinkWeight,
  softcapSlope,
  weightAbove,
  yarnFactor,
} from './scales.js';
export { costModel, memoryModel, TANH_FLOPS } from './cost.js';
export { cachePerToken, layerParameters } from './parameters.js';
export { lostInMean } from './mean.js';
export { tiedRingFloor } from './relation.js';

/**
 * @typedef {import('./moments.js').SoftmaxMoments} SoftmaxMoments
 * @typedef {import('./precision.js').Format} Format
 * @typedef {import('./precision.js').FormatLimits} FormatLimits
 * @typedef {import('./precision.js').ScoreOptions} ScoreOptions
 * @typedef {import('./saturation.js').Saturation} Saturation
 * @typedef {import('./scales.js').ExpectedRow} ExpectedRow
 * @typedef {import('./scales.js').RowScale} RowScale
 */

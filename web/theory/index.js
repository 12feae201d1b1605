/**
 * The laws that the figures draw as lines: closed forms and exact integrals; float64, no DOM, nothing random.
 *
 * Assumption throughout: entries of queries and keys are iid normal, as where training begins; given
 * the query, the scores of n keys are then iid N(0, σ²). Logarithms are natural.
 */
export { expectedEntropy, expectedMaxWeight, softmaxMoments } from './moments.js';
export { expectedEffectiveKeys, expectedSaturation } from './saturation.js';
export { freezingDimension, freezingSigma } from './freezing.js';
export { freezingExponent } from './scale.js';
export { scoreDensity } from './density.js';
export { cosineGain, sinkWeight } from './scales.js';
export { startDeviation } from './start.js';
export { costModel, memoryModel } from './cost.js';
export { tiedRingFloor } from './relation.js';

/**
 * @typedef {import('./moments.js').SoftmaxMoments} SoftmaxMoments
 * @typedef {import('./saturation.js').Saturation} Saturation
 * @typedef {import('./start.js').StartOptions} StartOptions
 */

/**
 * What the figures compute: pure functions, seed in, tidy rows out (arrays of plain objects), no
 * DOM. Draw them with any chart library. Every score, weight, entropy and random number comes from
 * the kernel package; the theory columns come from `../theory/`.
 *
 * Row shapes are documented column by column at the functions:
 *   scores and weights   scoreHistogram, largestWeights, saturationCurve, saturationTheory,
 *                        saturationSummary (saturation.js)
 *   time and memory      measureCost, quickCost, costPrediction, memoryRows (cost.js)
 *   gradients            gradientCurve, gradientTheory, jacobianEntries (gradient.js)
 *   number formats       precisionCurve, precisionTheory (precision.js)
 *   training             measureTraining, train, trainingBatch, finalLosses, trainingCourse (training.js)
 *   choices of factor    scaleChoices, alignmentCurve, alignmentTheory (scale.js)
 *   claims               measureClaim, measureClaims (claims.js)
 *   scale factors        scaleFactor, SCALE_FACTORS (scaling.js)
 *   sizes of layers      headParameters, headCache, groupedHeads (heads.js)
 *   keys as values       measureRecall, quickRecall, recallLoss, RECALL_GUESS (recall.js)
 *   one small head       attentionFlow, flowSample (flow.js)
 *   roles of q and k     relationWeights, measureRelation, quickRelation (relation.js)
 */
export {
  largestWeights,
  saturationCurve,
  saturationSummary,
  saturationTheory,
  scoreHistogram,
} from './saturation.js';
export { costPrediction, measureCost, memoryRows, quickCost } from './cost.js';
export { GRADIENT_FACTORS, gradientCurve, gradientTheory, jacobianEntries } from './gradient.js';
export { precisionCurve, precisionTheory } from './precision.js';
export {
  finalLosses,
  measureTraining,
  relationAsymmetry,
  train,
  trainInSlices,
  trainingBatch,
  trainingCourse,
  TRAINING_RATES,
  UNIFORM_LOSS,
} from './training.js';
export {
  alignmentCurve,
  alignmentTheory,
  choiceExponent,
  choiceFactor,
  SCALE_CHOICES,
  scaleChoices,
} from './scale.js';
export { CLAIM_COUNT, measureClaim, measureClaims } from './claims.js';
export { measureRecall, quickRecall, RECALL_GUESS, recallLoss } from './recall.js';
export { SCALE_FACTORS, SCALINGS, scaleFactor } from './scaling.js';
export { measureRelation, quickRelation, RELATIONS, relationWeights } from './relation.js';
export { attentionFlow, FLOW_GIVEN, FLOW_SIZES, flowSample } from './flow.js';
export { groupedHeads, headCache, headParameters } from './heads.js';

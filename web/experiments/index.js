/**
 * The computations behind the figures: pure functions that take a seed and return tidy rows (arrays of
 * plain objects) for any chart library, without the DOM. Every score, weight, entropy and random number
 * comes from the kernel package; the theory columns come from `../theory/`.
 *
 * Row shapes are documented column by column at the functions:
 *   scores and weights   scoreHistogram, largestWeights, saturationCurve, saturationTheory,
 *                        saturationSummary (saturation.js)
 *   rivals of a key      competitorCounts, competitorGaps, growthLaws (competitors.js)
 *   time and memory      measureCost, quickCost, costPrediction, memoryRows (cost.js)
 *   gradients            gradientCurve, gradientTheory, jacobianEntries, gapCurve (gradient.js)
 *   number formats       precisionCurve, precisionTheory (precision.js)
 *   training             measureTraining, train, trainingBatch, finalLosses, trainingCourse (training.js)
 *   choices of factor    scaleChoices, alignmentCurve, alignmentTheory (scale.js)
 *   scales of models      measureScale, expectedScale, measureAligned, expectedAligned (scales.js)
 *   claims               measureClaim, measureClaims (claims.js)
 *   scale factors        scaleFactor, SCALE_FACTORS (factors.js)
 *   sizes of layers      headParameters, headCache, groupedHeads, relationsHeld (heads.js)
 *   keys as values       measureRecall, quickRecall, recallLoss, RECALL_GUESS (recall.js)
 *   one small head       attentionFlow, flowSample (flow.js)
 *   a score as a walk    walkPaths, walkEnds, walkWeights, walkSummary (walk.js)
 *   a head that learns   measureRoles, ROLES_SCALES, rolesLanguage (roles.js, roles-language.js)
 *   roles of q and k     relationWeights, measureRelation, quickRelation (relation.js)
 *   heads in training    diagnosisCourse (diagnosis-course.js)
 */
export {
  largestWeights,
  saturationCurve,
  saturationSummary,
  saturationTheory,
  scoreHistogram,
} from './saturation.js';
export { competitorCounts, competitorGaps, GROWTH_POWERS, growthLaws } from './competitors.js';
export { measureCost, quickCost } from './cost.js';
export { costPrediction, memoryRows } from './cost-lines.js';
export {
  gapCurve,
  GRADIENT_FACTORS,
  gradientCurve,
  gradientTheory,
  jacobianEntries,
} from './gradient.js';
export { precisionCurve, precisionTheory } from './precision.js';
export {
  finalLosses,
  learningRateSensitivity,
  measureTraining,
  train,
  trainInSlices,
  trainingCourse,
  TRAINING_RATES,
} from './training.js';
export { relationAsymmetry, trainingBatch, UNIFORM_LOSS } from './training-runs.js';
export {
  alignmentCurve,
  alignmentTheory,
  choiceExponent,
  choiceFactor,
  LOG_GAIN,
  SCALE_CHOICES,
  scaleChoices,
} from './scale.js';
export {
  expectedAligned,
  expectedScale,
  measureAligned,
  measureScale,
  scaleLaw,
  SCALES,
  SOFTCAP,
} from './scales.js';
export { measureClaim, measureClaims } from './claims.js';
export { measureRecall, quickRecall, RECALL_GUESS, recallLoss } from './recall.js';
export { SCALE_FACTORS, SCALINGS, scaleFactor } from './factors.js';
export { measureRelation, quickRelation, RELATIONS, relationWeights } from './relation.js';
export { attentionFlow, FLOW_GIVEN, FLOW_SIZES, flowSample } from './flow.js';
export { measureRoles, ROLES_SCALES } from './roles.js';
export { rolesLanguage } from './roles-language.js';
export { WALK_FACTORS, WALK_KEYS, walkEnds, walkPaths, walkSummary, walkWeights } from './walk.js';
export { diagnosisCourse } from './diagnosis-course.js';
export { groupedHeads, headCache, headParameters, relationsHeld } from './heads.js';

/**
 * @typedef {import('./claims.js').ClaimRow} ClaimRow
 * @typedef {import('./cost-methods.js').CostOptions} CostOptions
 * @typedef {import('./cost.js').CostProgress} CostProgress
 * @typedef {import('./cost.js').CostRow} CostRow
 * @typedef {import('./cost-lines.js').MemoryRow} MemoryRow
 * @typedef {import('./cost-methods.js').Method} Method
 * @typedef {import('./cost-lines.js').PredictionRow} PredictionRow
 * @typedef {import('./cost.js').RunOptions} RunOptions
 * @typedef {import('./cost-methods.js').Tanh} Tanh
 * @typedef {import('./diagnosis-course.js').DiagnosisRow} DiagnosisRow
 * @typedef {import('./diagnosis-course.js').HeadReport} HeadReport
 * @typedef {import('./diagnosis-course.js').StepReport} StepReport
 * @typedef {import('./flow.js').Given} FlowGiven
 * @typedef {import('./flow.js').Name} FlowName
 * @typedef {import('./gradient.js').GapRow} GapRow
 * @typedef {import('./gradient.js').GradientFactor} GradientFactor
 * @typedef {import('./gradient.js').GradientRow} GradientRow
 * @typedef {import('./gradient.js').JacobianRow} JacobianRow
 * @typedef {import('./gradient.js').TraceRow} TraceRow
 * @typedef {import('./heads.js').HeadOptions} HeadOptions
 * @typedef {import('./heads.js').Matrix} HeadMatrix
 * @typedef {import('./heads.js').RelationsRow} RelationsRow
 * @typedef {import('./precision.js').PrecisionOptions} PrecisionOptions
 * @typedef {import('./precision.js').PrecisionRow} PrecisionRow
 * @typedef {import('./recall.js').RecallOptions} RecallOptions
 * @typedef {import('./recall.js').RecallRow} RecallRow
 * @typedef {import('./relation.js').Relation} Relation
 * @typedef {import('./relation.js').RelationOptions} RelationOptions
 * @typedef {import('./relation.js').RelationRow} RelationRow
 * @typedef {import('./roles.js').RolesOptions} RolesOptions
 * @typedef {import('./roles.js').RolesRow} RolesRow
 * @typedef {import('./roles-language.js').ToyLanguage} ToyLanguage
 * @typedef {import('./saturation.js').CurveRow} CurveRow
 * @typedef {import('./saturation.js').HistogramRow} HistogramRow
 * @typedef {import('./saturation.js').SaturationOptions} SaturationOptions
 * @typedef {import('./saturation.js').SummaryRow} SummaryRow
 * @typedef {import('./saturation.js').TheoryRow} TheoryRow
 * @typedef {import('./saturation.js').WeightRow} WeightRow
 * @typedef {import('./scale.js').AlignmentRow} AlignmentRow
 * @typedef {import('./scale.js').ChoiceOptions} ChoiceOptions
 * @typedef {import('./scale.js').ScaleChoice} ScaleChoice
 * @typedef {import('./scale.js').ScaleRow} ScaleRow
 * @typedef {import('./scales.js').Scale} Scale
 * @typedef {import('./scales.js').RowStatistics} RowStatistics
 * @typedef {import('./scales.js').ScaleSetting} ScaleSetting
 * @typedef {import('./factors.js').ScaleFactor} ScaleFactor
 * @typedef {import('./factors.js').Scaling} Scaling
 * @typedef {import('./training.js').CourseRow} CourseRow
 * @typedef {import('./training.js').FinalLossRow} FinalLossRow
 * @typedef {import('./training.js').TrainingModel} TrainingModel
 * @typedef {import('./training.js').TrainingOptions} TrainingOptions
 * @typedef {import('./training.js').TrainingRow} TrainingRow
 * @typedef {import('./training.js').TrainingTask} TrainingTask
 * @typedef {import('./walk.js').WalkEndRow} WalkEndRow
 * @typedef {import('./walk.js').WalkOptions} WalkOptions
 * @typedef {import('./walk.js').WalkRow} WalkRow
 * @typedef {import('./walk.js').WalkSummaryRow} WalkSummaryRow
 * @typedef {import('./walk.js').WalkWeightRow} WalkWeightRow
 */

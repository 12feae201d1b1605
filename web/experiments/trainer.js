/**
 * What experiments use of the language model: a file of its own, loaded when the first of them trains a model.
 */
export {
  attentionOf,
  createModel,
  createTrainer,
  initLanguage,
  logits,
  lossGradient,
} from '../language/index.js';
export { moduleForWorkers } from '../language/module.js';

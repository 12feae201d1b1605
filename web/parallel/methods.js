/**
 * The functions of a pool: how each is planned, and which of its parameters are the options.
 */
import {
  planAdditive,
  planAdditiveGradient,
  planAttention,
  planAttentionGradient,
  planScores,
} from './plan-attention.js';
import {
  planDescribe,
  planDiagnose,
  planLayer,
  planLayerGradient,
  planLinear,
  planLinearGradient,
  planRandom,
  planRotary,
  planRows,
} from './plan-others.js';

/** @import { Plan } from './plan-attention.js' */

/** @typedef {{ plan: (caller: string, args: any[]) => Plan, parameters: number }} PoolMethod */

/** @type {Record<string, PoolMethod>} */
export const METHODS = {
  attention: { plan: planAttention, parameters: 4 },
  attentionGradient: { plan: planAttentionGradient, parameters: 5 },
  attentionScores: { plan: planScores, parameters: 3 },
  additiveAttention: { plan: planAdditive, parameters: 4 },
  additiveAttentionGradient: { plan: planAdditiveGradient, parameters: 5 },
  multiHeadAttention: { plan: planLayer, parameters: 3 },
  multiHeadAttentionGradient: { plan: planLayerGradient, parameters: 4 },
  linear: { plan: planLinear, parameters: 4 },
  linearGradient: { plan: planLinearGradient, parameters: 4 },
  rotary: { plan: planRotary, parameters: 2 },
  softmax: { plan: planRows, parameters: 2 },
  logSoftmax: { plan: planRows, parameters: 2 },
  logSumExp: { plan: planRows, parameters: 2 },
  softmaxJacobian: { plan: planRows, parameters: 2 },
  softmaxGradient: { plan: planRows, parameters: 3 },
  entropy: { plan: planRows, parameters: 2 },
  effectiveKeys: { plan: planRows, parameters: 2 },
  jacobianTrace: { plan: planRows, parameters: 2 },
  roundToFloat16: { plan: planRows, parameters: 2 },
  roundToBFloat16: { plan: planRows, parameters: 2 },
  softmaxFloat16: { plan: planRows, parameters: 2 },
  randomNormal: { plan: planRandom, parameters: 2 },
  randomUniform: { plan: planRandom, parameters: 2 },
  describe: { plan: planDescribe, parameters: 2 },
  diagnose: { plan: planDiagnose, parameters: 3 },
};

/**
 * The names of options in other libraries (PyTorch, Keras and TensorFlow.js, ONNX), for error messages.
 */

import { nearest } from '../shared/nearest.js';
import { show } from './errors.js';

/** The name of an option in this package, by its name in another. @type {Record<string, string>} */
const OPTIONS = {
  is_causal: 'causal',
  isCausal: 'causal',
  use_causal_mask: 'causal',
  useCausalMask: 'causal',
  attn_mask: 'mask',
  attnMask: 'mask',
  attention_mask: 'mask',
  attentionMask: 'mask',
  key_padding_mask: 'keyLengths, or mask [b, 1, 1, n_k] of booleans, true for a key to keep',
  keyPaddingMask: 'keyLengths, or mask [b, 1, 1, n_k] of booleans, true for a key to keep',
  need_weights: "returns: ['weights']",
  needWeights: "returns: ['weights']",
  return_attention_scores: "returns: ['weights']",
  output_attentions: "returns: ['weights']",
  average_attn_weights: "returns: ['meanWeights']",
  return_lse: "returns: ['logSumExp']",
  qk_matmul_output_mode: "returns: 'scores', 'cappedScores', 'maskedScores' or 'weights'",
  dropout_p: 'no option: there is no dropout',
  dropoutP: 'no option: there is no dropout',
  dropout: 'no option: there is no dropout',
  enable_gqa: 'no option: fewer key heads than query heads are grouped',
  enableGqa: 'no option: fewer key heads than query heads are grouped',
  num_heads: 'heads',
  numHeads: 'heads',
  q_num_heads: 'heads',
  num_kv_heads: 'kvHeads',
  kv_num_heads: 'kvHeads',
  logit_cap: 'softcap',
  window_size: 'window: [left, right]',
  windowSize: 'window: [left, right]',
  left_window_size: 'window: [left, right]',
  right_window_size: 'window: [left, right]',
  nonpad_kv_seqlen: 'keyLengths',
  seqused_k: 'keyLengths',
  scale_factor: 'scale',
  scaling: 'scale',
  axis: 'no option: rows are along the last axis',
  dim: 'no option: rows are along the last axis',
  stddev: 'std',
  Wq: 'queryWeight',
  Wk: 'keyWeight',
  Wv: 'valueWeight',
  Wo: 'outputWeight',
  in_proj_weight: 'queryWeight, keyWeight and valueWeight, a third each',
  q_proj_weight: 'queryWeight',
  k_proj_weight: 'keyWeight',
  v_proj_weight: 'valueWeight',
  embed_dim: 'dModel',
  n_embd: 'dModel',
  hidden_size: 'dModel',
  n_head: 'heads',
  n_heads: 'heads',
  n_layer: 'layers',
  num_layers: 'layers',
  head_dim: 'dKey',
  vocab_size: 'vocabulary',
  block_size: 'context',
  n_ctx: 'context',
  lr: 'learningRate',
  eps: 'epsilon',
  dtype: 'no option: results are float32',
  out: 'into',
};

/**
 * Returns a few words on an option that has another name here, or is misspelt, to append to a message.
 *
 * @param {string} name as the caller wrote it
 * @param {readonly string[]} known options of the function
 * @returns {string} empty for other names
 */
export function hintOf(name, known) {
  const hint = Object.keys(OPTIONS).includes(name) ? OPTIONS[name] : undefined;
  const isKnown = hint && (hint.startsWith('no option') || known.includes(hint.split(/\W/)[0]));
  return isKnown ? ` (here ${hint})` : meantBy(name, known);
}

/**
 * Asks whether a known name was meant by a misspelt one, to append to a message.
 *
 * @param {string} name
 * @param {readonly string[]} known
 * @returns {string} empty where none is near
 */
export function meantBy(name, known) {
  const meant = nearest(name, known);
  return meant === undefined ? '' : ` (did you mean ${show(meant)}?)`;
}

/**
 * Runs additive attention on the kernel, one head after another.
 */
import { keysOf } from '../shared/keys.js';
import { allocateSums } from './attention-kernel.js';
import { forHeads } from './heads.js';
import { ATTN_ADDITIVE, ATTN_ADDITIVE_GRADIENT } from './kernel/generated/structs.js';
import { allocateMask } from './mask.js';

/**
 * @import { AdditiveGradients, AdditiveResults, Settings } from './additive.js'
 * @import { Block, Inputs } from './heads.js'
 * @import { Kernel } from './kernel/active.js'
 * @import { Tensor } from './tensor.js'
 */

/**
 * Computes the results of all heads.
 *
 * @param {Kernel} kernel
 * @param {Inputs} inputs
 * @param {Settings} settings
 * @param {AdditiveResults} results filled
 */
export function attendHeads(kernel, inputs, settings, results) {
  const problem = allocateProblem(kernel, inputs, settings);
  const { output, logSumExp, weights, scores, store } = allocateResults(kernel, inputs, results);
  const scratch = kernel.scratch('attn_additive_forward_scratch', problem.call);
  const forward = settings.pairwise ? 'attn_additive_pairwise_forward' : 'attn_additive_forward';
  forHeads(inputs, {
    work(head) {
      problem.load(head);
      kernel.call(forward, problem.call, output, logSumExp, weights, scores, scratch);
      store(head);
    },
  });
}

/**
 * Computes the gradients of all heads.
 *
 * @param {Kernel} kernel
 * @param {Inputs} inputs
 * @param {Float32Array} upstream ∂L/∂output
 * @param {Settings} settings
 * @param {AdditiveGradients} gradients filled
 * @returns {Float64Array} dSink of each head of the batch
 */
export function differentiateHeads(kernel, inputs, upstream, settings, gradients) {
  const { nQ, nK, dQ, dK, dV } = inputs;
  const { dQuery, dKey, dValue, dQueryWeight, dKeyWeight, dScoreWeight, dBias } = gradients;
  const problem = allocateProblem(kernel, inputs, settings);
  const [query, key, value] = [nQ * dQ, nK * dK, nK * dV].map((count) => kernel.floats(count));
  const zerosFor = (/** @type {Tensor} */ gradient) => kernel.zeros(gradient.data.length);
  const queryWeight = zerosFor(dQueryWeight);
  const keyWeight = zerosFor(dKeyWeight);
  const scoreWeight = zerosFor(dScoreWeight);
  const bias = dBias ? zerosFor(dBias) : null;
  const { dSinkOf, read } = allocateSums(kernel, inputs.batch * inputs.heads);
  const results = kernel.bytes(ATTN_ADDITIVE_GRADIENT.bytes);
  const dOutput = kernel.floats(nQ * dV);
  const scratch = kernel.scratch('attn_additive_backward_scratch', problem.call);
  forHeads(inputs, {
    work(head) {
      problem.load(head);
      kernel.writeStruct(results, ATTN_ADDITIVE_GRADIENT, {
        query,
        key,
        value,
        queryWeight,
        keyWeight,
        scoreWeight,
        bias,
        sink: dSinkOf(head),
      });
      kernel.write(dOutput, upstream, head * nQ * dV, nQ * dV);
      kernel.call('attn_additive_backward', problem.call, dOutput, results, scratch);
      kernel.read(query, dQuery.data, head * nQ * dQ, nQ * dQ);
      kernel.read(key, dKey.data, head * nK * dK, nK * dK);
      kernel.read(value, dValue.data, head * nK * dV, nK * dV);
    },
  });
  kernel.read(queryWeight, dQueryWeight.data);
  kernel.read(keyWeight, dKeyWeight.data);
  kernel.read(scoreWeight, dScoreWeight.data);
  if (bias && dBias) kernel.read(bias, dBias.data);
  return read().dSinks;
}

/**
 * Allocates memory for one head's results.
 *
 * @param {Kernel} kernel
 * @param {Inputs} inputs
 * @param {AdditiveResults} results
 * @returns {{ output: Block, logSumExp: Block, weights: Block | null, scores: Block | null,
 *   store: (head: number) => void }} `store` copies them to the place of a head in `results`
 */
function allocateResults(kernel, { nQ, nK, dV }, results) {
  const sizes = { output: nQ * dV, logSumExp: nQ, weights: nQ * nK, scores: nQ * nK };
  const output = kernel.floats(sizes.output);
  const logSumExp = kernel.floats(sizes.logSumExp);
  const weights = results.weights ? kernel.floats(sizes.weights) : null;
  const scores = results.scores ? kernel.floats(sizes.scores) : null;
  const blocks = { output, logSumExp, weights, scores };
  const store = (/** @type {number} */ head) => {
    for (const name of keysOf(blocks)) {
      const [block, result] = [blocks[name], results[name]];
      if (block && result) kernel.read(block, result.data, head * sizes[name], sizes[name]);
    }
  };
  return { ...blocks, store };
}

/**
 * Allocates memory for one head's problem: `call` is its attn_additive, `load` copies a head into it.
 *
 * @param {Kernel} kernel
 * @param {Inputs} inputs
 * @param {Settings} settings
 */
function allocateProblem(kernel, inputs, { parameters, spans, sinks, mask }) {
  const { heads, nQ, nK, dQ, dK, dV } = inputs;
  const [query, key, value] = [nQ * dQ, nK * dK, nK * dV].map((count) => kernel.floats(count));
  const { added, load } = allocateMask(kernel, mask, inputs);
  const queryWeight = kernel.load(parameters.queryWeight);
  const keyWeight = kernel.load(parameters.keyWeight);
  const scoreWeight = kernel.load(parameters.scoreWeight);
  const bias = parameters.bias && kernel.load(parameters.bias);
  const fieldsOf = (/** @type {number} */ head) => ({
    query,
    key,
    value,
    mask: added,
    queryWeight,
    keyWeight,
    scoreWeight,
    bias,
    nQ,
    nK,
    dQ,
    dK,
    dV,
    dHidden: parameters.dHidden,
    window: spans[Math.floor(head / heads)],
    sink: sinks[head % heads],
  });
  const call = kernel.struct(ATTN_ADDITIVE, fieldsOf(0));
  return {
    call,
    load(/** @type {number} */ head) {
      kernel.write(query, inputs.query, head * nQ * dQ, nQ * dQ);
      kernel.write(key, inputs.key, head * nK * dK, nK * dK);
      kernel.write(value, inputs.value, head * nK * dV, nK * dV);
      load(head);
      kernel.writeStruct(call, ATTN_ADDITIVE, fieldsOf(head));
    },
  };
}

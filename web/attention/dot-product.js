/**
 * Runs dot-product attention on the kernel, one head after another.
 */
import { forHeads, takeResults } from './heads.js';
import { attentionFields } from './structs.js';
import { takeMask } from './mask.js';

/**
 * @import { Block, HeadSizes, Inputs, Results } from './heads.js'
 * @import { Kernel } from './kernel/active.js'
 * @import { Settings } from './settings.js'
 * @import { Tensor } from './tensor.js'
 */

/**
 * @param {Kernel} kernel
 * @param {Inputs} inputs
 * @param {Settings} settings
 * @param {Results} results filled
 */
export function attendHeads(kernel, inputs, settings, results) {
  const { nQ, nK, dK, dV } = inputs;
  const [query, key, value] = [nQ * dK, nK * dK, nK * dV].map((count) => kernel.floats(count));
  const mask = takeMask(kernel, settings.mask, inputs);
  const out = takeResults(kernel, inputs, results);
  const rows = rowsOf(kernel, dK, settings.cosine);
  const spare = settings.cosine ? kernel.floats(Math.max(nQ, nK) * dK) : query;
  const attend = headForward(kernel, inputs, settings, out.weights !== null);
  forHeads(inputs, {
    begin(group) {
      rows.write(key, spare, inputs.key, group, nK);
      kernel.write(value, inputs.value, group * nK * dV, nK * dV);
    },
    work(head) {
      rows.write(query, spare, inputs.query, head, nQ);
      mask.load(head);
      attend({ query, key, value, added: mask.added, ...out });
      out.store(head);
    },
  });
}

/**
 * @param {Kernel} kernel
 * @param {Inputs} inputs
 * @param {Float32Array} upstream ∂L/∂output
 * @param {Settings} settings
 * @param {{ dQuery: Tensor, dKey: Tensor, dValue: Tensor }} gradients filled
 * @returns {number} dScale
 */
export function differentiateHeads(kernel, inputs, upstream, settings, gradients) {
  const { nQ, nK, dK, dV } = inputs;
  const [query, dQuery, key, dKey] = [nQ, nQ, nK, nK].map((n) => kernel.floats(n * dK));
  const [dOutput, value, dValue] = [nQ, nK, nK].map((n) => kernel.floats(n * dV));
  const mask = takeMask(kernel, settings.mask, inputs);
  const rows = rowsOf(kernel, dK, settings.cosine);
  const dScale = kernel.bytes(8); // a double
  kernel.clear(dScale, 2);
  const differentiate = headBackward(kernel, inputs, settings);
  forHeads(inputs, {
    begin(group) {
      rows.write(key, dKey, inputs.key, group, nK);
      kernel.write(value, inputs.value, group * nK * dV, nK * dV);
      kernel.clear(dKey, nK * dK);
      kernel.clear(dValue, nK * dV);
    },
    work(head) {
      rows.write(query, dQuery, inputs.query, head, nQ);
      kernel.write(dOutput, upstream, head * nQ * dV, nQ * dV);
      mask.load(head);
      const added = mask.added;
      differentiate({ query, key, value, added, dOutput, dQuery, dKey, dValue, dScale });
      rows.readGradient(dQuery, query, inputs.query, head, nQ, gradients.dQuery.data);
    },
    end(group) {
      rows.readGradient(dKey, key, inputs.key, group, nK, gradients.dKey.data);
      kernel.read(dValue, gradients.dValue.data, group * nK * dV, nK * dV);
    },
  });
  return kernel.readDoubles(dScale, 1)[0];
}

/**
 * How rows of query and key come into the kernel, and their gradients out of it: as they are, or
 * brought to length 1 by way of a spare block of the same size.
 *
 * @param {Kernel} kernel
 * @param {number} d columns
 * @param {boolean} cosine
 * @returns {{
 *   write: (block: Block, spare: Block, data: Float32Array, head: number, n: number) => void,
 *   readGradient: (block: Block, spare: Block, data: Float32Array, head: number, n: number,
 *     target: Float32Array) => void,
 * }}
 */
function rowsOf(kernel, d, cosine) {
  if (!cosine) {
    return {
      write: (block, _, data, head, n) => kernel.write(block, data, head * n * d, n * d),
      readGradient: (block, _, _data, head, n, target) =>
        kernel.read(block, target, head * n * d, n * d),
    };
  }
  return {
    write(block, spare, data, head, n) {
      kernel.write(spare, data, head * n * d, n * d);
      kernel.call('attn_unit_rows_forward', spare, n, d, block);
    },
    readGradient(block, spare, data, head, n, target) {
      kernel.write(spare, data, head * n * d, n * d);
      kernel.call('attn_unit_rows_backward', spare, block, n, d, block);
      kernel.read(block, target, head * n * d, n * d);
    },
  };
}

/**
 * Takes the scratch memory of a head and returns the function that computes one from its blocks.
 *
 * @param {Kernel} kernel
 * @param {HeadSizes} sizes
 * @param {{ factor: number, causal: number }} settings
 * @param {boolean} weighted whether weights are wanted
 * @returns {(blocks: { query: Block, key: Block, value: Block, added: Block | null,
 *   output: Block, logSumExp: Block, weights: Block | null, scores: Block | null }) => void}
 */
export function headForward(kernel, sizes, settings, weighted) {
  const empty = kernel.struct(attentionFields([null, null, null, null], sizes, settings));
  const scratch = kernel.scratch('attn_attention_forward_scratch', empty, weighted ? 1 : 0);
  return ({ query, key, value, added, output, logSumExp, weights, scores }) => {
    const call = kernel.struct(attentionFields([query, key, value, added], sizes, settings));
    const results = kernel.struct([output, logSumExp, scores, null, null, weights, null, 0]);
    kernel.call('attn_attention_forward', call, results, scratch);
  };
}

/**
 * The same for the gradients of a head: dQuery is written, the others are added to.
 *
 * @param {Kernel} kernel
 * @param {HeadSizes} sizes
 * @param {{ factor: number, causal: number }} settings
 * @returns {(blocks: { query: Block, key: Block, value: Block, added: Block | null,
 *   dOutput: Block, dQuery: Block, dKey: Block, dValue: Block, dScale: Block }) => void}
 */
export function headBackward(kernel, sizes, settings) {
  const empty = kernel.struct(attentionFields([null, null, null, null], sizes, settings));
  const scratch = kernel.scratch('attn_attention_backward_scratch', empty);
  const dSink = kernel.bytes(8); // a double, of which nothing is wanted yet
  return ({ query, key, value, added, dOutput, dQuery, dKey, dValue, dScale }) => {
    const call = kernel.struct(attentionFields([query, key, value, added], sizes, settings));
    const gradient = kernel.struct([dQuery, dKey, dValue, dScale, dSink]);
    kernel.call('attn_attention_backward', call, dOutput, gradient, scratch);
  };
}

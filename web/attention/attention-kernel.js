/**
 * Runs dot-product attention on the kernel, one head after another.
 */
import { allocateMap, allocateStatistics } from './head-statistics.js';
import { forHeads } from './heads.js';
import {
  ATTN_ATTENTION,
  ATTN_ATTENTION_GRADIENT,
  ATTN_ATTENTION_RESULTS,
} from './kernel/generated/structs.js';
import { allocateMask } from './mask.js';
import { allocateMatrices } from './matrices.js';
import { headSettings } from './settings.js';
import { attentionFields } from './structs.js';

/**
 * @import { Pooled, Statistic } from './head-statistics.js'
 * @import { Block, HeadSizes, Inputs, Results } from './heads.js'
 * @import { Kernel } from './kernel/active.js'
 * @import { MatrixResults } from './matrices.js'
 * @import { Scoring, Settings } from './settings.js'
 * @import { Tensor } from './tensor.js'
 */

/**
 * The blocks of a head; `added` is its mask.
 *
 * @typedef {{ query: Block, key: Block, value: Block, added: Block | null }} HeadBlocks
 */

/** The gradients of the factor of scores and of the sink, one a head of the batch.
 *  @typedef {{ dFactors: Float64Array, dSinks: Float64Array }} HeadSums */

/**
 * Computes the results of all heads.
 *
 * @param {Kernel} kernel
 * @param {Inputs} inputs
 * @param {Settings<string>} settings
 * @param {Partial<Results>} results filled
 * @param {Pooled | null} [pooled] a map to fill; by default the weight that each key receives, if wanted
 */
export function attendHeads(
  kernel,
  inputs,
  settings,
  results,
  pooled = receivedOf(inputs, results),
) {
  const { nQ, nK, dK, dV } = inputs;
  const query = kernel.floats(nQ * dK);
  const key = kernel.floats(nK * dK);
  const value = kernel.floats(nK * dV);
  const output = results.output ? kernel.floats(nQ * dV) : null;
  const logSumExp = results.logSumExp ? kernel.floats(nQ) : null;
  const mask = allocateMask(kernel, settings.mask, inputs);
  const rows = rowsOf(kernel, dK, settings.cosine);
  const spare = settings.cosine ? kernel.floats(Math.max(nQ, nK) * dK) : query;
  const attend = headForward(kernel, inputs, settings.scoring, results, pooled);
  forHeads(inputs, {
    begin(group) {
      rows.write(key, spare, inputs.key, group, nK);
      kernel.write(value, inputs.value, group * nK * dV, nK * dV);
    },
    work(head) {
      rows.write(query, spare, inputs.query, head, nQ);
      mask.load(head);
      attend(head, { query, key, value, added: mask.added, output, logSumExp });
      if (output && results.output) {
        kernel.read(output, results.output.data, head * nQ * dV, nQ * dV);
      }
      if (logSumExp && results.logSumExp) {
        kernel.read(logSumExp, results.logSumExp.data, head * nQ, nQ);
      }
    },
  });
}

/**
 * Returns the weight that each key receives as a map of one row.
 *
 * @param {Inputs} inputs
 * @param {Partial<Results>} results
 * @returns {Pooled | null} null if it is not wanted
 */
const receivedOf = ({ nK }, { receivedWeight }) =>
  receivedWeight ? { rows: 1, columns: nK, pool: 'sum', target: receivedWeight } : null;

/**
 * Computes the gradients of all heads.
 *
 * @param {Kernel} kernel
 * @param {Inputs} inputs
 * @param {Float32Array} upstream ∂L/∂output
 * @param {Settings<string>} settings
 * @param {{ dQuery: Tensor, dKey: Tensor, dValue: Tensor }} gradients filled
 * @returns {HeadSums}
 */
export function differentiateHeads(kernel, inputs, upstream, settings, gradients) {
  const { nQ, nK, dK, dV } = inputs;
  const [query, dQuery, key, dKey] = [nQ, nQ, nK, nK].map((n) => kernel.floats(n * dK));
  const [dOutput, value, dValue] = [nQ, nK, nK].map((n) => kernel.floats(n * dV));
  const mask = allocateMask(kernel, settings.mask, inputs);
  const rows = rowsOf(kernel, dK, settings.cosine);
  const sums = allocateSums(kernel, inputs.batch * inputs.heads);
  const differentiate = headBackward(kernel, inputs, settings.scoring, sums);
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
      differentiate(head, { query, key, value, added, dOutput, dQuery, dKey, dValue });
      rows.readGradient(dQuery, query, inputs.query, head, nQ, gradients.dQuery.data);
    },
    end(group) {
      rows.readGradient(dKey, key, inputs.key, group, nK, gradients.dKey.data);
      kernel.read(dValue, gradients.dValue.data, group * nK * dV, nK * dV);
    },
  });
  return sums.read();
}

/**
 * Returns functions that copy rows of query and key into the kernel, and their gradients out of it:
 * unchanged, or brought to length 1 by way of a spare block of the same size.
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
 * Allocates the scratch memory of a head and returns the function that computes a head from its
 * blocks, a portion of rows after another where matrices are wanted.
 *
 * @param {Kernel} kernel
 * @param {HeadSizes & { heads: number }} sizes
 * @param {Scoring} scoring
 * @param {MatrixResults & Partial<Record<Statistic, Tensor>>} results its matrices and statistics are filled
 * @param {Pooled | null} [pooled]
 * @returns {(head: number, blocks: HeadBlocks & { output: Block | null,
 *   logSumExp: Block | null }) => void} heads in order
 */
function headForward(kernel, sizes, scoring, results, pooled = null) {
  const { heads, nQ, nK, dK, dV } = sizes;
  const matrices = allocateMatrices(kernel, sizes, results);
  const statistics = allocateStatistics(kernel, nQ, results);
  const map = allocateMap(kernel, sizes, pooled);
  const settingsOf = headSettings(scoring, heads);
  const call = kernel.bytes(ATTN_ATTENTION.bytes);
  const wanted = kernel.bytes(ATTN_ATTENTION_RESULTS.bytes);
  /** @type {Block | undefined} */
  let scratch;
  return (head, { query, key, value, added, output, logSumExp }) => {
    const settings = settingsOf(head);
    if (head % heads === 0) matrices.beginItem();
    map?.begin();
    for (let first = 0; first < nQ; first += matrices.rows) {
      const count = Math.min(matrices.rows, nQ - first);
      const mask = added && kernel.part(added, first * nK);
      const blocks = { query: kernel.part(query, first * dK), key, value, mask };
      const fields = attentionFields(blocks, sizes, settings, first, count);
      kernel.writeStruct(call, ATTN_ATTENTION, fields);
      const outputRows = output && kernel.part(output, first * dV);
      const logSumExps = logSumExp && kernel.part(logSumExp, first);
      const wantedFields = matrices.fields(outputRows, logSumExps, first);
      kernel.writeStruct(wanted, ATTN_ATTENTION_RESULTS, wantedFields);
      const name =
        statistics || map ? 'attn_attention_statistics_forward' : 'attn_attention_forward';
      scratch ??= kernel.scratch(`${name}_scratch`, call, +matrices.hasWeights);
      if (name === 'attn_attention_forward') kernel.call(name, call, wanted, scratch);
      else
        kernel.call(
          name,
          call,
          wanted,
          statistics?.at(first) ?? null,
          map?.at(first) ?? null,
          scratch,
        );
      matrices.store(head, first, count);
    }
    statistics?.store(head);
    map?.store(head);
    if (head % heads === heads - 1) matrices.endItem(Math.floor(head / heads));
  };
}

/**
 * Allocates memory for the gradients of numbers that heads share, as a float64 a head.
 *
 * @param {Kernel} kernel
 * @param {number} count of the heads of the batch
 * @returns {{ dFactorOf: (head: number) => Block, dSinkOf: (head: number) => Block,
 *   read: () => HeadSums }}
 */
export function allocateSums(kernel, count) {
  const dFactors = kernel.zeros(2 * count);
  const dSinks = kernel.zeros(2 * count);
  return {
    dFactorOf: (/** @type {number} */ head) => kernel.part(dFactors, 2 * head),
    dSinkOf: (/** @type {number} */ head) => kernel.part(dSinks, 2 * head),
    read: () => ({
      dFactors: kernel.readDoubles(dFactors, count),
      dSinks: kernel.readDoubles(dSinks, count),
    }),
  };
}

/**
 * Allocates the scratch memory for the gradients of a head and returns the function that computes
 * them. It writes dQuery and adds to the other gradients and the sums.
 *
 * @param {Kernel} kernel
 * @param {HeadSizes & { heads: number }} sizes
 * @param {Scoring} scoring
 * @param {ReturnType<typeof allocateSums>} sums
 * @returns {(head: number, blocks: HeadBlocks & { dOutput: Block, dQuery: Block, dKey: Block,
 *   dValue: Block }) => void}
 */
function headBackward(kernel, sizes, scoring, sums) {
  const settingsOf = headSettings(scoring, sizes.heads);
  const none = { query: null, key: null, value: null, mask: null };
  const call = kernel.struct(ATTN_ATTENTION, attentionFields(none, sizes, settingsOf(0)));
  const gradient = kernel.bytes(ATTN_ATTENTION_GRADIENT.bytes);
  const scratch = kernel.scratch('attn_attention_backward_scratch', call);
  return (head, { query, key, value, added, dOutput, dQuery, dKey, dValue }) => {
    const blocks = { query, key, value, mask: added };
    kernel.writeStruct(call, ATTN_ATTENTION, attentionFields(blocks, sizes, settingsOf(head)));
    kernel.writeStruct(gradient, ATTN_ATTENTION_GRADIENT, {
      query: dQuery,
      key: dKey,
      value: dValue,
      scale: sums.dFactorOf(head),
      sink: sums.dSinkOf(head),
    });
    kernel.call('attn_attention_backward', call, dOutput, gradient, scratch);
  };
}

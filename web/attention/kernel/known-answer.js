/**
 * A kernel is accepted once it has attended from two queries to three keys as it should. This
 * passes through the products, the exponential and the logarithm; an engine that gets SIMD
 * wrong does not get far.
 */
import { BackendError } from '../errors.js';
import { attentionFields, resultsFields } from '../structs.js';
import { ATTN_ATTENTION, ATTN_ATTENTION_RESULTS } from './generated/structs.js';

/** @import { Kernel } from './kernel.js' */

const QUERY = [1, 0, -1, 3];
const KEY = [0, 0, 0.6931472, 0, 0, 0.6931472]; // ln 2
const VALUE = [1, 2, 3, 4, 5, 6];
/** Of scale 1: the weights are 1 : 2 : 1 and 1 : ½ : 8. */
const OUTPUT = [3, 4, 85 / 19, 104 / 19];
const LOG_SUM_EXP = [1.3862944, 2.2512918]; // ln 4, ln 9.5
const TOLERANCE = 1e-5;

/**
 * Returns the kernel if it gives the known answer, and throws a BackendError otherwise.
 *
 * @param {Kernel} kernel
 * @returns {Kernel}
 */
export function expectKnownAnswer(kernel) {
  const output = new Float32Array(4);
  const logSumExp = new Float32Array(2);
  kernel.run('init', () => {
    const [query, key, value] = [QUERY, KEY, VALUE].map((numbers) => {
      const block = kernel.floats(numbers.length);
      kernel.write(block, Float32Array.from(numbers));
      return block;
    });
    const [out, lse] = [kernel.floats(4), kernel.floats(2)];
    const blocks = { query, key, value, mask: null };
    const sizes = { nQ: 2, nK: 3, dK: 2, dV: 2 };
    const span = { offset: 0, left: -1, right: -1, keyCount: 3 };
    const call = kernel.struct(ATTN_ATTENTION, attentionFields(blocks, sizes, { factor: 1, span }));
    const results = kernel.struct(ATTN_ATTENTION_RESULTS, resultsFields({ output: out, lse }));
    const scratch = kernel.scratch('attn_attention_forward_scratch', call, 0);
    kernel.call('attn_attention_forward', call, results, scratch);
    kernel.read(out, output);
    kernel.read(lse, logSumExp);
  });
  if (agrees(output, OUTPUT) && agrees(logSumExp, LOG_SUM_EXP)) return kernel;
  throw new BackendError(`init: the kernel fails its known-answer test with ${output}`);
}

/**
 * Returns whether numbers agree with the expected ones.
 * @param {Float32Array} got
 * @param {number[]} expected
 */
const agrees = (got, expected) => expected.every((x, i) => Math.abs(got[i] - x) <= TOLERANCE);

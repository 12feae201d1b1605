// The compiled module without the package around it, for measurements of the kernel alone. Calls are
// prepared in memory that `scoped` gives back.
import { Block } from '../../web/attention/kernel/block.js';
import { decode } from '../../web/attention/kernel/decode.js';
import {
  ATTN_ADDITIVE,
  ATTN_ADDITIVE_GRADIENT,
  ATTN_ATTENTION,
  ATTN_ATTENTION_GRADIENT,
  ATTN_ATTENTION_RESULTS,
} from '../../web/attention/kernel/generated/structs.js';
import { attentionFields, resultsFields } from '../../web/attention/structs.js';
import { uniform } from './problems.js';

/**
 * @import { AttnAttentionResults, Struct } from '../../web/attention/kernel/generated/structs.js'
 */

/** @typedef {'simd' | 'relaxed'} Backend */

const PAGE = 65536;
const ALIGNMENT = 64;

/** @type {Record<Backend, () => Promise<{ text: string }>>} */
const MODULES = {
  simd: () => import('../../web/attention/kernel/generated/simd.js'),
  relaxed: () => import('../../web/attention/kernel/generated/relaxed.js'),
};

/** @param {Backend} backend @returns {Promise<RawKernel>} */
export async function openRawKernel(backend) {
  const { text } = await MODULES[backend]();
  const { instance } = await WebAssembly.instantiate(decode(text), {});
  return new RawKernel(instance.exports);
}

export class RawKernel {
  /** @param {Record<string, any>} exports */
  constructor(exports) {
    this.exports = exports;
    /** @type {WebAssembly.Memory} */
    this.memory = exports.memory;
    this.top = exports.__heap_base.value;
  }

  /**
   * @template T
   * @param {() => Promise<T>} measure
   * @returns {Promise<T>} its result, once its memory is freed
   */
  async scoped(measure) {
    const mark = this.top;
    try {
      return await measure();
    } finally {
      this.top = mark;
    }
  }

  /** @param {number} bytes */
  allocate(bytes) {
    const start = Math.ceil(this.top / ALIGNMENT) * ALIGNMENT;
    this.top = start + bytes;
    const missing = this.top - this.memory.buffer.byteLength;
    if (missing > 0) this.memory.grow(Math.ceil(missing / PAGE));
    return start;
  }

  /** Allocates `count` numbers, uniform on (-limit, limit). @param {number} count */
  allocateUniform(count, limit = 1) {
    const start = this.allocate(4 * count);
    const floats = new Float32Array(this.memory.buffer, start, count);
    for (let i = 0; i < count; i++) floats[i] = limit * uniform();
    return start;
  }

  /**
   * The forward pass of one head.
   * @param {number} n keys
   * @param {number} d
   * @param {number} [queries]
   * @param {{ window?: [number, number], softcap?: number }} [options]
   */
  forward(n, d, queries = n, options = {}) {
    return this.attend(n, d, queries, ['output', 'lse'], options);
  }

  /**
   * Returns the forward pass of one head with any of its results.
   * @param {number} n keys
   * @param {number} d
   * @param {number} queries
   * @param {(keyof AttnAttentionResults)[]} wanted but for mean and share
   * @param {{ window?: [number, number], softcap?: number }} [options]
   */
  attend(n, d, queries, wanted, options = {}) {
    const columns = (/** @type {string} */ name) => ({ output: d, lse: 1 })[name] ?? n;
    const call = this.attentionProblem(n, d, queries, options);
    const results = wanted.map((name) => [name, this.block(queries * columns(name))]);
    const record = this.struct(ATTN_ATTENTION_RESULTS, resultsFields(Object.fromEntries(results)));
    const withWeights = wanted.includes('weights') ? 1 : 0;
    const scratch = this.allocate(this.exports.attn_attention_forward_scratch(call, withWeights));
    return this.call('attn_attention_forward', [call, record, scratch]);
  }

  /**
   * Returns a product of matrices a [rows, depth] and bᵀ, b [columns, depth].
   * @param {number} rows
   * @param {number} depth
   * @param {number} columns
   */
  product(rows, depth, columns) {
    const [a, b] = [rows, columns].map((count) => this.allocateUniform(count * depth));
    const result = this.allocate(4 * rows * columns);
    const scratch = this.allocate(this.exports.attn_linear_scratch(rows, depth, columns));
    return this.call('attn_linear_forward', [a, b, 0, rows, depth, columns, result, scratch]);
  }

  /** Returns the gradient of one head, which needs no forward pass. @param {number} n @param {number} d */
  backward(n, d) {
    const call = this.attentionProblem(n, d, n, {});
    const dOutput = this.allocateUniform(n * d);
    const results = this.struct(ATTN_ATTENTION_GRADIENT, {
      query: this.uniformBlock(n * d),
      key: this.uniformBlock(n * d),
      value: this.uniformBlock(n * d),
      scale: this.block(2),
      sink: this.block(2),
    });
    const scratch = this.allocate(this.exports.attn_attention_backward_scratch(call));
    return this.call('attn_attention_backward', [call, dOutput, results, scratch]);
  }

  /**
   * Allocates an attn_attention of uniform numbers.
   * @param {number} n keys
   * @param {number} d
   * @param {number} queries
   * @param {{ window?: [number, number], softcap?: number }} options
   */
  attentionProblem(n, d, queries, { window = [-1, -1], softcap = 0 }) {
    const blocks = {
      query: this.uniformBlock(queries * d),
      key: this.uniformBlock(n * d),
      value: this.uniformBlock(n * d),
      mask: null,
    };
    const sizes = { nQ: queries, nK: n, dK: d, dV: d };
    const span = { offset: 0, left: window[0], right: window[1], keyCount: n };
    const settings = { factor: 1 / Math.sqrt(d), softcap, span };
    return this.struct(ATTN_ATTENTION, attentionFields(blocks, sizes, settings));
  }

  /** Allocates `count` numbers. @param {number} count */
  block(count) {
    return new Block(this.allocate(4 * count));
  }

  /** Allocates `count` numbers, uniform on (-limit, limit). @param {number} count */
  uniformBlock(count, limit = 1) {
    return new Block(this.allocateUniform(count, limit));
  }

  /**
   * Allocates a struct of C and writes its fields.
   * @template Fields
   * @param {Struct<Fields>} type
   * @param {NoInfer<Fields>} fields
   * @returns {number} its address
   */
  struct(type, fields) {
    const address = this.allocate(type.bytes);
    const { buffer } = this.memory;
    type.write(new Uint32Array(buffer), new Float32Array(buffer), address / 4, fields);
    return address;
  }

  /**
   * Returns the factored additive forward pass with d hidden units, projections of unit variance.
   * @param {number} n
   * @param {number} d
   */
  additive(n, d) {
    const record = this.additiveProblem(n, d);
    const [output, lse] = [this.allocate(4 * n * d), this.allocate(4 * n)];
    const scratch = this.allocate(this.exports.attn_additive_forward_scratch(record));
    return this.call('attn_additive_forward', [record, output, lse, 0, 0, scratch]);
  }

  /** Returns its gradient. @param {number} n @param {number} d */
  additiveBackward(n, d) {
    const record = this.additiveProblem(n, d);
    const dOutput = this.allocateUniform(n * d);
    const results = this.struct(ATTN_ADDITIVE_GRADIENT, {
      query: this.block(n * d),
      key: this.block(n * d),
      value: this.block(n * d),
      queryWeight: this.block(d * d),
      keyWeight: this.block(d * d),
      scoreWeight: this.block(d),
      bias: this.block(d),
      sink: null,
    });
    const scratch = this.allocate(this.exports.attn_additive_backward_scratch(record));
    return this.call('attn_additive_backward', [record, dOutput, results, scratch]);
  }

  /** Allocates an attn_additive. @param {number} n @param {number} d */
  additiveProblem(n, d) {
    return this.struct(ATTN_ADDITIVE, {
      query: this.uniformBlock(n * d),
      key: this.uniformBlock(n * d),
      value: this.uniformBlock(n * d),
      mask: null,
      queryWeight: this.uniformBlock(d * d, 3 / Math.sqrt(d)),
      keyWeight: this.uniformBlock(d * d, 3 / Math.sqrt(d)),
      scoreWeight: this.uniformBlock(d),
      bias: this.uniformBlock(d),
      nQ: n,
      nK: n,
      dQ: d,
      dK: d,
      dV: d,
      dHidden: d,
      window: { offset: 0, left: -1, right: -1, keyCount: n },
      sink: -Infinity,
    });
  }

  /**
   * @param {string} name
   * @param {number[]} args
   * @returns {() => void}
   */
  call(name, args) {
    const compute = this.exports[name];
    return () => {
      const status = compute(...args) ?? 0; // some return nothing
      if (status !== 0) throw new Error(`${name} returned ${status}`);
    };
  }
}

// The compiled module without the package around it, for measurements of the kernel alone. Calls are
// prepared in memory that `scoped` gives back.
import { decode } from '../../web/attention/kernel/decode.js';
import { floatBits } from '../../web/attention/structs.js';
import { uniform } from './problems.js';

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
   *
   * @param {number} n keys
   * @param {number} d
   * @param {number} [queries]
   * @param {{ window?: [number, number], softcap?: number }} [options]
   */
  forward(n, d, queries = n, options = {}) {
    return this.attend(n, d, queries, ['output', 'lse'], options);
  }

  /**
   * Returns the forward pass of one head with any of its results, in the order of attn.h.
   *
   * @param {number} n keys
   * @param {number} d
   * @param {number} queries
   * @param {string[]} wanted
   * @param {{ window?: [number, number], softcap?: number }} [options]
   */
  attend(n, d, queries, wanted, options = {}) {
    const names = ['output', 'lse', 'scores', 'capped', 'masked', 'weights', 'mean'];
    const sizes = [queries * d, queries, ...names.slice(2).map(() => queries * n)];
    const call = this.attentionProblem(n, d, queries, options);
    const results = names.map((name, i) =>
      wanted.includes(name) ? this.allocate(4 * sizes[i]) : 0,
    );
    const record = this.words([...results, 0]);
    const withWeights = wanted.includes('weights') ? 1 : 0;
    const scratch = this.allocate(this.exports.attn_attention_forward_scratch(call, withWeights));
    return this.call('attn_attention_forward', [call, record, scratch]);
  }

  /**
   * Returns a product of matrices a [rows, depth] and bᵀ, b [columns, depth].
   *
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

  /**
   * Returns the gradient of one head, which needs no forward pass.
   *
   * @param {number} n
   * @param {number} d
   */
  backward(n, d) {
    const call = this.attentionProblem(n, d, n, {});
    const dOutput = this.allocateUniform(n * d);
    const gradients = [0, 0, 0].map(() => this.allocateUniform(n * d));
    const results = this.words([...gradients, this.allocate(8), this.allocate(8)]);
    const scratch = this.allocate(this.exports.attn_attention_backward_scratch(call));
    return this.call('attn_attention_backward', [call, dOutput, results, scratch]);
  }

  /**
   * Allocates an attn_attention of uniform numbers.
   *
   * @param {number} n keys
   * @param {number} d
   * @param {number} queries
   * @param {{ window?: [number, number], softcap?: number }} options
   */
  attentionProblem(n, d, queries, { window = [-1, -1], softcap = 0 }) {
    const query = this.allocateUniform(queries * d);
    const [key, value] = [0, 0].map(() => this.allocateUniform(n * d));
    const floats = [1 / Math.sqrt(d), softcap, -Infinity].map(floatBits);
    const sizes = [queries, n, d, d, queries, 0];
    return this.words([query, key, value, 0, ...sizes, 0, ...window, n, ...floats]);
  }

  /** Allocates a C struct of 32-bit fields. @param {number[]} fields */
  words(fields) {
    const record = this.allocate(4 * fields.length);
    new Uint32Array(this.memory.buffer, record, fields.length).set(fields);
    return record;
  }

  /**
   * Returns the factored additive forward pass with d hidden units, projections of unit variance.
   *
   * @param {number} n
   * @param {number} d
   */
  additive(n, d) {
    const record = this.additiveProblem(n, d);
    const [output, lse] = [this.allocate(4 * n * d), this.allocate(4 * n)];
    const scratch = this.allocate(this.exports.attn_additive_forward_scratch(record));
    return this.call('attn_additive_forward', [record, output, lse, 0, 0, scratch]);
  }

  /**
   * Returns its gradient.
   *
   * @param {number} n
   * @param {number} d
   */
  additiveBackward(n, d) {
    const record = this.additiveProblem(n, d);
    const dOutput = this.allocateUniform(n * d);
    const counts = [n * d, n * d, n * d, d * d, d * d, d, d];
    const fields = counts.map((count) => this.allocate(4 * count));
    const results = this.words([...fields, 0]);
    const scratch = this.allocate(this.exports.attn_additive_backward_scratch(record));
    return this.call('attn_additive_backward', [record, dOutput, results, scratch]);
  }

  /**
   * Allocates an attn_additive.
   *
   * @param {number} n
   * @param {number} d
   */
  additiveProblem(n, d) {
    const inputs = [0, 0, 0].map(() => this.allocateUniform(n * d));
    const projections = [0, 0].map(() => this.allocateUniform(d * d, 3 / Math.sqrt(d)));
    const [scoreWeight, bias] = [this.allocateUniform(d), this.allocateUniform(d)];
    const fields = [...inputs, 0, ...projections, scoreWeight, bias, n, n, d, d, d, d];
    return this.words([...fields, 0, -1, -1, n, floatBits(-Infinity)]);
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

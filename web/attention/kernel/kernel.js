/**
 * One instance of the compiled C library with its memory. Work runs inside `run`, which gives all
 * memory back in `finally`; blocks are the only way to name memory outside this folder, so no
 * address leaves it.
 */
import { BackendError, CapacityError, expectAttached, reason } from '../errors.js';
import { copyInto } from '../typed-array.js';
import { Arena } from './arena.js';

/** A place in the kernel's memory, valid until the `run` that took it ends. */
class Block {
  /** @param {number} address in bytes */
  constructor(address) {
    this.address = address;
  }
}

/**
 * c/attn.h as the functions of this package call it; every function returns an attn_status or
 * nothing.
 *
 * @typedef {Block | null} Pointer
 * @typedef {{
 *   attn_softmax_forward: [x: Block, rows: number, columns: number, temperature: number,
 *     weights: Block],
 *   attn_log_softmax_forward: [x: Block, rows: number, columns: number, temperature: number,
 *     logWeights: Block],
 *   attn_log_sum_exp_forward: [x: Block, rows: number, columns: number, temperature: number,
 *     lse: Block],
 *   attn_softmax_backward: [weights: Block, dWeights: Block, rows: number, columns: number,
 *     temperature: number, dX: Block],
 *   attn_softmax_jacobian: [weights: Block, rows: number, columns: number, temperature: number,
 *     jacobian: Block],
 *   attn_entropy_forward: [p: Block, rows: number, columns: number, entropy: Block],
 *   attn_sum_of_squares: [p: Block, rows: number, columns: number, sums: Block],
 *   attn_describe: [x: Block, n: number, moments: Block],
 *   attn_random_uniform: [seedLow: number, seedHigh: number, streamLow: number,
 *     streamHigh: number, n: number, low: number, high: number, x: Block],
 *   attn_random_normal: [seedLow: number, seedHigh: number, streamLow: number,
 *     streamHigh: number, n: number, mean: number, std: number, x: Block],
 *   attn_attention_forward: [a: Block, results: Block, scratch: Block],
 *   attn_unit_rows_forward: [x: Block, rows: number, d: number, unit: Block],
 *   attn_attention_backward: [a: Block, dOutput: Block, gradient: Block, scratch: Block],
 *   attn_unit_rows_backward: [x: Block, dUnit: Block, rows: number, d: number, dX: Block],
 *   attn_additive_forward: [a: Block, output: Block, lse: Block, weights: Pointer,
 *     scores: Pointer, scratch: Block],
 *   attn_additive_pairwise_forward: [a: Block, output: Block, lse: Block, weights: Pointer,
 *     scores: Pointer, scratch: Block],
 *   attn_additive_backward: [a: Block, dOutput: Block, gradient: Block, scratch: Block],
 *   attn_round_float16: [x: Block, n: number, rounded: Block],
 *   attn_round_bfloat16: [x: Block, n: number, rounded: Block],
 *   attn_softmax_float16: [x: Block, rows: number, columns: number, subtractMax: number,
 *     weights: Block],
 *   attn_linear_forward: [x: Block, weight: Block, bias: Pointer, n: number, dIn: number,
 *     dOut: number, y: Block, scratch: Block],
 *   attn_linear_backward: [x: Block, weight: Block, dY: Block, n: number, dIn: number,
 *     dOut: number, dX: Block, dWeight: Block, dBias: Pointer, scratch: Block],
 *   attn_swap_axes: [x: Block, a: number, b: number, d: number, y: Block],
 *   attn_rotary_turns: [positions: Block, n: number, d: number, base: number, turns: Block],
 *   attn_rotary_forward: [x: Block, turns: Block, count: number, n: number, d: number,
 *     pairing: number, inverse: number, y: Block],
 * }} Calls
 *
 * The functions that return the bytes of scratch that another one needs.
 * @typedef {{
 *   attn_attention_forward_scratch: [a: Block, withWeights: number],
 *   attn_attention_backward_scratch: [a: Block],
 *   attn_additive_forward_scratch: [a: Block],
 *   attn_additive_backward_scratch: [a: Block],
 *   attn_linear_scratch: [n: number, dIn: number, dOut: number],
 * }} ScratchCalls
 *
 * @typedef {Record<string, any>} Exports
 * @typedef {{ exports: Exports, limit: number }} Instance
 */

const TOO_LARGE = 2 ** 32 - 1; // ATTN_TOO_LARGE
const ERROR_CAPACITY = 2; // ATTN_ERROR_CAPACITY

export class Kernel {
  /**
   * @param {'simd' | 'relaxed' | 'js'} backend
   * @param {Instance} instance
   * @param {() => Instance} revive makes another instance after one had to be discarded
   */
  constructor(backend, instance, revive) {
    this.backend = backend;
    this.revive = revive;
    this.caller = '';
    this.disposed = false;
    /** Operations a millisecond, once measured. @type {number | undefined} */
    this.speed = undefined;
    this.exports = instance.exports;
    /** @type {Arena | undefined} undefined once the instance is discarded */
    this.arena = arenaOf(instance);
  }

  /**
   * Does `work` with this kernel; whatever it took is given back, also after an error.
   *
   * @template T
   * @param {string} caller the public function, for messages
   * @param {(kernel: Kernel) => T} work synchronous
   * @returns {T}
   */
  run(caller, work) {
    const arena = this.ready(caller);
    const mark = arena.mark();
    const outer = this.caller;
    this.caller = caller;
    try {
      return work(this);
    } finally {
      this.caller = outer;
      arena.release(mark);
    }
  }

  /**
   * Does a part of the work of `run`; what it took is given back at once.
   *
   * @template T
   * @param {() => T} work
   * @returns {T}
   */
  within(work) {
    return this.run(this.caller, work);
  }

  /**
   * The arena of a working instance; after a trap, of a new one.
   *
   * @param {string} caller
   * @returns {Arena}
   */
  ready(caller) {
    if (this.disposed) throw new BackendError(`${caller}: this kernel has been disposed of`);
    return this.arena ?? this.restart(caller);
  }

  /** @param {string} caller @returns {Arena} */
  restart(caller) {
    try {
      const instance = this.revive();
      this.exports = instance.exports;
      return (this.arena = arenaOf(instance));
    } catch (thrown) {
      throw new BackendError(
        `${caller}: the kernel failed and cannot start again at once, expected \`await init()\` first (${reason(thrown)})`,
      );
    }
  }

  /**
   * Replaces an instance whose memory has grown beyond `most` bytes by a fresh one. An engine that
   * refuses a second instance (Chrome before 115 on the main thread) leaves the first in place.
   *
   * @param {number} most
   */
  trim(most) {
    if (!this.arena || this.arena.floats.byteLength <= most) return;
    try {
      this.restart(this.caller);
    } catch {
      // The grown instance goes on.
    }
  }

  /** Ends this kernel's life and lets go of its memory. */
  dispose() {
    this.disposed = true;
    this.discard();
  }

  /** Lets go of an instance that cannot be trusted any more. */
  discard() {
    this.arena = undefined;
    this.exports = {};
  }

  /**
   * Memory for `count` numbers, content arbitrary.
   *
   * @param {number} count
   * @returns {Block}
   */
  floats(count) {
    return this.bytes(4 * count);
  }

  /**
   * @param {number} size
   * @returns {Block}
   */
  bytes(size) {
    return new Block(this.current().take(this.caller, size));
  }

  /**
   * A block with a copy of `source`.
   *
   * @param {Float32Array} source
   * @returns {Block}
   */
  load(source) {
    const block = this.floats(source.length);
    this.write(block, source);
    return block;
  }

  /**
   * Memory for `count` numbers that are 0.
   *
   * @param {number} count
   * @returns {Block}
   */
  zeros(count) {
    const block = this.floats(count);
    this.clear(block, count);
    return block;
  }

  /**
   * What follows the first `start` numbers of a block.
   *
   * @param {Block} block
   * @param {number} start
   * @returns {Block}
   */
  part(block, start) {
    return new Block(block.address + 4 * start);
  }

  /**
   * Sets the first `count` numbers of a block to 0.
   *
   * @param {Block} block
   * @param {number} count
   */
  clear(block, count) {
    const first = block.address / 4;
    this.current().floats.fill(0, first, first + count);
  }

  /**
   * Sets those rows of x to 0 where y is 0 throughout.
   *
   * @param {Block} x [rows, xColumns]
   * @param {Block} y [rows, yColumns]
   * @param {number} rows
   * @param {number} xColumns
   * @param {number} yColumns
   */
  clearIdleRows(x, y, rows, xColumns, yColumns) {
    const { floats } = this.current();
    for (let row = 0; row < rows; row++) {
      const first = y.address / 4 + row * yColumns;
      let column = 0;
      while (column < yColumns && floats[first + column] === 0) column++;
      if (column === yColumns) this.clear(this.part(x, row * xColumns), xColumns);
    }
  }

  /**
   * Copies `count` numbers of `source`, from `start`, to a block. An input was whole when it was read, but
   * options have been read since, whose getters may do anything.
   *
   * @param {Block} block
   * @param {Float32Array} source
   * @param {number} [start]
   * @param {number} [count]
   */
  write(block, source, start = 0, count = source.length) {
    expectAttached(this.caller, 'an input', source);
    const part = count === source.length ? source : source.subarray(start, start + count);
    this.current().floats.set(part, block.address / 4);
  }

  /**
   * The same for a mask of bytes: 0 becomes −Infinity, anything else 0.
   *
   * @param {Block} block
   * @param {Uint8Array} source
   * @param {number} start
   * @param {number} count
   */
  writeMask(block, source, start, count) {
    expectAttached(this.caller, 'an input', source);
    const { floats } = this.current();
    const target = block.address / 4;
    for (let i = 0; i < count; i++) floats[target + i] = source[start + i] ? 0 : -Infinity;
  }

  /**
   * Copies `count` numbers of a block to `target`, at `start`.
   *
   * @param {Block} block
   * @param {Float32Array} target
   * @param {number} [start]
   * @param {number} [count]
   */
  read(block, target, start = 0, count = target.length) {
    const first = block.address / 4;
    copyInto(target, this.current().floats.subarray(first, first + count), start);
  }

  /**
   * Adds the numbers of a block to those of `target`.
   *
   * @param {Block} block
   * @param {Float32Array} target
   */
  readSum(block, target) {
    const { floats } = this.current();
    const first = block.address / 4;
    for (let i = 0; i < target.length; i++) target[i] += floats[first + i];
  }

  /**
   * `count` float64 numbers of a block.
   *
   * @param {Block} block
   * @param {number} count
   * @returns {Float64Array}
   */
  readDoubles(block, count) {
    return new Float64Array(this.current().memory.buffer, block.address, count).slice();
  }

  /**
   * A block with a copy of float64 numbers.
   *
   * @param {Float64Array} source
   * @returns {Block}
   */
  doubles(source) {
    const block = this.bytes(8 * source.length);
    const { buffer } = this.current().memory;
    new Float64Array(buffer, block.address, source.length).set(source);
    return block;
  }

  /**
   * A C struct whose fields are pointers, 32-bit integers, or the bits of floats (structs.js).
   *
   * @param {readonly (Pointer | number)[]} fields
   * @returns {Block}
   */
  struct(fields) {
    const block = this.bytes(4 * fields.length);
    this.writeStruct(block, fields);
    return block;
  }

  /**
   * Writes the fields of a struct anew.
   *
   * @param {Block} block
   * @param {readonly (Pointer | number)[]} fields
   */
  writeStruct(block, fields) {
    const { words } = this.current();
    const first = block.address / 4;
    for (let i = 0; i < fields.length; i++) words[first + i] = toNumber(fields[i]);
  }

  /**
   * Calls into C and turns a status into an error.
   *
   * @template {keyof Calls} Name
   * @param {Name} name
   * @param {Calls[Name]} args
   */
  call(name, ...args) {
    const status = this.enter(name, args);
    if (!status) return;
    if (status === ERROR_CAPACITY) {
      throw new CapacityError(`${this.caller}: an array would exceed 4 GiB of kernel memory`);
    }
    throw new BackendError(`${this.caller}: ${name} returned the unexpected status ${status}`);
  }

  /**
   * The scratch memory that `name` asks for.
   *
   * @template {keyof ScratchCalls} Name
   * @param {Name} name
   * @param {ScratchCalls[Name]} args
   * @returns {Block}
   */
  scratch(name, ...args) {
    const size = this.enter(name, args) >>> 0;
    if (size === TOO_LARGE) {
      throw new CapacityError(`${this.caller}: needs more than 4 GiB of kernel memory`);
    }
    return this.bytes(size);
  }

  /**
   * Whatever is thrown in there leaves memory and stack of the instance in an unknown state.
   *
   * @param {string} name
   * @param {readonly (Pointer | number)[]} args
   * @returns {number}
   */
  enter(name, args) {
    try {
      return this.exports[name](...args.map(toNumber));
    } catch (thrown) {
      this.discard();
      throw new BackendError(
        `${this.caller}: the kernel failed (${reason(thrown)}); the next call starts a new one`,
      );
    }
  }

  /** @returns {Arena} */
  current() {
    return /** @type {Arena} */ (this.arena);
  }
}

/** @param {Pointer | number} argument */
const toNumber = (argument) =>
  argument === null ? 0 : typeof argument === 'number' ? argument : argument.address;

/** @param {Instance} instance */
const arenaOf = ({ exports, limit }) => new Arena(exports.memory, exports.__heap_base.value, limit);

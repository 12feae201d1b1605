/**
 * One instance of the compiled C library with its memory. Work runs inside `run`, which frees all
 * its memory in `finally`. Outside this folder only blocks name memory, so no address leaves it.
 */
import { BackendError, CapacityError, expectAttached, reason } from '../errors.js';
import { copyInto } from '../typed-array.js';
import { Arena } from './arena.js';
import { Block } from './block.js';

/**
 * @import { Calls, ScratchCalls } from './generated/calls.js'
 * @import { Pointer, Struct } from './generated/structs.js'
 */

/**
 * @typedef {Record<string, any>} Exports
 * @typedef {{ exports: Exports, limit: number }} Instance
 */

const TOO_LARGE = 2 ** 32 - 1; // ATTN_TOO_LARGE
const ERROR_CAPACITY = 2; // ATTN_ERROR_CAPACITY

/** The number that each byte of a mask adds to a score. A table has no branch: on random masks a branch that the
 *  processor cannot predict doubled the time of attention. */
const ADDED = new Float32Array(256).fill(-Infinity, 0, 1);

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
    /** The module that instances come from, for kernels in other threads. @type {WebAssembly.Module | undefined} */
    this.module = undefined;
    /** Operations a millisecond, once measured. @type {number | undefined} */
    this.speed = undefined;
    this.exports = instance.exports;
    /** @type {Arena | undefined} undefined once the instance is discarded */
    this.arena = arenaOf(instance);
  }

  /**
   * Does `work` with this kernel and frees the memory that it allocated, also after an error.
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
   * Does a part of the work of `run` and frees the memory that the part allocated.
   *
   * @template T
   * @param {() => T} work
   * @returns {T}
   */
  within(work) {
    return this.run(this.caller, work);
  }

  /**
   * Returns the arena of a working instance, a new one after a trap.
   *
   * @param {string} caller
   * @returns {Arena}
   */
  ready(caller) {
    if (this.disposed) throw new BackendError(`${caller}: this kernel has been disposed of`);
    return this.arena ?? this.restart(caller);
  }

  /** Makes a new instance and returns its arena. @param {string} caller @returns {Arena} */
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
      // The grown instance stays in use.
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
   * Allocates memory for `count` float32 numbers, content arbitrary.
   *
   * @param {number} count
   * @returns {Block}
   */
  floats(count) {
    return this.bytes(4 * count);
  }

  /**
   * Allocates `size` bytes, content arbitrary.
   *
   * @param {number} size
   * @returns {Block}
   */
  bytes(size) {
    return new Block(this.current().allocate(this.caller, size));
  }

  /**
   * Allocates a block with a copy of `source`.
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
   * Allocates a block with a copy of 32-bit integers.
   *
   * @param {Int32Array} source
   * @returns {Block}
   */
  integers(source) {
    const block = this.floats(source.length);
    this.current().words.set(source, block.address / 4);
    return block;
  }

  /**
   * Allocates memory for `count` numbers that are 0.
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
   * Returns the rest of a block after its first `start` numbers.
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
   * Copies `count` numbers of `source`, from `start`, to a block. Checks again that the source is
   * attached: the getters of options ran after it was read, and may have transferred its buffer.
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
   * Copies a mask of bytes to a block: 0 becomes −Infinity, any other byte 0.
   *
   * @param {Block} block
   * @param {Uint8Array} source
   * @param {number} start
   * @param {number} count
   */
  writeMask(block, source, start, count) {
    expectAttached(this.caller, 'an input', source);
    const first = block.address / 4;
    const target = this.current().floats.subarray(first, first + count);
    const bytes = source.subarray(start, start + count);
    for (let i = 0; i < count; i++) target[i] = ADDED[bytes[i]];
  }

  /**
   * Copies the first `count` numbers of a block behind themselves, until they are there `times` times.
   *
   * @param {Block} block
   * @param {number} count
   * @param {number} times
   */
  repeat(block, count, times) {
    const { floats } = this.current();
    const first = block.address / 4;
    for (let i = 1; i < times; i++) floats.copyWithin(first + i * count, first, first + count);
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
   * Returns `count` float64 numbers of a block.
   *
   * @param {Block} block
   * @param {number} count
   * @returns {Float64Array}
   */
  readDoubles(block, count) {
    return new Float64Array(this.current().memory.buffer, block.address, count).slice();
  }

  /**
   * Allocates a block with a copy of float64 numbers.
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
   * Allocates a struct of C and writes its fields.
   *
   * @template Fields
   * @param {Struct<Fields>} type of generated/structs.js
   * @param {NoInfer<Fields>} fields
   * @returns {Block}
   */
  struct(type, fields) {
    const block = this.bytes(type.bytes);
    this.writeStruct(block, type, fields);
    return block;
  }

  /**
   * Writes the fields of a struct anew.
   *
   * @template Fields
   * @param {Block} block
   * @param {Struct<Fields>} type
   * @param {NoInfer<Fields>} fields
   */
  writeStruct(block, type, fields) {
    const { words, floats } = this.current();
    type.write(words, floats, block.address / 4, fields);
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
   * Allocates the scratch memory whose size the function `name` returns.
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
   * Calls an export. An exception leaves memory and stack of the instance in an unknown state, so
   * the instance is discarded.
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

  /** Returns the arena of the running instance. @returns {Arena} */
  current() {
    return /** @type {Arena} */ (this.arena);
  }
}

/** Returns an argument as C receives it. @param {Pointer | number} argument */
const toNumber = (argument) =>
  argument === null ? 0 : typeof argument === 'number' ? argument : argument.address;

/** Returns a fresh arena over the memory of an instance. @param {Instance} instance */
const arenaOf = ({ exports, limit }) => new Arena(exports.memory, exports.__heap_base.value, limit);

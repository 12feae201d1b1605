/**
 * The kernel's memory as a stack: `release` frees the memory allocated since `mark`. Addresses count
 * bytes, and are multiples of 64 so that no vector load crosses a cache line.
 */
import { CapacityError, reason } from '../errors.js';

/** @typedef {{ buffer: ArrayBufferLike, grow: (pages: number) => number }} Memory */

const PAGE = 65536;
const ALIGNMENT = 64;
/** Rounds a number of bytes up to the alignment. @param {number} bytes */
const align = (bytes) => Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;

export class Arena {
  /**
   * @param {Memory} memory
   * @param {number} base where free memory begins
   * @param {number} limit where addressable memory ends, in bytes
   */
  constructor(memory, base, limit) {
    this.memory = memory;
    this.limit = limit;
    this.top = align(base);
    /** The whole memory as numbers. Stale after growth: read it anew after each `allocate`.
     *  @type {Float32Array} */
    this.floats = new Float32Array(memory.buffer);
    /** The same memory as integers. @type {Uint32Array} */
    this.words = new Uint32Array(memory.buffer);
  }

  /** Returns a mark for `release`. @returns {number} */
  mark() {
    return this.top;
  }

  /** Frees the memory allocated since `mark`. @param {number} mark */
  release(mark) {
    this.top = mark;
  }

  /**
   * Allocates memory; its content is arbitrary.
   *
   * @param {string} caller for messages
   * @param {number} bytes
   * @returns {number} the address
   */
  allocate(caller, bytes) {
    const address = this.top;
    const end = address + align(bytes);
    if (end > this.floats.byteLength) this.grow(caller, end);
    this.top = end;
    return address;
  }

  /**
   * Grows to `end` bytes, and by an eighth more where the engine allows it, so that calls of slowly
   * increasing size seldom grow.
   *
   * @param {string} caller
   * @param {number} end
   */
  grow(caller, end) {
    if (end > this.limit) {
      throw new CapacityError(
        `${caller}: needs ${end} bytes of kernel memory, expected at most ${this.limit}`,
      );
    }
    const needed = Math.ceil((end - this.memory.buffer.byteLength) / PAGE);
    const most = Math.floor((this.limit - this.memory.buffer.byteLength) / PAGE);
    const generous = Math.min(most, needed + Math.ceil(end / 8 / PAGE));
    const refusal = this.tryGrow(generous) && this.tryGrow(needed);
    if (!refusal) return;
    throw new CapacityError(`${caller}: needs ${end} bytes of kernel memory: ${refusal}`);
  }

  /**
   * Grows by some pages, if the engine allows it.
   *
   * @param {number} pages
   * @returns {string} the engine's reason for a refusal, or ''
   */
  tryGrow(pages) {
    try {
      const before = this.memory.buffer.byteLength;
      this.memory.grow(pages);
      this.floats = new Float32Array(this.memory.buffer);
      this.words = new Uint32Array(this.memory.buffer);
      return this.floats.byteLength > before ? '' : 'the engine refuses to grow it';
    } catch (thrown) {
      return `the engine refuses to grow it (${reason(thrown)})`;
    }
  }
}

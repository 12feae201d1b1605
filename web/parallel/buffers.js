/**
 * Memory of earlier messages, used again: a fresh page costs an operating system more time than filling it.
 */

/** Bytes that wait for another use. */
const MOST_KEPT = 2 ** 25;

export class Buffers {
  /** By their length. @type {Map<number, ArrayBuffer[]>} */
  #free = new Map();
  #bytes = 0;

  /**
   * Returns a buffer, content arbitrary.
   *
   * @param {number} length in bytes
   * @returns {ArrayBuffer}
   */
  take(length) {
    const buffer = this.#free.get(length)?.pop();
    if (!buffer) return new ArrayBuffer(length);
    this.#bytes -= length;
    return buffer;
  }

  /** Returns a copy of a typed array. @param {ArrayBufferView} array @returns {ArrayBufferView} */
  copy({ constructor, buffer, byteOffset, byteLength }) {
    const memory = this.take(byteLength);
    new Uint8Array(memory).set(new Uint8Array(buffer, byteOffset, byteLength));
    return Reflect.construct(constructor, [memory]);
  }

  /** Takes buffers back. @param {ArrayBuffer[]} buffers */
  give(buffers) {
    for (const buffer of buffers) {
      const length = buffer.byteLength;
      if (length === 0 || this.#bytes + length > MOST_KEPT) continue;
      const list = this.#free.get(length) ?? [];
      this.#free.set(length, list);
      list.push(buffer);
      this.#bytes += length;
    }
  }
}

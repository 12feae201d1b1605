/**
 * Memory for copies, which comes back with each result and serves the next call: a browser takes longer for the
 * first touch of a page than for filling it.
 */

/** Bytes that are kept between calls. */
const MOST_KEPT = 2 ** 26;

/** Gives out a number of bytes, whatever they hold. @typedef {(bytes: number) => ArrayBuffer} Take */

export class Memory {
  /** What came back, the newest first. @type {ArrayBuffer[]} */
  kept = [];

  /** @type {Take} */
  take = (bytes) => {
    const place = this.kept.findIndex(({ byteLength }) => byteLength === bytes);
    return place < 0 ? new ArrayBuffer(bytes) : this.kept.splice(place, 1)[0];
  };

  /** Keeps buffers for the next calls, and drops the oldest beyond the most. @param {ArrayBuffer[]} buffers */
  keep(buffers) {
    this.kept.unshift(...buffers);
    let sum = 0;
    this.kept = this.kept.filter(({ byteLength }) => (sum += byteLength) <= MOST_KEPT);
  }
}

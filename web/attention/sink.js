/**
 * Sinks: logits without value in the denominators of softmax, and their gradients.
 */
import { reject } from './errors.js';
import { readNumber } from './options.js';
import { readTensor } from './read.js';
import { rejectShape } from './shape.js';

/** @import { Tensor } from './tensor.js' */

/**
 * A sink a head, −Infinity for none. `isSinkShared` is true where the caller gave one number for all heads.
 *
 * @typedef {{ sinks: number[] | Float32Array, hasSink: boolean, isSinkShared: boolean }} Sinks
 */

/**
 * Reads a sink: a number for all heads, or one a head.
 *
 * @param {string} caller
 * @param {any} sink
 * @param {number} heads
 * @returns {Sinks}
 */
export function readSinks(caller, sink, heads) {
  const none = sink === undefined || sink === null;
  if (none || typeof sink === 'number') {
    const number = none || sink === -Infinity ? -Infinity : readNumber(caller, 'sink', sink, 0);
    return { sinks: Array(heads).fill(number), hasSink: !none, isSinkShared: true };
  }
  const { data, shape } = readTensor(caller, 'sink', sink);
  if (shape.length === 1 && shape[0] === heads) {
    data.forEach((logit, head) => {
      if (!(logit < Infinity)) reject(caller, `sink[${head}]`, logit, 'finite or −Infinity');
    });
    return { sinks: data, hasSink: true, isSinkShared: false };
  }
  return rejectShape(caller, 'sink', shape, `a number, or [${heads}] with one a head`);
}

/**
 * Returns the shape of the gradient of a sink, which is that of the sink; none without one.
 *
 * @param {Sinks} sinks
 * @returns {{ dSink?: number[] }}
 */
export function sinkShapes({ sinks, hasSink, isSinkShared }) {
  if (!hasSink) return {};
  return { dSink: isSinkShared ? [] : [sinks.length] };
}

/**
 * Writes the gradient of a sink.
 *
 * @param {Tensor | undefined} dSink none without a sink
 * @param {Float64Array | undefined} dSinks one a head of the batch, none where nothing was computed
 * @param {number} heads
 */
export function writeSinkGradient(dSink, dSinks, heads) {
  if (!dSink) return;
  const sums = new Float64Array(heads);
  dSinks?.forEach((x, i) => (sums[i % heads] += x));
  const isShared = dSink.shape.length === 0;
  dSink.data.set(isShared ? [sums.reduce((sum, x) => sum + x, 0)] : sums);
}

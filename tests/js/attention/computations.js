/**
 * Everything the package computes, on problems of any shape: the results that tests compare between
 * kernels and engines. Only the kernel that is given is used, so this runs unbundled in a page.
 */
import { drawer, PROBLEMS } from './functions.js';

/** @import { Kernel } from '../../../web/attention/index.js' */

/** The functions whose numbers a kernel computes. */
const COMPUTED = Object.keys(PROBLEMS).filter((name) => !PROBLEMS[name].isPlain);

/** Computes a problem of a function. @param {Kernel} kernel @param {string} name @param {number} seed */
const compute = (kernel, name, seed) =>
  Reflect.get(kernel, name)(...PROBLEMS[name].args(kernel, drawer(seed)));

/**
 * Returns a hash of every bit of `count` results of each function, save of NaN: there one is like another,
 * because payloads are not promised.
 * @param {Kernel} kernel
 * @param {number} count
 * @returns {Record<string, string>} by function
 */
export function hashComputations(kernel, count) {
  const hashes = COMPUTED.map((name, kind) => {
    let hash = 0;
    for (let i = 0; i < count; i++) hash = mix(hash, compute(kernel, name, kind * 2 ** 16 + i));
    return [name, (hash >>> 0).toString(16)];
  });
  return Object.fromEntries(hashes);
}

const number = new Float64Array(1);
const words = new Uint32Array(number.buffer);

/** Mixes every number of a result into a hash, as the two words of a float64, which holds each float32.
 *  @param {number} hash @param {any} result @returns {number} */
function mix(hash, result) {
  if (typeof result === 'number') {
    number[0] = result;
    if (Number.isNaN(result)) words.set([0, 0x7ff80000]);
    for (let i = 0; i < 2; i++) {
      hash = Math.imul(hash ^ words[i], 0x9e3779b1); // one to one in either: no difference is lost
      hash ^= hash >>> 15;
    }
    return hash;
  }
  const parts = result.data ?? result;
  for (const part of parts[Symbol.iterator] ? parts : Object.values(parts)) hash = mix(hash, part);
  return hash;
}

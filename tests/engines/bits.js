// What every engine computes to be compared bit for bit: in a page, unbundled, and in Node.

import { backend, createKernel, init } from '../../web/attention/index.js';
import { moduleHashes, SHAPES } from '../c/identity-module.js';
import { hashComputations } from '../js/attention/computations.js';

/**
 * The package, by the backend that it takes by itself and by its fallback.
 * @param {number} problems  of each of eight kinds
 */
export async function packageBits(problems) {
  const chosen = await init();
  /** @type {Record<string, Record<string, string>>} */
  const hashes = {};
  for (const name of new Set(/** @type {const} */ ([chosen, 'js']))) {
    hashes[name] = hashComputations(await createKernel({ backend: name }), problems);
  }
  return { backend: backend(), hashes };
}

/**
 * identity.c, as WebAssembly with SIMD where the engine has it, and as JavaScript.
 * @param {string} module  the bytes in base64
 */
export async function identityBits(module) {
  /** @type {Record<string, string[]>} */
  const hashes = {};
  if ((await init()) === 'simd') {
    const bytes = Uint8Array.from(atob(module), (character) => character.charCodeAt(0));
    const { instance } = await WebAssembly.instantiate(bytes);
    hashes.simd = moduleHashes(instance.exports, SHAPES.simd);
  }
  const translated = new URL('../../build/identity/identity-plain.js', import.meta.url).href;
  hashes.plain = moduleHashes(await import(translated), SHAPES.plain);
  return hashes;
}

// Every engine computes these numbers, in a page, unbundled, and in Node; they are compared bit for bit.

import { backend, createKernel, init } from '../../web/attention/index.js';
import { moduleHashes, SHAPES } from '../c/identity-module.js';
import * as language from '../../web/language/index.js';
import { hashComputations } from '../js/attention/computations.js';
import { hashTraining } from '../js/language/computations.js';

/**
 * Hashes the results of the package, by the backend that it takes by itself and by its fallback.
 * @param {number} problems  the number of problems of each function
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
 * Hashes a training of a language model, by the backend that it takes by itself and by its fallback.
 * @param {number} steps
 */
export async function languageBits(steps) {
  const chosen = await language.initLanguage();
  const hashes = [await hashTraining(language, steps)];
  if (chosen !== 'js') await language.initLanguage({ backend: 'js' });
  return [...hashes, await hashTraining(language, steps)];
}

/**
 * Hashes the results of identity.c, as WebAssembly with SIMD where the engine has it, and as JavaScript.
 * @param {string} module  its bytes in base64
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

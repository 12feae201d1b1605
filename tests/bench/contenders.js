// The contenders. Each is loaded when it is opened, so that a start-up loads nothing else.

/** @import { Contender } from './problems.js' */

/**
 * @typedef {{ litert?: string, ort?: string, tfjs?: string }} Files where a page
 *   finds WebAssembly
 * @typedef {'first' | 'simd' | 'relaxed' | 'simdInto' | 'relaxedInto' | 'plain' | 'litert' | 'ort'
 *   | 'ortAttention' | 'ortGroupQuery' | 'tfjs'} ContenderName
 */

/** 'first' is this package at its first call, and …Into writes to arrays that are already there. Opening
 *  one that the engine lacks resolves to undefined.
 *  @type {Record<ContenderName, (files: Files) => Promise<Contender | undefined>>} */
const CONTENDERS = {
  first: async () => (await import('./peers/published.js')).published,
  simd: async () => (await import('./peers/own.js')).openOwn('simd'),
  relaxed: async () => (await import('./peers/own.js')).openOwn('relaxed'),
  simdInto: async () => (await import('./peers/own.js')).openOwn('simd', true),
  relaxedInto: async () => (await import('./peers/own.js')).openOwn('relaxed', true),
  plain: async () => (await import('./peers/plain.js')).plain,
  tfjs: async (files) => (await import('./peers/tfjs.js')).openTfjs(files),
  ort: async (files) => (await import('./peers/ort.js')).openOrt(files),
  ortAttention: async (files) => (await import('./peers/ort.js')).openOrtAttention(files),
  ortGroupQuery: async (files) => (await import('./peers/ort.js')).openOrtGroupQuery(files),
  litert: async (files) =>
    files.litert ? (await import('./peers/litert.js')).openLiteRt(files) : undefined,
};

/**
 * @param {ContenderName} name
 * @param {Files} files
 * @returns {Promise<Contender | undefined>}
 */
export const openContender = (name, files) => CONTENDERS[name](files);

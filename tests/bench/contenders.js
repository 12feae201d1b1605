// Who is measured. Each is loaded when it is asked for, so that a start-up loads nothing else.

/** @import { Contender } from './problems.js' */

/**
 * @typedef {{ litert?: string, ort?: string, tfjs?: string }} Files where a page finds WebAssembly
 * @typedef {'first' | 'simd' | 'relaxed' | 'plain' | 'tfjs' | 'ort' | 'ortAttention' | 'litert'} ContenderName
 */

/** 'first' is this package at its first call; undefined is what the engine lacks.
 *  @type {Record<ContenderName, (files: Files) => Promise<Contender | undefined>>} */
const CONTENDERS = {
  first: async () => (await import('./peers/published.js')).published,
  simd: async () => (await import('./peers/own.js')).openOwn('simd'),
  relaxed: async () => (await import('./peers/own.js')).openOwn('relaxed'),
  plain: async () => (await import('./peers/plain.js')).plain,
  tfjs: async (files) => (await import('./peers/tfjs.js')).openTfjs(files),
  ort: async (files) => (await import('./peers/ort.js')).openOrt(files),
  ortAttention: async (files) => (await import('./peers/ort.js')).openOrtAttention(files),
  litert: async (files) =>
    files.litert ? (await import('./peers/litert.js')).openLiteRt(files) : undefined,
};

/**
 * @param {ContenderName} name
 * @param {Files} files
 * @returns {Promise<Contender | undefined>}
 */
export const openContender = (name, files) => CONTENDERS[name](files);

// The recorded models and curves, each loaded when it is first needed.
import { initLanguage, load } from '../index.js';
import { loadRecorded } from './files.js';

/**
 * @import { LoadedModel } from '../index.js'
 * @import { FileName } from './files.js'
 */

/** @type {Map<FileName, Promise<LoadedModel>>} */
const opened = new Map();

/** @param {FileName} name */
async function open(name) {
  const [{ default: text }] = await Promise.all([loadRecorded(name), initLanguage()]);
  return load(Uint8Array.from(atob(text), (character) => character.charCodeAt(0)));
}

/**
 * Opens a model. A failure may be tried again.
 * @param {FileName} name
 * @returns {Promise<LoadedModel>} with its tokenizer
 */
export function openModel(name) {
  const model = opened.get(name) ?? open(name);
  opened.set(name, model);
  model.catch(() => opened.delete(name));
  return model;
}

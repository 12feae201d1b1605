// The recorded models and curves, each loaded when it is first needed.
import { initLanguage, load } from '../index.js';
import { loadRecorded } from './files.js';

/** @import { Language } from '../../shared/languages.js' */

/**
 * @import { LoadedModel } from '../index.js'
 * @import { FileName, ModelName } from './files.js'
 */

/** Returns the bytes of a text; a loop, since `from` with a function takes longer than a frame. @param {string} text */
function bytesOf(text) {
  const characters = atob(text);
  const bytes = new Uint8Array(characters.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = characters.charCodeAt(i);
  return bytes;
}

/** What has been opened, by name. @type {Map<string, Promise<any>>} */
const opened = new Map();

/**
 * Opens a file once. A failure may be tried again.
 * @template T
 * @param {FileName} name
 * @param {(content: any) => T} read
 * @returns {Promise<T>}
 */
function open(name, read) {
  const known = opened.get(name);
  if (known) return known;
  const opening = loadRecorded(name).then((file) => read(file.default));
  opened.set(name, opening);
  opening.catch(() => opened.delete(name));
  return opening;
}

/**
 * Opens a model.
 * @param {ModelName} name
 * @returns {Promise<LoadedModel>} with its tokenizer
 */
export async function openModel(name) {
  await initLanguage();
  return open(name, (text) => load(bytesOf(text)));
}

/**
 * Opens the curves of a language, as web/recording/record.js writes them.
 * @param {Language} language
 * @returns {Promise<any>}
 */
export const openCurves = (language) => open(language, (curves) => curves);

/**
 * Opens the beginning of the text that the models of a language have read.
 * @param {Language} language
 * @returns {Promise<Int32Array>} its tokens
 */
export const openText = (language) =>
  open(`${language}-text`, (text) => new Int32Array(new Uint16Array(bytesOf(text).buffer)));

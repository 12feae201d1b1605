// The recorded models and curves, each loaded when it is first needed.
import { load as loadAsset } from '../../assets/import.js';
import { modelsOf } from '../../shared/languages.js';
import { initLanguage, load } from '../index.js';
import { CURVES, FURTHER, MODELS, TEXTS } from './assets.js';

/**
 * @import { Group } from '../../assets/import.js'
 * @import { Language } from '../../shared/languages.js'
 * @import { LoadedModel } from '../index.js'
 * @import { RecordedVariants } from './measure.js'
 * @typedef {LoadedModel & Required<Pick<LoadedModel, 'tokenizer'>>} RecordedModel  with its tokenizer
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
 * @param {Group} assets
 * @param {string} file
 * @param {(content: any) => unknown} read
 * @returns {Promise<any>} what web/recording/record.js has written, read
 */
function open(assets, file, read) {
  const name = `recorded/${file}`;
  const known = opened.get(name);
  if (known) return known;
  const opening = loadAsset(assets, name).then((asset) => read(asset.default));
  opened.set(name, opening);
  opening.catch(() => opened.delete(name));
  return opening;
}

/** Opens the model that a language shows. @param {Language} language @returns {Promise<RecordedModel>} */
export const openModel = (language) => openOf(MODELS, `${modelsOf(language)}-sqrt-1500`);

/**
 * Opens a model of another scale or step, or the same.
 * @param {string} name such as en-none-1500
 * @returns {Promise<RecordedModel>}
 */
export const openAnyModel = (name) =>
  openOf(`recorded/${name}` in MODELS.files ? MODELS : FURTHER, name);

/** @param {Parameters<typeof open>[0]} assets @param {string} name */
async function openOf(assets, name) {
  await initLanguage();
  return open(assets, name, (text) => load(bytesOf(text)));
}

/**
 * Opens the curves of a language's models, as web/recording/record.js writes them.
 * @param {Language} language
 * @returns {Promise<any>}
 */
export const openCurves = (language) => open(CURVES, modelsOf(language), (curves) => curves);

/**
 * Opens the runs of variants, as web/recording/variants.js writes them. They are in English.
 * @returns {Promise<RecordedVariants>}
 */
export const openVariants = () => open(FURTHER, 'en-variants', (variants) => variants);

/**
 * Opens the beginning of the text that the models of a language have read.
 * @param {Language} language
 * @returns {Promise<Int32Array>} its tokens
 */
export const openText = (language) =>
  open(
    TEXTS,
    `${modelsOf(language)}-text`,
    (text) => new Int32Array(new Uint16Array(bytesOf(text).buffer)),
  );

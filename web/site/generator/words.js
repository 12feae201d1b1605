// Build step: the words of pages, of web/site/data/words/, for what is no template.
import { readFileSync } from 'node:fs';
import { SOURCES } from '../../build/paths.js';
import { recordOf } from '../../shared/keys.js';
import { LANGUAGE_KEYS } from '../../shared/languages.js';

/**
 * @import { Language } from '../../shared/languages.js'
 * @typedef {object} Words
 * @property {readonly [string, string]} card the question around √d_k
 * @property {string} figure a figure by its number
 * @property {string} contents
 * @property {string} filter
 * @property {string} copy
 * @property {string} copied
 * @property {readonly string[]} recipe texts within recipes, in one order in all languages
 * @property {{ title: string, independent: string }} heads of their picture (heads.js)
 * @property {{ run: string, healthy: string, head: string }} symptom of a recorded run with a fault (symptoms.js)
 * @property {Record<string, string>} reference
 */

/** @type {Record<Language, Words>} */
export const words = recordOf(LANGUAGE_KEYS, (lang) =>
  JSON.parse(readFileSync(`${SOURCES}/data/words/${lang}.json`, 'utf8')),
);

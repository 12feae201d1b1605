// What is said of the elements beside their fields: `reference` of LANGUAGE/reference.js, and `facts` of facts.js where an
// element has more to say than that.
import { existsSync } from 'node:fs';
import { ELEMENTS, folderOf } from '../figures/list.js';
import { LANGUAGE_KEYS } from '../shared/languages.js';

/**
 * @import { ElementFacts, ElementReference } from '../figures/kit/spec.js'
 * @import { Language } from '../shared/languages.js'
 * @typedef {typeof import('../figures/kit/element/en/reference.js').reference} KitReference
 */

/** @param {string} path  @param {string} name of what it exports */
const exported = async (path, name) => (await import(`../${path}`))[name];

/**
 * Returns an object with what a function finds for each of its keys.
 * @template {string} Key, Value
 * @param {readonly Key[]} keys
 * @param {(key: Key) => Promise<Value>} find
 * @returns {Promise<Record<Key, Value>>}
 */
async function foundOf(keys, find) {
  const entries = await Promise.all(keys.map(async (key) => [key, await find(key)]));
  return Object.fromEntries(entries);
}

/** By name. @type {Record<string, ElementFacts>} */
export const FACTS = await foundOf(ELEMENTS, async (name) => {
  const path = `${folderOf(name)}/facts.js`;
  return existsSync(new URL(`../${path}`, import.meta.url)) ? exported(path, 'facts') : {};
});

/** The texts about each element, by language and name. @type {Record<Language, Record<string, ElementReference>>} */
export const REFERENCE = await foundOf(LANGUAGE_KEYS, (lang) =>
  foundOf(ELEMENTS, (name) => exported(`${folderOf(name)}/${lang}/reference.js`, 'reference')),
);

/** The texts about all elements, by language. @type {Record<Language, KitReference>} */
export const KIT_REFERENCE = await foundOf(LANGUAGE_KEYS, (lang) =>
  exported(`figures/kit/element/${lang}/reference.js`, 'reference'),
);

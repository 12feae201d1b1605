// Build step: a translation without its keys, which are those of the original. Bundles hold the Chinese
// texts of a figure in the order of the English ones, a quarter less of what they say, compressed.

import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { parseAst } from 'vite';
import { translated } from './translated.js';

const HELPER = JSON.stringify(fileURLToPath(new URL('translated.js', import.meta.url)));

/** @param {any} original  @param {any} translation  @returns {string[]} the texts, empty where they are the same */
const textsOf = (original, translation) =>
  typeof original === 'string'
    ? [original === translation ? '' : translation]
    : Object.keys(original).flatMap((key) => textsOf(original[key], translation[key]));

/**
 * The module of a figure's messages, its `zh` made from its `en`.
 * @param {string} code  that exports both
 * @param {{ en: object, zh: object }} messages  what it exports
 * @throws {Error} if `zh` would not say the same
 */
export function withoutKeys(code, { en, zh }) {
  const texts = textsOf(en, zh).join('~');
  assert.deepEqual(translated(en, texts), zh);
  const declared = parseAst(code).body.find(
    (/** @type {any} */ node) => node.declaration?.declarations?.[0].id.name === 'zh',
  );
  const { start, end } = /** @type {any} */ (declared).declaration.declarations[0].init;
  const made = `translated(en, ${JSON.stringify(texts)})`;
  return `import { translated } from ${HELPER};${code.slice(0, start)}${made}${code.slice(end)}`;
}

/** A translation among the variables of a bundle. */
const TRANSLATION = /,([\w$]+)=translated\(([\w$]+),"((?:[^"\\]|\\.)*)"\)/g;

/**
 * A bundle's translations as one, where the last one stands: 0.2 kB less, compressed, than one language after the other.
 * @param {string} code  minified
 */
export function translationsTogether(code) {
  const found = [...code.matchAll(TRANSLATION)];
  const [names, originals, texts] = [1, 2, 3].map((part) => found.map((match) => match[part]));
  let left = found.length;
  return code.replace(TRANSLATION, () =>
    --left === 0 ? `,[${names}]=translated([${originals}],"${texts.join('~')}")` : '',
  );
}

/** @type {import('vite').Plugin} */
export const translations = {
  name: 'translations',
  async transform(code, id) {
    if (!id.endsWith('.messages.js')) return undefined;
    return { code: withoutKeys(code, await import(id)), map: null };
  },
};

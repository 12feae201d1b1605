// Build step: how long reading takes.

import { aboutLanguage } from '../../shared/languages.js';

/**
 * @import Token from 'markdown-it/lib/token.mjs'
 * @import { Language } from '../../shared/languages.js'
 */

/**
 * Returns the minutes that a section takes, at least one.
 * @param {readonly Token[]} tokens
 * @param {Language} lang
 */
export function readingMinutes(tokens, lang) {
  const contentOf = (/** @type {string} */ kind) =>
    tokens.map(({ type, content }) => (type === kind ? content : '')).join(' ');
  const html = contentOf('html_block');
  // The claims of the ledger, which are read like any text.
  const claims = (html.match(/<ol>.*?<\/ol>/gs) ?? []).join(' ').replace(/<[^>]*>/g, ' ');
  const { word, wordsAMinute } = aboutLanguage(lang);
  const words = `${contentOf('inline')} ${claims}`.match(word);
  const figures = html.match(/<attn-/g)?.length ?? 0; // a minute each
  return Math.max(1, Math.round((words?.length ?? 0) / wordsAMinute + figures));
}

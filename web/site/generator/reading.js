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
  const text = tokens.map(({ type, content }) => (type === 'inline' ? content : '')).join(' ');
  const { word, wordsAMinute } = aboutLanguage(lang);
  const words = text.match(word);
  const html = tokens.map(({ type, content }) => (type === 'html_block' ? content : '')).join('');
  const figures = html.match(/<attn-/g)?.length ?? 0; // a minute each
  return Math.max(1, Math.round((words?.length ?? 0) / wordsAMinute + figures));
}

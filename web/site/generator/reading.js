// Build step: how long reading takes.

/** @import Token from 'markdown-it/lib/token.mjs' */

/** Words a minute in English, characters a minute in Chinese: usual speeds for prose with formulas. */
const SPEED = { en: 200, zh: 300 };

/**
 * Returns the minutes that a section takes, at least one.
 * @param {readonly Token[]} tokens
 * @param {'en' | 'zh'} lang
 */
export function readingMinutes(tokens, lang) {
  const text = tokens.map(({ type, content }) => (type === 'inline' ? content : '')).join(' ');
  const words = lang === 'zh' ? text.match(/\p{Script=Han}|\w+/gu) : text.match(/\S+/g);
  const html = tokens.map(({ type, content }) => (type === 'html_block' ? content : '')).join('');
  const figures = html.match(/<attn-/g)?.length ?? 0; // a minute each
  return Math.max(1, Math.round((words?.length ?? 0) / SPEED[lang] + figures));
}

// Build step: code with a button that copies it (scripts/copy-buttons.js).
import { aboutLanguage } from '../../shared/languages.js';
import { words } from './words.js';

/** @import { Language } from './figures.js' */

/**
 * Returns a box of code and its button, whose words stand in the page's language beside any other. Markdown takes
 * both for one block, which an empty line would end.
 * @param {string} box as HTML
 * @param {Language} lang
 */
export const withCopyButton = (box, lang) =>
  `<div class="copied">${box.replace(/\n(?=\n)/g, '&#10;')}` +
  `<button type="button" class="copy" lang="${aboutLanguage(lang).tag}" disabled` +
  ` data-done="${words[lang].copied}">${words[lang].copy}</button></div>`;

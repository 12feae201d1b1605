// The files that a figure needs besides its script.
/** @import { Language } from '../../web/shared/languages.js' */

import { neededBy } from '../../web/site/generator/files.js';

/** Lists the files that a figure loads at its start. @param {string} name @param {Language} lang of the figure */
export const neededIn = (name, lang) =>
  neededBy(name).filter((file) => {
    const [, own = lang] = /^recorded\/(\w\w)\b/.exec(file) ?? [];
    return own === lang;
  });

/** Lists those that a figure in English loads. @param {string} name */
export const neededInEnglish = (name) => neededIn(name, 'en');

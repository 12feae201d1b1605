// The files that a figure needs besides its script.
import { neededBy } from '../../web/site/generator/files.js';

/** Lists the files that a figure in English loads at its start. @param {string} name */
export const neededInEnglish = (name) => neededBy(name).filter((file) => !/\/zh\b/.test(file));

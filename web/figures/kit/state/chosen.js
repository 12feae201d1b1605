// Lists of names by which a page chooses parts of a figure: its controls, its panels.

/** Longer texts are refused: no figure has that many names. */
const LONGEST = 512;

/**
 * @typedef {object} Chosen
 * @property {readonly string[]} names  those that exist, in their usual order
 * @property {readonly string[]} unknown  those that do not, to report
 */

/**
 * Reads a list of names.
 * @param {string} attribute  reported where the text is too long
 * @param {string} text  with spaces or commas
 * @param {readonly string[]} known
 * @returns {Chosen}
 */
export function chosenNames(attribute, text, known) {
  if (text.length > LONGEST) return { names: [], unknown: [attribute] };
  const names = new Set(text.split(/[\s,]+/).filter(Boolean));
  return {
    names: known.filter((name) => names.has(name)),
    unknown: [...names].filter((name) => !known.includes(name)),
  };
}

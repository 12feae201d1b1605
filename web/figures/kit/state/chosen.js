// Lists of names by which a page chooses parts of a figure: its controls, its panels.

/** Longer texts are refused: no figure has that many names. */
const LONGEST = 512;

/**
 * @typedef {object} Chosen
 * @property {readonly string[]} names  those that exist, in their usual order
 * @property {readonly string[]} unknown  nothing, or one text for the notice: the attribute, those of its names
 *   that do not exist, and all that do
 */

/**
 * Reads a list of names.
 * @param {string} attribute
 * @param {string} text  with spaces or commas
 * @param {readonly string[]} known
 * @returns {Chosen}
 */
export function chosenNames(attribute, text, known) {
  const isTooLong = text.length > LONGEST;
  const asked = isTooLong ? ['…'] : text.split(/[\s,]+/).filter(Boolean);
  const names = new Set(asked);
  const unknown = [...names].filter((name) => !known.includes(name));
  const report = `${attribute}="${unknown.join(' ')}" (${known.join(' | ')})`;
  return {
    names: known.filter((name) => names.has(name)),
    unknown: unknown.length > 0 ? [report] : [],
  };
}

// Texts that are not ours, such as tokens and the words of a reader, among texts of ours that have formulas.

/** Characters of writing that runs from right to left, and those that turn the direction of any. */
const TURNED =
  /[\u0590-\u08ff\u202a-\u202e\u2066\u2067\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/**
 * Returns a text so that it stays what it is within another: a word joiner before each `_` keeps `x_i` from
 * being a formula, and isolates keep its direction to itself.
 * @param {string} text
 */
export function verbatim(text) {
  const joined = text.replaceAll('_', '\u2060_');
  return TURNED.test(joined) ? `\u2068${joined}\u2069` : joined;
}

/** Returns a text without what `verbatim` adds. @param {string} text */
export const unmarked = (text) => text.replace(/[\u2060\u2068\u2069]/g, '');

/** Returns a text for screen readers: `d_k` without the sign of its index. @param {string} text */
export const spoken = (text) => text.replace(/\u2060_|_/g, (found) => (found === '_' ? '' : found));

// A reader of the XML that pictures use: elements, attributes in double quotes, escaped text.

const TOKEN = /<(\/?)([a-zA-Z][\w-]*)((?:\s+[\w:-]+="[^"<]*")*)\s*(\/?)>|([^<]+)/gy;
const TEXT = /^(?:[^&]|&(?:amp|lt|gt|quot);)*$/;

/** @param {string} markup  @returns {boolean} */
export function isWellFormed(markup) {
  /** @type {string[]} */
  const open = [];
  let end = 0;
  for (const match of markup.matchAll(TOKEN)) {
    const [token, closing, name, attributes, empty, text] = match;
    end = match.index + token.length;
    if (!TEXT.test(text ?? attributes)) return false;
    if (closing && open.pop() !== name) return false;
    if (name && !closing && !empty) open.push(name);
  }
  return end === markup.length && open.length === 0;
}

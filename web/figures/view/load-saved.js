// Loads the program of a saved page in that page, in place of load.js: it stands there, and so does its hash.

/** Returns what an element of the page holds. @param {string} selector @param {'content' | 'text'} property */
const read = (selector, property) =>
  String(Reflect.get(Object(document.querySelector(selector)), property));

export const loadProgram = async () => ({
  text: read('script:not([type])', 'text'),
  hash: /'sha256-[^']*'/.exec(read('meta[http-equiv]', 'content'))?.[0] ?? '',
});

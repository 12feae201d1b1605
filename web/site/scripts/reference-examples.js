// The examples of the reference, by name. The build replaces this module by one written from the
// docstrings (web/site/generator/api-examples.js), since the page's policy forbids running text.

/** @type {Record<string, (print: (value: unknown) => void) => Promise<void>>} */
export const examples = {};

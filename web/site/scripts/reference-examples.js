// The examples of the reference, by name. The build puts another module in this one's place, written
// from the docstrings (web/site/generator/api-examples.js): the page's policy allows no text to be run.

/** @type {Record<string, (print: (value: unknown) => void) => Promise<void>>} */
export const examples = {};

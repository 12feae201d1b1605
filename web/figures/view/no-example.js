// Stands for example.js in a saved page, which has attention of its own.

export const load = async () => {};

/** @returns {never} */
export function exampleOf() {
  throw new Error('a saved page has no example');
}

/**
 * The door: loads an asset of list.js. As written its delivery is the `import()` in the list, for a bundler
 * to follow, as on the site and in the package; other forms have another (script.js, given.js, site.js).
 */

/** An asset failed to load: no proof about the engine, and a retry may succeed. */
export class Unreachable extends Error {}

/** The number of files that failed to load even under another name. */
let failures = 0;

/**
 * Loads an asset.
 *
 * @template {Record<string, () => Promise<any>>} Assets
 * @template {keyof Assets & string} Name
 * @param {Assets} assets a group of list.js
 * @param {Name} name
 * @returns {Promise<Awaited<ReturnType<Assets[Name]>>>} its module
 * @throws {Unreachable} (as a rejection) naming the file and where it comes from
 */
export async function load(assets, name) {
  try {
    return await assets[name]().catch(importAgain);
  } catch (thrown) {
    throw new Unreachable(
      `${name}.min.js did not load (${messageOf(thrown)}); the site of attention-lab has it: recipes, 'Where the files come from'`,
    );
  }
}

/**
 * Imports a file that failed to load once more, under another name: Firefox remembers the failure of the
 * first. Only Firefox names the address in its message, also where a bundler has moved the file.
 *
 * @param {unknown} thrown by the first import
 * @returns {Promise<any>} the module
 * @throws what the first import threw
 */
async function importAgain(thrown) {
  const address = /^error loading .* module: (.+)/.exec(messageOf(thrown))?.[1];
  if (address === undefined) throw thrown;
  try {
    return await import(
      /* @vite-ignore */ /* webpackIgnore: true */ `${address}?retry=${failures}`
    );
  } catch {
    failures += 1;
    throw thrown;
  }
}

/** @param {unknown} thrown */
const messageOf = (thrown) => String(Object(thrown).message ?? thrown);

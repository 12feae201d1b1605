/**
 * The door: loads an asset of a room's assets.js. As written its delivery is the `import()` in that list, for a
 * bundler to follow, as on the site and in the package; other forms have another (script.js, given.js, site.js).
 *
 * What a room loads on demand: each file by its name, which is that of its file on the site, and its module. A build
 * replaces each `import()` by the delivery of its form (web/build/forms.js).
 *
 * @typedef {object} Group
 * @property {string} of  'package', or 'site' for what the npm package leaves to the site
 * @property {string} budget  of each of its files, in tests/budgets.json
 * @property {boolean} [isInFile]  whether attention-lab.html holds it
 * @property {Record<string, () => Promise<any>>} files
 */

/** An asset failed to load: no proof about the engine, and a retry may succeed. */
export class Unreachable extends Error {}

/** The number of files that failed to load even under another name. */
let failures = 0;

/**
 * Loads an asset.
 * @template {Group['files']} Files
 * @template {keyof Files & string} Name
 * @param {{ files: Files }} group
 * @param {Name} name
 * @returns {Promise<Awaited<ReturnType<Files[Name]>>>} its module
 * @throws {Unreachable} (as a rejection) naming the file and where it comes from
 */
export async function load({ files }, name) {
  try {
    return await files[name]().catch(importAgain);
  } catch (thrown) {
    throw new Unreachable(
      `${name}.min.js did not load (${messageOf(thrown)}); the site of attention-lab has it: recipes, 'Where the files come from'`,
    );
  }
}

/**
 * Imports a file that failed to load once more, under another name: Firefox remembers the failure of the
 * first. Only Firefox names the address in its message, also where a bundler has moved the file.
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

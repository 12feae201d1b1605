// The figures bundled from their sources, for tests in browsers.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { modules } from '../../web/build/bundle.js';
import { from } from '../../web/build/forms.js';
import { at } from '../../web/build/paths.js';
import { FOLDER as COVERAGE } from './coverage.js';

/** The name of the first module, which is no file. */
const ENTRY = at('figures/under-test.js');

/** @type {Promise<Record<string, string>> | undefined} */
let bundled;

/**
 * Returns the texts of `/figures.js`, a module that registers the figures and exports their classes, and of the
 * files that it loads when they are needed, so that no page reads all recorded models. Files of tests that
 * tests/run.js starts share the bundle that it has written.
 */
export const bundleFigures = () => (bundled ??= readBundle(process.env.BUNDLED_FIGURES));

/** Bundles the figures for several files of tests. Returns the path of a file for `BUNDLED_FIGURES`. */
export async function share() {
  const path = at('../build/figures-under-test.json');
  mkdirSync(at('../build'), { recursive: true });
  writeFileSync(path, JSON.stringify(await bundle()));
  return path;
}

/** @param {string} [path] @returns {Promise<Record<string, string>>} */
const readBundle = async (path) => (path ? JSON.parse(readFileSync(path, 'utf8')) : bundle());

async function bundle() {
  const { build } = await import('vite'); // which files that read the bundle need not load
  const source = `import ${from('figures/define.js')}; export * from ${from('figures/index.js')};`;
  const result = await build({
    configFile: false,
    logLevel: 'error',
    plugins: [modules({ [ENTRY]: source })],
    build: {
      write: false,
      sourcemap: COVERAGE ? 'inline' : false,
      lib: { entry: ENTRY, formats: ['es'] },
      rolldownOptions: {
        // Code that is left out, or written otherwise, cannot be counted.
        treeshake: !COVERAGE,
        preserveEntrySignatures: 'allow-extension',
        output: {
          minify: !COVERAGE,
          entryFileNames: 'figures.js',
          chunkFileNames: 'figures-[name]-[hash].js',
        },
      },
    },
  });
  const [{ output }] = /** @type {{ output: { fileName: string, code: string }[] }[]} */ (result);
  return Object.fromEntries(output.map(({ fileName, code }) => [`/${fileName}`, code]));
}

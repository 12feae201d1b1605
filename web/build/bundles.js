// How Vite builds the package's modules and the one-file bundles of figures. Each function returns one
// configuration, for site.js and package.js.
import { readFileSync } from 'node:fs';
import {
  at,
  classNameOf,
  ENTRY,
  from,
  kernelName,
  LOAD,
  minify,
  modules,
  register,
  shared,
  SITE,
  TARGET,
} from './vite.config.js';

/** @import { Chunk } from './vite.config.js' */

const { version } = JSON.parse(readFileSync(at('../package.json'), 'utf8'));

/** Lit as it can be imported in a worker too, where a bundle is only the package. */
const WITHOUT_DOCUMENT = {
  conditions: ['node'],
  alias: { '@lit-labs/ssr-dom-shim': at('build/without-document.js') },
};

/** The module with the address of the site. */
const FOLDER = at('figures/kit/shell/site-folder.js');

/** The module that makes kernels, and those in its place where JavaScript has to do, and in workers. */
const BACKENDS = at('attention/kernel/backends.js');
const BACKENDS_JS = `export * from ${from('attention/kernel/backends-js.js')};`;
const BACKENDS_GIVEN = `export * from ${from('attention/kernel/backends-given.js')};`;

/**
 * Returns source that registers a figure and exports its class.
 * @param {string} [name] every figure if there is none
 */
const registration = (name) =>
  name
    ? `${register(name)} export { ${classNameOf(name)} };`
    : `import ${from('figures/define.js')}; export * from ${from('figures/index.js')};`;

/**
 * Returns the file of a chunk of a bundle. Kernels and recorded files are the same for every bundle; the
 * language model shares modules with the bundle that it belongs to.
 * @param {Chunk} chunk
 * @param {string} bundle its path without the ending
 */
function chunkName(chunk, bundle) {
  const kernel = kernelName(chunk);
  if (kernel) return `${kernel}.min.js`;
  if (chunk.facadeModuleId?.includes('/recorded/data/')) return `recorded/${chunk.name}.min.js`;
  return `${bundle}-${chunk.name}.min.js`;
}

/**
 * Bundles `figures.min.js` (no name: every figure) or `figures/NAME.min.js`: one file that registers
 * its elements and exports the whole package.
 * @param {string} [name]
 */
export const bundle = (name) =>
  oneRequest(
    name ? `figures/${name}.min.js` : 'figures.min.js',
    `${registration(name)} export * from ${from('attention/index.js')};`,
  );

/** Bundles `anywidget.min.js`, a module that a program in Python passes on to its notebook as text. */
export const widget = () =>
  oneRequest('anywidget.min.js', `export { default } from ${from('figures/anywidget.js')};`);

/**
 * Bundles one file of the site. The kernels for engines without SIMD and with fused multiply-add stay
 * chunks, loaded only where they are needed; they are the same files for every bundle.
 * @param {string} file its path in the site
 * @param {string} source of its first module
 * @returns {import('vite').InlineConfig}
 */
function oneRequest(file, source) {
  return {
    ...shared,
    publicDir: false,
    resolve: WITHOUT_DOCUMENT,
    plugins: [
      modules({
        [ENTRY]: source,
        [FOLDER]: `const up = '${file.includes('/') ? '../' : './'}'; // in a string, the bundler would look for a file
          export const siteFolder = () => new URL(up, import.meta.url);`,
      }),
    ],
    build: {
      target: TARGET,
      outDir: SITE,
      emptyOutDir: false,
      license: { fileName: 'THIRD-PARTY.md' },
      lib: { entry: ENTRY, formats: ['es'] },
      rolldownOptions: {
        preserveEntrySignatures: 'allow-extension', // later chunks import from it: one request until then
        output: {
          minify,
          postBanner: `/*! attention-lab ${version}, MIT; lit, BSD-3-Clause: THIRD-PARTY.md */`,
          entryFileNames: file,
          chunkFileNames: (chunk) => chunkName(chunk, file.replace('.min.js', '')),
        },
      },
    },
  };
}

/**
 * Bundles what the package computes with, because Node takes longer to find and load two dozen files than to
 * compute; modules that the entries share are in files between them. They are readable, with comments; kernels for engines without SIMD stay apart.
 * @param {string} outDir
 * @returns {import('vite').InlineConfig}
 */
export function library(outDir) {
  const entry = Object.fromEntries(
    ['attention/index', 'parallel/index', 'parallel/apart', 'language/index', 'files/index'].map(
      (name) => [name, at(`${name}.js`)],
    ),
  );
  /** @type {Record<string, string>} */
  const files = {
    fallback: 'kernel-fallback',
    relaxed: 'kernel-relaxed',
    'rolldown-runtime': 'runtime', // empty, and so left out
  };
  /** @param {{ name: string, moduleIds: string[] }} chunk */
  const chunkFileNames = ({ name, moduleIds }) =>
    moduleIds.some((id) => id.startsWith(at('language/generated/')))
      ? `language/language-${name}.js`
      : `attention/${files[name] ?? 'modules'}.js`;
  return {
    ...shared,
    publicDir: false,
    build: {
      target: TARGET,
      outDir,
      emptyOutDir: false,
      minify: false,
      lib: { entry, formats: ['es'] },
      rolldownOptions: { output: { entryFileNames: '[name].js', chunkFileNames } },
    },
  };
}

/**
 * Bundles `js.js` of the package, the same functions in one file that needs neither WebAssembly nor a
 * dynamic import.
 * @param {string} outDir
 * @returns {import('vite').InlineConfig}
 */
export function libraryInJavaScript(outDir) {
  return {
    ...shared,
    publicDir: false,
    plugins: [modules({ [BACKENDS]: BACKENDS_JS })],
    build: {
      target: TARGET,
      outDir,
      emptyOutDir: false,
      lib: { entry: at('attention/index.js'), formats: ['es'], fileName: () => 'js.js' },
      rolldownOptions: {
        output: { minify, postBanner: `/*! attention-lab ${version}, MIT: THIRD-PARTY.md */` },
      },
    },
  };
}

/**
 * Bundles a worker, to be embedded as text.
 * @param {string} room whose `worker.js` it is
 * @returns {import('vite').InlineConfig}
 */
export function worker(room) {
  return {
    ...shared,
    publicDir: false,
    plugins: [
      modules({
        [BACKENDS]: BACKENDS_GIVEN,
        [at('language/generated/simd.js')]: "export const text = '';",
        [at('language/load.js')]: 'export const loadRelaxed = 0, loadFallback = 0;',
      }),
    ],
    build: {
      target: TARGET,
      write: false,
      lib: { entry: at(`${room}/worker.js`), formats: ['iife'], name: 'attentionLabWorker' },
      rolldownOptions: { output: { minify } },
    },
  };
}

/**
 * Bundles the program of the pages that `<attn-view>` saves, to be embedded as text; it loads no other file.
 * @returns {import('vite').InlineConfig}
 */
export const savedPage = () => ({
  ...shared,
  publicDir: false,
  plugins: [
    modules({
      [LOAD]: `export * from ${from('site/scripts/one-file-kernels.js')};`,
      [at('figures/view/load.js')]: `export * from ${from('figures/view/load-saved.js')};`,
      [at('figures/view/example.js')]: `export * from ${from('figures/view/no-example.js')};`,
    }),
  ],
  build: {
    target: TARGET,
    write: false,
    lib: { entry: at('figures/view/saved.js'), formats: ['iife'], name: 'attentionLab' },
    rolldownOptions: { output: { minify, codeSplitting: false } },
  },
});

/**
 * Bundles `kernel-fallback.classic.js` or `language-fallback.classic.js`, for embeds.
 * @param {'kernel' | 'language'} module
 * @returns {import('vite').InlineConfig}
 */
export function fallbackScript(module) {
  const isKernel = module === 'kernel';
  return {
    ...shared,
    publicDir: false,
    build: {
      target: TARGET,
      outDir: SITE,
      emptyOutDir: false,
      lib: {
        entry: at(`${isKernel ? 'attention/kernel' : 'language'}/generated/fallback.js`),
        formats: ['iife'],
        name: isKernel ? 'attentionLabFallback' : 'attentionLabLanguageFallback',
      },
      rolldownOptions: {
        output: { minify, entryFileNames: `${module}-fallback.classic.js` },
      },
    },
  };
}

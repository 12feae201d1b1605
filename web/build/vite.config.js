// How Vite builds the pages, the embeds and the article in one file; bundles.js has the rest. Each
// function returns one configuration for site.js.
import { fileURLToPath } from 'node:url';
import { classNameOf } from '../figures/list.js';

export { classNameOf, ELEMENTS, FIGURES } from '../figures/list.js';

export const at = (/** @type {string} */ path) =>
  fileURLToPath(new URL(`../${path}`, import.meta.url));

export const SITE = at('../dist/site');
export const FILE = at('../dist/attention-lab.html');
export const SOURCES = at('site');
/** The address of the site, ending in a slash: links from other sites contain it. */
export const ADDRESS = new URL(process.env.SITE_URL ?? 'https://example.org/').href.replace(
  /\/*$/,
  '/',
);
/**
 * Returns the site's address as a page names it: relative, where the site does not know its
 * address.
 * @param {string} up from the page
 */
export const rootFrom = (up) => (process.env.SITE_URL ? ADDRESS : up);
export const MATHS_FONT = at('site/fonts/attention-maths.woff2');

export const TARGET = 'es2022';

/** The settings that every configuration shares. @type {import('vite').InlineConfig} */
export const shared = { configFile: false, root: SOURCES, base: './', logLevel: 'warn' };

/**
 * One setting of the minifier for all downloads; by default Vite leaves the white space of a
 * library.
 */
export const minify = true;

/** The first module of a bundle, which is no file. */
export const ENTRY = at('site/entry.js');

/** The modules that load kernels for other engines, the same for the language model, and recorded files. */
export const LOAD = at('attention/kernel/load.js');
const LOAD_LANGUAGE = at('language/load.js');
const LOAD_RECORDED = at('language/recorded/files.js');
const LOAD_WORKER = at('experiments/load.js');
const LOAD_PROGRAM = at('figures/view/load.js');

/**
 * Makes a plugin that gives modules by their text, also in place of a file.
 * @param {Record<string, string>} texts by path
 * @returns {import('vite').Plugin}
 */
export const modules = (texts) => ({
  name: 'modules',
  resolveId: (id) => (id in texts ? id : undefined),
  load: (id) => texts[id],
});

/** @typedef {{ name: string, facadeModuleId?: string | null }} Chunk */

export const from = (/** @type {string} */ path) => JSON.stringify(at(path));

/** Whether tests will count the lines of this site that they reach (tests/browser/coverage.js). */
const COUNTED = Boolean(process.env.BROWSER_COVERAGE);

/** A plugin that keeps scripts as written, with their source maps inside. */
const countable = /** @type {import('vite').Plugin} */ ({
  name: 'countable',
  config: () => ({
    build: {
      minify: false,
      cssMinify: true,
      sourcemap: 'inline',
      outDir: SITE, // which names of sources are relative to
      rolldownOptions: { treeshake: false, output: { minify: false } },
    },
  }),
});

/**
 * Returns source that registers a figure, unless there is an element of that name.
 * @param {string} name
 */
export const register = (name) => `
  import { ${classNameOf(name)} } from ${from(`figures/${name}/element.js`)};
  const registry = globalThis.customElements;
  if (registry && !registry.get('attn-${name}')) registry.define('attn-${name}', ${classNameOf(name)});`;

/**
 * Bundles the script of `embed/NAME.html`, to be inlined: a sandboxed frame has an opaque origin,
 * from which no module file loads.
 * @param {string} name
 * @returns {import('vite').InlineConfig}
 */
export function embed(name) {
  const start = `import { start } from ${from('site/scripts/embed.js')}; start('attn-${name}');`;
  return {
    ...shared,
    publicDir: false,
    plugins: [
      modules({
        [ENTRY]: register(name) + start,
        [LOAD]: `export * from ${from('site/scripts/fallback-script.js')};`,
        [LOAD_LANGUAGE]: `export * from ${from('site/scripts/language-scripts.js')};`,
        [LOAD_RECORDED]: `export * from ${from('site/scripts/language-scripts.js')};`,
        [LOAD_WORKER]: `export * from ${from('site/scripts/experiments-script.js')};`,
        [LOAD_PROGRAM]: `export * from ${from('site/scripts/program-script.js')};`,
      }),
      ...(COUNTED ? [countable] : []),
    ],
    build: {
      target: TARGET,
      write: false,
      lib: { entry: ENTRY, formats: ['iife'], name: 'attentionLab' },
      rolldownOptions: { output: { minify, codeSplitting: false } },
    },
  };
}

/** The package, by the name in the imports of examples. */
const packageByName = /** @type {import('vite').Plugin} */ ({
  name: 'package-by-name',
  enforce: 'pre',
  resolveId: (id) =>
    /^attention-lab(\/language|\/parallel)?$/.test(id)
      ? at(`${id.split('/')[1] ?? 'attention'}/index.js`)
      : undefined,
});

/** One file for the modules that every page needs, with their imports. */
const groups = [
  { name: 'attention', test: /\/attention\/index\.js$/, priority: 2 },
  { name: 'first-figures', test: /\/figures\/(saturation|words)\/element\.js$/, priority: 1 },
  {
    name: 'language',
    test: /\/web\/language\/(?!recorded\/data|generated\/(fallback|relaxed|worker))|\/models\.js$/,
    priority: 1,
  },
  { name: 'more-figures', test: /\/web\/(figures|experiments|shared|theory)\/(?!.*generated)/ },
];

/**
 * Names of scripts contain their hash: they call one another by short names that another version
 * gives other meanings, and a browser would run an old one from its cache with a new one.
 * @param {Chunk} chunk
 */
const chunkName = (chunk) => `assets/${kernelName(chunk) ?? '[name]'}-[hash].js`;

/**
 * Returns the name of a chunk that is a kernel for other engines, that of the language model included, a
 * worker, or the program of saved pages.
 * @param {Chunk} chunk
 */
export function kernelName({ name, facadeModuleId }) {
  if (facadeModuleId?.includes('/view/generated/')) return 'view-program';
  if (!['fallback', 'relaxed', 'worker'].includes(name)) return undefined;
  if (facadeModuleId?.includes('/experiments/')) return `experiments-${name}`;
  return `${facadeModuleId?.includes('/language/') ? 'language' : 'kernel'}-${name}`;
}

/** Scripts and styles of the pages, by the kind of page; the articles have their style inside them. */
const INPUTS = {
  door: at('site/scripts/choose-language.js'),
  article: at('site/scripts/article.js'),
  recipes: at('site/scripts/recipes.js'),
  reference: at('site/scripts/reference.js'),
  'article-style': at('site/styles/page.css'),
  'recipes-style': at('site/styles/recipes.css'),
  'reference-style': at('site/styles/reference.css'),
};

/**
 * Bundles the scripts and styles of the pages. The script of an article contains the kernel, the
 * shared modules and the first two figures; the other figures are one more chunk (start-figures.js).
 * @param {import('vite').Plugin[]} plugins
 * @returns {import('vite').InlineConfig}
 */
export function pages(plugins) {
  return {
    ...shared,
    plugins: [packageByName, ...plugins, ...(COUNTED ? [countable] : [])],
    build: {
      target: TARGET,
      cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
      outDir: SITE,
      emptyOutDir: true,
      assetsInlineLimit: 0,
      modulePreload: false,
      rolldownOptions: {
        input: INPUTS,
        treeshake: { moduleSideEffects: true },
        checks: { pluginTimings: false },
        output: {
          minify,
          codeSplitting: { groups },
          entryFileNames: chunkName,
          chunkFileNames: chunkName,
          assetFileNames: 'assets/[name]-[hash][extname]',
        },
      },
    },
  };
}

/**
 * Bundles the script of `attention-lab.html`, to be inlined, with the kernel for engines without
 * SIMD, since a page opened from a file can load no other file.
 * @returns {import('vite').InlineConfig}
 */
export function oneFile() {
  const keep = `import { keepChosenArticle } from ${from('site/scripts/one-file.js')};`;
  const start = `import { startPage } from ${from('site/scripts/start-page.js')};`;
  return {
    ...shared,
    publicDir: false,
    plugins: [
      modules({
        [ENTRY]: `${keep}${start}keepChosenArticle();startPage();`,
        [LOAD]: `export * from ${from('site/scripts/one-file-kernels.js')};`,
        [LOAD_LANGUAGE]: `export * from ${from('site/scripts/one-file-language.js')};`,
      }),
      packageByName,
      ...(COUNTED ? [countable] : []),
    ],
    build: {
      target: TARGET,
      write: false,
      lib: { entry: ENTRY, formats: ['es'] },
      rolldownOptions: { output: { minify, codeSplitting: false } },
    },
  };
}

// Builds a row of forms.js with Vite.
import { readFileSync } from 'node:fs';
import { ASSETS, assets } from './assets.js';
import { at, ELEMENTS, SITE, SOURCES } from './paths.js';

/**
 * @import { InlineConfig, LibraryOptions, Plugin } from 'vite'
 * @import { Asset } from './assets.js'
 *
 * @typedef {'import' | 'file' | 'script' | 'given' | 'site'} Delivery
 *   how an asset comes: by the import in the list; as a file of its name; or by the module of that name in web/assets
 * @typedef {object} Form
 * @property {string | Record<string, string>} entry  source of the first module, or modules by the names of their files
 * @property {'pages' | 'modules' | 'module' | 'script'} format  scripts and styles of pages; modules that share
 *   further files; one module; one classic script
 * @property {Delivery | ((asset: Asset) => Delivery)} deliver
 * @property {string} [up] the way from it to the files of assets
 * @property {string} [folder] where it is written; without one it is text
 * @property {string} [file]
 * @property {string[]} [without] modules that it does without, and has an empty text for
 * @property {boolean} [runsAnywhere] whether it can be imported in workers and in Node
 * @property {boolean} [isCounted] whether tests count the lines that they reach (tests/browser/coverage.js)
 * @property {boolean} [minify] true by default
 */

const { version, exports } = JSON.parse(readFileSync(at('../package.json'), 'utf8'));
const BANNER = `/*! attention-lab ${version}, MIT; parts of others: THIRD-PARTY.md */`;

/**
 * Makes a plugin that gives modules by their text.
 * @param {Record<string, string>} texts by path
 * @returns {Plugin}
 */
export const modules = (texts) => ({
  name: 'modules',
  resolveId: (id) => (id in texts ? id : undefined),
  load: (id) => texts[id],
});

/**
 * A plugin that takes out of the style sheets of figures what only their writers need, line by line: minifiers leave the text of
 * a template as it is.
 * @type {Plugin}
 */
const sheets = {
  name: 'sheets',
  transform(code) {
    if (!code.includes('css`')) return;
    const short = code.replace(/css`[^`]*`/g, (sheet) =>
      sheet
        .replace(/\/\*[^]*?\*\//g, (comment) => comment.replace(/[^\n]/g, ''))
        .replace(/\n[ \t]+/g, '\n'),
    );
    return { code: short, map: null };
  },
};

/** A plugin that keeps scripts as written, with their source maps inside. @type {Plugin} */
const countable = {
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
};

/** The settings that every configuration shares. @type {InlineConfig} */
export const SHARED = { configFile: false, root: SOURCES, base: './', logLevel: 'warn' };

/** The package, by its names in examples. */
export const PACKAGE = Object.entries(/** @type {Record<string, string>} */ (exports))
  .filter(([name]) => !name.includes('*'))
  .map(([name, path]) => ({
    find: new RegExp(`^${name.replace('.', 'attention-lab')}$`),
    replacement: at(`../${path}`),
  }));

/** Lit as it can be imported where there is no document. */
const ANYWHERE = {
  conditions: ['node'],
  alias: [{ find: '@lit-labs/ssr-dom-shim', replacement: at('build/without-document.js') }],
};

/** Files for what several pages and figures share; each figure is another. */
const groups = [
  { name: 'shared', test: /\/web\/shared\//, priority: 3 },
  {
    name: 'attention',
    test: /\/web\/(attention|diagnosis)\/(?!.*generated\/(fallback|relaxed))/,
    priority: 2,
  },
  {
    name: 'kit', // without what needs the language model
    test: /\/web\/(figures\/kit|experiments\/(?!roles|trainer)|theory|parallel)\/|\/node_modules\//,
    minShareCount: 2,
    priority: 1,
  },
  { name: 'learning', test: /\/web\/experiments\/(roles|in-worker)/, priority: 1 }, // also of figures without a model
  { name: 'recorded', test: /\/web\/language\/recorded\/assets/, priority: 1 }, // also of figures without a model
  {
    name: 'language-model',
    test: /\/web\/language\/(?!recorded\/(data|competitors|sentences|minilm-head|starts|gaps)|generated\/(fallback|relaxed|worker))|\/models\.js$/,
  },
];

/** A file of the package for functions that need no kernel: bundlers drop the others by the file. */
const WITHOUT_KERNEL = { name: 'tensors', test: /\/web\/attention\/(tensor|describe)\.js$/ };

/**
 * Names of scripts of pages contain their hash: they call one another by short names that another version
 * gives other meanings, and a browser would run an old one from its cache with a new one.
 * @param {{ name: string, facadeModuleId?: string | null }} chunk
 */
function hashedName({ facadeModuleId }) {
  const asset = Object.keys(ASSETS).find((name) => ASSETS[name].module === facadeModuleId);
  const figure = ELEMENTS.find((name) => facadeModuleId === at(`figures/${name}/element.js`));
  return `assets/${asset?.replace('recorded/', '') ?? (figure && `figure-${figure}`) ?? '[name]'}-[hash].js`;
}

const banner = (/** @type {string | undefined} */ file) => (file ? { postBanner: BANNER } : {});

/** One file for all modules. @param {Form} form @param {LibraryOptions} lib @returns {InlineConfig['build']} */
const oneFile = ({ file }, lib) => ({
  lib,
  rolldownOptions: {
    output: { minify: true, codeSplitting: false, entryFileNames: file, ...banner(file) },
  },
});

/** What Vite is to build, and how, for each format. @type {Record<Form['format'], (form: Form, input: any) => InlineConfig['build']>} */
const FORMATS = {
  pages: (_, input) => ({
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: false,
    rolldownOptions: {
      input,
      treeshake: { moduleSideEffects: true },
      checks: { pluginTimings: false },
      output: {
        minify: true, // by default Vite leaves the white space of a library
        codeSplitting: { groups },
        entryFileNames: hashedName,
        chunkFileNames: hashedName,
        assetFileNames: 'assets/[name]-[hash][extname]',
      },
    },
  }),
  modules: ({ file, minify = true }, entry) => ({
    minify,
    lib: { entry, formats: ['es'] },
    rolldownOptions: {
      preserveEntrySignatures: 'allow-extension', // later files import from it: one request until then
      output: {
        minify,
        ...banner(file),
        entryFileNames: file ?? '[name].js',
        chunkFileNames: file?.replace('.min.js', '-[name].min.js') ?? 'attention/[name].js',
        ...(file ? {} : { codeSplitting: { groups: [WITHOUT_KERNEL] } }),
      },
    },
  }),
  module: (form, entry) => oneFile(form, { entry, formats: ['es'] }),
  script: (form, entry) => oneFile(form, { entry, formats: ['iife'], name: 'attentionLab' }),
};

/** The first module of a form, which is no file. */
const ENTRY = at('site/entry.js');

/**
 * Returns the configuration of a form.
 * @param {Form} form
 * @param {Plugin[]} [plugins] further ones
 * @returns {InlineConfig}
 */
export function configuration(form, plugins = []) {
  const { entry, format, folder, file, runsAnywhere, isCounted } = form;
  const isSource = typeof entry === 'string';
  return {
    ...SHARED,
    publicDir: format === 'pages' ? 'public' : false,
    resolve: runsAnywhere ? ANYWHERE : { alias: PACKAGE },
    plugins: [
      ...(isSource ? [modules({ [ENTRY]: entry })] : []),
      assets(form),
      sheets,
      ...plugins,
      ...(isCounted && process.env.BROWSER_COVERAGE ? [countable] : []),
    ],
    build: {
      target: 'es2022',
      outDir: folder,
      write: Boolean(folder),
      emptyOutDir: false,
      license: file === 'figures.min.js' && { fileName: 'THIRD-PARTY.md' },
      ...FORMATS[format](form, isSource ? ENTRY : entry),
    },
  };
}

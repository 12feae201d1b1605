// The forms in which the sources reach their users, each a row: its first module, what it becomes, and how
// assets come to it. bundle.js makes Vite's configuration of a row.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { ASSETS } from './assets.js';
import { at, classNameOf, SITE } from './paths.js';
import { importsOf } from './syntax.js';

/**
 * @import { Asset } from './assets.js'
 * @import { Delivery, Form } from './bundle.js'
 */

/** Names a module in the source of a first module. @param {string} path below web/ */
export const from = (path) => JSON.stringify(at(path));

/** Returns source that registers a figure, unless there is an element of that name. @param {string} name */
const register = (name) => `
  import { ${classNameOf(name)} } from ${from(`figures/${name}/element.js`)};
  const registry = globalThis.customElements;
  if (registry && !registry.get('attn-${name}')) registry.define('attn-${name}', ${classNameOf(name)});`;

/** Tells a bundle where it is. @param {'./' | '../'} up from the bundle to the site */
const nameBundle = (up) => `
  import { nameBundle } from ${from('assets/site.js')};
  nameBundle(import.meta.url, ${JSON.stringify(up)});`;

const everyFigure = `
  import ${from('figures/define.js')}; export * from ${from('figures/index.js')};
  export * from ${from('attention/index.js')}; export { default } from ${from('figures/anywidget.js')};`;

const onePage = `
  import { keepChosenArticle } from ${from('site/scripts/one-file.js')}; keepChosenArticle();
  import { startPage } from ${from('site/scripts/start-page.js')}; startPage();`;

/** Scripts and styles of the pages, by the kind of page; the articles have their style inside them. */
const PAGES = {
  door: at('site/scripts/choose-language.js'),
  article: at('site/scripts/article.js'),
  recipes: at('site/scripts/recipes.js'),
  reference: at('site/scripts/reference.js'),
  'article-style': at('site/styles/page.css'),
  'recipes-style': at('site/styles/recipes.css'),
  'reference-style': at('site/styles/reference.css'),
};

/** The rooms that the package has as they are; modules that only bundles import are taken out again. */
export const COPIED = [
  'assets',
  'shared',
  'theory',
  'experiments',
  'figures',
  'inspector',
  'terminal',
  'language/recorded',
];

/** The rooms that compute: Node takes longer to find and load two dozen files than to compute. */
const BUNDLED = ['attention', 'diagnosis', 'parallel', 'language', 'inspector/reading'];

/** Returns the modules of bundled rooms that the package or a copied room imports, by their paths without `.js`. */
function library() {
  const isIn = (/** @type {string} */ path, /** @type {string} */ room) =>
    path.startsWith(`${room}/`);
  const isBundled = (/** @type {string} */ path) =>
    BUNDLED.some((room) => isIn(path, room)) && !isIn(path, 'language/recorded');
  const copied = COPIED.flatMap((room) =>
    readdirSync(at(room), { recursive: true, encoding: 'utf8' }).map((name) => `${room}/${name}`),
  ).filter((path) => /\.js$/.test(path) && !/\/(generated|data)\//.test(path) && !isBundled(path));
  const imported = copied.flatMap((path) =>
    importsOf(readFileSync(at(path), 'utf8')).map((to) => posix.join(path, '..', to)),
  );
  const entries = BUNDLED.map((room) => `${room}/index.js`).filter((path) => existsSync(at(path)));
  const paths = new Set([...entries, ...imported.filter(isBundled)]);
  return Object.fromEntries([...paths].map((path) => [path.replace(/\.js$/, ''), at(path)]));
}

/** What other figures do with trained models. <attn-view> shows those of <attn-words>. @param {string} name */
const otherModels = (name) =>
  ['words', 'language', 'roles']
    .filter((each) => each !== (name === 'view' ? 'words' : name))
    .map((each) => at(`figures/${each}/models.js`));

/** The modules of WebAssembly. */
const WASM = ['attention/kernel', 'language'].map((room) => at(`${room}/generated/simd.js`));

/** The kernel for any engine, in pages that load nothing. @param {Asset} asset */
const isForAnyEngine = ({ name }) => name === 'kernel-fallback';

/** The language model for experiments, which workers hold, and the package as modules. @param {Asset} asset */
const isTrainer = ({ name }) => name === 'model-trainer';

/** Delivers files beside a bundle, or of the site where the package leaves them to it. @param {Asset} asset @returns {Delivery} */
const fileOf = ({ of }) => (of === 'site' ? 'site' : 'file');

/** Delivers as the package and its bundle do. @param {Asset} asset */
const packaged = (asset) => (isTrainer(asset) ? 'import' : fileOf(asset));

/** @satisfies {Record<string, (name: string) => Form>} */
export const FORMS = {
  /** Scripts and styles of the pages. */
  pages: () => ({
    entry: PAGES,
    format: 'pages',
    deliver: 'import',
    folder: SITE,
    isCounted: true,
  }),

  /** `figures.min.js`: one request until a second file is needed. It is a widget of anywidget, too. */
  figures: () => ({
    entry: nameBundle('./') + everyFigure,
    format: 'modules',
    deliver: packaged,
    up: './',
    folder: SITE,
    file: 'figures.min.js',
    runsAnywhere: true,
  }),

  /** `figures/NAME.min.js`. */
  figure: (name) => ({
    entry: `${nameBundle('../')}${register(name)} export { ${classNameOf(name)} };`,
    format: 'module',
    deliver: fileOf,
    up: '../',
    folder: SITE,
    file: `figures/${name}.min.js`,
    without: otherModels(name),
    runsAnywhere: true,
  }),

  /** The script of `embed/NAME.html`, written into it: its frame has an opaque origin. */
  embed: (name) => ({
    entry: `${register(name)} import { start } from ${from('site/scripts/embed.js')}; start('attn-${name}');`,
    format: 'script',
    deliver: 'script',
    without: otherModels(name),
    isCounted: true,
  }),

  /**
   * The script of `attention-lab.html`, which is read without a network. Its trained models need an engine with SIMD:
   * the language model for others would be a sixth of it.
   */
  oneFile: () => ({
    entry: onePage,
    format: 'module',
    deliver: (asset) => (asset.isInFile || isForAnyEngine(asset) ? 'import' : 'given'),
    isCounted: true,
  }),

  /** The bundle in a page that <attn-view> saves: with the kernel for any engine, since that page loads nothing. */
  'view-bundle': () => ({
    entry: register('view'),
    format: 'script',
    deliver: (asset) => (isForAnyEngine(asset) ? 'import' : 'given'),
    without: [at('figures/common/models.js')],
  }),

  /** A worker, started from its text with the page's kernel. */
  worker: (room) => ({
    entry: { worker: at(`${room}/worker.js`) },
    format: 'script',
    deliver: (asset) => (isTrainer(asset) ? 'import' : 'given'),
    without: WASM,
  }),

  /** The modules of the package that compute, readable. */
  library: (folder) => ({
    entry: library(),
    format: 'modules',
    deliver: packaged,
    up: '../',
    folder,
    minify: false,
  }),

  /** `attention-lab/js`: one file without WebAssembly and dynamic import. */
  js: (folder) => ({
    entry: { js: at('attention/js.js') },
    format: 'module',
    deliver: 'given',
    folder,
    file: 'js.js',
    without: WASM,
  }),

  /** An asset as a module. */
  asset: (name) => ({
    entry: { [name]: ASSETS[name].module },
    format: 'module',
    deliver: 'file',
    up: './',
    folder: SITE,
    file: `${name}.min.js`,
  }),

  /** An asset as a classic script, which web/assets/script.js loads. */
  script: (name) => ({
    entry: `import * as asset from ${JSON.stringify(ASSETS[name].module)};
      (globalThis.attentionLabAssets ??= {})[${JSON.stringify(name)}] = asset;`,
    format: 'script',
    deliver: 'script',
    folder: SITE,
    file: `${name}.classic.js`,
  }),
};

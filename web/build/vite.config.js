// How Vite builds the site: the pages, the one-file bundles of the figures, and the embeds.
// Used by site.js; each function returns one configuration.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const at = (/** @type {string} */ path) => fileURLToPath(new URL(`../${path}`, import.meta.url));

const { version } = JSON.parse(readFileSync(at('../package.json'), 'utf8'));

export const SITE = at('../dist/site');
export const FILE = at('../dist/attention-lab.html');
export const PAGE = at('page');
/** Where the site will be read: what names itself from outside names this. Ends in a slash. */
export const ADDRESS = new URL(process.env.SITE_URL ?? 'https://example.org/').href.replace(
  /\/*$/,
  '/',
);
/** The site as a page names it: a site that does not know its address names no other. @param {string} up from the page */
export const rootFrom = (up) => (process.env.SITE_URL ? ADDRESS : up);
export const MATHS_FONT = at('../build/fonts/attention-maths.woff2');

/** The figures: `<attn-NAME>` is written in web/figures/NAME.js. */
export const FIGURES = [
  'saturation',
  'gradient',
  'precision',
  'scale',
  'training',
  'cost',
  'heads',
  'flow',
  'asymmetry',
  'values',
];

/** Every element: the figures, and the ledger, which has no picture. */
export const ELEMENTS = [...FIGURES, 'claims'];

/** The class of a figure's element. @param {string} name */
export const classNameOf = (name) => `Attn${name[0].toUpperCase()}${name.slice(1)}`;

const TARGET = 'es2022';

/** What every configuration shares. @type {import('vite').InlineConfig} */
const shared = { configFile: false, root: PAGE, base: './', logLevel: 'warn' };

/** The kernel's text would otherwise stand in a bundle twice: where it is named and where it is used. */
const optimization = { inlineConst: false };

/** One setting for all that readers download: Vite alone leaves the white space of a library. */
const minify = true;

/** lit-html as it can be imported in a worker too, where a bundle is but the package. */
const WITHOUT_DOCUMENT = ['node'];

/** The name of a bundle's first module, which is no file. */
const ENTRY = at('page/entry.js');

/**
 * A plugin that gives the first module of a bundle.
 * @param {string} source
 * @returns {import('vite').Plugin}
 */
function entry(source) {
  return {
    name: 'entry',
    resolveId: (id) => (id === ENTRY ? id : undefined),
    load: (id) => (id === ENTRY ? source : undefined),
  };
}

const from = (/** @type {string} */ path) => JSON.stringify(at(path));

/**
 * `figures.min.js` (no name: every figure) or `figures/NAME.min.js`: one file that registers its
 * elements and exports the whole package. The kernels for engines without SIMD and with fused
 * multiply-add stay chunks, loaded only where they are needed; they are the same files for every bundle.
 * @param {string} [name]
 * @returns {import('vite').InlineConfig}
 */
export function bundle(name) {
  return {
    ...shared,
    publicDir: false,
    resolve: { conditions: WITHOUT_DOCUMENT },
    plugins: [
      entry(`${registration(name)}export * from ${from('attention/index.js')};`),
      knowsItsFolder(name ? '../' : './'),
    ],
    build: {
      target: TARGET,
      outDir: SITE,
      emptyOutDir: false,
      license: { fileName: 'THIRD-PARTY.md' },
      lib: { entry: ENTRY, formats: ['es'] },
      rolldownOptions: {
        optimization,
        output: {
          minify,
          postBanner: `/*! attention-lab ${version}, MIT; lit-html, BSD-3-Clause: THIRD-PARTY.md */`,
          entryFileNames: name ? `figures/${name}.min.js` : 'figures.min.js',
          chunkFileNames: ({ name }) => `kernel-${name}.min.js`,
        },
      },
    },
  };
}

/** Whether tests will count the lines of this site that they reach (tests/browser/coverage.js). */
const COUNTED = Boolean(process.env.BROWSER_COVERAGE);

/** A plugin that leaves scripts as they are written, with their source maps inside. */
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
 * A plugin by which the code that a figure gives for embedding names where the bundle came from.
 * @param {string} root  seen from the bundle
 */
const knowsItsFolder = (root) =>
  /** @type {import('vite').Plugin} */ ({
    name: 'knows-its-folder',
    enforce: 'post', // Vite would look for a file there
    transform(code, id) {
      if (!id.endsWith('figures/kit/embed.js')) return undefined;
      const above = "new URL('../', document.baseURI);";
      if (!code.includes(above)) throw new Error(`kit/embed.js no longer says ${above}`);
      return { code: code.replace(above, `new URL('${root}', import.meta.url);`), map: null };
    },
  });

/** @param {string} [name] the figure, all of them if there is none */
function registration(name) {
  if (!name) {
    return `import ${from('figures/define.js')}; export * from ${from('figures/index.js')};`;
  }
  const path = from(`figures/${name}.js`);
  const className = classNameOf(name);
  return `import { ${className} } from ${path};
    const registry = globalThis.customElements;
    if (registry && !registry.get('attn-${name}')) registry.define('attn-${name}', ${className});
    export { ${className} };`;
}

/**
 * `attention/index.js` of the package: its modules as one, because Node takes longer to find and
 * load two dozen files than to compute; readable, with their comments. What an engine with SIMD
 * does not need stays apart.
 * @param {string} outDir
 * @returns {import('vite').InlineConfig}
 */
export function library(outDir) {
  return {
    ...shared,
    publicDir: false,
    build: {
      target: TARGET,
      outDir,
      emptyOutDir: true,
      minify: false,
      lib: { entry: at('attention/index.js'), formats: ['es'] },
      rolldownOptions: {
        optimization,
        output: { entryFileNames: 'index.js', chunkFileNames: 'kernel-[name].js' },
      },
    },
  };
}

/**
 * The script of `embed/NAME.html`, to be inlined: a sandboxed frame has an opaque origin, from which
 * no module file loads.
 * @param {string} name
 * @returns {import('vite').InlineConfig}
 */
export function embed(name) {
  const start = `import { start } from ${from('page/embed/embed.js')}; start('attn-${name}');`;
  return {
    ...shared,
    publicDir: false,
    plugins: [
      entry(registration(name).replace(/export .*$/, '') + start),
      classicFallback,
      withoutRelaxed,
      ...(COUNTED ? [countable] : []),
    ],
    build: {
      target: TARGET,
      write: false,
      lib: { entry: ENTRY, formats: ['iife'], name: 'attentionLab' },
      rolldownOptions: { optimization, output: { minify, codeSplitting: false } },
    },
  };
}

/**
 * A plugin that loads a kernel in another way than the package does.
 * @param {string} name of the module in generated/
 * @param {string} otherwise an expression
 * @param {string} [imports] what it needs
 * @returns {import('vite').Plugin}
 */
const loadKernel = (name, otherwise, imports = '') => ({
  name: `load-${name}`,
  transform(code, id) {
    if (!id.endsWith('attention/kernel/backends.js')) return undefined;
    const asked = `import('./generated/${name}.js')`;
    if (!code.includes(asked)) throw new Error(`backends.js no longer says ${asked}`);
    return { code: imports + code.replace(asked, otherwise), map: null };
  },
});

/** In embeds the kernel for engines without SIMD comes as a classic script. */
const classicFallback = loadKernel(
  'fallback',
  'loadFallback()',
  `import { loadFallback } from ${from('page/embed/fallback-script.js')};`,
);

/** Where everything stands in one file and nobody asks for the relaxed kernel, it is left out. */
const withoutRelaxed = loadKernel('relaxed', "Promise.reject('not in this file')");

/**
 * `kernel-fallback.classic.js`, for embeds.
 * @returns {import('vite').InlineConfig}
 */
export function fallbackScript() {
  return {
    ...shared,
    publicDir: false,
    build: {
      target: TARGET,
      outDir: SITE,
      emptyOutDir: false,
      lib: {
        entry: at('attention/kernel/generated/fallback.js'),
        formats: ['iife'],
        name: 'attentionLabFallback',
      },
      rolldownOptions: {
        output: { minify, entryFileNames: 'kernel-fallback.classic.js' },
      },
    },
  };
}

/** The package by the name that examples import it by. */
const packageByName = /** @type {import('vite').Plugin} */ ({
  name: 'package-by-name',
  enforce: 'pre',
  resolveId: (id) => (id === 'attention-lab' ? at('attention/index.js') : undefined),
});

/** Gives each example of the page its console (web/page/example-console.js). */
const exampleConsole = /** @type {import('vite').Plugin} */ ({
  name: 'example-console',
  transform(code, id) {
    const [, name] = id.match(/page\/examples\/([\w-]+)\.js$/) ?? [];
    if (!name) return undefined;
    const binding = "import { consoleOf } from '../example-console.js';";
    const named = `${binding}const console = consoleOf('${name}');${code}`;
    return { code: named, map: null, moduleSideEffects: true };
  },
});

/** Few files for what every page needs, with all that it imports. */
const groups = [
  { name: 'attention', test: /\/attention\/index\.js$/, priority: 2 },
  { name: 'first-figure', test: /\/figures\/saturation\.js$/, priority: 1 },
  { name: 'more-figures', test: /\/web\/(figures|experiments|shared|theory)\// },
];

/**
 * Scripts call one another by short names that mean something else in another version: what they hold is
 * in their names, or a browser would run one from its cache with another that is new.
 * @param {{ name: string }} chunk
 */
const chunkName = ({ name }) =>
  `assets/${['fallback', 'relaxed'].includes(name) ? `kernel-${name}` : '[name]'}-[hash].js`;

/**
 * The pages. Their script is the kernel, what figures share and the first figure; the other figures
 * are one chunk more (start-figures.js).
 * @param {import('vite').Plugin[]} plugins that fill them in
 * @returns {import('vite').InlineConfig}
 */
export function pages(plugins) {
  return {
    ...shared,
    plugins: [packageByName, exampleConsole, ...plugins, ...(COUNTED ? [countable] : [])],
    build: {
      target: TARGET,
      cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
      outDir: SITE,
      emptyOutDir: true,
      assetsInlineLimit: 0,
      modulePreload: false,
      rolldownOptions: {
        input: ['', 'en/', 'zh/', 'en/api/', 'zh/api/', 'en/recipes/', 'zh/recipes/'].map((path) =>
          at(`page/${path}index.html`),
        ),
        optimization,
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
 * The script of `attention-lab.html`, to be inlined, with the kernel for engines without SIMD: from a
 * file no other file loads.
 * @returns {import('vite').InlineConfig}
 */
export function oneFile() {
  const keep = `import { keepChosenArticle } from ${from('page/one-file.js')};`;
  const start = `import { startPage } from ${from('page/start-page.js')};`;
  return {
    ...shared,
    publicDir: false,
    plugins: [
      entry(`${keep}${start}keepChosenArticle();startPage();`),
      packageByName,
      exampleConsole,
      withoutRelaxed,
      ...(COUNTED ? [countable] : []),
    ],
    build: {
      target: TARGET,
      write: false,
      lib: { entry: ENTRY, formats: ['es'] },
      rolldownOptions: { optimization, output: { minify, codeSplitting: false } },
    },
  };
}

// Shows the pages and single figures while one works on them: the sources as they are, by Vite's server,
// and the pages by Eleventy, each of which reloads the browser when a file is saved.
//   PORT=5173 npm run dev
//   /en/, /zh/, /en/api/, /en/recipes/ …       the pages; their figures have no pictures
//   /figure/saturation?lang=zh&d-k=64          one figure, with the query string of its embed
// What runs in Node (web/site/generator, docstrings of the reference) is that of the start.
import { relative } from 'node:path';
// @ts-expect-error the package comes without types
import Eleventy from '@11ty/eleventy';
import { createServer } from 'vite';
import { PACKAGE, SHARED } from '../../build/bundle.js';
import { changedFiles } from '../../build/compiled.js';
import { FORMS } from '../../build/forms.js';
import { outputOf } from '../../build/output.js';
import { at, classNameOf, ELEMENTS } from '../../build/paths.js';
import { LANGUAGE_KEYS } from '../../shared/languages.js';
import { examplesPlugin, readReference } from './api.js';
import { configure, folders } from './prose.js';

const KINDS = {
  door: 'choose-language',
  article: 'article',
  recipes: 'recipes',
  reference: 'reference',
};

/** The modules of a kind of page, which Vite serves from web/. */
const script = (/** @type {string} */ kind, /** @type {string} */ name) => ({
  script: `site/scripts/${name}.js`,
  imports: [],
  style: `site/styles/${kind === 'recipes' || kind === 'reference' ? kind : 'page'}.css`,
});

/** What the layouts get: no policies, which Vite's client would break, no embeds, no page of one file. */
const data = {
  address: '/',
  scripts: Object.fromEntries(
    Object.entries(KINDS).map(([kind, name]) => [kind, script(kind, name)]),
  ),
  figureScripts: {},
  policies: {},
  embeds: [],
};

/** Pages by address. @type {Map<string, string>} */
const pages = new Map();

/**
 * Keeps a page as rendered.
 * @this {{ page: { url: string } }}
 * @param {string} content
 */
function keepPage(content) {
  pages.set(this.page.url, content);
  return content;
}

/** Returns a figure that its script will draw. @type {import('./prose.js').Parts['figure']} */
const figure = (name, attributes) =>
  `<attn-${name} ${attributes.replace(/=(\S*)/g, '="$1"')}></attn-${name}>`;

/** Returns the page of one figure. @param {string} name */
const pageOf = (name) => `<!doctype html>
<html>
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>attn-${name}</title>
    <link rel="stylesheet" href="/site/styles/embed.css" />
  </head>
  <body>
    <attn-${name}></attn-${name}>
    <script type="module">
      import { ${classNameOf(name)} } from '/figures/${name}/element.js';
      import { start } from '/site/scripts/embed.js';
      customElements.define('attn-${name}', ${classNameOf(name)});
      start('attn-${name}');
    </script>
  </body>
</html>`;

for (const name of ELEMENTS) pages.set(`/figure/${name}`, pageOf(name));

/** Serves the pages. @type {import('vite').Plugin} */
const servePages = {
  name: 'pages',
  configureServer: ({ middlewares, transformIndexHtml }) => {
    middlewares.use(async (request, response, next) => {
      const page = pages.get((request.url ?? '').replace(/\?.*/, ''));
      if (page === undefined) return next();
      try {
        const html = await transformIndexHtml(request.url ?? '', page);
        response.setHeader('Content-Type', 'text/html; charset=utf-8').end(html);
      } catch (error) {
        next(error);
      }
    });
  },
};

/** Gives workers their text, anew when one of its modules has changed. @type {import('vite').Plugin} */
const workers = {
  name: 'workers',
  async load(id) {
    const [, room] = id.match(/\/(\w+)\/generated\/worker\.js$/) ?? [];
    if (!room) return;
    const [chunk] = await outputOf(FORMS.worker(room));
    for (const module of chunk.type === 'chunk' ? chunk.moduleIds : []) this.addWatchFile(module);
    return `export const text = ${JSON.stringify(chunk.code)};`;
  },
};

const reference = await readReference();
const server = await createServer({
  ...SHARED,
  root: at(''),
  base: '/',
  appType: 'custom',
  publicDir: at('site/public'),
  cacheDir: at('../build/vite'),
  resolve: { alias: PACKAGE },
  plugins: [examplesPlugin(reference.examplesModule), workers, servePages],
  optimizeDeps: { entries: ['figures/define.js'] },
  server: { port: Number(process.env.PORT ?? 5173) },
});

// Its files are not those of the site: a dry run would write them from the first change on.
const eleventy = new Eleventy(folders.input, relative('', at('../build/dev')), {
  runMode: 'watch',
  config(/** @type {any} */ config) {
    configure(config, { reference, data, figure, gallery: () => '' });
    config.setWatchJavaScriptDependencies(false);
    config.ignores.add(`${folders.input}/file.liquid`);
    config.addTransform('keep', keepPage);
    config.on('eleventy.after', () => server.ws.send({ type: 'full-reload' }));
  },
});
eleventy.setIncrementalBuild(true);
await eleventy.init();
await eleventy.watch();
await server.listen();
const changed = changedFiles();
if (changed.length > 0) console.warn(`changed since ./build.sh wasm: ${changed.join(', ')}`);
for (const path of [
  ...LANGUAGE_KEYS.map((lang) => `${lang}/`),
  'figure/saturation?lang=zh&d-k=64',
]) {
  console.log(server.resolvedUrls?.local[0] + path);
}

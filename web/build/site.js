// Builds dist/site: the article in both languages, the embeds and the one-file bundles.
//   node web/build/site.js
// The kernel must have been built (./build.sh wasm).
import { createHash } from 'node:crypto';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { formatLive } from '../page/live.js';
import { exampleFromFile, renderArticle } from './article.js';
import { charactersOfFormulas } from './formulas.js';
import { writeMathsFont } from './maths-font.js';
import { bundle, embed, fallbackScript, FIGURES, MATHS_FONT, PAGE, pages, SITE } from './vite.config.js';

/** @typedef {'en' | 'zh'} Language */

const LANGUAGES = /** @type {Language[]} */ (['en', 'zh']);

/** The static picture of each figure. @type {Record<string, (state: object) => string>} */
const pictures = {};
for (const name of FIGURES) pictures[name] = (await import(`../figures/${name}.js`)).staticSvg;

// Nothing but our own files; WebAssembly may be compiled; pictures are drawn from blobs when a
// reader downloads one.
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** The articles, filled in. @returns {Promise<Record<Language, string>>} */
async function renderArticles() {
  const rendered = LANGUAGES.map(async (lang) => {
    const html = await readFile(`${PAGE}/${lang}/index.html`, 'utf8');
    const picture = (/** @type {string} */ name, /** @type {object} */ state) =>
      pictures[name]({ lang, ...state });
    return [lang, await renderArticle(html, { picture, example: exampleFromFile, live: formatLive })];
  });
  return Object.fromEntries(await Promise.all(rendered));
}

/**
 * Hands Vite the filled-in articles, and each example its console.
 * @param {Record<string, string>} articles
 * @returns {import('vite').Plugin}
 */
function articlePlugin(articles) {
  return {
    name: 'articles',
    transformIndexHtml: {
      order: 'pre',
      handler: (html, { path }) => articles[path.split('/')[1]] ?? html,
    },
    transform(code, id) {
      const [, name] = id.match(/page\/examples\/([\w-]+)\.js$/) ?? [];
      if (!name) return undefined;
      const binding = `import { consoleOf } from '../example-console.js';`;
      return { code: `${binding}const console = consoleOf('${name}');${code}`, map: null };
    },
  };
}

/**
 * Puts what every page has in common into its head, after Vite has put its own tags there.
 * @type {import('vite').Plugin}
 */
const headPlugin = {
  name: 'head',
  transformIndexHtml: {
    order: 'post',
    handler: (_, { path }) => headTags(path !== '/index.html'),
  },
};

/** @param {Record<string, string>} attrs  @returns {import('vite').HtmlTagDescriptor} */
const link = (attrs) => ({ tag: 'link', attrs, injectTo: 'head' });

// The font is asked for before the style sheet names it: it must be there when text is first drawn.
const preloadedFont = link({
  rel: 'preload',
  href: `../assets/${basename(MATHS_FONT)}`,
  as: 'font',
  type: 'font/woff2',
  crossorigin: '',
});

/**
 * @param {boolean} isArticle
 * @returns {import('vite').HtmlTagDescriptor[]}
 */
function headTags(isArticle) {
  const up = isArticle ? '../' : './';
  const alternate = (/** @type {string} */ hreflang, /** @type {string} */ href) =>
    link({ rel: 'alternate', hreflang, href });
  return [
    {
      tag: 'meta',
      attrs: { 'http-equiv': 'Content-Security-Policy', content: PAGE_POLICY },
      injectTo: 'head-prepend',
    },
    alternate('en', `${up}en/`),
    alternate('zh-Hans', `${up}zh/`),
    alternate('x-default', up),
    ...(isArticle ? [preloadedFont] : []),
  ];
}

const sha256 = (/** @type {string} */ text) =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** An embed: one HTML file that needs no other. @param {string} name */
async function writeEmbed(name) {
  const output = /** @type {import('vite').Rolldown.RolldownOutput[]} */ (await build(embed(name)));
  // Inside a script element these sequences would end it or change how it is read.
  const script = output[0].output[0].code
    .trim()
    .replaceAll('</script', '<\\/script')
    .replaceAll('<!--', '<\\!--');
  const style = (await readFile(`${PAGE}/embed/embed.css`, 'utf8')).trim();
  const policy = [
    "default-src 'none'",
    // What the script itself loads is the kernel for engines without SIMD.
    `script-src ${sha256(script)} 'strict-dynamic' 'wasm-unsafe-eval'`,
    `style-src ${sha256(style)}`,
    'img-src data: blob:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  const filling = { name, policy, style, script, picture: pictures[name]({ lang: 'en' }) };
  const template = await readFile(`${PAGE}/embed/template.html`, 'utf8');
  const html = template.replace(
    /<!--(\w+)-->|%(\w+)%/g,
    (_, block, inline) => filling[/** @type {keyof filling} */ (block ?? inline)],
  );
  await writeFile(`${SITE}/embed/${name}.html`, html);
}

const articles = await renderArticles();
const formulas = Object.values(articles).map(charactersOfFormulas).join('');
await writeMathsFont(formulas, MATHS_FONT);
await build(pages([articlePlugin(articles), headPlugin]));
for (const name of [undefined, ...FIGURES]) await build(bundle(name));
await build(fallbackScript());
await mkdir(`${SITE}/embed`, { recursive: true });
for (const name of FIGURES) await writeEmbed(name);
const licence = import.meta.resolve('@fontsource/stix-two-math/LICENSE');
await copyFile(fileURLToPath(licence), `${SITE}/assets/attention-maths-OFL.txt`);

// Build step: dist/attention-lab.html, both articles in one file that asks for no other: it works from
// a double click (file://), offline. Made of the pages in dist/site, which must have been built.
import { readFile, writeFile } from 'node:fs/promises';
import { inlineScript } from './embeds.js';
import { policy, sha256 } from './policy.js';
import { ADDRESS, FILE, oneFile, PAGE, SITE } from './vite.config.js';

/** One article is hidden from the first drawing on, until the script takes it away. */
const ONE_ARTICLE = `
[data-only='en'] > body > [lang='zh-Hans'],
[data-only='zh-Hans'] > body > [lang='en'] {
  display: none;
}`;

/** @param {string} type @param {Buffer} data */
const dataUri = (type, data) => `data:${type};base64,${data.toString('base64')}`;

/** @param {string} html @param {RegExp} pattern with one group */
function part(html, pattern) {
  const found = html.match(pattern)?.[1];
  if (found === undefined) throw new Error(`attention-lab.html: no ${pattern} in the page`);
  return found;
}

/** Pictures of their own files, as part of the page. @param {string} html */
async function withPictures(html) {
  const pieces = html.split(/(?<= src=")\.\.\/(pictures\/[^"]+)(?=")/);
  const filled = pieces.map(async (piece, i) =>
    i % 2 === 1 ? dataUri('image/svg+xml', await readFile(`${SITE}/${piece}`)) : piece,
  );
  return (await Promise.all(filled)).join('');
}

/**
 * What an article becomes beside the other: parts that say their language, ids of its own, and links
 * to what is here.
 * @param {string} page
 * @param {'en' | 'zh'} lang
 */
function articleOf(page, lang) {
  const tag = lang === 'en' ? 'en' : 'zh-Hans';
  const title = part(page, /<title>([^<]*)<\/title>/);
  const body = part(page, /<body>\s*([^]*?)\s*<\/body>/)
    .replace(/^( {4}|)<(a class="skip"|header|main|footer)/gm, `$1<$2 lang="${tag}"`)
    .replace('<main ', `<main data-title="${title}" `)
    .replace('<a href="../">attention-lab</a>', '<span>attention-lab</span>')
    .replace(/<a href="\.\/api\/">API<\/a>\n/, '')
    .replace(/<a href="\.\/(?:api|recipes)\/">([^<]*)<\/a>/g, '$1')
    .replace(/href="\.\.\/(en|zh)\/"/g, 'href="?lang=$1#$1-article"');
  // The inside of a figure has its ids for itself.
  return body
    .split(/(<template shadowrootmode[^]*?<\/template>)/)
    .map((piece, i) => (i % 2 === 1 ? piece : ownIds(piece, lang)))
    .join('');
}

/** @param {string} html @param {string} prefix */
const ownIds = (html, prefix) =>
  html.replace(/(<[^>]*\s)(id="|href="#)([^"]+")/g, `$1$2${prefix}-$3`);

/** Styles written into the figures. @param {string} html */
const styleHashes = (html) =>
  new Set([...html.matchAll(/<style>([^]*?)<\/style>/g)].map(([, css]) => sha256(css)));

export async function writeOneFile() {
  const page = async (/** @type {string} */ lang) =>
    withPictures(await readFile(`${SITE}/${lang}/index.html`, 'utf8'));
  const [english, chinese, choose, script, icon] = await Promise.all([
    page('en'),
    page('zh'),
    readFile(`${PAGE}/choose-article.js`, 'utf8'),
    inlineScript(oneFile()),
    readFile(`${PAGE}/public/favicon.svg`),
  ]);
  const style = part(english, /<style>([^]*?)<\/style>/) + ONE_ARTICLE; // with its font
  const articles = `${articleOf(english, 'en')}\n${articleOf(chinese, 'zh')}`;
  const security = policy({
    script: `${sha256(choose)} ${sha256(script)}`,
    style: [sha256(style), ...styleHashes(articles)].join(' '),
    font: 'data:',
  });
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${security}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="attention-lab" content="${ADDRESS}">
<title>${part(english, /<title>([^<]*)<\/title>/)}</title>
<link rel="icon" href="${dataUri('image/svg+xml', icon)}">
<style>${style}</style>
<script>${choose}</script>
</head>
<body>
${articles}
<script type="module">${script}</script>
</body>
</html>
`;
  await writeFile(FILE, html);
}

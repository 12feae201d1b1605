// Build step: what a chat or a feed shows beside a link to a page: the page's own title and
// description, and pictures/card-LANG.png, the question over the upper panels of the first figure.
import { light } from '../figures/kit/palette.js';
import { renderStatic } from '../figures/kit/static.js';
import { spec } from '../figures/saturation/element.js';

/** @typedef {'en' | 'zh'} Language */

/** In CSS pixels: painted twice as large (stills.js), the 1200 by 630 that no service crops. */
const WIDTH = 600;
const HEIGHT = 315;
const MARGIN = 24;

const QUESTION = { en: ['Why divide by ', '?'], zh: ['为什么要除以 ', '？'] };
const LOCALE = { en: 'en_US', zh: 'zh_CN' };

/** The picture, as SVG; its letters are mathematical ones. @param {Language} lang */
export function cardSvg(lang) {
  const figure = renderStatic(spec, { lang, theme: 'light' });
  const [width, height] = (/viewBox="0 0 (\d+) (\d+)"/.exec(figure) ?? []).slice(1).map(Number);
  const [before, after] = QUESTION[lang];
  const room = WIDTH - 2 * MARGIN;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" font-family="${light.font}">
<text x="${MARGIN}" y="52" font-size="32" fill="${light.ink}">${before}√𝑑<tspan dy=".25em" font-size=".7em">𝑘</tspan><tspan dy="-.25em">${after}</tspan></text>
<svg x="${MARGIN}" y="84" width="${room}" height="${(room * height) / 2 / width}" viewBox="0 0 ${width} ${height / 2}">${figure}</svg>
</svg>`;
}

/** @param {string} html  @param {RegExp} pattern  its group is the text */
function textIn(html, pattern) {
  const [, text] = pattern.exec(html) ?? [];
  if (!text) throw new Error(`card: a page has no ${pattern}`);
  return text;
}

/**
 * What a page says of itself to those who link to it.
 * @param {string} html
 * @param {Language} lang
 * @param {string} root  of the site
 * @param {string} folder  of the page, like en/api/
 * @returns {import('vite').HtmlTagDescriptor[]}
 */
export function cardTags(html, lang, root, folder) {
  const said = {
    'og:type': 'article',
    'og:site_name': 'attention-lab',
    'og:locale': LOCALE[lang],
    'og:url': root + folder,
    'og:title': textIn(html, /<title>([^<]*)<\/title>/),
    'og:description': textIn(html, /<meta\s+name="description"\s+content="([^"]*)"/),
    'og:image': `${root}pictures/card-${lang}.png`,
    'og:image:width': `${2 * WIDTH}`,
    'og:image:height': `${2 * HEIGHT}`,
  };
  return [
    ...Object.entries(said).map(([property, content]) => ({ property, content })),
    { name: 'twitter:card', content: 'summary_large_image' },
  ].map((attrs) => ({ tag: 'meta', attrs, injectTo: 'head' }));
}

// Build step: pictures/card-LANG.png, which a chat or a feed shows beside a link to a page: the
// question over the walks and the weights of <attn-walk>.
import { light } from '../../figures/kit/chart/palette.js';
import { renderStatic } from '../../figures/kit/chart/static.js';
import { spec } from '../../figures/walk/element.js';
import { words } from './words.js';

/** @import { Language } from './figures.js' */

/** In CSS pixels; stills.js paints it twice as large, as the 1200 by 630 that no service crops. */
const WIDTH = 600;
const HEIGHT = 315;
const MARGIN = 24;

/** Returns the picture as SVG; its letters are mathematical ones. @param {Language} lang */
export function cardSvg(lang) {
  const figure = renderStatic(spec, { lang, theme: 'light', panels: 'walks weights' });
  const [width, height] = (/viewBox="0 0 (\d+) (\d+)"/.exec(figure) ?? []).slice(1).map(Number);
  const [before, after] = words[lang].card;
  const room = WIDTH - 2 * MARGIN;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" font-family="${light.font}">
<text x="${MARGIN}" y="52" font-size="32" fill="${light.ink}">${before}√𝑑<tspan dy=".25em" font-size=".7em">𝑘</tspan><tspan dy="-.25em">${after}</tspan></text>
<svg x="${MARGIN}" y="84" width="${room}" height="${(room * height) / width}" viewBox="0 0 ${width} ${height}">${figure}</svg>
</svg>`;
}

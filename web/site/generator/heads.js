// Build step: the 72 heads of all-MiniLM-L6-v2 in one picture, from the record of web/recording/measure.js. They read the
// sentence with which <attn-view> shows them, so that both give the same verdicts.
import { readFileSync } from 'node:fs';
import { blueLook, folkLook, greyLook, orangeLook } from '../../figures/kit/chart/looks.js';
import { palettes } from '../../figures/kit/chart/palette.js';
import { panelled } from '../../figures/kit/chart/panels.js';
import { points } from '../../figures/kit/chart/series.js';
import { toMarkup } from '../../figures/kit/chart/svg.js';
import { createFormat } from '../../figures/kit/state/language.js';
import { messages } from '../../inspector/view/generated/words.js';
import { keysOf } from '../../shared/keys.js';
import { words } from './words.js';

/**
 * @import { Panel } from '../../figures/kit/chart/panels.js'
 * @import { headsOf } from '../../recording/minilm.js'
 * @import { Language } from '../../shared/languages.js'
 * @typedef {ReturnType<typeof headsOf>} Heads
 * @typedef {{ head: string, ratio: number, entropyRatio: number, verdict: Heads['verdict'][0] }} HeadRow
 */

const record = JSON.parse(readFileSync(new URL('../data/minilm.json', import.meta.url), 'utf8'));
/** @type {Heads} */
const { ratio, entropyRatio, verdict } = record.sentences[0].heads;
/** Heads of a layer. */
const HEADS = 12;

/** The heads of the model. @type {HeadRow[]} */
export const heads = ratio.map((_, index) => ({
  head: `${Math.floor(index / HEADS) + 1}.${(index % HEADS) + 1}`,
  ratio: ratio[index],
  entropyRatio: entropyRatio[index],
  verdict: verdict[index],
}));

const ACROSS = 'σ(q·k) / (√d_k·σ(q)·σ(k))';
/** The picture in its two forms, which content.css chooses: width, and height as a share of it. */
const SHAPES = { wide: { width: 720, share: 0.45 }, narrow: { width: 300, share: 0.95 } };
const LOOKS = { spread: blueLook, sharp: greyLook, frozen: orangeLook, uniform: folkLook };

/**
 * Draws the heads.
 * @param {Language} lang
 * @param {boolean} [isFile] whether for the document of one file, which has the wide picture alone
 * @returns {string} SVG text
 */
export function drawHeads(lang, isFile = false) {
  const { title, independent } = words[lang].heads;
  const { verdicts } = messages[lang];
  const palette = palettes.live;
  /** @returns {Panel} */
  const panel = () => ({
    title,
    x: { ends: [0.9, 2.3], ticks: [1, 1.5, 2], name: ACROSS },
    y: { ends: [0, 1], ticks: [0, 0.5, 1] },
    rule: 1,
    note: independent,
    margin: { left: 34, top: 46 },
    series: /** @type {const} */ (['spread', 'sharp', 'frozen']).map((verdict) => {
      const own = heads.filter((head) => head.verdict === verdict);
      const last = own.reduce((a, b) => (b.ratio > a.ratio ? b : a));
      return {
        look: LOOKS[verdict](palette, verdict),
        label: `${verdicts[verdict]}: ${own.length}`,
        end: { y: last.entropyRatio },
        measured: points(own, { x: 'ratio', y: 'entropyRatio' }),
        size: 3,
      };
    }),
  });
  const view = { state: {}, data: {}, text: {}, format: createFormat(lang), palette };
  const pictures = keysOf(SHAPES)
    .slice(0, isFile ? 1 : 2)
    .map((name) => {
      const { width, share } = SHAPES[name];
      const place = { x: 0, y: 0, width, height: share * width };
      const { draw } = panelled({
        title: () => title,
        panels: { heads: panel },
        aspect: { wide: share, narrow: share },
        layout: () => ({ panels: [place], height: place.height }),
      });
      const form = isFile ? '' : ` data-still="${name}"`;
      return `<div${form}>${toMarkup(draw({ ...view, width }))}</div>`;
    });
  return `<figure class="wide heads">${pictures.join('')}</figure>`;
}

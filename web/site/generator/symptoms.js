// Build step: what a recorded run with a fault looks like, and what <attn-view> says of it, under "Training is unstable".
import { render } from '@lit-labs/ssr';
import { collectResultSync } from '@lit-labs/ssr/lib/render-result.js';
import recorded from '../../language/recorded/symptom-losses.js';
import { prose } from '../../figures/kit/shell/prose.js';
import { toMarkup } from '../../figures/kit/chart/svg.js';
import { say } from '../../figures/kit/state/words.js';
import { hintOf, standingOut } from '../../inspector/view/table.js';
import { placeOf } from '../../inspector/view/telling.js';
import { figures, viewOf } from './figures.js';
import { words } from './words.js';

/**
 * @import { Language } from '../../shared/languages.js'
 * @import { Drawn } from './figures.js'
 * @import { View } from '../../inspector/view/data.js'
 */

/** The runs that differ from the healthy one in their fault alone. */
const LIKE_HEALTHY = ['stall', 'explode', 'nan'];
/** The width of a picture, in CSS pixels. */
const WIDTH = 340;
/** By name, of each step and its loss; null is NaN. @type {Record<string, readonly (number | null)[][]>} */
const losses = recorded;
export const figure = /** @type {Drawn} */ (figures.find(({ name }) => name === 'view'));

/** Writes losses by their steps. @param {View} view @param {readonly (number | null)[][]} rows */
const lossesOf = ({ format, text }, rows) =>
  rows
    .map(([step, loss]) => `${loss === null ? 'NaN' : format.fixed(Number(loss), 2)} (${step})`)
    .join(text.comma);

/**
 * Returns the picture of the head that stands out, the losses of the run, and the sentences of the diagnosis.
 * @param {Language} lang
 * @param {string} name
 */
export function renderSymptom(lang, name) {
  const state = { example: `symptom-${name}` };
  const all = /** @type {View} */ (/** @type {unknown} */ (viewOf(figure, lang, state)));
  const opened = standingOut(all.data.overview) ?? all.data;
  const place = { layer: opened.layer + 1, head: opened.head + 1 };
  const view = { ...viewOf(figure, lang, { ...state, ...place }), compact: true, width: WIDTH };
  const picture = toMarkup(figure.spec.draw(view));
  const { run, healthy, head } = words[lang].symptom;
  const told = [say(all, run, { losses: lossesOf(all, losses[name]) })];
  if (LIKE_HEALTHY.includes(name)) {
    told.push(say(all, healthy, { losses: lossesOf(all, losses.healthy) }));
  }
  const heads = all.data.overview.map(({ diagnosis, ...each }) =>
    say(all, head, {
      place: placeOf(all, each),
      verdict: diagnosis ? all.text.verdicts[diagnosis.verdict] : '',
      hint: diagnosis ? hintOf(all, diagnosis) : '',
    }),
  );
  const paragraphs = told.map((text) => `<p>${htmlOf(text)}</p>`).join('');
  const items = heads.map((text) => `<li>${htmlOf(text)}</li>`).join('');
  return `<figure class="symptom">${picture}<figcaption>${paragraphs}<ul>${items}</ul></figcaption></figure>`;
}

/** Returns a text with its symbols set. @param {string} text */
const htmlOf = (text) =>
  collectResultSync(render(prose(text)))
    .replace(/<!--.*?-->/gs, '')
    .replace(/σ_([qk])/g, '<i>σ<span aria-hidden="true">_</span><sub>$1</sub></i>');

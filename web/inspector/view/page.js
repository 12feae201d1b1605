// <attn-view> as one HTML file that holds its data and its bundle.

import { load } from '../../assets/import.js';
import { VIEW } from './assets.js';
import { codeOf } from '../../figures/kit/shell/embed.js';
import { escapeMarkup } from '../../figures/kit/chart/svg.js';
import { knownOf } from '../heads/known.js';
import { courseData } from '../course/course-map.js';
import { courseFrom, savedCourse } from '../course/course-saved.js';
import { pack, unpack } from './packed.js';

/**
 * @import { AttnView } from './element.js'
 * @import { Shown } from '../heads/heads.js'
 * @import { View } from './data.js'
 * @import { Source } from './source.js'
 */

const STYLE = 'body{margin:0 auto;max-width:60rem;padding:0 1rem}';
/** Its hash, for the policy. */
const STYLE_HASH = "'sha256-B3liSDjTsPzODf8mJM/g2tMZKBDZnukZAH3DMnNfJKk='";

/** Returns the bundle and its hash: in a saved page they stand there. @returns {Promise<{ text: string, hash: string }>} */
async function bundle() {
  const script = document.querySelector('script[data-hash]');
  return script
    ? { text: script.textContent, hash: script.getAttribute('data-hash') ?? '' }
    : load(VIEW, 'view-bundle');
}

/** Returns what a page holds: some attention, or the course of training that it is a step of. @param {Shown} attention @param {string} step */
async function heldOf(attention, step) {
  const { course } = knownOf(attention);
  if (!course) return attention;
  return { course: await savedCourse(course, courseData(course, step), attention) };
}

/** Returns what a page holds of two recordings that are compared, or of one. @param {View} view */
async function allHeld({ data: { attention, compared }, state: { step } }) {
  if (!compared) return heldOf(attention, step);
  const pair = [compared.first, compared.second];
  const [first, second] = await Promise.all(pair.map((each) => heldOf(each, step)));
  return { first, second, labels: pair.map((each) => knownOf(each).label) };
}

/** Returns the source of what `heldOf` returned. @param {any} held @param {string} [label] @returns {Source} */
const sourceOf = ({ course, ...attention }, label) => ({
  name: label ?? 'A, B',
  label,
  isComplete: true,
  read: () => (course ? courseFrom(course) : attention),
});

/**
 * Shows what the page holds that a figure saved, if it is one.
 * @param {AttnView} figure
 */
export function openSaved(figure) {
  const element = figure.nextElementSibling;
  if (!element?.matches('script[data-attention]')) return;
  const { course, layerScales, first, second, labels, ...given } = unpack(element.textContent);
  if (second) {
    const [a, b] = labels.map((/** @type {string | null} */ label) => label ?? undefined);
    figure.open({ ...sourceOf(first, a), second: sourceOf(second, b) });
  } else if (course) figure.open({ name: figure.localName, read: () => courseFrom(course) });
  else Object.assign(figure, given, layerScales && { scale: layerScales });
}

/**
 * Writes the page. Its policy allows the bundle that is in it, and no request.
 * @param {AttnView} figure
 * @returns {Promise<string>}
 */
export async function pageOf(figure) {
  const { text, hash } = await bundle();
  const { language: lang, spec, state } = figure;
  const view = /** @type {View} */ (figure.view());
  const held = await allHeld(view);
  return `<!doctype html>
<html lang="${lang}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src ${hash} 'wasm-unsafe-eval'; style-src ${STYLE_HASH}; img-src blob:">
<style>${STYLE}</style>
<title>${escapeMarkup(spec.title(view))}</title>
${codeOf(figure, { ...state, src: '' })}
<script type="application/json" data-attention>${pack(held)}</script>
<script data-hash="${hash}">${text}</script>
</html>
`;
}

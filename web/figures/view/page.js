// <attn-view> as one HTML file that holds the figure, its program and its data.

import { codeOf } from '../kit/shell/embed.js';
import { escapeMarkup } from '../kit/chart/svg.js';
import { pack } from './packed.js';
import { loadProgram } from './load.js';

/** @import { AttnView } from './element.js' */

/**
 * Writes the page. Its policy allows the one program that is in it, and no request.
 * @param {AttnView} figure
 * @returns {Promise<string>}
 */
export async function pageOf(figure) {
  const { text, hash } = await loadProgram();
  const { language: lang, spec, state } = figure;
  const view = figure.view();
  return `<!doctype html>
<html lang="${lang}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src ${hash} 'wasm-unsafe-eval'; img-src blob:">
<title>${escapeMarkup(spec.title(view))}</title>
${codeOf(figure, { ...state, src: '' })}
<script type="application/json">${pack(view.data.attention)}</script>
<script>${text}</script>
</html>
`;
}

// Build step: embed/NAME.html, one file that needs no other, for frames that may be sandboxed; and
// oembed/NAME.LANG.json, which tells other sites how to frame it (https://oembed.com).
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { build } from 'vite';
import * as ledger from '../figures/claims/words.js';
import { embedCode } from '../figures/kit/embed.js';
import { renderStatic, staticView } from '../figures/kit/static.js';
import { escapeMarkup } from '../figures/kit/svg.js';
import { isLedger } from './prerender.js';
import { policy, sha256 } from './policy.js';
import { STILL_SCALE, STILL_WIDTH } from './stills.js';
import { ADDRESS, embed, PAGE, rootFrom, SITE } from './vite.config.js';

/** @param {string} file in web/page/embed */
const read = async (file) => (await readFile(`${PAGE}/embed/${file}`, 'utf8')).trim();

/**
 * A bundle of one file, with what would end a script element, or change how it is read, written
 * otherwise.
 * @param {import('vite').InlineConfig} configuration
 */
export async function inlineScript(configuration) {
  const built = /** @type {import('vite').Rolldown.RolldownOutput[]} */ (
    await build(configuration)
  );
  const { code } = built[0].output[0];
  return code.trim().replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--');
}

/**
 * @typedef {import('./prerender.js').FigureClass} FigureClass
 * @typedef {import('./prerender.js').LedgerClass} LedgerClass
 */

/** What surrounds the picture of a figure in a column of text, for most of them, in CSS pixels. */
const SURROUNDINGS = 500;
/** The ledger is longer than a frame should be; it scrolls. */
const LEDGER_HEIGHT = 900;

/**
 * What oEmbed says of a figure in its initial state.
 * @param {string} name
 * @param {FigureClass | LedgerClass} figureClass
 * @param {'en' | 'zh'} lang
 */
function oEmbed(name, figureClass, lang) {
  const frame = (
    /** @type {any} */ spec,
    /** @type {string} */ title,
    /** @type {number} */ height,
  ) => ({
    ...{ version: '1.0', type: 'rich', title },
    ...{ provider_name: 'attention-lab', provider_url: ADDRESS },
    ...{ width: STILL_WIDTH, height },
    html: embedCode({ root: ADDRESS, name, ...spec, lang, title, height }).frame,
  });
  if (isLedger(figureClass)) {
    return frame({ fields: {}, state: {} }, ledger[lang].name, LEDGER_HEIGHT);
  }
  const { spec } = figureClass;
  const view = staticView(spec, { lang });
  const picture = Math.ceil(STILL_WIDTH * spec.aspect.wide);
  return {
    ...frame({ fields: spec.fields, state: view.state }, spec.title(view), picture + SURROUNDINGS),
    thumbnail_url: `${ADDRESS}pictures/${name}-${lang}.png`,
    thumbnail_width: STILL_SCALE * STILL_WIDTH,
    thumbnail_height: STILL_SCALE * Math.round(STILL_WIDTH * spec.aspect.wide),
  };
}

/**
 * @param {string} name
 * @param {FigureClass | LedgerClass} figureClass
 */
export async function writeOEmbed(name, figureClass) {
  await mkdir(`${SITE}/oembed`, { recursive: true });
  for (const lang of /** @type {const} */ (['en', 'zh'])) {
    const said = JSON.stringify(oEmbed(name, figureClass, lang), undefined, 2);
    await writeFile(`${SITE}/oembed/${name}.${lang}.json`, `${said}\n`);
  }
}

/**
 * What a figure is called, in both languages.
 * @param {FigureClass | LedgerClass} figureClass
 */
function namesOf(figureClass) {
  const { en, zh } = isLedger(figureClass) ? ledger : figureClass.spec.messages;
  return { english: escapeMarkup(en.name), chinese: escapeMarkup(zh.name) };
}

/**
 * @param {string} name
 * @param {Record<'script' | 'style' | 'policy' | 'picture' | 'english' | 'chinese', string>} parts
 */
export async function embedPage(name, parts) {
  /** @type {Record<string, string>} */
  const filling = { ...parts, name, root: rootFrom('../') }; // oEmbed wants whole addresses
  // White space around a mark is the formatter's; it would change what the hashes are of.
  return (await read('template.html')).replace(
    /\s*<!--(\w+)-->\s*|%(\w+)%/g,
    (_, block, inline) => filling[block ?? inline],
  );
}

/**
 * @param {string} name
 * @param {FigureClass | LedgerClass} figureClass
 */
export async function writeEmbed(name, figureClass) {
  const [script, style] = await Promise.all([inlineScript(embed(name)), read('embed.css')]);
  const html = await embedPage(name, {
    ...namesOf(figureClass),
    script,
    style,
    // All that the script itself may load is the kernel for engines without SIMD.
    policy: policy({
      script: `${sha256(script)} 'strict-dynamic'`,
      style: sha256(style),
      types: 'lit-html attention-lab',
    }),
    picture: isLedger(figureClass) ? '' : renderStatic(figureClass.spec),
  });
  await mkdir(`${SITE}/embed`, { recursive: true });
  await writeFile(`${SITE}/embed/${name}.html`, `${html}\n`);
}

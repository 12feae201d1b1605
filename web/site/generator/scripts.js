// Build step: the scripts and styles of the site, bundled by Vite.
import { appendFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { build } from 'vite';
import { bundle, fallbackScript, widget } from '../../build/bundles.js';
import { inlineScript, outputOf } from '../../build/output.js';
import { withMathsFont } from './maths-font.js';
import * as config from '../../build/vite.config.js';

/**
 * @import { Plugin, Rolldown } from 'vite'
 *
 * @typedef {object} PageScript the files that a kind of page loads, by names below the site
 * @property {string} script
 * @property {string[]} imports all modules that the script imports
 * @property {string} style
 *
 * @typedef {object} Scripts
 * @property {Record<string, PageScript>} pages by kind
 * @property {string} style that of the articles, as text
 * @property {string} file the script of attention-lab.html, as text
 * @property {Record<string, string>} embeds the script of each embed, as text
 */

/**
 * Returns the files that a kind of page loads.
 * @param {Rolldown.RolldownOutput['output']} output
 * @param {string} kind
 * @returns {PageScript}
 */
function pageScript(output, kind) {
  const nameOf = (/** @type {string} */ input) => {
    const file = output.find((each) =>
      each.type === 'chunk' ? each.name === input : each.names.includes(`${input}.css`),
    );
    if (!file) throw new Error(`site: Vite gave nothing for ${input}`);
    return file.fileName;
  };
  /** Lists the modules that a file imports. @param {string} fileName  @returns {string[]} */
  const importsOf = (fileName) => {
    const file = output.find((each) => each.fileName === fileName);
    const imports = file?.type === 'chunk' ? file.imports : [];
    return imports.flatMap((each) => [...importsOf(each), each]);
  };
  const script = nameOf(kind);
  const style = nameOf(kind === 'door' ? 'article-style' : `${kind}-style`);
  return { script, imports: [...new Set(importsOf(script))], style };
}

/** Writes the recorded files as classic scripts, for embeds (scripts/language-scripts.js). */
async function writeRecorded() {
  const folder = config.at('language/recorded/data');
  await mkdir(`${config.SITE}/recorded`, { recursive: true });
  for (const file of await readdir(folder)) {
    const name = file.replace(/\.js$/, '');
    const source = await readFile(`${folder}/${file}`, 'utf8');
    const place = `(globalThis.attentionLabRecorded ??= {})['${name}'] =`;
    const script = source.replace('export default', place);
    await writeFile(`${config.SITE}/recorded/${name}.classic.js`, script);
  }
}

/** Writes the program of saved pages as a classic script, for the embed of <attn-view>. */
async function writeProgram() {
  const source = await readFile(config.at('figures/view/generated/program.js'), 'utf8');
  const script = source
    .replace('export const hash', 'globalThis.attentionLabProgram = {}; attentionLabProgram.hash')
    .replace('export const text', 'attentionLabProgram.text');
  await writeFile(`${config.SITE}/view-program.classic.js`, script);
}

/** Writes the worker of a room as a classic script, for embeds. @param {string} room */
async function writeWorker(room) {
  const source = await readFile(config.at(`${room}/generated/worker.js`), 'utf8');
  const place = `(globalThis.attentionLabWorkers ??= {}).${room}`;
  const script = source.replace('export const text', place);
  await writeFile(`${config.SITE}/${room}-worker.classic.js`, script);
}

/**
 * Writes the scripts and styles of the pages, and returns the names and texts that the pages need.
 * @param {Plugin[]} plugins
 * @returns {Promise<Scripts>}
 */
export async function buildScripts(plugins) {
  const output = await outputOf(config.pages(plugins));
  const kinds = ['door', 'article', 'recipes', 'reference'];
  const pages = Object.fromEntries(kinds.map((kind) => [kind, pageScript(output, kind)]));
  const embeds = config.ELEMENTS.map(async (name) => [
    name,
    await inlineScript(config.embed(name)),
  ]);
  const bundles = [undefined, ...config.ELEMENTS].map(bundle);
  await Promise.all([...bundles, widget()].map((configuration) => build(configuration)));
  await build(fallbackScript('kernel'));
  await build(fallbackScript('language'));
  await writeRecorded();
  await writeWorker('language');
  await writeWorker('experiments');
  await writeProgram();
  const licences = await readFile(config.at('build/kernel-licences.md'));
  await appendFile(`${config.SITE}/THIRD-PARTY.md`, licences);
  const style = await readFile(`${config.SITE}/${pages.article.style}`, 'utf8');
  return {
    pages,
    style: await withMathsFont(style.trim()),
    file: await inlineScript(config.oneFile()),
    embeds: Object.fromEntries(await Promise.all(embeds)),
  };
}

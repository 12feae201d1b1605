// Build step: the scripts and styles of the site, bundled by Vite.
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { ASSETS } from '../../build/assets.js';
import { FORMS } from '../../build/forms.js';
import { inlineScript, outputOf } from '../../build/output.js';
import { at, ELEMENTS, SITE } from '../../build/paths.js';
import { minified } from './minified.js';
import { pageStyles } from '../../figures/kit/shell/styles.js';
import { figures, isDrawn } from './figures.js';
import { withMathsFont } from './maths-font.js';

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
 * @property {Record<string, string[]>} figures the files of each figure that pages load
 * @property {string} style that of the articles, as text
 * @property {string} file the script of attention-lab.html, as text
 * @property {Record<string, string>} embeds the script of each embed, as text
 */

/**
 * Lists the modules that a file imports.
 * @param {Rolldown.RolldownOutput['output']} output
 * @param {string} fileName
 * @returns {string[]}
 */
function importsOf(output, fileName) {
  const file = output.find((each) => each.fileName === fileName);
  const imports = file?.type === 'chunk' ? file.imports : [];
  return imports.flatMap((each) => [...importsOf(output, each), each]);
}

/** Returns the files of a figure. @param {Rolldown.RolldownOutput['output']} output @param {string} name */
function figureFiles(output, name) {
  const module = at(`figures/${name}/element.js`);
  const file = output.find((each) => each.type === 'chunk' && each.facadeModuleId === module);
  if (!file) throw new Error(`site: Vite gave nothing for attn-${name}`);
  return [...new Set([...importsOf(output, file.fileName), file.fileName])];
}

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
  const script = nameOf(kind);
  const style = nameOf(kind === 'door' ? 'article-style' : `${kind}-style`);
  return { script, imports: [...new Set(importsOf(output, script))], style };
}

/**
 * Writes the scripts and styles of the pages, and returns the names and texts that the pages need.
 * @param {Plugin[]} plugins
 * @returns {Promise<Scripts>}
 */
export async function buildScripts(plugins) {
  const output = await outputOf(FORMS.pages(), plugins);
  const kinds = ['door', 'article', 'recipes', 'reference'];
  const pages = Object.fromEntries(kinds.map((kind) => [kind, pageScript(output, kind)]));
  const embeds = ELEMENTS.map(async (name) => [name, await inlineScript(FORMS.embed(name))]);
  await Promise.all([FORMS.figures(), ...ELEMENTS.map(FORMS.figure)].map((form) => outputOf(form)));
  for (const name of Object.keys(ASSETS)) {
    await outputOf(FORMS.asset(name));
    await outputOf(FORMS.script(name));
  }
  const reserved = pageStyles(figures.filter(isDrawn).map(({ spec }) => spec));
  await writeFile(`${SITE}/figures.min.css`, minified(reserved));
  const licences = await readFile(at('build/kernel-licences.md'));
  await appendFile(`${SITE}/THIRD-PARTY.md`, licences);
  const style = await readFile(`${SITE}/${pages.article.style}`, 'utf8');
  return {
    pages,
    figures: Object.fromEntries(ELEMENTS.map((name) => [name, figureFiles(output, name)])),
    style: await withMathsFont(style.trim()),
    file: await inlineScript(FORMS.oneFile()),
    embeds: Object.fromEntries(await Promise.all(embeds)),
  };
}

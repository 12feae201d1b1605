// Builds dist/site: the article, the recipes and the reference in both languages, the embeds and the
// one-file bundles; and dist/attention-lab.html, both articles in one file.
//   SITE_URL=https://… npx @11ty/eleventy --config=web/site/eleventy.config.js
// SITE_URL is where it will be read; the previews of links and the one file name it.
// The kernel must have been built (./build.sh wasm). web/site/generator/dev.js shows the pages while one
// writes them.
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { SITE, SOURCES } from '../build/paths.js';
import { examplesPlugin, readReference } from './generator/api.js';
import { gallery } from './generator/gallery.js';
import { pageData } from './generator/page-data.js';
import { renderFigure } from './generator/page-inserts.js';
import { FRAME_STYLE } from './generator/prerender.js';
import { configure, folders } from './generator/prose.js';
import { buildScripts } from './generator/scripts.js';
import { writeStills } from './generator/stills.js';

const LICENCE = 'attention-maths-OFL.txt';

export default async function buildSite(/** @type {any} */ config) {
  const reference = await readReference();
  const scripts = await buildScripts([examplesPlugin(reference.examplesModule)]);
  /** The pictures that the pages name. @type {Map<string, string>} by file */
  const pictures = new Map();
  const keep = (/** @type {string} */ file, /** @type {string} */ svg) => pictures.set(file, svg);
  configure(config, {
    reference,
    data: await pageData(scripts),
    figure: (name, attributes, page) => renderFigure(name, attributes, page, keep),
    gallery,
  });
  config.on('eleventy.after', async () => {
    for (const [file, svg] of pictures) {
      await mkdir(dirname(`${SITE}/${file}`), { recursive: true });
      await writeFile(`${SITE}/${file}`, svg);
    }
    await writeFile(`${SITE}/${FRAME_STYLE.file}`, FRAME_STYLE.text);
    await writeStills();
    await copyFile(`${SOURCES}/fonts/${LICENCE}`, `${SITE}/assets/${LICENCE}`);
  });
  return { dir: folders };
}

// Builds dist/site: the article and the reference in both languages, the embeds and the one-file
// bundles; and dist/attention-lab.html, both articles in one file.
//   SITE_URL=https://… node web/build/site.js
// SITE_URL is where it will be read; oEmbed, the previews of links and the one file name it.
// The kernel must have been built (./build.sh wasm).
import { appendFile, copyFile, readFile } from 'node:fs/promises';
import { build } from 'vite';
import { examplesPlugin, readReference } from './api.js';
import { writeEmbed, writeOEmbed } from './embeds.js';
import { writeOneFile } from './one-file.js';
import { pagesPlugin } from './pages.js';
import { writeStills } from './stills.js';
import { bundle, fallbackScript } from './bundles.js';
import * as config from './vite.config.js';

/** @type {import('./pages.js').FigureClasses} */
const figureClasses = {};
for (const name of config.ELEMENTS) {
  const module = await import(`../figures/${name}/element.js`);
  figureClasses[name] = module[config.classNameOf(name)];
}

/** @param {string} name of a figure */
const specOf = async (name) => (await import(`../figures/${name}/element.js`)).spec;

const reference = await readReference();
await build(
  config.pages([pagesPlugin(figureClasses, reference), examplesPlugin(reference.examplesModule)]),
);
for (const name of [undefined, ...config.ELEMENTS]) await build(bundle(name));
await appendFile(
  `${config.SITE}/THIRD-PARTY.md`,
  await readFile(new URL('kernel-licences.md', import.meta.url)),
);
await build(fallbackScript());
for (const name of config.ELEMENTS) {
  await writeEmbed(name, figureClasses[name]);
  await writeOEmbed(name, figureClasses[name]);
}
await writeStills(await Promise.all(config.FIGURES.map(specOf)));
await writeOneFile();
await copyFile(
  `${config.PAGE}/fonts/attention-maths-OFL.txt`,
  `${config.SITE}/assets/attention-maths-OFL.txt`,
);

// Builds dist/site: the article and the reference in both languages, the embeds and the one-file
// bundles; and dist/attention-lab.html, both articles in one file.
//   node web/build/site.js
// The kernel must have been built (./build.sh wasm).
import { appendFile, copyFile, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { examplesPlugin, readReference } from './api.js';
import { writeEmbed } from './embeds.js';
import { writeMathsFont } from './maths-font.js';
import { writeOneFile } from './one-file.js';
import { charactersOfArticles, pagesPlugin } from './pages.js';
import * as config from './vite.config.js';

/** @type {import('./pages.js').FigureClasses} */
const figureClasses = {};
for (const name of config.ELEMENTS) {
  const module = await import(`../figures/${name}.js`);
  figureClasses[name] = module[config.classNameOf(name)];
}

await writeMathsFont(await charactersOfArticles(), config.MATHS_FONT);
const reference = await readReference();
await build(
  config.pages([pagesPlugin(figureClasses, reference), examplesPlugin(reference.examplesModule)]),
);
for (const name of [undefined, ...config.ELEMENTS]) await build(config.bundle(name));
await appendFile(
  `${config.SITE}/THIRD-PARTY.md`,
  await readFile(new URL('kernel-licences.md', import.meta.url)),
);
await build(config.fallbackScript());
for (const name of config.ELEMENTS) await writeEmbed(name, figureClasses[name]);
await writeOneFile();
await copyFile(
  fileURLToPath(import.meta.resolve('@fontsource/stix-two-math/LICENSE')),
  `${config.SITE}/assets/attention-maths-OFL.txt`,
);

// Builds dist/site: the article, the recipes and the reference in both languages, the embeds and the
// one-file bundles; and dist/attention-lab.html, both articles in one file.
//   SITE_URL=https://… node web/site/generator/site.js
// SITE_URL is where it will be read; oEmbed, the previews of links and the one file name it.
// The kernel must have been built (./build.sh wasm).
import { copyFile } from 'node:fs/promises';
import { examplesPlugin, readReference } from './api.js';
import { writePages } from './pages.js';
import { buildScripts } from './scripts.js';
import { writeStills } from './stills.js';
import { SITE, SOURCES } from '../../build/vite.config.js';

const reference = await readReference();
const scripts = await buildScripts([examplesPlugin(reference.examplesModule)]);
await writePages(scripts, reference);
await writeStills();
const licence = 'attention-maths-OFL.txt';
await copyFile(`${SOURCES}/fonts/${licence}`, `${SITE}/assets/${licence}`);

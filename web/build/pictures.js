// Draws the README's pictures: the saturation figure before any interaction, for light and dark.
//   node web/build/pictures.js
// tests/js/figures/pictures.test.js fails when they differ from the drawing of the figure.
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { staticSvg } from '../figures/saturation/element.js';

const folder = new URL('../site/public/pictures/', import.meta.url);

/** @type {readonly ('light' | 'dark')[]} */
const THEMES = ['light', 'dark'];

/** Returns the file and content of each picture. */
export const pictures = () =>
  THEMES.map((theme) => ({
    file: new URL(`saturation-${theme}.svg`, folder),
    svg: `${staticSvg({ lang: 'en', width: 960, theme })}\n`,
  }));

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const { file, svg } of pictures()) await writeFile(file, svg);
}

// Draws the README's pictures: the saturation figure before any interaction, for light and dark.
//   node web/build/pictures.js
// tests/js/figures/pictures.test.js fails when they are no longer what the figure draws.
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { staticSvg } from '../figures/saturation/element.js';

const folder = new URL('../site/public/pictures/', import.meta.url);

/** Each picture's file and content. */
export const pictures = () =>
  /** @type {const} */ (['light', 'dark']).map((theme) => ({
    file: new URL(`saturation-${theme}.svg`, folder),
    svg: `${staticSvg({ lang: 'en', width: 960, theme })}\n`,
  }));

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const { file, svg } of pictures()) await writeFile(file, svg);
}

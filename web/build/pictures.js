// Draws the README's picture, the film of <attn-walk>, in each language: the pages and feeds show it, too.
//   node web/build/pictures.js
// tests/js/figures/pictures.test.js fails when they differ from the drawing of the figure.
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { LANGUAGE_KEYS } from '../shared/languages.js';
import { filmSvg } from '../site/generator/film.js';

const folder = new URL('../site/public/pictures/', import.meta.url);

/** Returns the file and content of each picture. */
export const pictures = () =>
  LANGUAGE_KEYS.map((lang) => ({
    file: new URL(`walk-film-${lang}.svg`, folder),
    svg: `${filmSvg(lang)}\n`,
  }));

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const { file, svg } of pictures()) await writeFile(file, svg);
}

// The pictures for places without scripts: the painter has a glyph for every character of them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cardSvg } from '../../../web/site/generator/card.js';
import { paint } from '../../../web/site/generator/stills.js';
import { FIGURES } from '../../../web/build/paths.js';
import { renderStatic } from '../../../web/figures/kit/chart/static.js';
import { LANGUAGE_KEYS } from '../../../web/shared/languages.js';

const SIZE = 40;

/** Returns a column of characters, each in a square. @param {string[]} characters */
const column = (characters) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${SIZE}" height="${SIZE * characters.length}"
    font-size="${SIZE / 2}">${characters
      .map((each, i) => `<text x="8" y="${SIZE * (i + 0.7)}">${each}</text>`)
      .join('')}</svg>`;

test('every character of the pictures has a glyph in the fonts they are painted with', async () => {
  const modules = await Promise.all(
    FIGURES.map((name) => import(`../../../web/figures/${name}/element.js`)),
  );
  const drawings = await Promise.all(
    modules.flatMap(({ spec }) =>
      LANGUAGE_KEYS.map(async (lang) => {
        const loaded = await spec.load?.(lang);
        return renderStatic(spec, { lang, theme: 'light', width: 720, loaded });
      }),
    ),
  );
  const text = [...drawings, cardSvg('en'), cardSvg('zh')]
    .join('')
    .replace(/<(title|desc)>.*?<\/\1>|<[^>]*>|&\w+;|\s/gs, '');
  const characters = [...new Set(text)].sort();
  assert.ok(characters.includes('σ') && characters.includes('⁻') && characters.includes('熵'));
  const [{ width, pixels }] = await paint([column(characters)]);
  const area = 4 * width * (pixels.length / 4 / width / characters.length);
  const missing = characters.filter((_, i) => {
    const square = pixels.subarray(i * area, (i + 1) * area);
    return square.every((channel) => channel === 255);
  });
  assert.deepEqual(missing, []);
});

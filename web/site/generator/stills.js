// Build step: dist/site/pictures, every figure as a picture for places without scripts, in both
// languages: NAME-LANG-light.svg and NAME-LANG-dark.svg on a ground of their own, NAME-LANG.png on white;
// and the picture that goes with a link, card-LANG.png.
//
// A PNG is painted by resvg with fonts from npm, so that the build needs no browser and gives the same
// bytes on every system.
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { Resvg } from '@resvg/resvg-js';
// @ts-expect-error the package comes without types
import subsetFont from 'subset-font';
import { dark, light } from '../../figures/kit/chart/palette.js';
import { drawStatic } from '../../figures/kit/chart/static.js';
import { LANGUAGE_KEYS } from '../../shared/languages.js';
import { cardSvg } from './card.js';
import { figures, isDrawn, viewOf } from './figures.js';
import { SITE } from '../../build/paths.js';

/** In CSS pixels: an ordinary column of text. */
export const STILL_WIDTH = 720;
/** Pixels of a PNG for one of CSS. */
const STILL_SCALE = 2;

/**
 * The faces. A font comes in many files, or its one file draws more than its range names. The painter
 * looks for a character in the first file of the face and then in all files, in this order and of any
 * weight. So Chinese has one weight.
 */
const FACES = [
  { family: '@fontsource-variable/noto-sans', ending: '-wght-normal', weights: [400, 600] },
  { family: '@fontsource/stix-two-math', ending: '-400-normal', weights: [400], whole: true },
  { family: '@fontsource-variable/noto-sans-sc', ending: '-wght-normal', weights: [400] },
  { family: '@fontsource-variable/noto-sans', ending: '-wght-italic', weights: [400] },
];

const require = createRequire(import.meta.url);

/**
 * Returns what tells whether ranges contain a code point.
 * @param {string} ranges  as in CSS: U+0-FF,U+131
 * @returns {(code: number) => boolean}
 */
function readRanges(ranges) {
  const ends = ranges.split(',').map((range) => {
    const [first, last = first] = range.slice(2).split('-');
    return [parseInt(first, 16), parseInt(last, 16)];
  });
  return (code) => ends.some(([first, last]) => first <= code && code <= last);
}

/**
 * Returns the files of a face that draw some of the characters, beginning with the one that draws
 * most.
 * @param {{ family: string, ending: string, whole?: boolean }} face
 * @param {Set<string>} characters
 */
function partsOf({ family, ending, whole }, characters) {
  const index = require.resolve(`${family}/unicode.json`);
  /** @type {Record<string, string>} */
  const ranges = require(index);
  return Object.entries(ranges)
    .map(([part, range]) => {
      const covers = readRanges(range);
      return {
        file: `${basename(family)}-${part.replace(/[[\]]/g, '')}${ending}.woff2`,
        drawn: [...characters].filter((each) => whole || covers(each.codePointAt(0) ?? 0)),
      };
    })
    .filter(({ drawn }) => drawn.length > 0)
    .sort((a, b) => b.drawn.length - a.drawn.length)
    .map(({ file, drawn }) => ({
      path: join(dirname(index), 'files', file),
      text: drawn.join(''),
    }));
}

/**
 * Removes the ligatures, in place: with them the painter would not mix fonts in one text.
 * @param {Buffer} font an sfnt, whose list of tables stays in order
 */
function withoutLigatures(font) {
  const at = font.indexOf('GSUB', 0, 'latin1');
  if (at >= 0 && at < 12 + 16 * font.readUInt16BE(4)) font.write('GSUA', at, 'latin1');
  return font;
}

/**
 * Writes the part of the fonts that draws a text, and lists its files.
 * @param {string} text
 * @param {string} folder
 */
async function writeFonts(text, folder) {
  /** @type {string[]} */
  const files = [];
  for (const face of FACES) {
    for (const wght of face.weights) {
      const variationAxes = face.ending.includes('wght') ? { wght } : undefined;
      for (const part of partsOf(face, new Set(text))) {
        const whole = await readFile(part.path);
        const font = await subsetFont(whole, part.text, { targetFormat: 'sfnt', variationAxes });
        files.push(join(folder, `${files.length}.ttf`));
        await writeFile(files[files.length - 1], withoutLigatures(font));
      }
    }
  }
  return files;
}

/** Returns the text of a picture. @param {string} svg @returns {string} the texts that it shows */
const textOf = (svg) => svg.replace(/<(title|desc)>.*?<\/\1>/gs, '').replace(/<[^>]*>/g, '');

/** Gives a picture the fonts of the painter. @param {string} svg */
function inOurFonts(svg) {
  const named = svg.replace(/ font-family="[^"]*"/g, ' font-family="Noto Sans"');
  return /\p{Script=Han}/u.test(textOf(svg)) ? named.replace(/ font-weight="\d+"/g, '') : named;
}

/**
 * Paints pictures on white.
 * @param {string[]} svgs
 * @returns {Promise<{ width: number, height: number, pixels: Buffer, asPng: () => Buffer }[]>}
 */
export async function paint(svgs) {
  const folder = await mkdtemp(join(tmpdir(), 'attention-lab-fonts-'));
  try {
    const fontFiles = await writeFonts(svgs.map(textOf).join(''), folder);
    return svgs.map((svg) =>
      new Resvg(inOurFonts(svg), {
        background: '#ffffff',
        fitTo: { mode: 'zoom', value: STILL_SCALE },
        font: { loadSystemFonts: false, fontFiles },
      }).render(),
    );
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Writes the pictures of all figures, and the cards. */
export async function writeStills() {
  const pictures = figures.filter(isDrawn).flatMap((figure) =>
    LANGUAGE_KEYS.map((lang) => {
      const view = { ...viewOf(figure, lang), width: STILL_WIDTH };
      const draw = (/** @type {typeof light} */ palette) =>
        drawStatic(figure.spec, { ...view, palette });
      return { name: `${figure.name}-${lang}`, light: draw(light), dark: draw(dark) };
    }),
  );
  const images = await paint([...pictures.map((svg) => svg.light), ...LANGUAGE_KEYS.map(cardSvg)]);
  const folder = `${SITE}/pictures`;
  await mkdir(folder, { recursive: true });
  for (const [i, { name, ...svg }] of pictures.entries()) {
    await writeFile(`${folder}/${name}-light.svg`, `${svg.light}\n`);
    await writeFile(`${folder}/${name}-dark.svg`, `${svg.dark}\n`);
    await writeFile(`${folder}/${name}.png`, images[i].asPng());
  }
  for (const [i, lang] of LANGUAGE_KEYS.entries()) {
    await writeFile(`${folder}/card-${lang}.png`, images[pictures.length + i].asPng());
  }
}

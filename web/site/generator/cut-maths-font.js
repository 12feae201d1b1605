// Cuts STIX Two Math to the glyphs that the formulas of the pages need (403 kB → 12 kB), after a formula got a new
// character, which maths-font.test.js names; and to the few signs that figures need where they have no such page.
//   node web/site/generator/cut-maths-font.js
import { readdirSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
// @ts-expect-error the package comes without types
import subsetFont from 'subset-font';
import { LANGUAGE_KEYS } from '../../shared/languages.js';
import { markdown } from './markdown.js';
import { at, MATHS_FONT, SOURCES } from '../../build/paths.js';

const SIGNS_MODULE = at('figures/kit/shell/signs-font.js');
const WHOLE = '@fontsource/stix-two-math/files/stix-two-math-latin-400-normal.woff2';

/** The signs in the words of figures that system fonts lack, or draw for other uses: √ with a bar over nothing. */
export const SIGNS = '√∂∘‖Σᵀ';

/** Returns every character that a formula of a page draws. */
export async function charactersOfPages() {
  const files = LANGUAGE_KEYS.flatMap((lang) =>
    readdirSync(`${SOURCES}/${lang}`).map((name) => `${SOURCES}/${lang}/${name}`),
  );
  const pages = await Promise.all(files.map((file) => readFile(file, 'utf8')));
  const page = { lang: 'en', words: { en: { contents: '', minutes: '', reading: '' } } };
  return charactersOfFormulas(markdown.render(pages.join('\n\n'), page));
}

/**
 * Returns every character that the formulas of an HTML text draw: MathML sets a lone letter in
 * italics, which have separate code points.
 * @param {string} html
 */
function charactersOfFormulas(html) {
  const characters = new Set('√'); // msqrt draws it, though no text contains it
  for (const [math] of html.matchAll(/<math[\s\S]*?<\/math>/g)) {
    for (const [, letter] of math.matchAll(/<mi>(.)<\/mi>/gu)) characters.add(italic(letter));
    for (const character of unescape(math.replace(/<[^>]*>/g, ''))) characters.add(character);
  }
  return [...characters].sort().join('');
}

const entities = { '&lt;': '<', '&gt;': '>', '&amp;': '&' };

const unescape = (/** @type {string} */ html) =>
  html.replace(/&(lt|gt|amp);/g, (entity) => entities[/** @type {'&lt;'} */ (entity)]);

/** Returns the code point of a letter in italics. @param {string} letter */
function italic(letter) {
  const code = /** @type {number} */ (letter.codePointAt(0));
  if (letter === 'h') return 'ℎ';
  if (letter === '∂') return '𝜕';
  if (/[A-Z]/.test(letter)) return String.fromCodePoint(0x1d434 + code - 0x41);
  if (/[a-z]/.test(letter)) return String.fromCodePoint(0x1d44e + code - 0x61);
  if (/[α-ω]/.test(letter)) return String.fromCodePoint(0x1d6fc + code - 0x3b1);
  return letter;
}

/** Writes the font of the pages, with its fences that stretch and the MATH table that lays formulas out. */
async function writeMathsFont() {
  const characters = await charactersOfPages();
  const whole = await readFile(fileURLToPath(import.meta.resolve(WHOLE)));
  const cut = await subsetFont(whole, characters, { targetFormat: 'sfnt', noHinting: true });
  keepOneRadical(cut);
  await writeFile(MATHS_FONT, await subsetFont(cut, characters, { targetFormat: 'woff2' }));
}

/** Writes the font of the figures as a module, which holds outlines alone. */
async function writeSigns() {
  const whole = await readFile(fileURLToPath(import.meta.resolve(WHOLE)));
  const font = await subsetFont(whole, SIGNS, {
    targetFormat: 'woff2',
    noHinting: true,
    noLayoutClosure: true,
    dropTables: ['GDEF', 'GPOS', 'GSUB', 'MATH'],
  });
  const module = [
    '// Made by web/site/generator/cut-maths-font.js: STIX Two Math, cut to a few signs (OFL, site/fonts/), as base64.',
    `export default '${font.toString('base64')}';\n`,
  ];
  await writeFile(SIGNS_MODULE, module.join('\n'));
}

/**
 * Removes the taller forms of the root sign from the MATH table, in place. MathML Core reserves the
 * width of the widest form for every root: √d in running text would be followed by a gap of .4 em.
 * Roots here hold one line, which the first form covers.
 * OpenType: MATH → MathVariants → MathGlyphConstruction { assembly offset, count, … }.
 * @param {Buffer} font an sfnt
 */
function keepOneRadical(font) {
  const u16 = (/** @type {number} */ at) => font.readUInt16BE(at);
  const variants = tableOf(font, 'MATH') + u16(tableOf(font, 'MATH') + 8);
  const index = coveredGlyphs(font, variants + u16(variants + 2)).indexOf(glyphOf(font, '√'));
  if (index < 0) throw new Error('maths font: the root sign has no variants to remove');
  const construction = variants + u16(variants + 10 + 2 * index);
  font.writeUInt16BE(0, construction);
  font.writeUInt16BE(1, construction + 2);
}

/** Returns the start of a table of the font. @param {Buffer} font @param {string} tag */
function tableOf(font, tag) {
  for (let record = 12; record < 12 + 16 * font.readUInt16BE(4); record += 16) {
    if (font.toString('latin1', record, record + 4) === tag) return font.readUInt32BE(record + 8);
  }
  throw new Error(`maths font: no table ${tag}`);
}

/** Returns the glyphs of a coverage table, in its order. @param {Buffer} font @param {number} coverage */
function coveredGlyphs(font, coverage) {
  const u16 = (/** @type {number} */ at) => font.readUInt16BE(coverage + at);
  const entries = Array.from({ length: u16(2) }, (_, i) => i);
  if (u16(0) === 1) return entries.map((i) => u16(4 + 2 * i));
  return entries.flatMap((i) => {
    const [first, last] = [u16(4 + 6 * i), u16(6 + 6 * i)];
    return Array.from({ length: last - first + 1 }, (_, k) => first + k);
  });
}

/**
 * Returns the glyph of a character by the font's segmented character map (format 12), 0 if it has none.
 * @param {Buffer} font an sfnt
 * @param {string} character
 */
export function glyphOf(font, character) {
  const codePoint = /** @type {number} */ (character.codePointAt(0));
  const cmap = tableOf(font, 'cmap');
  for (let i = 0; i < font.readUInt16BE(cmap + 2); i += 1) {
    const map = cmap + font.readUInt32BE(cmap + 8 + 8 * i);
    if (font.readUInt16BE(map) !== 12) continue;
    for (let group = 0; group < font.readUInt32BE(map + 12); group += 1) {
      const [first, last, glyph] = [0, 4, 8].map((at) =>
        font.readUInt32BE(map + 16 + 12 * group + at),
      );
      if (first <= codePoint && codePoint <= last) return glyph + codePoint - first;
    }
  }
  return 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await writeMathsFont();
  await writeSigns();
}

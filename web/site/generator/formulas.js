// Build step: TeX becomes static MathML, by Temml.
import temml from 'temml';
import { escapeMarkup } from '../../figures/kit/chart/svg.js';
import { textOfFormula } from './formula-text.js';

// Temml sets this inline style, which the page's content security policy forbids; the style sheet has
// the same rule.
const STYLE_OF_DISPLAYS = ' style="display:block math;"';

/**
 * Returns one formula as MathML without inline style; scripts/copied-formulas.js copies its text.
 * @param {string} tex
 * @param {boolean} displayMode
 */
function formula(tex, displayMode) {
  const trust = (/** @type {{ command: string }} */ { command }) => command === '\\data';
  const mathml = temml
    .renderToString(tex, { displayMode, throwOnError: true, trust })
    .replace(STYLE_OF_DISPLAYS, '');
  if (mathml.includes(' style=')) throw new Error(`formula: inline style in ${tex}`);
  return mathml.replace('<math', `<math alttext="${escapeMarkup(textOfFormula(mathml))}"`);
}

/** Returns a short formula as text. @param {string} mathml */
const nameOf = (mathml) => mathml.replaceAll('<msqrt>', '√').replace(/<[^>]*>/g, '');

/** A part of a formula that names a series of a figure; it may contain a group in braces. */
const LINKED_PART = /\\linked\{([\w:-]+)\}\{((?:[^{}]|\{[^{}]*\})*)\}/g;

/**
 * Returns a formula on a separate line: it scrolls in its own box, and takes the focus so that keys
 * can scroll it. Its parts `\linked{FIGURE:SERIES}{…}` name series of figures.
 * @param {string} tex
 */
export function displayFormula(tex) {
  const marked = tex.trim().replace(LINKED_PART, (_, linked, part) => {
    const name = nameOf(formula(part, false));
    return `\\data{linked=${linked}, name=${name}}{${part}}`;
  });
  return `<div class="formula" tabindex="0">${formula(marked, true)}</div>`;
}

/**
 * Returns an inline formula. One that begins with `\linked{FIGURE:SERIES}` names a series of a figure,
 * which web/site/scripts/linked-formulas.js joins to it.
 * @param {string} tex
 * @param {boolean} isNamed whether it gets an accessible name: browsers leave formulas out of the
 *   names of headings and questions
 */
export function inlineFormula(tex, isNamed) {
  const [, linked, rest = tex] = tex.match(/^\\linked\{([\w:-]+)\}([^]+)$/) ?? [];
  const plain = formula(rest, false);
  const name = nameOf(plain);
  const mathml = isNamed ? plain.replace('<math', `<math aria-label="${name}"`) : plain;
  return linked ? `<span data-linked="${linked}" data-name="${name}">${mathml}</span>` : mathml;
}

// Build step: a formula as one line of text, for the clipboard and for search engines: √d_k, σ_q², (a+b)/(2c).

/** @typedef {{ tag: string, children: (Part | string)[] }} Part */

/** Signs of MathML, as they are typed; U+2061 says that a function is applied. @type {Record<string, string>} */
const TYPED = {
  '&lt;': '<',
  '&gt;': '>',
  '&amp;': '&',
  '\u2061': '',
  '⋅': '·',
  '∑': 'Σ',
  '∗': '*',
};

/** @type {Record<string, string>} */
const RAISED = { 2: '²', 3: '³', n: 'ⁿ', '⊤': 'ᵀ', '*': '*' };

/** Returns MathML as a tree. @param {string} mathml @returns {Part} */
function treeOf(mathml) {
  /** @type {Part[]} */
  const open = [{ tag: 'mrow', children: [] }];
  for (const [, closes, tag, isEmpty, text] of mathml.matchAll(
    /<(\/?)(\w+)[^>]*?(\/?)>|([^<]+)/g,
  )) {
    const parent = open[open.length - 1];
    if (text) parent.children.push(text);
    else if (closes) open.pop();
    else {
      const part = { tag, children: [] };
      parent.children.push(part);
      if (!isEmpty) open.push(part);
    }
  }
  return open[0];
}

/** Returns whether a line is one letter, number or word, with its index. @param {string} line */
const isSingle = (line) => /^√?[\p{L}\p{N}.…]+(?:_[\p{L}\p{N}]+)?[²³ᵀ]?$/u.test(line);

/** Puts a line in brackets unless it is one thing. @param {string} line */
const whole = (line) => (isSingle(line) ? line : `(${line})`);

/** Lowers a line. @param {string} line */
const low = (line) => (/^[\p{L}\p{N}]+$/u.test(line) ? `_${line}` : `_{${line}}`);

/** Raises a line. @param {string} line */
const high = (line) => RAISED[line] ?? (/^[\p{L}\p{N}]+$/u.test(line) ? `^${line}` : `^(${line})`);

/** Signs that stand between spaces. */
const SPACED = /^[=<>≤≥≈∝→]$/;

/** Joins the lines of a row, so that no index runs into the letter after it. @param {string[]} lines */
const join = (lines) =>
  lines.reduce(
    (row, line) =>
      /_[\p{L}\p{N}]+$/u.test(row) && /^[\p{L}\p{N}]/u.test(line) ? `${row} ${line}` : row + line,
    '',
  );

/** Returns a part of a formula as a line of text. @param {Part | string} part @returns {string} */
function lineOf(part) {
  if (typeof part === 'string') {
    return part.replace(/&(?:lt|gt|amp);|[\u2061⋅∑∗]/g, (sign) => TYPED[sign]);
  }
  const lines = part.children.map(lineOf);
  const [base = '', index = '', power = ''] = lines;
  switch (part.tag) {
    case 'mo':
      return SPACED.test(base) ? ` ${base} ` : base;
    case 'mspace':
      return ' ';
    case 'msqrt':
      return `√${whole(join(lines))}`;
    case 'mfrac':
      return `${whole(base)}/${whole(index)}`;
    case 'msub':
    case 'munder':
      return base + low(index);
    case 'msup':
    case 'mover':
      return base + high(index);
    case 'msubsup':
    case 'munderover':
      return base + low(index) + high(power);
    default:
      return join(lines);
  }
}

/** Returns a formula as one line of text. @param {string} mathml */
export const textOfFormula = (mathml) => lineOf(treeOf(mathml)).replace(/\s+/g, ' ').trim();

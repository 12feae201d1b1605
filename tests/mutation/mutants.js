/**
 * Mutants of a source file in C or JavaScript: the same text with one small mistake, such as a
 * bound that is off by one, an operator that is another, a number or a statement that is gone.
 */

/** @typedef {{ line: number, from: string, to: string, text: string }} Mutant */

/** The token that takes the place of another, by that token; '' leaves it out. */
const REPLACEMENTS = `
  + -    - +    * /    / *    % *    += -=    -= +=    *= +=    |= &=
  < <=    <= <    > >=    >= >    == !=    != ==    === !==    !== ===
  && ||    || &&    ?? &&    & |    | &    ^ &    << >>    >> <<
  true false    false true    Infinity 0    INFINITY 0    NULL (void*)1`;
/** @type {Record<string, string>} */
const OPERATORS = {
  '!': '',
  '~': '',
  ...Object.fromEntries(
    REPLACEMENTS.trim()
      .split(/\s{2,}/)
      .map((pair) => pair.split(' ')),
  ),
};

/** Comments, texts, preprocessor lines, numbers, words, operators. */
const TOKEN =
  /\/\*[^]*?\*\/|\/\/[^\n]*|`(?:\\.|[^`\\])*`|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|^#(?:\\\n|[^\n])*|0[xX][\da-fA-F.]+(?:p[+-]?\d+)?[fFuUlLn]*|\d[\d_]*\.?\d*(?:[eE][+-]?\d+)?[fFuUlLn]*|[A-Za-z_$][\w$]*|===|!==|=>|->|\+\+|--|&&|\|\||\?\?|\?\.|<<=|>>=|>>>|<<|>>|[-+*/%&|^<>=!]=|[^\s]/gm;

/** Tokens that may precede a regular expression, but not a division. */
const BEFORE_PATTERN = /^[(,=:[!&|?{};]$|^(return|&&|\|\||=>)$/;
const PATTERN = /\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*/y;

/** A statement on one line that has an effect: a call or an assignment. */
const STATEMENT =
  /^ *(?!return|const|let|break|continue|throw|import|export|type)[\w$][^;{}=]*( [-+*/|&]?= [^;]*|\([^;]*\));$/;

/** @param {string} number @returns {string} */
function otherNumber(number) {
  if (/^0[xX].*p|\.|e[+-]?\d|[fF]$/.test(number) && !/^0x[\da-f]+$/i.test(number)) {
    return Number.parseFloat(number) === 0 && !/^0x/i.test(number) ? '1.0f' : `(${number} * 1.5f)`;
  }
  return number === '1' ? '2' : `(${number} + 1)`;
}

/** @param {string} token @returns {string | undefined} */
function mistake(token) {
  if (/^\d/.test(token)) return otherNumber(token);
  return Object.hasOwn(OPERATORS, token) ? OPERATORS[token] : undefined;
}

/** @param {string} source @returns {Mutant[]} */
export function mutantsOf(source) {
  return [...tokenMutants(source), ...statementMutants(source)];
}

/** @param {string} source @returns {Mutant[]} */
function tokenMutants(source) {
  const mutants = [];
  let before = ';';
  TOKEN.lastIndex = 0;
  for (let match = TOKEN.exec(source); match; match = TOKEN.exec(source)) {
    const [from] = match;
    if (/^\/[/*]/.test(from)) continue;
    PATTERN.lastIndex = match.index;
    if (from === '/' && BEFORE_PATTERN.test(before) && PATTERN.test(source)) {
      TOKEN.lastIndex = PATTERN.lastIndex;
      before = ')';
      continue;
    }
    before = from;
    const to = mistake(from);
    const isPointer = /^[*&]$/.test(from) && /\S/.test(source[TOKEN.lastIndex]);
    if (to !== undefined && !isPointer) mutants.push(mutant(source, match.index, from, to));
  }
  return mutants;
}

/** @param {string} source @returns {Mutant[]} */
function statementMutants(source) {
  const mutants = [];
  let at = 0;
  for (const line of source.split('\n')) {
    if (STATEMENT.test(line)) mutants.push(mutant(source, at, line, ';'));
    at += line.length + 1;
  }
  return mutants;
}

/** @param {string} source @param {number} at @param {string} from @param {string} to */
function mutant(source, at, from, to) {
  const text = source.slice(0, at) + to + source.slice(at + from.length);
  return { line: source.slice(0, at).split('\n').length, from, to, text };
}

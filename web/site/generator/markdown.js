// Build step: how the Markdown of web/site becomes HTML. Beyond plain Markdown it knows
//   $TeX$, $$TeX$$     static MathML
//   ## Heading {#id}   ids and classes
//   [[contents]]       links to all headings of the second level, with minutes of reading
//   [word](#term-word) a word of the glossary (scripts/glossary.js)
// and it gives tables, code and links the form that the pages need.
import { attrs } from '@mdit/plugin-attrs';
import { tex } from '@mdit/plugin-tex';
import markdownIt from 'markdown-it';
import { addressOf, hereOf } from './chapters.js';
import { displayFormula, inlineFormula } from './formulas.js';
import { readingMinutes } from './reading.js';
import { ADDRESS } from '../../build/paths.js';

/**
 * @import Token from 'markdown-it/lib/token.mjs'
 * @import StateCore from 'markdown-it/lib/rules_core/state_core.mjs'
 *
 * @typedef {object} Page the settings that a page passes to the renderer
 * @property {string} [lang]
 * @property {Record<string, { contents: string, minutes: string, reading: string }>} [words] by language
 * @property {string} [prefix] begins every id, where several pages share a document
 * @property {boolean} [isNamed] whether formulas need names
 * @property {string} [caption] of a table, as HTML
 */

/** The address that the prose and the recipes name; the pages show their own. */
export const PLACEHOLDER = 'https://example.org/';

export const { escapeHtml } = markdownIt().utils;

/** Returns code as the pages show it, with the address of this site. @param {string} text */
export const shownCode = (text) =>
  escapeHtml(text.trimEnd()).replaceAll(PLACEHOLDER, `<span data-site>${ADDRESS}</span>`);

/** Lists all inline tokens. @param {Token[]} tokens */
const inlineTokens = (tokens) => tokens.flatMap(({ children }) => children ?? []);

/** Returns a token of finished HTML. @param {StateCore} state  @param {string} html */
function htmlToken(state, html) {
  const token = new state.Token('html_inline', '', 0);
  token.content = html;
  return token;
}

/** Marks the formulas of the page's title. @param {StateCore} state */
function nameTitle({ tokens }) {
  tokens.forEach(({ type, tag }, i) => {
    if (type !== 'heading_open' || tag !== 'h1') return;
    for (const token of tokens[i + 1].children ?? []) token.meta = { isNamed: true };
  });
}

/** Keeps the punctuation around a formula on its line. @param {StateCore} state */
function keepTogether(state) {
  for (const inline of state.tokens) {
    if (!inline.children) continue;
    const { children } = inline;
    inline.children = children.flatMap((token, i) => {
      if (token.type !== 'math_inline') return [token];
      const before = cut(children[i - 1], /[(“（]$/);
      const after = cut(children[i + 1], /^[,.;:!?)’”，。；：！？）、]+/);
      if (!before && !after) return [token];
      return [
        htmlToken(state, `<span class="together">${before}`),
        token,
        htmlToken(state, `${after}</span>`),
      ];
    });
  }
}

/** Takes a part out of a text. @param {Token | undefined} token @param {RegExp} pattern */
function cut(token, pattern) {
  const [part = ''] = (token?.type === 'text' && token.content.match(pattern)) || [];
  if (token && part) token.content = token.content.replace(pattern, '');
  return part;
}

/** From this number of columns on, a table is a block a row on a phone, whose cells are named by their columns. */
const MANY = 3;

/** Names the cells of a table with many columns by them. @param {StateCore} state */
function labelCells({ tokens }) {
  /** @type {string[]} */
  let heads = [];
  let column = 0;
  tokens.forEach((token, i) => {
    if (token.type === 'table_open') heads = [];
    if (token.type === 'tr_open') column = 0;
    if (token.type === 'th_open') heads.push(tokens[i + 1].content);
    if (token.type !== 'td_open') return;
    if (column > 0 && heads.length >= MANY) token.attrSet('data-label', heads[column]);
    column += 1;
  });
}

/** Makes the first cell of each row a header. @param {StateCore} state */
function headRows({ tokens }) {
  for (const token of tokens) if (token.type === 'th_open') token.attrSet('scope', 'col');
  tokens.forEach(({ type }, i) => {
    if (type !== 'tr_open' || tokens[i + 1].type !== 'td_open') return;
    const close = tokens.slice(i).find((token) => token.type === 'td_close');
    if (!close) return;
    tokens[i + 1].attrSet('scope', 'row');
    tokens[i + 1].tag = 'th';
    close.tag = 'th';
  });
}

/**
 * Leads links of the article to the page that has their target, and gives ids, and the links to them, the same prefix.
 * @param {StateCore} state
 */
function resolveIds({ tokens, env }) {
  const { prefix = '', kind } = env;
  for (const token of [...tokens, ...inlineTokens(tokens)]) {
    const [id, href] = [token.attrGet('id'), token.attrGet('href')];
    if (id) token.attrSet('id', prefix + id);
    if (!href?.startsWith('#')) continue;
    const address = kind === 'article' ? addressOf(href.slice(1), hereOf(env)) : href;
    token.attrSet('href', address.replace(/^#/, `#${prefix}`));
  }
}

/** Leaves only the text of links to other pages, where there are none. @param {StateCore} state */
function unlink({ tokens, env: { prefix = '' } }) {
  if (!prefix) return;
  for (const token of tokens) {
    let isDead = false;
    token.children =
      token.children?.filter(({ type, attrs }) => {
        if (type === 'link_open') isDead = Boolean(attrs?.some(([, url]) => url.startsWith('.')));
        return !(isDead && /^link_/.test(type));
      }) ?? null;
  }
}

/** Marks the words of the glossary. @param {StateCore} state */
function markTerms({ tokens, env: { prefix = '' } }) {
  for (const token of inlineTokens(tokens)) {
    if (token.attrGet('href')?.startsWith(`#${prefix}term-`)) token.attrSet('class', 'term');
  }
}

/**
 * Lists the sections, as links with the minutes that reading takes; once in the text, and once folded,
 * which stays at hand (scripts/contents.js). A heading of the class `aside` begins a list to look things
 * up in, which nobody reads through.
 * @param {StateCore} state
 */
function listContents(state) {
  const { tokens, env, md } = state;
  const place = tokens.findIndex(({ content }) => content === '[[contents]]');
  if (place < 0) return;
  const words = env.words[env.lang];
  const heads = tokens.flatMap(({ type, tag }, i) =>
    type === 'heading_open' && tag === 'h2' ? [i] : [],
  );
  const times = heads.map((head, i) =>
    tokens[head].attrGet('class') === 'aside'
      ? 0
      : readingMinutes(tokens.slice(head, heads[i + 1]), env.lang),
  );
  const links = heads.map((head, i) => {
    const text = md.renderer.renderInline(tokens[head + 1].children ?? [], md.options, env);
    const time = times[i] && ` <small>${words.minutes.replace('{n}', String(times[i]))}</small>`;
    return `<li><a href="#${tokens[head].attrGet('id')}">${text}</a>${time || ''}</li>`;
  });
  const lead = readingMinutes(tokens.slice(0, heads[0]), env.lang);
  const sum = times.reduce((a, b) => a + b, lead);
  const about = sum < 10 ? sum : Math.round(sum / 5) * 5;
  const reading = words.reading.replace('{n}', String(about));
  const list = `<ul>${links.join('')}</ul>`;
  const block = new state.Token('html_block', '', 0);
  block.content =
    `<nav class="contents" aria-label="${words.contents}"><p>${reading}</p>${list}</nav>\n` +
    `<details class="at-hand"><summary>${words.contents}</summary>${list}</details>\n`;
  tokens.splice(place - 1, 3, block);
}

export const markdown = markdownIt({ html: true })
  .use(attrs)
  .use(tex, { render: (text, isDisplay) => (isDisplay ? displayFormula(text) : '') });

for (const rule of [
  nameTitle,
  keepTogether,
  labelCells,
  headRows,
  unlink,
  resolveIds,
  markTerms,
  listContents,
]) {
  markdown.core.ruler.push(rule.name, rule);
}

Object.assign(markdown.renderer.rules, {
  /** @param {Token[]} tokens @param {number} i @param {unknown} _ @param {Page} page */
  math_inline: (tokens, i, _, { isNamed }) =>
    inlineFormula(tokens[i].content, isNamed || tokens[i].meta?.isNamed),
  /** @param {Token[]} tokens @param {number} i @param {unknown} _ @param {Page} page */
  table_open: (tokens, i, _, { caption }) => `<table>${caption}`,
  /** @param {Token[]} tokens @param {number} i */
  fence: (tokens, i) =>
    `<pre tabindex="0"><code${markdown.renderer.renderAttrs(tokens[i])}>` +
    `${shownCode(tokens[i].content)}</code></pre>\n`,
});

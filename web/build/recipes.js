// Build step: what the page of recipes leaves to be filled in, after the article's own parts:
//   <pre data-recipe="hugo/attn.html"></pre>   a file of web/page/recipes, as it is tried by the tests
//   <div data-elements></div>                  every element, after the manifest of the elements
//   <dl data-manifest="cssParts"></dl>         what all elements share
import { readFile } from 'node:fs/promises';
import { elementsManifest } from './elements-manifest.js';
import { ADDRESS, PAGE } from './vite.config.js';

/**
 * @typedef {'en' | 'zh'} Language
 * @typedef {import('custom-elements-manifest').CustomElementDeclaration} Declaration
 * @typedef {import('../figures/kit/spec.js').AnyFigureSpec} AnyFigureSpec
 * @typedef {Record<string, AnyFigureSpec | undefined>} Specs by name
 */

const WORDS = {
  en: {
    ...{ attribute: 'attribute', property: 'property', values: 'values', initial: 'initially' },
    ...{ meaning: 'meaning', text: 'text', parts: 'Parts', events: 'Events', colon: ': ' },
    step: (/** @type {number} */ step) => ` in steps of ${step}`,
  },
  zh: {
    ...{ attribute: '属性', property: 'JS 属性', values: '取值', initial: '初值' },
    ...{ meaning: '含义', text: '文本', parts: '部件', events: '事件', colon: '：' },
    step: (/** @type {number} */ step) => `，步长 ${step}`,
  },
};

/** The address that the files and the articles name; the pages show their own. */
export const PLACEHOLDER = 'https://example.org/';

/** What the recipes say to readers of English, and what the Chinese page has instead. */
const CHINESE = [
  ['lang="en"', 'lang="zh"'],
  ['lang=en', 'lang=zh'],
  ['-en-', '-zh-'],
  [`${PLACEHOLDER}en/`, `${PLACEHOLDER}zh/`],
  ['A caption of your own.', '自己写的说明。'],
  ['Cost of attention', '注意力的开销'],
  [
    'Unscaled scores spread, and softmax puts most weight on one key; scaled, it does not.',
    '不缩放，分数散开，softmax 把大部分权重压在一个键上；缩放之后不会。',
  ],
];

/**
 * A recipe as the page in a language shows it.
 * @param {string} text of the file, which is in English
 * @param {Language} lang
 */
export const recipeIn = (text, lang) =>
  lang === 'en' ? text : CHINESE.reduce((all, [from, to]) => all.replaceAll(from, to), text);

const escape = (/** @type {string} */ text) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const code = (/** @type {string} */ text) => `<code>${escape(text)}</code>`;

/**
 * @param {string} html
 * @param {Language} lang
 * @param {Specs} specs
 * @returns {Promise<string>}
 */
export async function renderRecipes(html, lang, specs) {
  const { modules } = elementsManifest(lang);
  const elements = /** @type {Declaration[]} */ (
    modules.flatMap(({ declarations = [] }) => declarations)
  );
  const sections = elements.map((element) => {
    const name = String(element.tagName).replace('attn-', '');
    return renderElement(element, lang, specs[name]);
  });
  const filled = html
    .replace(/<div\s+data-elements\s*><\/div\s*>/, () => sections.join('\n'))
    .replace(/<dl\s+data-manifest="(\w+)"\s*><\/dl\s*>/g, (_, key) => renderShared(elements, key));
  return renderFiles(filled, lang);
}

/** @param {string} html @param {Language} lang */
async function renderFiles(html, lang) {
  let rendered = html;
  for (const [tag, file] of html.matchAll(/<pre\s+data-recipe="([\w./-]+)"\s*><\/pre\s*>/g)) {
    const text = recipeIn(await readFile(`${PAGE}/recipes/${file}`, 'utf8'), lang).trimEnd();
    const shown = escape(text).replaceAll(PLACEHOLDER, `<span data-site>${ADDRESS}</span>`);
    rendered = rendered.replace(
      tag,
      () => `<pre tabindex="0" data-recipe="${file}"><code>${shown}</code></pre>`,
    );
  }
  return rendered;
}

/** Returns a description of the manifest as HTML. @param {string} text */
const marked = (text) => escape(text).replace(/`([^`]+)`/g, '<code>$1</code>');

/** Attributes that all elements, or all figures, have. */
const SHARED = ['lang', 'theme', 'controls'];

/**
 * What every element has of one kind, each once, with what it is.
 * @param {Declaration[]} elements
 * @param {string} key of the declarations
 */
function renderShared(elements, key) {
  /** @type {{ name: string, description?: string, default?: string, type?: { text: string } }[]} */
  const all = elements
    .flatMap((element) => Reflect.get(element, key) ?? [])
    .filter(({ name }) => key !== 'attributes' || SHARED.includes(name));
  const unique = new Map(all.reverse().map((each) => [each.name, each])); // the first says it
  const rows = [...unique.values()]
    .reverse()
    .map(({ name, description = '', default: initial, type }) => {
      const told = [key === 'events' ? type?.text : undefined, initial].filter((each) => each);
      const codes = told.map((each) => ` ${code(String(each))}`).join('');
      return `<dt>${code(name || 'slot')}</dt><dd>${marked(description)}${codes}</dd>`;
    });
  return `<dl class="properties">${rows.join('\n')}</dl>`;
}

/**
 * @param {Declaration} element
 * @param {Language} lang
 * @param {AnyFigureSpec | undefined} spec
 */
function renderElement(element, lang, spec) {
  const words = WORDS[lang];
  const { tagName = '', description = '', attributes = [], events = [], cssParts = [] } = element;
  const head = [words.attribute, words.property, words.values, words.initial, words.meaning];
  const own = attributes.filter(({ name }) => !SHARED.includes(name));
  const rows = own.map((attribute) => row(attribute, lang, spec));
  const table = `<div class="scroll" tabindex="0" role="group" aria-labelledby="${tagName}"><table>
<thead><tr>${head.map((cell) => `<th scope="col">${cell}</th>`).join('')}</tr></thead>
<tbody>${rows.join('\n')}</tbody></table></div>`;
  const list = (/** @type {string} */ word, /** @type {{ name: string }[]} */ items) =>
    items.length === 0
      ? ''
      : `<p>${word}${words.colon}${items.map(({ name }) => code(name)).join(' ')}</p>`;
  return `<h3 id="${tagName}">${code(`<${tagName}>`)}</h3>
<p>${marked(description)}</p>
${rows.length > 0 ? table : ''}
${list(words.parts, cssParts)}${list(words.events, events)}`;
}

/**
 * @param {NonNullable<Declaration['attributes']>[number]} attribute
 * @param {Language} lang
 * @param {AnyFigureSpec | undefined} spec
 */
function row({ name, fieldName = name, description = '', default: initial, type }, lang, spec) {
  const meaning = marked(withoutRange(description));
  return `<tr><th scope="row">${code(name)}</th><td>${code(fieldName)}</td>
<td>${valuesOf(spec?.fields[fieldName], type?.text ?? '', lang)}</td>
<td>${initial ? code(initial.replaceAll("'", '')) : ''}</td><td>${meaning}</td></tr>`;
}

/** Range and default stand in columns of their own. @param {string} text */
const withoutRange = (text) => text.replace(/(, [−\d.]+ … [^()]*)?\s*\([^()]*\)$/, '');

/**
 * @param {import('../figures/kit/state.js').Field | undefined} field
 * @param {string} type
 * @param {Language} lang
 */
function valuesOf(field, type, lang) {
  const words = WORDS[lang];
  if (field?.kind === 'number') {
    const { min, max, step = 1 } = field;
    return `${min} … ${max}${step === 1 ? '' : words.step(step)}`;
  }
  const options = field?.options ?? [...type.matchAll(/'([^']+)'/g)].map(([, option]) => option);
  return options.length > 0 ? options.map(code).join(' ') : words.text;
}

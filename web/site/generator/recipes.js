// Build step: the parts of the pages of recipes that come from files and from the manifest of the
// elements.
import { readFile } from 'node:fs/promises';
import { elementsManifest, elementsOf } from '../../build/elements-manifest.js';
import { withCopyButton } from './copied.js';
import { figures } from './figures.js';
import { escapeHtml, PLACEHOLDER, shownCode } from './markdown.js';
import { words } from './words.js';
import { SOURCES } from '../../build/paths.js';

/**
 * @import { CustomElementDeclaration as Declaration } from 'custom-elements-manifest'
 * @import { AnyFigureSpec } from '../../figures/kit/spec.js'
 * @import { Field } from '../../figures/kit/state/state.js'
 * @import { Language } from './figures.js'
 */

/** What the recipes, which are for readers of English, have where the language stands. */
const places = (/** @type {Language} */ lang) => [
  `"${lang}"`,
  `'${lang}'`,
  `lang=${lang}`,
  `-${lang}-`,
  `-${lang}.png`,
  `${PLACEHOLDER}${lang}/`,
  ...words[lang].recipe,
];

/**
 * Returns a recipe as the page in a language shows it.
 * @param {string} text of the file, which is in English
 * @param {Language} lang
 */
export function recipeIn(text, lang) {
  const own = places(lang);
  return places('en').reduce((all, place, i) => all.replaceAll(place, own[i]), text);
}

/** Returns a file of web/site/recipes as the page shows it. @param {string} file @param {Language} lang */
export async function renderRecipe(file, lang) {
  const text = recipeIn(await readFile(`${SOURCES}/recipes/${file}`, 'utf8'), lang);
  const box = `<pre tabindex="0" data-recipe="${file}"><code>${shownCode(text)}</code></pre>`;
  return withCopyButton(box, lang);
}

const code = (/** @type {unknown} */ text) => `<code>${escapeHtml(String(text))}</code>`;

/** Returns a description of the manifest as HTML. @param {string} text */
const marked = (text) => escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>');

/** Attributes that all elements, or all figures, have. */
const SHARED = ['lang', 'theme', 'controls', 'compact'];

/**
 * Returns everything that elements have of one kind, each once, with its description.
 * @param {Declaration[]} elements
 * @param {string} key of the declarations
 */
function sharedOf(elements, key) {
  /** @type {{ name: string, description?: string, default?: string, type?: { text: string } }[]} */
  const all = elements
    .flatMap((element) => Reflect.get(element, key) ?? [])
    .filter(({ name }) => key !== 'attributes' || SHARED.includes(name));
  const unique = new Map(all.reverse().map((each) => [each.name, each])); // the first says it
  return [...unique.values()]
    .reverse()
    .map(({ name, description = '', default: initial, type }) => ({
      name: code(name || 'slot'),
      description: marked(description),
      codes: [key === 'events' ? type?.text : undefined, initial].filter(Boolean).map(code),
    }));
}

/** Describes an element. @param {Declaration} element */
function describe({ tagName = '', description = '', attributes, events, cssParts }) {
  const { spec } = figures.find(({ name }) => tagName === `attn-${name}`) ?? {};
  const names = (/** @type {{ name: string }[]} */ all = []) => all.map(({ name }) => code(name));
  return {
    tagName,
    heading: code(`<${tagName}>`),
    description: marked(description),
    attributes: (attributes ?? [])
      .filter(({ name }) => !SHARED.includes(name))
      .map((attribute) => describeAttribute(attribute, spec)),
    parts: names(cssParts),
    events: names(events),
  };
}

/**
 * Describes an attribute.
 * @param {NonNullable<Declaration['attributes']>[number]} attribute
 * @param {AnyFigureSpec | undefined} spec
 */
function describeAttribute(attribute, spec) {
  const { name, fieldName = name, description = '', default: initial, type } = attribute;
  return {
    name: code(name),
    property: code(fieldName),
    initial: initial ? code(initial.replaceAll("'", '')) : '',
    meaning: marked(withoutRange(description)),
    ...valuesOf(spec?.fields[fieldName], type?.text ?? ''),
  };
}

/** Returns a description without range and default, which have separate columns. @param {string} text */
const withoutRange = (text) => text.replace(/(, [−\d.]+ … [^()]*)?\s*\([^()]*\)$/, '');

/** Lists the values of an attribute. @param {Field | undefined} field @param {string} type */
function valuesOf(field, type) {
  if (field?.kind === 'number') {
    const { min, max, step = 1 } = field;
    return { range: `${min} … ${max}`, step: step === 1 ? undefined : step };
  }
  const options = field?.options ?? [...type.matchAll(/'([^']+)'/g)].map(([, option]) => option);
  return { options: options.map(code) };
}

/** Returns the manifest of the elements as data for a page. @param {Language} lang */
export function describeElements(lang) {
  const elements = elementsOf(elementsManifest(lang)).map(({ element }) => element);
  const keys = ['attributes', 'events', 'slots', 'cssParts', 'cssProperties'];
  return {
    each: elements.map(describe),
    shared: Object.fromEntries(keys.map((key) => [key, sharedOf(elements, key)])),
  };
}

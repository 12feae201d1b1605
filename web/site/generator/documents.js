// Build step: api.md and recipes.md of the package, for reading offline: the English pages of the site and
// the docstrings as plain Markdown.
import { readFileSync } from 'node:fs';
import { elementsManifest, elementsOf } from '../../build/elements-manifest.js';
import { SOURCES } from '../../build/paths.js';
import { placesOf } from './api-page.js';
import { fileTable, sizeOf } from './files.js';

/**
 * @import { CustomElementDeclaration as Declaration } from 'custom-elements-manifest'
 * @import { Tag, Typedef } from './api-read.js'
 * @import { Reference, ReferenceEntry } from './api.js'
 */

const read = (/** @type {string} */ file) => readFileSync(`${SOURCES}/${file}`, 'utf8').trimEnd();

/** Returns a block of code. @param {string} text  @param {string} [language] */
const fence = (text, language = '') => `\`\`\`${language}\n${text}\n\`\`\``;

/** Joins paragraphs, of which some may be missing. @param {(string | false | undefined)[]} parts */
const paragraphs = (...parts) => parts.filter(Boolean).join('\n\n');

/** Returns an item of a list, some of whose parts may be missing. @param {(string | false | undefined)[]} parts */
const item = (...parts) => `- ${parts.filter(Boolean).join(' ')}`;

const code = (/** @type {string} */ text) => `\`${text}\``;

/**
 * Returns the prose of an English page without what only the site can show: front matter, names of
 * headings, figures, links within the site.
 * @param {string} page
 */
function proseOf(page) {
  return read(`en/${page}.md`)
    .replace(/^---\n.*?\n---\n+/s, '')
    .replace(/^[^\n]+(?:\n[^\n]+)*\n\{\.lead\}\n+/m, '')
    .replace(/<div data-contents><\/div>\n+/, '')
    .replace(/^## [^\n]*\n+(?:[^\n]+\n)+\n\{% apart .*? %\}\n+/gm, '')
    .replace(/ \{#[\w-]+\}$/gm, '')
    .replace(/\{% figure .*? %\}\n+/g, '')
    .replace(/\{% (?:end)?table.*%\}\n/g, '')
    .replace(/\[([^\]]+)\]\((?!https:)[^)]*\)/g, '$1')
    .replace(/<\/?var>/g, '')
    .replace(/<code>(.*?)<\/code>/g, '`$1`')
    .replace(/<sup>(.*?)<\/sup>/g, '^$1');
}

/** Describes an element of the manifest. @param {Declaration} element */
function describeElement({ tagName = '', description = '', attributes = [] }) {
  const items = attributes
    .filter(({ inheritedFrom }) => !inheritedFrom)
    .map(({ name, description, type }) => {
      const values = [...(type?.text ?? '').matchAll(/'([^']+)'/g)].map(([, value]) => code(value));
      return item(`${code(name)}:`, `${description}${values.length > 0 ? ':' : ''}`, ...values);
    });
  return paragraphs(`### ${code(`<${tagName}>`)}`, description, items.join('\n'));
}

/** Returns recipes.md. */
export function recipesDocument() {
  const elements = elementsOf(elementsManifest()).map(({ element }) => element);
  /** Lists everything that elements have of one kind, each once. @param {string} key of declarations */
  const shared = (key) => {
    const all = elements.flatMap((element) => Reflect.get(element, key) ?? []);
    const items = all.map(({ name, description }) => item(`${code(name || 'slot')}:`, description));
    return [...new Set(items)].join('\n');
  };
  return `${proseOf('recipes')
    .replace(/\{% recipe "(.*?)" %\}/g, (_, file) =>
      fence(read(`recipes/${file}`), file.split('.').at(-1)),
    )
    .replace(/\{% size "(\w+)" %\}/g, (_, budget) => sizeOf(budget))
    .replace(/\{% files (.*?) %\}/, (_, names) => fileTable(...JSON.parse(`[${names}]`)))
    .replace('{% include "elements" %}', () => elements.map(describeElement).join('\n\n'))
    .replace(/\{% include "shared", key: "(\w+)" %\}/g, (_, key) => shared(key))}\n`;
}

/** Returns the text of a docstring, with lines that are indented as blocks. @param {string} text */
const markdownOf = (text) =>
  text
    .replace(/(?:^ {2}.*\n?)+/gm, (lines) => `\n${fence(lines.trimEnd())}\n`)
    .replace(/\{@link (\w+)\}/g, '`$1`');

/** Describes a parameter, a property or a result. @param {Partial<Tag> & { defaults?: string[] }} tag */
const describeTag = ({ name, type, optional, description, defaults = [] }) =>
  item(
    name && code(name),
    type && `(${code(type)}${optional ? ', optional' : ''})`,
    description,
    defaults.length > 0 && `Defaults: ${defaults.map(code).join(', ')}.`,
  );

/** Describes an export. @param {ReferenceEntry} entry */
function describeEntry(entry) {
  const { name, error, returns, examples } = entry;
  const facts = [
    ...entry.params.map(describeTag),
    returns && item('Returns', code(returns.type), returns.description),
    ...entry.throws.map(({ type, description }) => item('Throws', code(type), description)),
    entry.cost && item('Cost:', entry.cost),
    entry.accuracy && item(entry.accuracy),
    ...entry.sources.map((source) => item('Source:', source)),
  ];
  return paragraphs(
    `### ${name}`,
    error && code(`class ${name} extends ${error.parent}; code: '${error.code}'`),
    markdownOf(entry.prose),
    markdownOf(facts.filter(Boolean).join('\n')),
    ...examples.map(({ source }) => fence(source, 'js')),
  );
}

/** Returns the types that entries name, and those that these name. @param {Reference} reference */
function typesOf({ entries, typeOf }) {
  /** @type {Set<Typedef>} */
  const found = new Set();
  const visit = (/** @type {string} */ text, /** @type {string} */ file) => {
    for (const name of text.match(/\b\p{Lu}\w*/gu) ?? []) {
      const typedef = typeOf(name, file);
      if (!typedef || found.has(typedef)) continue;
      found.add(typedef);
      for (const { type } of [typedef, ...typedef.properties]) visit(type, typedef.file);
    }
  };
  for (const { params, returns, file } of entries) {
    for (const { type } of [...params, returns ?? { type: '' }]) visit(type, file);
  }
  return [...found];
}

/** Describes a type. @param {Typedef} typedef */
const describeType = ({ name, type, description, properties }) =>
  paragraphs(
    `### ${name}`,
    type !== 'object' && fence(type),
    markdownOf(description),
    properties.map(describeTag).join('\n'),
  );

/** Returns the prose of a page on functions, with its entries. @param {string} page  @param {Reference} reference */
function describePage(page, reference) {
  const prose = proseOf(page);
  const [own, apart] = ['api', 'apart'].map((word) => {
    const pattern = new RegExp(`\\{% ${word} "(.*?)"`, 'g');
    return [...read(`en/${page}.md`).matchAll(pattern)].map(([, files]) => files);
  });
  const places = placesOf([...own, ...apart], reference);
  return prose.replace(/\{% api "(.*)" %\}/g, (_, files) =>
    (places.get(files) ?? []).map(describeEntry).join('\n\n'),
  );
}

/** Returns api.md: both pages of the reference, and the types that they name. @param {Reference} reference */
export function apiDocument(reference) {
  const api = describePage('api', reference);
  const more = describePage('experiments', reference).replace(/^.*?\n(?=## )/s, '');
  const types = typesOf(reference).map(describeType).join('\n\n');
  const withoutTypes = (/** @type {string} */ text) => text.split(/^## Types$/m)[0].trimEnd();
  return `${withoutTypes(api)}\n\n${withoutTypes(more)}\n\n## Types\n\n${types}\n`;
}

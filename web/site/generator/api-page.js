// Build step: the reference as HTML. A page names in its own language the places to fill:
//   <h2 id="softmax-functions">Softmax</h2>
//   <div data-api="attention/softmax"></div>   the exports of files that begin like this
//   <div data-api-apart="theory/" data-page="experiments/"></div>   those that are on another page
//   <div data-api-types></div>                 the types not explained where they are used
// The text of the entries is that of the docstrings, in English on every page.
import { aboutLanguage } from '../../shared/languages.js';
import { propertiesOf } from './api-options.js';
import { oneLine } from './api-read.js';
import { withCopyButton } from './copied.js';
import { words } from './words.js';

/**
 * @import { Example } from './api-examples.js'
 * @import { Tag, Typedef } from './api-read.js'
 * @import { Reference, ReferenceEntry } from './api.js'
 * @import { Language } from '../../shared/languages.js'
 */

/** A word in the text of a type that may be the name of a type. */
const TYPE_NAME = /(?<![\w'])\p{Lu}\w*/gu;
/** A place for the exports of files, or for the page that has them. */
const PLACES = /<div\s+data-api(?:-apart)?="([^"]*)"(?:\s+data-page="([^"]*)")?\s*><\/div\s*>/g;
/** Parameters whose properties are listed with each function: its options. */
const OPTIONS = /options|parameters/i;

/**
 * Returns the entries for each place of a page.
 * @param {string[]} places  the starts of the files' names, between spaces; of several, the longest counts
 * @param {Reference} reference
 */
export function placesOf(places, { entries }) {
  const starts = places.flatMap((files) => files.split(' ')).sort((a, b) => b.length - a.length);
  /** Returns the longest of the starts. @param {string} file */
  const startOf = (file) => starts.find((start) => file.startsWith(start));
  const lost = entries.find(({ file }) => startOf(file) === undefined);
  if (lost) throw new Error(`the reference has no place for ${lost.name} of ${lost.file}`);
  /** @param {string} files */
  const entriesOf = (files) =>
    files.split(' ').flatMap((start) => entries.filter(({ file }) => startOf(file) === start));
  return new Map(places.map((files) => [files, entriesOf(files)]));
}

/** Fills a page in. @param {string} html @param {Language} lang @param {Reference} reference */
export function renderReference(html, lang, reference) {
  const found = [...html.matchAll(PLACES)];
  const places = placesOf(
    found.map(([, files]) => files),
    reference,
  );
  /** @type {Map<string, string>} by name */
  const pages = new Map();
  for (const [, files, at = ''] of found)
    for (const { name } of places.get(files) ?? []) if (!pages.has(name)) pages.set(name, at); // `rows` is in two
  const page = new ReferencePage(reference, lang, pages);
  return html
    .replace(PLACES, (_, files, at) => {
      const entries = places.get(files) ?? [];
      return at === undefined ? page.entries(entries) : page.apart(at);
    })
    .replace(/<div\s+data-api-types\s*><\/div\s*>/, () => page.types());
}

const escape = (/** @type {string} */ text) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/**
 * Writes the HTML of a page. A type with properties is explained where it is first used, others at
 * the end.
 */
class ReferencePage {
  /** @type {Set<Typedef>} */
  #mentioned = new Set();
  /** @type {Set<Typedef>} whose properties, their own or of types within, have been explained */
  #explained = new Set();
  /** @type {Set<Typedef>} that links lead to, where they are explained */
  #placed = new Set();
  /** The file whose docstring is rendered, by which names of types have a meaning. */
  #file = '';

  /**
   * @param {Reference} reference
   * @param {Language} lang
   * @param {Map<string, string>} pages of the names that exist, by the way from this one
   */
  constructor({ typeOf }, lang, pages) {
    this.typeOf = typeOf;
    this.pages = pages;
    this.lang = lang;
    this.english = lang === 'en' ? '' : ' lang="en"';
  }

  /** Returns what a name of a type means here. @param {string} name */
  #typedef = (name) => this.typeOf(name, this.#file);

  /** Renders the link to the page that has other entries. @param {string} at */
  apart(at) {
    return `<p><a href="${at}">${words[this.lang].reference.apart}</a></p>`;
  }

  /** Renders some entries. @param {ReferenceEntry[]} entries */
  entries(entries) {
    const parts = entries.map((entry, i) => {
      // The header of a file inside a folder of its room is for maintainers.
      const known = entry.isInner || entry.file === entries[i - 1]?.file;
      const about = known ? '' : this.#text(entry.about);
      return (about && `<div class="about">${about}</div>`) + this.#entry(entry);
    });
    return `<div class="reference"${this.english}>${parts.join('\n')}</div>`;
  }

  /** Explains the types that were mentioned and not explained, and those that these mention. */
  types() {
    let rows = '';
    for (const typedef of this.#mentioned) {
      const { name, type, description, properties } = typedef;
      if (this.#placed.has(typedef)) continue;
      this.#explained.add(typedef);
      this.#placed.add(typedef);
      this.#file = typedef.file;
      rows += `<dt id="type-${name}"><code>${name}</code></dt>
<dd>${type === 'object' ? '' : `<p>${this.#type(type)}</p>`}
${this.#text(description)}${this.#properties(properties)}</dd>`;
    }
    return `<dl class="reference properties"${this.english}>${rows}</dl>`;
  }

  /** Renders an entry. @param {ReferenceEntry} entry */
  #entry(entry) {
    const { name, returns } = entry;
    this.#file = entry.file;
    const text = (/** @type {string} */ each) => each && `<p>${this.#inline(each)}</p>`;
    const facts = {
      examples: entry.examples.map((each) => renderExample(each, this.lang)).join('\n'),
      parameters: this.#properties(entry.params),
      returns: returns ? this.#typed(returns) + this.#explain(returns.type) : '',
      throws: entry.throws.map((each) => this.#typed(each)).join(''),
      cost: text(entry.cost),
      accuracy: text(entry.accuracy),
      sources: entry.sources.map(text).join(''),
    };
    const head = `<h3 id="${name}"><a href="#${name}"><code>${name}</code></a></h3>
<pre class="signature"><code>${callOf(entry)}</code></pre>
${this.#text(entry.prose)}`;
    const rows = Object.entries(facts).filter(([, html]) => html);
    const list = rows.map(([word, html]) => `<div>${this.#word(word, 'dt')}<dd>${html}</dd></div>`);
    const details = list.length > 0 ? `<dl class="facts">${list.join('')}</dl>` : '';
    return `<section class="entry">\n${head}\n${details}\n</section>`;
  }

  /** Renders a word of the page. @param {string} word @param {string} tag */
  #word(word, tag) {
    const marked = this.lang === 'en' ? '' : ` lang="${aboutLanguage(this.lang).tag}"`;
    return `<${tag}${marked}>${words[this.lang].reference[word]}</${tag}>`;
  }

  /** Returns a type as written, its names linked. @param {string} type */
  #linked(type) {
    return escape(type).replace(TYPE_NAME, (name) => {
      const typedef = this.#typedef(name);
      if (typedef) this.#mentioned.add(typedef);
      if (!typedef && !this.pages.has(name)) return name;
      return `<a href="${typedef ? `#type-${name}` : this.#addressOf(name)}">${name}</a>`;
    });
  }

  /** Returns the address of an entry. @param {string} name */
  #addressOf = (name) => `${this.pages.get(name)}#${name}`;

  /** @param {string} type */
  #type = (type) => `<code class="type">${this.#linked(type)}</code>`;

  /** @param {Tag} tag */
  #typed = ({ type, description }) => `<p>${this.#type(type)} ${this.#inline(description)}</p>`;

  /** Renders parameters, or the properties of a type. @param {(Tag & { defaults?: string[] })[]} properties @returns {string} */
  #properties(properties) {
    const rows = properties.map(({ name, type, optional, description, defaults = [] }) => {
      const codes = defaults.map((each) => `<code>${escape(each)}</code>`).join(', ');
      return `<dt><code>${name}</code> ${this.#type(type)}${optional ? ` ${this.#word('optional', 'span')}` : ''}</dt>
<dd>${description && `<p>${this.#inline(description)}</p>`}
${codes && `<p>${this.#word('defaults', 'span')}${codes}</p>`}${OPTIONS.test(name) ? this.#options(type) : this.#explain(type)}</dd>`;
    });
    return rows.length > 0 ? `<dl class="properties">${rows.join('\n')}</dl>` : '';
  }

  /** Renders every option of a type; links to the types that it names lead here, unless they have a place. @param {string} type @returns {string} */
  #options(type) {
    const options = propertiesOf(type, this.#file, this.typeOf);
    if (!options.some(({ description }) => description)) return this.#explain(type);
    const typedefs = new Set(type.match(TYPE_NAME)?.map(this.#typedef));
    const ids = [...typedefs].map((typedef) => {
      if (!typedef || this.#placed.has(typedef)) return '';
      this.#explained.add(typedef);
      this.#placed.add(typedef);
      return `<span id="type-${typedef.name}"></span>`;
    });
    return ids.join('') + this.#properties(options);
  }

  /** Renders the properties of the types in a type that were not explained before. @param {string} type @returns {string} */
  #explain(type) {
    const typedefs = type.match(TYPE_NAME)?.map(this.#typedef) ?? [];
    const parts = typedefs.map((typedef) => {
      if (!typedef || this.#explained.has(typedef)) return '';
      this.#explained.add(typedef);
      const { name, properties } = typedef;
      if (properties.length === 0) return this.#explain(typedef.type);
      this.#placed.add(typedef);
      return `<div id="type-${name}">${this.#properties(properties)}</div>`;
    });
    return parts.join('');
  }

  /** Renders paragraphs, and lines that are indented as they stand. @param {string} text */
  #text(text) {
    const blocks = text.match(/(?:^ {2}.*\n?)+|(?:^(?! {2}).*\S.*\n?)+/gm) ?? [];
    const parts = blocks.map((block) => {
      if (!block.startsWith('  ')) return `<p>${this.#inline(oneLine(block))}</p>`;
      const margin = Math.min(...(block.match(/^ +/gm)?.map(({ length }) => length) ?? [0]));
      const kept = block.trimEnd().replaceAll(new RegExp(`^ {${margin}}`, 'gm'), '');
      return `<pre tabindex="0">${this.#inline(kept)}</pre>`;
    });
    return parts.join('\n');
  }

  /** Renders code and links in a line of text. @param {string} text */
  #inline(text) {
    return escape(text).replace(/`([^`]+)`|\{@link (\w+)\}/g, (_, code, link = code) => {
      const name = link.replace(/\(.*\)$/, '');
      const html = `<code>${link}</code>`;
      return this.pages.has(name) ? `<a href="${this.#addressOf(name)}">${html}</a>` : html;
    });
  }
}

/** Returns how an entry is called. @param {ReferenceEntry} entry */
function callOf({ name, error, isFunction, params }) {
  if (error) return `class ${name} extends ${error.parent}; code: '${error.code}'`;
  if (!isFunction) return name;
  const taken = params.map(({ name, optional }) => `${name}${optional ? '?' : ''}`);
  return `${name}(${taken.join(', ')})`;
}

/** Renders an example and its output. @param {Example} example @param {Language} lang */
function renderExample({ name, source, output }, lang) {
  const box = `<pre tabindex="0"><code>${escape(source)}</code></pre>`;
  return `${withCopyButton(box, lang)}
<pre class="output" data-output-of="${name}"><samp>${escape(output)}</samp></pre>`;
}

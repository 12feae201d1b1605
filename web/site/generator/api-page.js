// Build step: the reference as HTML. A page names in its own language the places to fill:
//   <h2 id="softmax-functions">Softmax</h2>
//   <div data-api="attention/softmax"></div>   the exports of files that begin like this
//   <div data-api-index></div>                 the names, by heading
//   <div data-api-types></div>                 the types not explained where they are used
// The text of the entries is that of the docstrings, in English on every page.
import { aboutLanguage } from '../../shared/languages.js';
import { oneLine } from './api-read.js';
import { words } from './words.js';

/**
 * @import { Example } from './api-examples.js'
 * @import { Tag, Typedef } from './api-read.js'
 * @import { Reference, ReferenceEntry } from './api.js'
 * @import { Language } from '../../shared/languages.js'
 */

/** A word in the text of a type that may be the name of a type. */
const TYPE_NAME = /(?<![\w'])\p{Lu}\w*/gu;
/** A heading, or a place for the exports of files. */
const PLACES = /<h2\s+id="([\w-]+)"\s*>([^<]*)<\/h2\s*>|<div\s+data-api="([^"]*)"\s*><\/div\s*>/g;

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

/**
 * Fills a page in.
 * @param {string} html
 * @param {Language} lang
 * @param {Reference} reference
 */
export function renderReference(html, lang, reference) {
  const page = new ReferencePage(reference, lang);
  const places = placesOf(
    [...html.matchAll(PLACES)].map(([, , , files]) => files).filter(Boolean),
    reference,
  );
  let [heading, index] = ['', ''];
  const filled = html.replace(PLACES, (place, id, title, files) => {
    if (id) heading = `<a href="#${id}">${title}</a>`;
    if (id) return place;
    const entries = places.get(files) ?? [];
    index += page.indexOf(heading, entries);
    return page.entries(entries);
  });
  return filled
    .replace(/<div\s+data-api-types\s*><\/div\s*>/, () => page.types())
    .replace(/<div\s+data-api-index\s*><\/div\s*>/, () => `<dl class="index">${index}</dl>`);
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

  /** @param {Reference} reference @param {Language} lang */
  constructor({ entries, types }, lang) {
    this.names = entries.map(({ name }) => name);
    this.typedefs = types;
    this.lang = lang;
    this.english = lang === 'en' ? '' : ' lang="en"';
  }

  /**
   * Renders the names of some entries.
   * @param {string} heading
   * @param {ReferenceEntry[]} entries
   */
  indexOf(heading, entries) {
    const names = entries.map(({ name }) => `<li><a href="#${name}"><code>${name}</code></a></li>`);
    return `<div><dt>${heading}</dt><dd><ul>${names.join('\n')}</ul></dd></div>\n`;
  }

  /** Renders some entries. @param {ReferenceEntry[]} entries */
  entries(entries) {
    const parts = entries.map((entry, i) => {
      // The header of a file inside a folder is for its maintainers.
      const known = entry.file === entries[i - 1]?.file || /\/.*\//.test(entry.file);
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
      if (properties.length > 0 && this.#explained.has(typedef)) continue;
      this.#explained.add(typedef);
      rows += `<dt id="type-${name}"><code>${name}</code></dt>
<dd>${type === 'object' ? '' : `<p>${this.#type(type)}</p>`}
${this.#text(description)}${this.#properties(properties)}</dd>`;
    }
    return `<dl class="reference properties"${this.english}>${rows}</dl>`;
  }

  /** Renders an entry. @param {ReferenceEntry} entry */
  #entry(entry) {
    const { name, returns } = entry;
    const text = (/** @type {string} */ each) => each && `<p>${this.#inline(each)}</p>`;
    const facts = {
      parameters: this.#properties(entry.params),
      returns: returns ? this.#typed(returns) + this.#explain(returns.type) : '',
      throws: entry.throws.map((each) => this.#typed(each)).join(''),
      cost: text(entry.cost),
      accuracy: text(entry.accuracy),
      sources: entry.sources.map(text).join(''),
      examples: entry.examples.map(renderExample).join('\n'),
    };
    const head = `<h3 id="${name}"><a href="#${name}">${name}</a></h3>
<pre class="signature"><code>${this.#signature(entry)}</code></pre>
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

  /** Renders the signature of an entry. @param {ReferenceEntry} entry */
  #signature({ name, error, isFunction, templates, params, returns }) {
    if (error) return `class ${name} extends ${error.parent}; code: '${error.code}'`;
    if (!isFunction) return name;
    const generic = templates.map(({ name, type, fallback }) => {
      return `${name} extends ${this.#linked(type)}${fallback ? ` = ${fallback}` : ''}`;
    });
    const taken = params.map(({ name, optional, type }) => {
      return `${name}${optional ? '?' : ''}: ${this.#linked(type)}`;
    });
    const line = taken.join(', ');
    const fits = line.replace(/<[^>]*>/g, '').length <= 56;
    const list = fits ? line : `\n${taken.map((each) => `  ${each},\n`).join('')}`;
    const before = generic.length > 0 ? `&lt;${generic.join(', ')}&gt;` : '';
    return `${name}${before}(${list}): ${returns ? this.#linked(returns.type) : 'void'}`;
  }

  /** Returns a type as written, its names linked. @param {string} type */
  #linked(type) {
    return escape(type).replace(TYPE_NAME, (name) => {
      const typedef = this.typedefs.get(name);
      if (typedef) this.#mentioned.add(typedef);
      if (!typedef && !this.names.includes(name)) return name;
      return `<a href="#${typedef ? 'type-' : ''}${name}">${name}</a>`;
    });
  }

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
${codes && `<p>${this.#word('defaults', 'span')}${codes}</p>`}${this.#explain(type)}</dd>`;
    });
    return rows.length > 0 ? `<dl class="properties">${rows.join('\n')}</dl>` : '';
  }

  /** Renders the properties of the types in a type that were not explained before. @param {string} type @returns {string} */
  #explain(type) {
    const typedefs = type.match(TYPE_NAME)?.map((name) => this.typedefs.get(name)) ?? [];
    const parts = typedefs.map((typedef) => {
      if (!typedef || this.#explained.has(typedef)) return '';
      this.#explained.add(typedef);
      const { name, properties } = typedef;
      if (properties.length === 0) return this.#explain(typedef.type);
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
      return this.names.includes(name) ? `<a href="#${name}">${html}</a>` : html;
    });
  }
}

/** Renders an example and its output. @param {Example} example */
const renderExample = ({ name, source, output }) =>
  `<pre tabindex="0"><code>${escape(source)}</code></pre>
<pre class="output" data-output-of="${name}"><samp>${escape(output)}</samp></pre>`;

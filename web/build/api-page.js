// Build step: the reference as HTML. A page says in its own language what stands where:
//   <h2 id="softmax-functions">Softmax</h2>
//   <div data-api="attention/softmax"></div>   what files beginning like this export
//   <div data-api-index></div>                 the names, by heading
//   <div data-api-types></div>                 the types not explained where they are used
// The text of the entries is that of the docstrings, in English on every page.

/**
 * @typedef {import('./api-read.js').Entry} Entry
 * @typedef {import('./api-read.js').Property} Property
 * @typedef {import('./api-read.js').TypeText} TypeText
 * @typedef {import('./api-read.js').Typedef} Typedef
 * @typedef {import('./api-examples.js').Example} Example
 * @typedef {{ example: Example, output: string }} Shown an example and what it prints
 *
 * @typedef {object} Reference
 * @property {Entry[]} entries
 * @property {(file: string) => string} header the text at the top of a file
 * @property {Map<Entry, Shown[]>} examples
 *
 * @typedef {ReturnType<typeof makeLinks>} Links
 * @typedef {{ reference: Reference, links: Links, words: Words, lang: 'en' | 'zh' }} Context
 * @typedef {typeof WORDS.en} Words
 */

const WORDS = {
  en: {
    parameters: 'Takes',
    optional: 'optional',
    defaults: 'Defaults: ',
    returns: 'Returns',
    throws: 'Throws',
    cost: 'Cost',
    accuracy: 'Accuracy',
    source: 'Source',
    example: 'Example',
  },
  zh: {
    parameters: '参数',
    optional: '可省略',
    defaults: '默认值：',
    returns: '返回',
    throws: '抛出',
    cost: '开销',
    accuracy: '精度',
    source: '出处',
    example: '示例',
  },
};

const HEADING = /<h2\s+id="([\w-]+)"\s*>([^<]*)<\/h2\s*>/;
const PLACE = /<div\s+data-api="([^"]*)"\s*><\/div\s*>/;

/**
 * Fills a page in.
 * @param {string} html
 * @param {'en' | 'zh'} lang
 * @param {Reference} reference
 * @returns {string}
 */
export function renderReference(html, lang, reference) {
  const groups = groupsOf(html, reference.entries);
  const context = { reference, links: makeLinks(reference.entries), words: WORDS[lang], lang };
  return html
    .replace(new RegExp(PLACE, 'g'), (_, files) => {
      const group = groups.find((each) => each.files === files);
      return renderGroup(context, group?.entries ?? []);
    })
    .replace(/<div\s+data-api-types\s*><\/div\s*>/, () => renderTypes(context))
    .replace(/<div\s+data-api-index\s*><\/div\s*>/, () => renderIndex(groups));
}

/**
 * Which entries stand under which heading: all of them, each once.
 * @param {string} html
 * @param {Entry[]} entries
 */
function groupsOf(html, entries) {
  const groups = [];
  const left = new Set(entries);
  let [id, title] = ['', ''];
  for (const found of html.matchAll(new RegExp(`${HEADING.source}|${PLACE.source}`, 'g'))) {
    if (found[3] === undefined) {
      [, id, title] = found;
      continue;
    }
    const prefixes = found[3].split(' ');
    const order = (/** @type {Entry} */ { file }) => prefixes.findIndex((p) => file.startsWith(p));
    const own = [...left].filter((entry) => order(entry) >= 0);
    own.sort((a, b) => order(a) - order(b) || inFileOrder(a, b));
    own.forEach((entry) => left.delete(entry));
    groups.push({ id, title, files: found[3], entries: own });
  }
  const [lost] = left;
  if (lost) throw new Error(`the reference has no place for ${lost.name} of ${lost.file}`);
  return groups;
}

/** Entries of one file as they stand there. @param {Entry} a @param {Entry} b */
const inFileOrder = (a, b) => (a.file === b.file ? a.at - b.at : 0);

const escape = (/** @type {string} */ text) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const oneLine = (/** @type {string} */ text) => text.replace(/\s+/g, ' ').trim();

/**
 * Where names lead to. A type with properties is explained where it is first used, others at the end.
 * @param {Entry[]} entries
 */
function makeLinks(entries) {
  const names = new Map(entries.map(({ name }) => [name, `#${name}`]));
  if (names.size < entries.length) throw new Error('two entries of the reference have one name');
  /** @type {Map<string, Typedef>} */
  const asked = new Map();
  /** @type {Set<string>} */
  const explained = new Set();
  const idOf = (/** @type {Typedef} */ typedef) => {
    const same = (/** @type {Typedef} */ other) =>
      other.type.text === typedef.type.text &&
      other.properties.length === typedef.properties.length;
    for (let id = `type-${typedef.name}`; ; id += '-') {
      const known = asked.get(id);
      if (!known) asked.set(id, typedef);
      if (!known || same(known)) return id;
    }
  };
  return {
    idOf,
    /** @param {string} name of an entry @returns {string | undefined} */
    entry: (name) => names.get(name),
    /** Whether this is the place to explain a type. @param {Typedef} typedef */
    firstUse(typedef) {
      const id = idOf(typedef);
      if (explained.has(id)) return false;
      explained.add(id);
      return true;
    },
    /** A type that was mentioned and not yet explained. @returns {Typedef | undefined} */
    unexplained: () => [...asked].find(([id]) => !explained.has(id))?.[1],
  };
}

/** @param {{ id: string, title: string, entries: Entry[] }[]} groups */
function renderIndex(groups) {
  const rows = groups.map(({ id, title, entries }) => {
    const names = entries.map(({ name }) => `<li><a href="#${name}"><code>${name}</code></a></li>`);
    return `<div><dt><a href="#${id}">${title}</a></dt><dd><ul>${names.join('\n')}</ul></dd></div>`;
  });
  return `<dl class="index">${rows.join('\n')}</dl>`;
}

/**
 * @param {Context} context
 * @param {Entry[]} entries
 */
function renderGroup(context, entries) {
  let file = '';
  const parts = entries.map((entry) => {
    // What a file inside a folder says at its top is for those who work on it.
    const known = entry.file === file || /\/.*\//.test(entry.file);
    const about = known ? '' : context.reference.header(entry.file);
    file = entry.file;
    const text = about && `<div class="about">${renderText(context, about)}</div>`;
    return text + renderEntry(context, entry);
  });
  return `<div class="reference"${languageOf(context, 'en')}>${parts.join('\n')}</div>`;
}

/** @param {Context} context @param {'en' | 'zh'} text the language of what follows */
const languageOf = ({ lang }, text) =>
  lang === 'en' ? '' : ` lang="${text === 'en' ? 'en' : 'zh-Hans'}"`;

/**
 * @param {Context} context
 * @param {Entry} entry
 */
function renderEntry(context, entry) {
  const { words } = context;
  const { prose, cost, accuracy } = splitDescription(entry.description);
  const header = context.reference.header(entry.file);
  const sources = citationsIn(`${header}\n\n${entry.description}`);
  const text = (/** @type {string} */ all) => all && `<p>${inline(context, all)}</p>`;
  const facts = [
    fact(context, words.parameters, renderProperties(context, entry.params)),
    fact(context, words.returns, entry.returns ? renderReturns(context, entry.returns) : ''),
    fact(context, words.throws, entry.throws.map((each) => renderThrow(context, each)).join('')),
    fact(context, words.cost, text(cost)),
    fact(context, words.accuracy, text(accuracy)),
    fact(context, words.source, sources.map(text).join('')),
    fact(context, words.example, renderExamples(context.reference.examples.get(entry) ?? [])),
  ].join('');
  return `<section class="entry">
<h3 id="${entry.name}"><a href="#${entry.name}">${entry.name}</a></h3>
<pre class="signature"><code>${signature(context, entry)}</code></pre>
${renderText(context, prose)}
${facts && `<dl class="facts">${facts}</dl>`}
</section>`;
}

/** @param {Context} context @param {string} label @param {string} html */
const fact = (context, label, html) =>
  html && `<div><dt${languageOf(context, 'zh')}>${label}</dt><dd>${html}</dd></div>`;

/**
 * @param {Context} context
 * @param {Entry} entry
 */
function signature(context, { kind, name, templates, params, returns, parent, code }) {
  if (kind === 'class') {
    return `class ${name} extends ${parent}${code ? `; code: '${code}'` : ''}`;
  }
  if (kind === 'constant') return name;
  const generic = templates.map(
    (template) =>
      `${template.name} extends ${typeHtml(context, template.type)}` +
      (template.fallback === undefined ? '' : ` = ${template.fallback}`),
  );
  const taken = params.map(
    (param) => `${param.name}${param.optional ? '?' : ''}: ${typeHtml(context, param.type)}`,
  );
  const plain = taken.join(', ').replace(/<[^>]*>/g, '');
  const list =
    plain.length <= 56 ? taken.join(', ') : `\n${taken.map((t) => `  ${t},\n`).join('')}`;
  const before = generic.length > 0 ? `&lt;${generic.join(', ')}&gt;` : '';
  return `${name}${before}(${list}): ${returns ? typeHtml(context, returns.type) : 'void'}`;
}

/**
 * A type as written, its names linked.
 * @param {Context} context
 * @param {TypeText} type
 */
function typeHtml({ links }, { text, types }) {
  return escape(text).replace(/(?<![\w'])\p{Lu}\w*/gu, (name) => {
    const typedef = types.get(name);
    const href = typedef ? `#${links.idOf(typedef)}` : links.entry(name);
    return href ? `<a href="${href}">${name}</a>` : name;
  });
}

/**
 * Parameters or the properties of a type.
 * @param {Context} context
 * @param {(Property & { defaults?: string[] })[]} properties
 * @returns {string}
 */
function renderProperties(context, properties) {
  const { words } = context;
  const rows = properties.map(({ name, type, optional, description, defaults = [] }) => {
    const mark = optional ? ` <span${languageOf(context, 'zh')}>${words.optional}</span>` : '';
    const codes = defaults.map((each) => `<code>${escape(each)}</code>`).join(', ');
    return (
      `<dt><code>${name}</code> <code class="type">${typeHtml(context, type)}</code>${mark}</dt>` +
      `<dd>${description && `<p>${inline(context, oneLine(description))}</p>`}` +
      (codes && `<p><span${languageOf(context, 'zh')}>${words.defaults}</span>${codes}</p>`) +
      `${explain(context, type)}</dd>`
    );
  });
  return rows.length > 0 ? `<dl class="properties">${rows.join('\n')}</dl>` : '';
}

/**
 * The properties of the types in a type, where nothing before has explained them.
 * @param {Context} context
 * @param {TypeText} type
 * @param {Set<Typedef>} [above] types on the way here: they may contain themselves
 * @returns {string}
 */
function explain(context, type, above = new Set()) {
  return [...type.types.values()]
    .filter((typedef) => !above.has(typedef))
    .map((typedef) => {
      const { properties } = typedef;
      if (properties.length === 0)
        return explain(context, typedef.type, new Set(above).add(typedef));
      if (!context.links.firstUse(typedef)) return '';
      return `<div id="${context.links.idOf(typedef)}">${renderProperties(context, properties)}</div>`;
    })
    .join('');
}

/** @param {Context} context @param {NonNullable<Entry['returns']>} returns */
const renderReturns = (context, { type, description }) =>
  `<p><code class="type">${typeHtml(context, type)}</code> ${inline(context, oneLine(description))}</p>` +
  explain(context, type);

/** @param {Context} context @param {Entry['throws'][number]} thrown */
const renderThrow = (context, { type, description }) =>
  `<p><code class="type">${typeHtml(context, type)}</code> ${inline(context, oneLine(description))}</p>`;

/** @param {Shown[]} shown */
const renderExamples = (shown) =>
  shown
    .map(
      ({ example, output }) => `<pre tabindex="0"><code>${escape(example.source)}</code></pre>
<pre class="output" data-output-of="${example.name}"><samp>${escape(output)}</samp></pre>`,
    )
    .join('\n');

/**
 * The types that were mentioned and not explained, and those that their definitions mention.
 * @param {Context} context
 */
function renderTypes(context) {
  const rows = [];
  for (let typedef; (typedef = context.links.unexplained());) {
    context.links.firstUse(typedef);
    const { name, type, description, properties } = typedef;
    const definition = type.text === 'object' ? '' : typeHtml(context, type);
    rows.push(`<dt id="${context.links.idOf(typedef)}"><code>${name}</code></dt>
<dd>${definition && `<p><code class="type">${definition}</code></p>`}
${renderText(context, description)}${renderProperties(context, properties)}</dd>`);
  }
  return `<dl class="reference properties"${languageOf(context, 'en')}>${rows.join('\n')}</dl>`;
}

/**
 * Takes out of a description the sentences that begin with "Cost" and "Error".
 * @param {string} description
 */
export function splitDescription(description) {
  const parts = { prose: '', cost: '', accuracy: '' };
  for (const paragraph of description.split(/\n{2,}/)) {
    const kept = [];
    for (const piece of paragraph.split(/(?:^|(?<=\.\s))(?=(?:Cost|Error)\b)/)) {
      if (/^Cost\b/.test(piece)) parts.cost += ` ${oneLine(piece.replace(/^Cost:? /, ''))}`;
      else if (/^Error\b/.test(piece)) parts.accuracy += ` ${oneLine(piece)}`;
      else kept.push(piece);
    }
    parts.prose += `${kept.join('')}\n\n`;
  }
  return { prose: parts.prose.trim(), cost: parts.cost.trim(), accuracy: parts.accuracy.trim() };
}

/**
 * The publications a text cites: authors, "title", year.
 * @param {string} text
 * @returns {string[]}
 */
export function citationsIn(text) {
  const name = /\p{Lu}[\p{L}-]+/u.source;
  const citation = new RegExp(`${name}(?:(?:, | & )${name})*(?: et al\\.)?, "[^"]+", \\d{4}`, 'gu');
  return [...new Set(oneLine(text).match(citation))];
}

/**
 * Paragraphs, and lines that are indented as they stand.
 * @param {Context} context
 * @param {string} text
 */
function renderText(context, text) {
  /** @type {{ indented: boolean, lines: string[] }[]} */
  const blocks = [];
  for (const paragraph of text.split(/\n{2,}/)) {
    for (const [i, line] of paragraph.split('\n').entries()) {
      const indented = line.startsWith('  ');
      const last = blocks.at(-1);
      if (i > 0 && last?.indented === indented) last.lines.push(line);
      else blocks.push({ indented, lines: [line] });
    }
  }
  return blocks
    .filter(({ lines }) => lines.some((line) => line.trim()))
    .map(({ indented, lines }) => {
      if (!indented) return `<p>${inline(context, oneLine(lines.join(' ')))}</p>`;
      const margin = Math.min(...lines.map((line) => line.search(/\S/)));
      const kept = lines.map((line) => line.slice(margin)).join('\n');
      return `<pre tabindex="0">${inline(context, kept)}</pre>`;
    })
    .join('\n');
}

/**
 * Code and links in a line of text.
 * @param {Context} context
 * @param {string} text
 */
function inline({ links }, text) {
  const linked = (/** @type {string} */ name) => {
    const href = links.entry(name.replace(/\(.*\)$/, ''));
    return href ? `<a href="${href}"><code>${name}</code></a>` : `<code>${name}</code>`;
  };
  return escape(text)
    .replace(/`([^`]+)`/g, (_, code) => linked(code))
    .replace(/\{@link (\w+)\}/g, (_, name) => linked(name));
}

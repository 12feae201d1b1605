// Build step: reads the reference of a package from its docstrings: for everything that an index
// file exports, what the JSDoc comment before it says, and what the declaration itself says of its
// parameters. A function with gaps in its documentation ends the build.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse, tokenizers } from 'comment-parser';
import { parseSync } from 'vite';

/**
 * @typedef {{ name: string, file: string, type: TypeText, description: string,
 *   properties: Property[], templates: Template[] }} Typedef
 * @typedef {{ name: string, type: TypeText, fallback?: string }} Template
 * @typedef {{ name: string, type: TypeText, optional: boolean, description: string }} Property
 * @typedef {{ text: string, types: Map<string, Typedef> }} TypeText a type as written, and what the
 *   names in it stand for
 *
 * @typedef {object} Entry what the reference says of one export
 * @property {string} name
 * @property {string} file where it is declared, like attention/softmax.js
 * @property {number} at where in the file
 * @property {'function' | 'class' | 'constant'} kind
 * @property {string} description
 * @property {Template[]} templates
 * @property {(Property & { defaults: string[] })[]} params `defaults` of a destructured one, as
 *   written
 * @property {(string | undefined)[]} takes names of the parameters of the declaration; a destructured
 *   one has none
 * @property {{ type: TypeText, description: string }} [returns]
 * @property {{ type: TypeText, description: string }[]} throws
 * @property {string[]} examples
 * @property {string} [parent] of a class
 * @property {string} [code] of an error
 *
 * @typedef {{ path: string, source: string, body: any[], docs: Doc[] }} Module
 * @typedef {{ start: number, end: number, description: string,
 *   tags: import('comment-parser').Spec[] }} Doc
 * @typedef {(path: string) => string} Read
 * @typedef {ReturnType<typeof tokenizers.tag>} Tokenizer
 */

const NAMED = new Set(['param', 'property', 'typedef', 'template']);
const readName = tokenizers.name();
const readType = tokenizers.type((lines) => lines.join(' '));

/** Only some tags have a name after the type, and an example is program text throughout. */
const TOKENIZERS = /** @type {Tokenizer[]} */ ([
  tokenizers.tag(),
  (spec) => (spec.tag === 'example' ? spec : readType(spec)),
  (spec) => (NAMED.has(spec.tag) ? readName(spec) : spec),
  tokenizers.description('preserve'),
]);

const oneLine = (/** @type {string} */ text) => text.replace(/\s+/g, ' ').trim();

/**
 * Reads files and follows their exports and types, each file once.
 * @param {string} root the folder that the files of entries are named from
 * @param {Read} [read] gives the text of a file
 */
export function openSources(root, read = (path) => readFileSync(path, 'utf8')) {
  /** @type {Map<string, Module>} */
  const modules = new Map();
  const load = (/** @type {string} */ path) => {
    const known = modules.get(path) ?? parseModule(path, read(join(root, path)));
    modules.set(path, known);
    return known;
  };
  return {
    /** The text at the top of a file. @param {string} path */
    header: (path) => headerOf(load(path)),
    /**
     * What an index file exports, in its order.
     * @param {string} path
     * @returns {Entry[]}
     */
    entries: (path) =>
      exportsOf(load(path)).map(({ local, exported, from }) => ({
        ...readEntry(load, from ?? path, local),
        name: exported,
      })),
  };
}

/**
 * @param {string} path
 * @param {string} source
 * @returns {Module}
 */
function parseModule(path, source) {
  const { program, comments, errors } = parseSync(path, source);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0].message}`);
  const docs = comments
    .filter(({ type, value }) => type === 'Block' && value.startsWith('*'))
    .map(({ value, start, end }) => {
      const [block] = parse(`/*${value}*/`, { spacing: 'preserve', tokenizers: TOKENIZERS });
      return { start, end, description: block?.description.trim() ?? '', tags: block?.tags ?? [] };
    });
  return { path, source, body: program.body, docs };
}

/** The first comment of a file, if it is about the file. @param {Module} module */
function headerOf({ docs: [first, second], body }) {
  const begins = second?.start ?? body[0]?.start;
  return first && first.tags.length === 0 && begins > first.end ? first.description : '';
}

/**
 * @param {Module} module
 * @returns {{ local: string, exported: string, from?: string }[]}
 */
function exportsOf({ path, body }) {
  return body.flatMap((node) => {
    if (node.type === 'ExportAllDeclaration') throw new Error(`${path}: name what is exported`);
    if (node.type !== 'ExportNamedDeclaration') return [];
    const from = node.source && join(dirname(path), node.source.value);
    const named = node.specifiers.map((/** @type {any} */ { local, exported }) => ({
      ...{ local: local.name, exported: exported.name, from },
    }));
    return [...named, ...declared(node).map(({ name }) => ({ local: name, exported: name }))];
  });
}

/**
 * What a statement of a module declares: the name, and the function, class or value behind it.
 * @param {any} statement
 * @returns {{ name: string, value: any }[]}
 */
function declared(statement) {
  const node = statement.declaration ?? statement;
  if (node.type === 'VariableDeclaration') {
    return node.declarations.map((/** @type {any} */ { id, init }) => ({
      ...{ name: id.name, value: init },
    }));
  }
  return /^(Function|Class)Declaration$/.test(node.type)
    ? [{ name: node.id.name, value: node }]
    : [];
}

/**
 * @param {(path: string) => Module} load
 * @param {string} path
 * @param {string} name
 * @returns {Entry}
 */
function readEntry(load, path, name) {
  const module = load(path);
  const passedOn = exportsOf(module).find(({ exported, from }) => exported === name && from);
  if (passedOn?.from) return readEntry(load, passedOn.from, passedOn.local);
  for (const statement of module.body) {
    const found = declared(statement).find((declaration) => declaration.name === name);
    if (found) return describe(load, module, name, found.value, statement.start);
  }
  throw new Error(`${path}: ${name} is exported but not declared`);
}

/** @param {Module} module @param {number} start of a statement @returns {Doc | undefined} */
const docBefore = ({ docs, source }, start) =>
  docs.find(({ end }) => end <= start && source.slice(end, start).trim() === '');

/**
 * @param {(path: string) => Module} load
 * @param {Module} module
 * @param {string} name
 * @param {any} value what the name stands for, in the syntax tree
 * @param {number} at where it is declared
 * @returns {Entry}
 */
function describe(load, module, name, value, at) {
  const doc = docBefore(module, at);
  const tags = (/** @type {string} */ tag) => doc?.tags.filter((each) => each.tag === tag) ?? [];
  const typed = (/** @type {import('comment-parser').Spec} */ tag) => ({
    type: typeText(load, module, tag.type),
    description: tag.description.trim(),
  });
  const property = (/** @type {import('comment-parser').Spec} */ tag) => ({
    ...typed(tag),
    name: tag.name.trim(),
    optional: tag.optional,
  });
  const isFunction = /Function/.test(value?.type);
  const isClass = value?.type === 'ClassDeclaration';
  return {
    name,
    file: module.path,
    at,
    kind: isFunction ? 'function' : isClass ? 'class' : 'constant',
    description: doc?.description ?? '',
    templates: tags('template').map((tag) => templateOf(load, module, tag)),
    params: tags('param').map((tag, i) => ({
      ...property(tag),
      defaults: defaultsOf(module, value?.params?.[i]),
    })),
    takes: isFunction ? value.params.map(nameOfParam) : [],
    returns: tags('returns')
      .map(typed)
      .map(({ type, description }) => ({ type: writtenOut(type), description }))[0],
    throws: tags('throws').map(typed),
    examples: tags('example').map(exampleText),
    parent: isClass ? value.superClass?.name : undefined,
    code: isClass ? codeOf(value) : undefined,
  };
}

/**
 * `Given<A, Results>`, which tells a compiler what the names in A promise, as a reader wants it: what
 * there is, and what there may be.
 * @param {TypeText} type
 * @returns {TypeText}
 */
function writtenOut(type) {
  const [, all = ''] = type.text.match(/^Given<\w+, (\w+)>$/) ?? [];
  const results = type.types.get(all)?.type;
  if (!results) return type;
  const text = results.text.replace(/ & Partial<Record<(\w+), (\w+)>>/, (_, names, each) => {
    const found = results.types.get(names)?.type.text.match(/\w+/g) ?? [];
    return found.map((name) => `, ${name}?: ${each}`).join('');
  });
  return { text: `${text.replace(' }', '')} }`, types: results.types };
}

/**
 * `@template {Extra} [R=never]`
 * @param {(path: string) => Module} load
 * @param {Module} module
 * @param {import('comment-parser').Spec} tag
 * @returns {Template}
 */
const templateOf = (load, module, { name, type, default: fallback }) => ({
  name: name.trim(),
  type: typeText(load, module, type),
  fallback,
});

/** The text of an example without the comment around it. @param {import('comment-parser').Spec} tag */
const exampleText = ({ source }) =>
  source
    .map(({ source: line }) => line.replace(/^\s*\* ?/, '').replace(/^\*?\/$/, ''))
    .join('\n')
    .replace(/^.*@example[^\n]*\n/, '')
    .trimEnd();

/** @param {any} value a class @returns {string | undefined} */
const codeOf = (value) =>
  value.body.body.find((/** @type {any} */ member) => member.key?.name === 'code')?.value.value;

/** @param {any} param @returns {string | undefined} */
const nameOfParam = (param) => (param.type === 'AssignmentPattern' ? param.left : param).name;

/**
 * `keys = 64` for what a destructured parameter has by default.
 * @param {Module} module
 * @param {any} param
 * @returns {string[]}
 */
function defaultsOf({ source }, param) {
  const pattern = param?.type === 'AssignmentPattern' ? param.left : param;
  if (pattern?.type !== 'ObjectPattern') return [];
  return pattern.properties
    .filter((/** @type {any} */ { value }) => value?.type === 'AssignmentPattern')
    .map((/** @type {any} */ { value }) => oneLine(source.slice(value.start, value.end)));
}

/**
 * A type and what its names stand for. Types of other files go by their own name.
 * @param {(path: string) => Module} load
 * @param {Module} module
 * @param {string} type
 * @returns {TypeText}
 */
function typeText(load, module, type) {
  /** @type {TypeText['types']} */
  const types = new Map();
  const add = (/** @type {Module} */ where, /** @type {string} */ name) => {
    const typedef = findTypedef(load, where, name);
    if (typedef) types.set(name, typedef);
    return name;
  };
  const text = oneLine(type).replace(/import\('([^']+)'\)\.(\w+)/g, (_, path, name) =>
    add(load(join(dirname(module.path), path)), name),
  );
  for (const [name] of text.matchAll(/\b\p{Lu}\w*/gu)) if (!types.has(name)) add(module, name);
  return { text, types };
}

/** @type {WeakMap<Module, Map<string, Typedef>>} */
const typedefs = new WeakMap();

/**
 * @param {(path: string) => Module} load
 * @param {Module} module
 * @param {string} name
 * @returns {Typedef | undefined}
 */
function findTypedef(load, module, name) {
  const known = typedefs.get(module) ?? new Map();
  typedefs.set(module, known);
  if (known.has(name)) return known.get(name);
  for (const doc of module.docs) {
    const at = doc.tags.findIndex((tag) => tag.tag === 'typedef' && tag.name === name);
    if (at < 0) continue;
    const elsewhere = doc.tags[at].type.match(/^import\('([^']+)'\)\.(\w+)(<[\w, ]+>)?$/);
    if (!elsewhere) return readTypedef(load, module, doc, at, known);
    const found = findTypedef(load, load(join(dirname(module.path), elsewhere[1])), elsewhere[2]);
    known.set(name, found);
    return found;
  }
  return undefined;
}

/**
 * @param {(path: string) => Module} load
 * @param {Module} module
 * @param {Doc} doc
 * @param {number} at the tag of the type; its properties follow
 * @param {Map<string, Typedef>} known
 * @returns {Typedef}
 */
function readTypedef(load, module, { tags, description }, at, known) {
  const { name, type, description: own } = tags[at];
  const next = tags.findIndex((tag, i) => i > at && tag.tag === 'typedef');
  const following = tags.slice(at + 1, next < 0 ? undefined : next);
  const typedef = /** @type {Typedef} */ ({
    name,
    file: module.path,
    description: own.trim() || description,
  });
  known.set(name, typedef); // before what it refers to, which may be itself
  typedef.type = typeText(load, module, type);
  typedef.templates = tags
    .filter(({ tag }) => tag === 'template')
    .map((tag) => templateOf(load, module, tag));
  typedef.properties = following
    .filter(({ tag }) => tag === 'property')
    .map((tag) => ({
      name: tag.name.trim(),
      optional: tag.optional,
      type: typeText(load, module, tag.type),
      description: tag.description.trim(),
    }));
  return typedef;
}

/**
 * What is missing in the documentation of an export, as sentences without the name.
 * @param {Entry} entry
 * @param {{ example: boolean }} needs
 * @returns {string[]}
 */
export function gapsOf({ kind, description, takes, params, returns, examples }, needs) {
  const gaps = description ? [] : ['has no description'];
  if (kind !== 'function') return gaps;
  takes.forEach((name, i) => {
    const documented = params[i]?.type.text && (!name || params[i].name === name);
    if (!documented) gaps.push(`has no @param with a type for ${name ?? `parameter ${i + 1}`}`);
  });
  for (const { name } of params.slice(takes.length))
    gaps.push(`takes no ${name}, which it documents`);
  if (!returns) gaps.push('has no @returns');
  if (needs.example && examples.length === 0) gaps.push('has no @example');
  return gaps;
}

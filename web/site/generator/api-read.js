// Build step: reads docstrings as plain data. TypeDoc's JSON would not do, since it has no types of
// thrown errors, no defaults of destructured options, no text at the top of a file and no types that
// are not exported, and rewrites the types that an author wrote. It would need a second TypeScript
// (6.0 at most, 46 MB) beside the project's 7, and examples and pages would be left to do.
import { parse, tokenizers } from 'comment-parser';
import { parseSync } from 'vite';

/**
 * @import { Spec } from 'comment-parser'
 *
 * @typedef {{ name?: string, file?: string, description: string, tags: Spec[] }} Doc with the name of an export
 * @typedef {{ name: string, type: string, optional: boolean, fallback?: string, description: string }} Tag
 *   with the default of a template
 * @typedef {Tag & { file: string, properties: Tag[] }} Typedef
 * @typedef {ReturnType<typeof readEntry>} Entry
 */

const NAMED = ['param', 'property', 'typedef', 'template'];
const readType = tokenizers.type((lines) => lines.join(' '));
const readName = tokenizers.name();

/** Only some tags have a name after the type, and an example is program text throughout. */
const TOKENIZERS = [
  tokenizers.tag(),
  (/** @type {Spec} */ spec) => (spec.tag === 'example' ? spec : readType(spec)),
  (/** @type {Spec} */ spec) => (NAMED.includes(spec.tag) ? readName(spec) : spec),
  tokenizers.description('preserve'),
];

export const oneLine = (/** @type {string} */ text) => text.replace(/\s+/g, ' ').trim();

/** Returns the docstrings of a file, and the text at its top. @param {string} source */
export function readDocs(source) {
  const docs = [...source.matchAll(/\/\*\*[\s\S]*?\*\//g)].map(({ 0: comment, index }) => {
    const [block] = parse(comment, { spacing: 'preserve', tokenizers: TOKENIZERS });
    const after = source.slice(index + comment.length);
    const [, name] = after.match(/^\s*export (?:async )?(?:function|class|const) (\w+)/) ?? [];
    return { name, description: block?.description.trim() ?? '', tags: block?.tags ?? [] };
  });
  const isHead = source.startsWith('/**') && !docs[0].name && docs[0].tags.length === 0;
  return { docs, about: isHead ? docs[0].description : '' };
}

/** Returns the types that docstrings define. @param {Doc[]} docs */
export function typedefsIn(docs) {
  /** @type {Typedef[]} */
  const found = [];
  for (const { tags, description, file = '' } of docs) {
    for (const tag of tags.map((spec) => ({ ...readTag(spec), kind: spec.tag }))) {
      if (tag.kind === 'property') found.at(-1)?.properties.push(tag);
      if (tag.kind !== 'typedef' || tag.type.startsWith('import(')) continue;
      found.push({ ...tag, description: tag.description || description, file, properties: [] });
    }
  }
  return found;
}

/** Returns a tag as plain data. @param {Spec} spec @returns {Tag} */
const readTag = ({ name, type, optional, default: fallback, description }) => ({
  name: name.trim(),
  type: oneLine(type),
  optional,
  fallback,
  description: oneLine(description),
});

/** Returns the documentation of an export. @param {Doc} doc @param {any} value */
export function readEntry({ name = '', description, tags }, value) {
  const all = (/** @type {string} */ wanted) => tags.filter(({ tag }) => tag === wanted);
  const isClass = value?.prototype instanceof Error;
  const isFunction = typeof value === 'function' && !isClass;
  const defaults = isFunction ? defaultsOf(value) : [];
  return {
    name,
    ...splitDescription(description),
    isFunction,
    templates: all('template').map(readTag),
    params: all('param').map((spec, i) => ({ ...readTag(spec), defaults: defaults[i] })),
    returns: all('returns').map(readTag)[0],
    throws: all('throws').map(readTag),
    examples: all('example').map((spec) => spec.description.trim()),
    error: isClass && { parent: Object.getPrototypeOf(value).name, code: new value('').code },
  };
}

/**
 * Returns the defaults of each parameter's destructured properties, like `keys = 64`.
 * @param {(...args: any[]) => unknown} value
 * @returns {string[][]}
 */
function defaultsOf(value) {
  const source = `(${value})`;
  const [statement] = /** @type {any[]} */ (parseSync('function.js', source).program.body);
  return statement.expression.expression.params.map((/** @type {any} */ param) => {
    const properties = (param.left ?? param).properties ?? [];
    return properties
      .filter((/** @type {any} */ { value }) => value?.type === 'AssignmentPattern')
      .map((/** @type {any} */ { value }) => oneLine(source.slice(value.start, value.end)));
  });
}

/** Takes the sentences that begin with "Cost" and "Error" out of a description. @param {string} text */
export function splitDescription(text) {
  const parts = { prose: '', cost: '', accuracy: '' };
  for (const paragraph of text.split(/\n{2,}/)) {
    for (const piece of paragraph.split(/(?:^|(?<=\.\s))(?=(?:Cost|Error)\b)/)) {
      if (/^Cost\b/.test(piece)) parts.cost += ` ${oneLine(piece.replace(/^Cost:? /, ''))}`;
      else if (/^Error\b/.test(piece)) parts.accuracy += ` ${oneLine(piece)}`;
      else parts.prose += piece;
    }
    parts.prose += '\n\n';
  }
  return { prose: parts.prose.trim(), cost: parts.cost.trim(), accuracy: parts.accuracy.trim() };
}

/** Returns the publications that a text cites: authors, "title", year. @param {string} text */
export function citationsIn(text) {
  const name = /\p{Lu}[\p{L}-]+/u.source;
  const citation = new RegExp(`${name}(?:(?:, | & )${name})*(?: et al\\.)?, "[^"]+", \\d{4}`, 'gu');
  return [...new Set(oneLine(text).match(citation))];
}

/**
 * Returns the gaps in the documentation of an export; the compiler finds those of parameters.
 * @param {Entry} entry
 * @param {{ example: boolean }} needs
 */
export function gapsOf({ isFunction, prose, returns, examples }, needs) {
  const gaps = prose ? [] : ['has no description'];
  if (isFunction && !returns) gaps.push('has no @returns');
  if (isFunction && needs.example && examples.length === 0) gaps.push('has no @example');
  return gaps;
}

// Build step: what only one file of the source uses stands in a block of the bundle.
//
// Otherwise all files share one scope, in which no two may use the same name. In a block a name is as
// short as a function's, and the same in every figure (names.js): 0.5 kB less, compressed.

import { parseAst } from 'vite';
import { scopesOf } from './names.js';

/** A block costs more than one name in it saves. */
const FEWEST = 2;

/**
 * A statement of the module, or one of the variables that it declares.
 * @typedef {object} Part
 * @property {any} node
 * @property {string} [name]  that it declares
 * @property {string} [file]  of the source
 * @property {boolean} local  whether only its file uses it
 */

/** Which file of the source declares what. @param {Iterable<[file: string, code: string]>} files */
export function filesOf(files) {
  /** @type {Map<string, string>} */
  const found = new Map();
  for (const [file, code] of files) {
    for (const { name } of partsOf(parseAst(code).body)) if (name) found.set(name, file);
  }
  return found;
}

/** @param {any[]} body  @returns {{ node: any, name?: string }[]} */
const partsOf = (body) =>
  body
    .flatMap((node) => (node.type === 'VariableDeclaration' ? node.declarations : [node]))
    .map((node) => ({ node, name: node.id?.name }));

/**
 * The parts of one file each, in their order; a statement belongs to what stands before it.
 * @param {any[]} body
 * @param {ReadonlyMap<string, string>} files
 * @param {ReadonlyMap<string, readonly number[]>} uses  where each name is used
 */
function filesIn(body, files, uses) {
  /** @type {Part[][]} */
  const groups = [];
  for (const { node, name } of partsOf(body)) {
    const group = groups.at(-1);
    const last = group?.[0].file;
    const isOutside = /^(Im|Ex)port/.test(node.type);
    const file = isOutside ? undefined : name ? files.get(name) : last;
    const part = { node, name, file, local: false };
    if (group && file && file === last) group.push(part);
    else groups.push([part]);
  }
  for (const group of groups) {
    const isInside = (/** @type {number} */ place) =>
      group.some(({ node }) => place >= node.start && place < node.end);
    for (const part of group) part.local = uses.get(part.name ?? '')?.every(isInside) ?? false;
  }
  return groups;
}

const isFunction = (/** @type {Part} */ { node }) => node.type === 'FunctionDeclaration';
const isDeclaration = (/** @type {Part} */ { node }) => /^(Function|Class)D/.test(node.type);

/**
 * @param {string} code
 * @param {readonly Part[]} parts
 * @param {boolean} inBlock
 */
function written(code, parts, inBlock) {
  let text = '';
  let open = '';
  for (const part of parts) {
    const { node, name, local } = part;
    let own = code.slice(node.start, node.end);
    let keyword = node.type === 'VariableDeclarator' ? (inBlock && local ? 'let' : 'var') : '';
    if (inBlock && !local && isDeclaration(part)) {
      // A block would hide the declaration. A class goes by its own name while it is made.
      if (isFunction(part)) own = own.replace(/(function\*?) [\w$]+/, '$1');
      own = `${name}=${own}`;
      keyword = 'var';
    } else if (!keyword && !own.endsWith(';') && !isDeclaration(part)) own += ';';
    if (keyword && keyword === open) text += `,${own}`;
    else text += `${open && ';'}${keyword && `${keyword} `}${own}`;
    open = keyword;
  }
  return text + (open && ';');
}

/**
 * The same module with blocks. Functions that other files use come first in theirs: other files may call
 * them from then on, as they could when they were imported.
 * @param {string} code
 * @param {ReadonlyMap<string, string>} files  by what they declare
 * @returns {string}
 * @throws {Error} if a name would be hidden from where it is used
 */
export function withBlocks(code, files) {
  const { ast, scopes, globals } = scopesOf(code);
  const uses = new Map(
    scopes[0].variables.map(({ name, references }) => [
      name,
      references.map(({ identifier }) => /** @type {any} */ (identifier).start),
    ]),
  );
  const body = /** @type {any[]} */ (ast.body);
  let text = code.slice(0, body[0]?.start);
  /** @type {Part[]} */
  let loose = [];
  for (const group of filesIn(body, files, uses)) {
    if (group.filter(({ local }) => local).length < FEWEST) {
      loose.push(...group);
      continue;
    }
    const shared = group.filter((part) => isFunction(part) && !part.local);
    const others = group.filter((part) => !shared.includes(part));
    text += `${written(code, loose, false)}{${written(code, [...shared, ...others], true)}}`;
    loose = [];
  }
  text += written(code, loose, false);
  const found = scopesOf(text).globals;
  if ([...found].some((name) => !globals.has(name))) {
    throw new Error('blocks hid a name from where it is used');
  }
  return text;
}

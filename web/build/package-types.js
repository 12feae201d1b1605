// Types that the compiler cannot emit. It does not know the properties that an element takes from its
// spec, a document's tags and events once elements are registered, and the bundles; and it emits types
// for its own version and libraries only, though programs with older ones use the package.

import { parseAst } from 'vite';
import { INHERITED } from './elements-manifest.js';

/**
 * @import { CustomElementDeclaration as Declaration, Package as Manifest } from 'custom-elements-manifest'
 *
 * @typedef {{ path: string, element: Declaration }} Element path of its module
 */

/** Lists the elements of the manifest. @param {Manifest} manifest  @returns {Element[]} */
const elementsOf = ({ modules }) =>
  modules.flatMap(({ path, declarations = [] }) =>
    declarations.map((declaration) => ({
      path,
      element: /** @type {Declaration} */ (declaration),
    })),
  );

/** Returns the properties to merge with the class of an element. @param {Declaration} element */
function properties({ name, members = [] }) {
  const lines = members.flatMap((member) =>
    member.kind === 'field' && !INHERITED.includes(member.name) // which the base class has
      ? [`    /** ${member.description} */`, `    ${member.name}: ${member.type?.text};`]
      : [],
  );
  return [`export interface ${name} {`, ...lines, '}', ''].join('\n');
}

/**
 * Returns the declarations that registering elements adds to documents.
 * @param {Element[]} elements
 * @param {string} from the folder of elements, seen from the file
 */
function registered(elements, from) {
  const types = elements.map(
    ({ path, element: { name } }) =>
      `import type { ${name} } from '${from}${path.replace('figures/', '')}';`,
  );
  const tags = elements.map(({ element }) => `        '${element.tagName}': ${element.name};`);
  const events = new Map(
    elements.flatMap(({ element }) =>
      (element.events ?? []).map(({ name, type }) => [name, `        '${name}': ${type.text};`]),
    ),
  );
  return [
    ...types,
    'declare global {',
    '    interface HTMLElementTagNameMap {',
    ...tags,
    '    }',
    '    interface HTMLElementEventMap {',
    ...events.values(),
    '    }',
    '}',
    'export {};',
    '',
  ].join('\n');
}

/**
 * Returns additions to the declarations that the compiler wrote, by path.
 * @param {Manifest} manifest
 * @returns {Record<string, string>}
 */
export function addedTypes(manifest) {
  const elements = elementsOf(manifest);
  return Object.fromEntries([
    ...elements.map(({ path, element }) => [
      path.replace(/\.js$/, '/element.d.ts'),
      properties(element),
    ]),
    ['figures/define.d.ts', registered(elements, './')],
    [
      'figures.min.d.ts',
      "import './figures/define.js';\nexport * from './attention/index.js';\nexport * from './figures/index.js';\nexport { default } from './figures/anywidget.js';\n",
    ],
  ]);
}

/**
 * Types of the DOM library, which a program may lack: the name of each here, and its meaning.
 * @type {Record<string, [name: string, meaning: string]>}
 */
const PORTABLE = {
  'WebAssembly.Module': [
    'CompiledModule',
    'typeof globalThis extends { WebAssembly: { Module: { prototype: infer M } } } ? M : object',
  ],
  AbortSignal: [
    'Signal',
    'typeof globalThis extends { AbortSignal: { prototype: infer S } } ? S : { readonly aborted: boolean }',
  ],
};

/** Compilers from 5.7 on distinguish memory that is no SharedArrayBuffer; earlier ones have no other name for it. */
const OWN_FLOATS = ['OwnFloats', "ReturnType<Float32Array['slice']>"];

/** @typedef {{ start: number, end: number, text: string }} Edit */

/**
 * Returns a declaration file that compilers from 5.4 on understand, with the DOM library or without,
 * and in which `undefined` means that an option is left out, also with exactOptionalPropertyTypes.
 * @param {string} types as the compiler wrote them
 * @returns {string}
 */
export function portableTypes(types) {
  /** @type {Edit[]} */
  const edits = [];
  /** @type {Map<string, string>} */
  const meanings = new Map();
  const textOf = (/** @type {any} */ node) => types.slice(node.start, node.end);
  const replace = (/** @type {any} */ { start, end }, /** @type {string[]} */ [name, meaning]) => {
    edits.push({ start, end, text: name });
    meanings.set(name, meaning);
  };

  /**
   * Collects the edits of a node and its children.
   * @param {any} node
   * @param {any} [alias] the type that it is part of
   */
  const visit = (node, alias) => {
    if (node.type === 'TSTypeReference' && PORTABLE[textOf(node)]) {
      replace(node, PORTABLE[textOf(node)]);
    }
    if (node.type === 'TSPropertySignature') {
      const type = node.typeAnnotation.typeAnnotation;
      if (alias === 'Tensor' && textOf(node.key) === 'data') replace(type, OWN_FLOATS);
      if (node.optional && textOf(type) !== 'Tensor') {
        const [open, close] = type.type === 'TSFunctionType' ? ['(', ')'] : ['', ''];
        edits.push({ start: type.start, end: type.start, text: open });
        edits.push({ start: type.end, end: type.end, text: `${close} | undefined` });
      }
    }
    const name = node.type === 'TSTypeAliasDeclaration' ? node.id.name : alias;
    for (const child of Object.values(node).flat()) if (child?.type) visit(child, name);
  };
  visit(parseAst(types, { lang: 'dts' }));

  edits.sort((a, b) => b.end - a.end || b.start - a.start);
  const portable = edits.reduce(
    (text, { start, end, text: inserted }) => text.slice(0, start) + inserted + text.slice(end),
    types,
  );
  const aliases = [...meanings].map(([name, type]) => `type ${name} = ${type};\n`);
  // The default of a typed array's memory needs no words, which compilers before 5.7 would not know.
  return portable.replaceAll('<ArrayBufferLike>', '') + aliases.join('');
}

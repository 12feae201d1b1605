// The types that the compiler cannot write from what it reads: the properties that elements have after
// their specs, what a document's tags and events are once the elements are registered, the bundles; and
// those that it would write for its own version and libraries alone.

import { TEXTS } from './elements-manifest.js';

/**
 * @typedef {import('custom-elements-manifest').Package} Manifest
 * @typedef {import('custom-elements-manifest').CustomElementDeclaration} Declaration
 * @typedef {{ path: string, element: Declaration }} Element path of its module
 */

/** @param {Manifest} manifest  @returns {Element[]} */
const elementsOf = ({ modules }) =>
  modules.flatMap(({ path, declarations = [] }) =>
    declarations.map((declaration) => ({
      path,
      element: /** @type {Declaration} */ (declaration),
    })),
  );

/** What is merged with the class of an element. @param {Declaration} element */
function properties({ name, members = [] }) {
  const lines = members.flatMap((member) =>
    member.kind === 'field' && !TEXTS.includes(member.name) // which the base class has
      ? [`    /** ${member.description} */`, `    ${member.name}: ${member.type?.text};`]
      : [],
  );
  return [`export interface ${name} {`, ...lines, '}', ''].join('\n');
}

/**
 * What registering elements tells the compiler of documents.
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
 * What to add to the declarations that the compiler wrote, by path.
 * @param {Manifest} manifest
 * @returns {Record<string, string>}
 */
export function addedTypes(manifest) {
  const elements = elementsOf(manifest);
  const declarations = (/** @type {string} */ path) => path.replace(/js$/, 'd.ts');
  return Object.fromEntries([
    ...elements.map(({ path, element }) => [declarations(path), properties(element)]),
    ['figures/define.d.ts', registered(elements, './')],
    [
      'figures.min.d.ts',
      "import './figures/define.js';\nexport * from './attention/index.js';\nexport * from './figures/index.js';\n",
    ],
    ...elements.map(({ path, element }) => [
      declarations(path.replace(/js$/, 'min.js')),
      `${registered([{ path, element }], './')}export { ${element.name} } from './${path.replace('figures/', '')}';\nexport * from '../attention/index.js';\n`,
    ]),
  ]);
}

/**
 * Types that not every program has: where there is no DOM library, and none of Node, they are something
 * else. And results: their memory is their own, no SharedArrayBuffer, which compilers from 5.7 on
 * distinguish, and which has no name that earlier ones know but this.
 * @type {readonly [type: RegExp, standIn: string, meaning: string][]}
 */
const PORTABLE = [
  [
    /(?<=: )WebAssembly\.Module\b/g,
    'CompiledModule',
    'typeof globalThis extends { WebAssembly: { Module: { prototype: infer M } } } ? M : object',
  ],
  [
    /(?<=: )AbortSignal\b/g,
    'Signal',
    'typeof globalThis extends { AbortSignal: { prototype: infer S } } ? S : { readonly aborted: boolean }',
  ],
  [
    /(?<=export type Tensor = \{\s+data: )Float32Array\b/g,
    'OwnFloats',
    "ReturnType<Float32Array['slice']>",
  ],
];

/** What may be left out, but for results: `undefined` is no value to compilers with exactOptionalPropertyTypes,
 *  and means the default here. */
const OPTIONAL = /^( *)(\w+\?: )(?!Tensor;)((?:.*\{\n(?:\1 +.*\n)+\1)?.*);$/gm;

/**
 * A declaration file that compilers from 5.4 on understand, with the DOM library or without.
 * @param {string} types as the compiler wrote them
 * @returns {string}
 */
export function portableTypes(types) {
  let text = types.replace(OPTIONAL, (_, indent, name, type) => {
    return `${indent}${name}${type.includes('=>') ? `(${type})` : type} | undefined;`;
  });
  for (const [type, standIn, meaning] of PORTABLE) {
    const changed = text.replace(type, standIn);
    if (changed !== text) text = `${changed}type ${standIn} = ${meaning};\n`;
  }
  return text;
}

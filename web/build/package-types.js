// Types that the compiler cannot emit. It does not know the properties that an element takes from its
// spec, a document's tags and events once elements are registered, and the bundles; and it emits types
// for its own version and libraries only, though programs with older ones use the package.

import { basename } from 'node:path';
import { parseAst } from 'vite';
import { elementsOf, INHERITED } from './elements-manifest.js';
import { folderOf } from './paths.js';

/**
 * @import { CustomElementDeclaration as Declaration, Package as Manifest } from 'custom-elements-manifest'
 * @import { Declared } from './elements-manifest.js'
 */

/** The state in the type of an event, which is that of some figure. */
const ANY_STATE = 'Record<string, string | number>';

/**
 * Lists the events of an element: their names, and their types with the state of its fields.
 * @param {Declaration} element
 */
function eventsOf({ name, attributes = [], events = [] }) {
  const fields = attributes.flatMap(({ fieldName }) =>
    fieldName && !INHERITED.includes(fieldName) ? [`'${fieldName}'`] : [],
  );
  const state = `Pick<${name}, ${fields.join(' | ')}>`;
  return events.map(({ name, type }) => ({ name, type: type.text.replace(ANY_STATE, state) }));
}

/** How an element listens to other events, as the compiler's library has it. */
const OTHER_EVENTS = [
  '<E extends keyof HTMLElementEventMap>(type: E, listener: (this: this, event: HTMLElementEventMap[E]) => unknown',
  '(type: string, listener: EventListenerOrEventListenerObject',
];

/** Returns the properties and listeners to merge with the class of an element. @param {Declaration} element */
function membersOf(element) {
  const { name, members = [] } = element;
  const fields = members.flatMap((member) =>
    member.kind === 'field' && !INHERITED.includes(member.name) // which the base class has
      ? [`    /** ${member.description} */`, `    ${member.name}: ${member.type?.text};`]
      : [],
  );
  const own = eventsOf(element).map(
    ({ name, type }) => `(type: '${name}', listener: (this: this, event: ${type}) => unknown`,
  );
  const listeners = own.length > 0 ? [...own, ...OTHER_EVENTS] : [];
  const lines = listeners.map(
    (start) => `    addEventListener${start}, options?: boolean | AddEventListenerOptions): void;`,
  );
  return [`export interface ${name} {`, ...fields, ...lines, '}', ''].join('\n');
}

/**
 * Returns what a tag takes in JSX and templates: attributes, which may be texts, properties and listeners.
 * @param {Declaration} element
 */
function tagOf(element) {
  const { tagName, attributes = [], members = [] } = element;
  const entries = [...members, ...attributes].map((each) => {
    const type = ('type' in each && each.type?.text) || 'unknown';
    const texts = { number: 'number | string', boolean: "boolean | ''" };
    return [each.name, Reflect.get(texts, type) ?? type];
  });
  const events = eventsOf(element).map(({ name, type }) => [
    `on${name}`,
    `(event: ${type}) => unknown`,
  ]);
  const lines = Object.entries(Object.fromEntries([...entries, ...events])).map(
    ([name, type]) => `        '${name}'?: ${type};`,
  );
  return [`    '${tagName}': {`, ...lines, '    };'].join('\n');
}

/**
 * Returns the declarations that registering elements adds to documents, and the tags for those of frameworks.
 * @param {Declared[]} elements
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
    '    interface GlobalEventHandlersEventMap {',
    ...events.values(),
    '    }',
    '}',
    '/** What each tag takes in JSX and templates, for the types of frameworks. */',
    'export interface FigureTags {',
    ...elements.map(({ element }) => tagOf(element)),
    '}',
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
      `${folderOf(basename(path, '.js'))}/element.d.ts`,
      membersOf(element),
    ]),
    ['figures/define.d.ts', registered(elements, './')],
    [
      'figures.min.d.ts',
      "import './figures/define.js';\nexport * from './attention/index.js';\nexport * from './figures/index.js';\nexport { default } from './figures/anywidget.js';\n",
    ],
  ]);
}

/** The functions of a pool as the compiler writes their type, which tells editors nothing about them. */
const MAPPED =
  /\{\s*\[Name in keyof typeof FUNCTIONS\]: (Asynchronous<\(typeof FUNCTIONS\)\[)Name(\]>);\s*\}/;

/**
 * Returns the declarations of pools with each function by its name, below the first paragraph and the parameters of
 * its documentation.
 * @param {string} types of pools
 * @param {readonly string[]} names of the functions
 * @param {string} functions the declarations of their modules
 */
export function documentedPool(types, names, functions) {
  const documented = names.map((name) => {
    const end = functions.search(new RegExp(` \\*/\\nexport (declare )?function ${name}\\b`));
    const start = functions.lastIndexOf('/**', end) + '/**\n'.length;
    return { name, lines: functions.slice(start, end).split('\n') };
  });
  return types.replace(MAPPED, (_, before, after) => {
    const members = documented.map(({ name, lines }) => {
      const [first, parameters, others] = [' *', ' * @param', ' * @throws'].map((start) =>
        lines.findIndex((line) => (start === ' *' ? line === start : line.startsWith(start))),
      );
      const kept = [...lines.slice(0, first), ...lines.slice(parameters, others), ' */'];
      return `/**\n${kept.join('\n')}\n${name}: ${before}'${name}'${after};`;
    });
    return `{\n${members.join('\n')}\n}`;
  });
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

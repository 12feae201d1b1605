// The types that the compiler cannot write from what it reads: the properties that elements have after
// their specs, what a document's tags and events are once the elements are registered, the bundles.

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

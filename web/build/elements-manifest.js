// Build step: the custom elements manifest, what editors and catalogues know of the elements. Names,
// types and defaults are those of the figures' specs; what they mean is read from the docstrings.
// A docstring that says otherwise than the spec ends the build.
// (Format: https://github.com/webcomponents/custom-elements-manifest)
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'comment-parser';
import { dark, light, property } from '../figures/kit/palette.js';
import { attributeName } from '../figures/kit/state.js';
import { classNameOf, ELEMENTS } from './vite.config.js';

/**
 * @typedef {import('custom-elements-manifest').Package} Manifest
 * @typedef {import('custom-elements-manifest').CustomElementDeclaration} Declaration
 * @typedef {import('custom-elements-manifest').CustomElementField} Property
 * @typedef {import('../figures/kit/spec.js').AnyFigureSpec} FigureSpec
 * @typedef {import('../figures/kit/state.js').Field} Field
 * @typedef {{ type: string, name: string, description: string }} Line
 * @typedef {{ description: string, lines: (tag: string) => Line[] }} Doc
 */

const BASE = { name: 'FigureElement', module: 'figures/kit/figure.js' };
const source = (/** @type {string} */ path) =>
  readFileSync(fileURLToPath(new URL(`../${path}`, import.meta.url)), 'utf8');

/**
 * The docstring that ends before a line of a file, or holds it.
 * @param {string} path
 * @param {string} landmark
 * @returns {Doc}
 */
function docOf(path, landmark) {
  const text = source(path);
  const line = text.slice(0, text.indexOf(landmark)).split('\n').length - 1;
  const block = parse(text).find(
    ({ source: lines }) => lines[0].number <= line && lines[lines.length - 1].number >= line - 1,
  );
  if (!block) throw new Error(`${path}: nothing is said of ${landmark}`);
  const oneLine = (/** @type {string} */ words) => words.replace(/^-\s*/, '').replace(/\s+/g, ' ');
  return {
    description: oneLine(block.description),
    lines: (tag) =>
      block.tags
        .filter((found) => found.tag === tag)
        .map(({ type, name, description }) => ({
          ...{ type, name: name === '-' ? '' : name, description: oneLine(description) },
        })),
  };
}

/** @param {Field} field  @returns {string} the type as TypeScript writes it */
const typeOf = ({ kind, options = [] }) =>
  kind === 'choice'
    ? options.map((option) => `'${option}'`).join(' | ')
    : kind === 'number'
      ? 'number'
      : 'string';

/** @param {Field} field  @returns {string} the default as JavaScript writes it */
const defaultOf = ({ initial }) => (typeof initial === 'number' ? `${initial}` : `'${initial}'`);

/**
 * The docstring's line for each field, which has to agree with the field.
 * @param {string} tag
 * @param {FigureSpec} spec
 * @param {Line[]} lines
 * @returns {{ key: string, field: Field, line: Line }[]}
 */
function documentedFields(tag, { fields }, lines) {
  const documented = Object.entries(fields).map(([key, field]) => {
    const line = lines.find(({ name }) => name === attributeName(key));
    if (line?.type !== typeOf(field)) {
      throw new Error(
        `${tag}: @attr ${attributeName(key)} is {${line?.type}}, expected {${typeOf(field)}}`,
      );
    }
    return { key, field, line };
  });
  const known = new Set([...Object.keys(fields).map(attributeName), 'lang', 'controls', 'theme']);
  const stray = lines.find(({ name }) => !known.has(name));
  if (stray) throw new Error(`${tag}: @attr ${stray.name} is no attribute of it`);
  return documented;
}

const text = (/** @type {string} */ name) => ({ text: name });

/** @param {Line} line */
const attribute = ({ name, type, description }) => ({ name, type: text(type), description });

/** @param {Line} line */
function event({ name, type, description }) {
  if (!type) throw new Error(`@fires ${name} says no type`);
  return { name, type: text(type), description };
}

/** @param {Line[]} lines */
const named = (lines) => lines.map(({ name, description }) => ({ name, description }));

/** The custom properties that every element reads. */
function cssProperties() {
  const palette = docOf('figures/kit/palette.js', '@property {string} ink').lines('property');
  return palette.map(({ name, description }) => {
    const key = /** @type {keyof typeof light} */ (name);
    const font = key === 'font';
    return {
      name: property(key),
      syntax: font ? '*' : '<color>',
      description,
      default: light[key] === dark[key] ? light[key] : `light-dark(${light[key]}, ${dark[key]})`,
    };
  });
}

/** What a figure of this spec does not have. @param {FigureSpec} spec */
const missingParts = ({ run, fields }) => [
  ...(run ? [] : ['run', 'cancel']),
  ...(fields.seed ? [] : ['sample']),
];

/**
 * A property that has an attribute.
 * @param {Line} line
 * @param {Pick<Property, 'name' | 'type' | 'default'>} rest
 * @returns {Property}
 */
const member = ({ name: attribute, description }, rest) => ({
  ...{ kind: 'field', description, attribute },
  ...rest,
});

/** Attributes that are texts also as properties; `lang` is a property of every HTML element. */
export const TEXTS = ['controls', 'theme'];

/** @param {Line} line */
const mirrored = (line) => ({
  ...attribute(line),
  ...(TEXTS.includes(line.name) && { fieldName: line.name }),
});

/** @param {Line[]} lines */
const reflecting = (lines) =>
  lines
    .filter(({ name }) => TEXTS.includes(name))
    .map((line) => member(line, { name: line.name, type: text('string'), default: "''" }));

/**
 * @param {string} name of the element without `attn-`
 * @param {FigureSpec} spec
 * @returns {Declaration}
 */
function figure(name, spec) {
  const own = docOf(`figures/${name}.js`, `export class ${classNameOf(name)} `);
  const base = docOf(BASE.module, `export class ${BASE.name} `);
  const fields = documentedFields(`attn-${name}`, spec, own.lines('attr'));
  const common = [...own.lines('attr'), ...base.lines('attr')].filter(
    (line) => !fields.some((field) => field.line.name === line.name),
  );
  const missing = missingParts(spec);
  return {
    ...head(name, own),
    superclass: BASE,
    attributes: [
      ...fields.map(({ key, field, line }) => ({
        ...attribute(line),
        ...{ default: defaultOf(field), fieldName: key },
      })),
      ...common.map(mirrored),
    ],
    members: [
      ...fields.map(({ key, field, line }) =>
        member(line, {
          ...{ name: key, type: text(typeOf(field)), default: defaultOf(field) },
        }),
      ),
      ...reflecting(common),
    ],
    events: base.lines('fires').map(event),
    slots: named(base.lines('slot')),
    cssParts: named(base.lines('csspart').filter((part) => !missing.includes(part.name))),
    cssProperties: cssProperties(),
  };
}

/**
 * An element that is no figure says all of itself.
 * @param {string} name
 * @returns {Declaration}
 */
function other(name) {
  const own = docOf(`figures/${name}.js`, `export class ${classNameOf(name)} `);
  return {
    ...head(name, own),
    superclass: { name: 'LiveElement', module: 'figures/kit/element.js' },
    attributes: own.lines('attr').map(mirrored),
    members: reflecting(own.lines('attr')),
    slots: named(own.lines('slot')),
    cssParts: named(own.lines('csspart')),
    cssProperties: cssProperties(),
  };
}

/** @param {string} name  @param {Doc} doc */
const head = (name, { description }) => ({
  kind: /** @type {const} */ ('class'),
  customElement: /** @type {const} */ (true),
  name: classNameOf(name),
  tagName: `attn-${name}`,
  description,
});

/**
 * The manifest of all elements; paths are those of the package.
 * @returns {Promise<Manifest>}
 */
export async function elementsManifest() {
  const modules = await Promise.all(
    ELEMENTS.map(async (name) => {
      const path = `figures/${name}.js`;
      const { spec } = (await import(`../figures/${name}.js`))[classNameOf(name)];
      const declaration = { name: classNameOf(name), module: path };
      return {
        kind: /** @type {const} */ ('javascript-module'),
        path,
        declarations: [spec ? figure(name, spec) : other(name)],
        exports: [{ kind: /** @type {const} */ ('js'), name: classNameOf(name), declaration }],
      };
    }),
  );
  const definitions = ELEMENTS.map((name) => ({
    kind: /** @type {const} */ ('custom-element-definition'),
    name: `attn-${name}`,
    declaration: { name: classNameOf(name), module: `figures/${name}.js` },
  }));
  const registration = {
    kind: /** @type {const} */ ('javascript-module'),
    path: 'figures/define.js',
    declarations: [],
    exports: definitions,
  };
  return { schemaVersion: '2.1.0', modules: [...modules, registration] };
}

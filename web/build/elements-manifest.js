// The custom elements manifest, which describes the elements to editors and catalogues. Names, types,
// ranges and defaults are those of the figures' fields; descriptions are those of their facts.
// (Format: https://github.com/webcomponents/custom-elements-manifest)
// The analyzer of that project reads classes, and finds none of this: an element gets its properties from
// the fields of its figure when it is defined.
import {
  COLOURS,
  EVENTS,
  FIGURE_ATTRIBUTES,
  MARGIN,
  PARTS,
  TOP,
  SHARED_ATTRIBUTES,
  SLOTS,
} from '../figures/kit/element/facts.js';
import { dark, light, property } from '../figures/kit/chart/palette.js';
import { attributeName } from '../figures/kit/state/state.js';
import { classNameOf, ELEMENTS } from '../figures/list.js';
import { keysOf } from '../shared/keys.js';
import { aboutLanguage } from '../shared/languages.js';
import { FACTS } from './facts.js';

/**
 * @import { Attribute, CustomElementDeclaration, CustomElementField, JavaScriptModule, Package } from 'custom-elements-manifest'
 * @import { AnyFigureSpec, Both, ElementFacts } from '../figures/kit/spec.js'
 * @import { Field } from '../figures/kit/state/state.js'
 * @typedef {keyof Both} Language
 * @typedef {{ name: string, facts: ElementFacts, spec?: AnyFigureSpec }} Element
 */

/** @type {Element[]} */
const elements = await Promise.all(
  ELEMENTS.map(async (name) => {
    const { spec } = await import(`../figures/${name}/element.js`);
    return { name, facts: FACTS[name], spec };
  }),
);

/** @param {Field} field  @returns {string} the type as TypeScript writes it */
const typeOf = ({ kind, options = [] }) =>
  kind === 'choice'
    ? options.map((option) => `'${option}'`).join(' | ')
    : kind === 'number'
      ? 'number'
      : 'string';

/**
 * Returns the default of a field.
 * @param {Field} field
 * @returns {string} the default as JavaScript writes it
 */
const defaultOf = ({ initial }) => (typeof initial === 'number' ? `${initial}` : `'${initial}'`);

/**
 * Returns the range of a field in words.
 * @param {Field} field
 * @returns {string} its range and default, in words of the English manifest
 */
function rangeOf({ kind, min, max, step = 1, initial, slider }) {
  if (kind === 'choice') return ` (${initial})`;
  if (kind !== 'number') return '';
  const range = slider || step !== 1 ? `, ${min} … ${max}` : '';
  return `${range}${step === 1 ? '' : ` in steps of ${step}`} (${initial})`;
}

const text = (/** @type {string} */ name) => ({ text: name });

/** Lists facts by name. @param {Record<string, Both>} facts  @param {Language} lang */
const named = (facts, lang) =>
  Object.entries(facts).map(([name, { [lang]: description }]) => ({ name, description }));

/**
 * Lists facts by name and type.
 * @param {Record<string, Both & { type: string }>} facts
 * @param {Language} lang
 */
const typed = (facts, lang) =>
  named(facts, lang).map((fact) => ({ ...fact, type: text(facts[fact.name].type) }));

/** Attributes that are texts also as properties; `lang` is a property of every HTML element. */
const TEXTS = ['controls', 'panels', 'theme'];
/** Attributes whose properties the base classes have. */
export const INHERITED = [...TEXTS, 'compact'];

/** Lists names as code. @param {readonly string[]} [names] */
const namesOf = (names = []) => names.map((name) => `\`${name}\``).join(', ');

/**
 * Lists the attributes of an element.
 * @param {Element} element
 * @param {Language} lang
 * @returns {Attribute[]}
 */
function attributesOf({ facts, spec }, lang) {
  const fields = Object.entries(spec?.fields ?? {}).map(([key, field]) => ({
    name: attributeName(key),
    type: text(typeOf(field)),
    description: facts.attributes[key][lang] + (lang === 'en' ? rangeOf(field) : ''),
    default: defaultOf(field),
    fieldName: key,
  }));
  const own = spec ? typed(FIGURE_ATTRIBUTES, lang) : [];
  const shared = [...own, ...typed(SHARED_ATTRIBUTES, lang)].map((attribute) => ({
    ...attribute,
    ...(INHERITED.includes(attribute.name) && { fieldName: attribute.name }),
    ...(attribute.name === 'compact' && { default: 'false' }),
    ...(attribute.name === 'panels' && {
      description: `${attribute.description}${aboutLanguage(lang).colon}${namesOf(spec?.panels)}`,
    }),
  }));
  return [...fields, ...shared];
}

/**
 * Returns the property of an attribute in a list, or an empty list.
 * @param {Attribute} attribute
 * @returns {CustomElementField[]} the property of the same meaning, if there is one
 */
function memberOf({ name, fieldName, description, type, default: initial = "''" }) {
  if (fieldName === undefined) return [];
  const isText = TEXTS.includes(fieldName);
  return [
    {
      kind: 'field',
      name: fieldName,
      attribute: name,
      description,
      type: isText ? text('string') : type,
      default: initial,
    },
  ];
}

/** Returns the properties without an attribute. @param {ElementFacts} facts @param {Language} lang @returns {CustomElementField[]} */
const propertiesOf = ({ properties = {} }, lang) =>
  typed(properties, lang).map((property) => ({ kind: 'field', ...property }));

/**
 * Lists the members of an element: its own before those of its base.
 * @param {Attribute[]} attributes
 * @param {CustomElementField[]} properties  without an attribute
 */
function membersOf(attributes, properties) {
  const members = attributes.flatMap(memberOf);
  const isInherited = (/** @type {CustomElementField} */ { name }) => INHERITED.includes(name);
  return [
    ...members.filter((member) => !isInherited(member)),
    ...properties,
    ...members.filter(isInherited),
  ];
}

/** Returns the custom properties that every element reads. @param {Language} lang */
const cssProperties = (lang) => [
  { name: '--attn-margin', syntax: '<length>{1,2}', description: MARGIN[lang], default: '1.5rem' },
  { name: '--attn-top', syntax: '<length> | none', description: TOP[lang], default: '0px' },
  ...keysOf(COLOURS).map((key) => ({
    name: property(key),
    syntax: key === 'font' ? '*' : '<color>',
    description: COLOURS[key][lang],
    default: light[key] === dark[key] ? light[key] : `light-dark(${light[key]}, ${dark[key]})`,
  })),
];

/** Returns the parts of a figure: without those that its spec leaves out. @param {AnyFigureSpec} spec */
function partsOf({ run, fields, lead, oneAtATime }) {
  const { run: start, cancel, sample, steps, turns, ...parts } = PARTS;
  return {
    ...parts,
    ...(run && { run: start, cancel }),
    ...(fields.seed && { sample }),
    ...(lead && { steps }),
    ...(oneAtATime && { turns }),
  };
}

/**
 * Returns the declaration of an element.
 * @param {Element} element
 * @param {Language} lang
 * @returns {CustomElementDeclaration}
 */
function declarationOf(element, lang) {
  const { name, facts, spec } = element;
  const attributes = attributesOf(element, lang);
  return {
    kind: 'class',
    customElement: true,
    name: classNameOf(name),
    tagName: `attn-${name}`,
    description: facts.summary[lang],
    superclass: spec
      ? { name: 'FigureElement', module: 'figures/kit/element/figure.js' }
      : { name: 'LiveElement', module: 'figures/kit/element/element.js' },
    attributes,
    members: membersOf(attributes, propertiesOf(facts, lang)),
    ...(spec && { events: typed({ ...EVENTS, ...facts.events }, lang) }),
    slots: named(facts.slots ?? SLOTS, lang),
    cssParts: named({ ...(spec ? partsOf(spec) : { retry: PARTS.retry }), ...facts.parts }, lang),
    cssProperties: cssProperties(lang),
  };
}

/**
 * Returns the manifest of all elements; paths are those of the package.
 * @param {Language} [lang]  of its descriptions
 * @returns {Package}
 */
export function elementsManifest(lang = 'en') {
  const references = ELEMENTS.map((name) => ({
    name: classNameOf(name),
    module: `figures/${name}.js`,
  }));
  /** @type {JavaScriptModule[]} */
  const modules = elements.map((element, i) => ({
    kind: 'javascript-module',
    path: references[i].module,
    declarations: [declarationOf(element, lang)],
    exports: [{ kind: 'js', name: references[i].name, declaration: references[i] }],
  }));
  /** @type {JavaScriptModule} */
  const registration = {
    kind: 'javascript-module',
    path: 'figures/define.js',
    declarations: [],
    exports: ELEMENTS.map((name, i) => ({
      kind: 'custom-element-definition',
      name: `attn-${name}`,
      declaration: references[i],
    })),
  };
  return { schemaVersion: '2.1.0', modules: [...modules, registration] };
}

/** @typedef {{ path: string, element: CustomElementDeclaration }} Declared  path: of its module */

/** Lists the elements of a manifest. @param {Package} manifest @returns {Declared[]} */
export const elementsOf = ({ modules }) =>
  modules.flatMap(({ path, declarations = [] }) =>
    declarations.map((declaration) => ({
      path,
      element: /** @type {CustomElementDeclaration} */ (declaration),
    })),
  );

// The custom elements manifest, which describes the elements to editors and catalogues. Names, types,
// ranges and defaults are those of the figures' fields; descriptions are those of the reference in a language.
// (Format: https://github.com/webcomponents/custom-elements-manifest)
// The analyzer of that project reads classes, and finds none of this: an element gets its properties from
// the fields of its figure when it is defined.
import { EVENTS, FIGURE_ATTRIBUTES, SHARED_ATTRIBUTES } from '../figures/kit/element/facts.js';
import { dark, light, property } from '../figures/kit/chart/palette.js';
import { attributeName } from '../figures/kit/state/state.js';
import { classNameOf, ELEMENTS } from '../figures/list.js';
import { keysOf } from '../shared/keys.js';
import { aboutLanguage, LANGUAGES } from '../shared/languages.js';
import { FACTS, KIT_REFERENCE, REFERENCE } from './facts.js';

/**
 * @import { Attribute, CustomElementDeclaration, CustomElementField, JavaScriptModule, Package } from 'custom-elements-manifest'
 * @import { AnyFigureSpec } from '../figures/kit/spec.js'
 * @import { Field } from '../figures/kit/state/state.js'
 * @import { Language } from '../shared/languages.js'
 * @import { KitReference } from './facts.js'
 * @typedef {{ name: string, spec?: AnyFigureSpec }} Element
 */

/** @type {Element[]} */
const elements = await Promise.all(
  ELEMENTS.map(async (name) => {
    const { spec } = await import(`../figures/${name}/element.js`);
    return { name, spec };
  }),
);

/** @param {Field} field  @returns {string} the type as TypeScript writes it */
const typeOf = ({ kind, options = [] }) =>
  kind === 'choice'
    ? options.map((option) => `'${option}'`).join(' | ')
    : kind === 'number'
      ? 'number'
      : 'string';

/** Returns the default of a field, as JavaScript writes it. @param {Field} field */
const defaultOf = ({ initial }) => (typeof initial === 'number' ? `${initial}` : `'${initial}'`);

/** Returns the range and the default of a field, in words of the English manifest. @param {Field} field */
function rangeOf({ kind, min, max, step = 1, initial, slider }) {
  if (kind === 'choice') return ` (${initial})`;
  if (kind !== 'number') return '';
  const range = slider || step !== 1 ? `, ${min} … ${max}` : '';
  return `${range}${step === 1 ? '' : ` in steps of ${step}`} (${initial})`;
}

const text = (/** @type {string} */ name) => ({ text: name });

/** Lists descriptions by name. @param {Record<string, string>} descriptions */
const named = (descriptions) =>
  Object.entries(descriptions).map(([name, description]) => ({ name, description }));

/**
 * Lists types and descriptions by name.
 * @param {Record<string, string>} [types]
 * @param {Record<string, string>} [descriptions]
 */
const typed = (types = {}, descriptions = {}) =>
  Object.entries(types).map(([name, type]) => ({
    name,
    description: descriptions[name],
    type: text(type),
  }));

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
function attributesOf({ name, spec }, lang) {
  const { figureAttributes, sharedAttributes, fields: usual } = KIT_REFERENCE[lang];
  const attributes = { ...usual, ...REFERENCE[lang][name].attributes };
  const fields = Object.entries(spec?.fields ?? {}).map(([key, field]) => ({
    name: attributeName(key),
    type: text(typeOf(field)),
    description: attributes[key] + (lang === LANGUAGES[0].key ? rangeOf(field) : ''),
    default: defaultOf(field),
    fieldName: key,
  }));
  const own = spec ? typed(FIGURE_ATTRIBUTES, figureAttributes) : [];
  const shared = [...own, ...typed(SHARED_ATTRIBUTES, sharedAttributes)].map((attribute) => ({
    ...attribute,
    ...(INHERITED.includes(attribute.name) && { fieldName: attribute.name }),
    ...(attribute.name === 'compact' && { default: 'false' }),
    ...(attribute.name === 'panels' && {
      description: `${attribute.description}${aboutLanguage(lang).colon}${namesOf(spec?.panels)}`,
    }),
  }));
  return [...fields, ...shared];
}

/** Returns the property of an attribute, if it has one, as a list. @param {Attribute} attribute @returns {CustomElementField[]} */
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

/** Returns the properties without an attribute. @param {string} name @param {Language} lang @returns {CustomElementField[]} */
const propertiesOf = (name, lang) =>
  typed(FACTS[name].properties, REFERENCE[lang][name].properties).map((property) => ({
    kind: 'field',
    ...property,
  }));

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

/** Returns the custom properties that every element reads. @param {KitReference} reference */
const cssProperties = ({ margin, top, colours }) => [
  { name: '--attn-margin', syntax: '<length>{1,2}', description: margin, default: '1.5rem' },
  { name: '--attn-top', syntax: '<length> | none', description: top, default: '0px' },
  ...keysOf(colours).map((key) => ({
    name: property(key),
    syntax: key === 'font' ? '*' : '<color>',
    description: colours[key],
    default: light[key] === dark[key] ? light[key] : `light-dark(${light[key]}, ${dark[key]})`,
  })),
];

/**
 * Returns the parts of a figure: without those that its spec leaves out.
 * @param {KitReference['parts']} all
 * @param {AnyFigureSpec} spec
 */
function partsOf(all, { run, fields, film, oneAtATime }) {
  const { run: start, cancel, sample, play, turns, ...parts } = all;
  return {
    ...parts,
    ...(run && { run: start, cancel }),
    ...(fields.seed && { sample }),
    ...(film && { play }),
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
  const { name, spec } = element;
  const kit = KIT_REFERENCE[lang];
  const own = REFERENCE[lang][name];
  const attributes = attributesOf(element, lang);
  return {
    kind: 'class',
    customElement: true,
    name: classNameOf(name),
    tagName: `attn-${name}`,
    description: own.summary,
    superclass: spec
      ? { name: 'FigureElement', module: 'figures/kit/element/figure.js' }
      : { name: 'LiveElement', module: 'figures/kit/element/element.js' },
    attributes,
    members: membersOf(attributes, propertiesOf(name, lang)),
    ...(spec && {
      events: [...typed(EVENTS, kit.events), ...typed(FACTS[name].events, own.events)],
    }),
    slots: named(own.slots ?? kit.slots),
    cssParts: named({
      ...(spec ? partsOf(kit.parts, spec) : { retry: kit.parts.retry }),
      ...own.parts,
    }),
    cssProperties: cssProperties(kit),
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

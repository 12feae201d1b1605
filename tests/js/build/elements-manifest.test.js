// The manifest of the elements says in words what the specs say in numbers.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expectAll, inChinese } from '../../../web/build/elements-chinese.js';
import { elementsManifest } from '../../../web/build/elements-manifest.js';
import { ELEMENTS } from '../../../web/build/vite.config.js';

/** @import { CustomElementDeclaration } from 'custom-elements-manifest' */

const { modules } = await elementsManifest();
const elements = modules.flatMap(({ declarations = [] }) =>
  declarations.map((declaration) => /** @type {CustomElementDeclaration} */ (declaration)),
);

/** The number fields of an element, with what is said of them. @param {typeof elements[0]} element */
async function numberFields({ name, tagName = '', attributes = [] }) {
  const module = await import(`../../../web/figures/${tagName.replace('attn-', '')}.js`);
  const { fields = {} } = module[name].spec ?? {};
  return attributes.flatMap(({ name: attribute, fieldName = '', description = '' }) => {
    const field = fields[fieldName];
    return field?.kind === 'number' ? [{ attribute, field, description }] : [];
  });
}

test('every element is in it once, and its registration', () => {
  const tags = ELEMENTS.map((name) => `attn-${name}`);
  assert.deepEqual(
    elements.map(({ tagName }) => tagName),
    tags,
  );
  const definitions = modules.flatMap(({ exports = [] }) =>
    exports.filter(({ kind }) => kind === 'custom-element-definition'),
  );
  assert.deepEqual(
    definitions.map(({ name }) => name),
    tags,
  );
});

test('what it does not say in Chinese is named at once, all of it', () => {
  assert.equal(inChinese('the picture'), '图本身');
  expectAll();
  for (const sentence of ['one thing', 'another', 'one thing']) inChinese(sentence);
  assert.throws(expectAll, { message: /does not have:\n {2}one thing\n {2}another$/ });
  expectAll();
});

for (const element of elements) {
  test(`${element.tagName}: ranges and defaults in words are those that hold`, async () => {
    for (const { attribute, field, description } of await numberFields(element)) {
      const [, low, high] = description.match(/([\d.]+) … ([\d.]+)/) ?? [];
      if (low) assert.deepEqual([Number(low), Number(high)], [field.min, field.max], attribute);
      const [, step] = description.match(/in steps of ([\d.]+)/) ?? [];
      if (step) assert.equal(Number(step), field.step, attribute);
      const [, initial] = description.match(/\(([\d.]+)\)$/) ?? [];
      assert.equal(Number(initial), field.initial, `${attribute}: ${description}`);
    }
  });

  test(`${element.tagName}: everything has a description`, () => {
    const {
      attributes = [],
      members = [],
      events = [],
      cssParts = [],
      cssProperties = [],
    } = element;
    const items = [...attributes, ...members, ...events, ...cssParts, ...cssProperties];
    const silent = [element, ...items, ...(element.slots ?? [])].filter(
      ({ description }) => !description?.trim(),
    );
    assert.deepEqual(silent, []);
  });
}

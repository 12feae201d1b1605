// The manifest of the elements has in words the numbers of the specs.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { elementsManifest, elementsOf } from '../../../web/build/elements-manifest.js';
import { KIT_REFERENCE, REFERENCE } from '../../../web/build/facts.js';
import { ELEMENTS } from '../../../web/build/paths.js';
import { LANGUAGE_KEYS } from '../../../web/shared/languages.js';

/** @import { Language } from '../../../web/shared/languages.js' */

const manifest = elementsManifest();
const elements = elementsOf(manifest).map(({ element }) => element);

/** Returns the number fields of an element, with their descriptions. @param {typeof elements[0]} element */
async function numberFields({ name, tagName = '', attributes = [] }) {
  const folder = tagName.replace('attn-', '');
  const module = await import(`../../../web/figures/${folder}/element.js`);
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
  const definitions = manifest.modules.flatMap(({ exports = [] }) =>
    exports.filter(({ kind }) => kind === 'custom-element-definition'),
  );
  assert.deepEqual(
    definitions.map(({ name }) => name),
    tags,
  );
});

test('it has in Chinese all of its English texts', () => {
  /** @param {Language} lang  @returns {string[]} */
  const descriptions = (lang) =>
    [...JSON.stringify(elementsManifest(lang)).matchAll(/"description":"(.*?)"/g)].map(
      ([, description]) => description,
    );
  const isChinese = (/** @type {string} */ text) => /[\u4e00-\u9fff]/.test(text);
  const [english, chinese] = [descriptions('en'), descriptions('zh')];
  assert.equal(chinese.length, english.length);
  assert.deepEqual(english.filter(isChinese), []);
  assert.deepEqual(
    chinese.filter((text) => !isChinese(text)),
    [],
  );
});

for (const element of elements) {
  test(`${element.tagName}: ranges and defaults in words are those that hold`, async () => {
    for (const { attribute, field, description } of await numberFields(element)) {
      const [, low, high] = description.match(/(-?[\d.]+) … ([\d.]+)/) ?? [];
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

test('the reference describes, in every language, the fields of an element and no others', async () => {
  for (const name of ELEMENTS) {
    const { spec } = await import(`../../../web/figures/${name}/element.js`);
    const fields = Object.keys(spec?.fields ?? {});
    for (const lang of LANGUAGE_KEYS) {
      const own = Object.keys(REFERENCE[lang][name].attributes);
      const described = [...own, ...Object.keys(KIT_REFERENCE[lang].fields)];
      const missing = fields.filter((key) => !described.includes(key));
      const others = own.filter((key) => !fields.includes(key));
      assert.deepEqual({ missing, others }, { missing: [], others: [] }, `${name} ${lang}`);
    }
  }
});

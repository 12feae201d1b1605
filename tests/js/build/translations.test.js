// A translation without its keys: the module says what it said before, or the build fails.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { translated } from '../../../web/build/translated.js';
import { withoutKeys } from '../../../web/build/translations.js';

const en = {
  name: 'one',
  same: 'x',
  nested: { b: 'two', a: 'three' },
  list: [['four', 'x'], 'five'],
};
const zh = { same: 'x', name: '一', list: [['四', 'x'], '五'], nested: { a: '三', b: '二' } };

describe('translated', () => {
  it('gives the texts of the translation to the keys of the original', () => {
    assert.deepEqual(translated(en, '一~~二~三~四~~五'), zh);
  });

  it('leaves the original as it was', () => {
    const before = structuredClone(en);
    translated(en, '一~~二~三~四~~五');
    assert.deepEqual(en, before);
  });
});

describe('a module of messages', () => {
  const code =
    'export const en = 1;\n/** @type {typeof en} */\nexport const zh = { any: en };\nrest();';

  it('has its translation made from its original', () => {
    const [, made] = withoutKeys(code, { en, zh }).match(/export const zh = (.*);\nrest/) ?? [];
    assert.equal(made, 'translated(en, "一~~二~三~四~~五")');
  });

  it('is refused where a text holds what stands between texts', () => {
    assert.throws(() => withoutKeys(code, { en, zh: { ...zh, name: 'a~b' } }));
  });

  it('is refused where the translation says more or less than the original', () => {
    assert.throws(() => withoutKeys(code, { en, zh: { ...zh, more: '六' } }));
    assert.throws(() => withoutKeys(code, { en, zh: { ...zh, list: zh.list.slice(1) } }));
    assert.throws(() => withoutKeys(code, { en, zh: { ...zh, name: '' } }));
  });
});

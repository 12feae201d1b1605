// A translation without its keys: the module says what it said before, or the build fails.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { translated } from '../../../web/build/translated.js';
import { translationsTogether, withoutKeys } from '../../../web/build/translations.js';

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

describe('a bundle', () => {
  const code =
    'var a={x:"one",y:"two"},$b=translated(a,"一~\\"二\\""),c=3,d={z:"four"},e=translated(d,"四"),f=[$b,c,e]';

  it('says the same with its translations together', () => {
    const together = translationsTogether(code);
    assert.equal(together.match(/translated/g)?.length, 1);
    const run = (/** @type {string} */ text) => new Function('translated', `${text};return f`);
    assert.deepEqual(run(together)(translated), [{ x: '一', y: '"二"' }, 3, { z: '四' }]);
    assert.deepEqual(run(together)(translated), run(code)(translated));
  });

  it('stays as it is where it has none', () => {
    assert.equal(translationsTogether('var a=1,b=2'), 'var a=1,b=2');
  });
});

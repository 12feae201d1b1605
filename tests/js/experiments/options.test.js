// Functions of theory and experiments refuse options that they do not have, and list all that they take.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as experiments from '../../../web/experiments/index.js';
import { readReference } from '../../../web/site/generator/api.js';
import { propertiesOf } from '../../../web/site/generator/api-options.js';
import * as theory from '../../../web/theory/index.js';

const { entries, typeOf } = await readReference();
const REFUSED = /^TypeError: (\w+): unknown option 'sclae', expected one of (.*)$/;

/** What any long experiment takes beside the options of its kind. */
const CONTROL = ['signal', 'onProgress', 'kernel'];

/** Functions with options, and the place of these among the arguments. */
const functions = entries.flatMap(({ name, file, params }) => {
  const place = params.findIndex((param) => ['options', 'setting'].includes(param.name));
  const known = /^(theory|experiments)/.test(file) && place >= 0;
  return known ? [{ name, file, place, type: params[place].type }] : [];
});

/**
 * Returns the name and the options in the refusal of an option that no function has.
 * @param {string} name
 * @param {number} place
 */
async function refusal(name, place) {
  const call = Reflect.get({ ...theory, ...experiments }, name);
  const before = Array.from({ length: place }, () => 1);
  try {
    await call(...before, { sclae: 1 });
  } catch (error) {
    return REFUSED.exec(String(error)) ?? [];
  }
  return [];
}

for (const { name, file, place, type } of functions) {
  test(`${name} names itself and the options of its docstring`, async () => {
    const [, caller, known] = await refusal(name, place);
    assert.equal(caller, name);
    const documented = propertiesOf(type, file, typeOf).map((each) => each.name);
    const own = (/** @type {string[]} */ names) => names.filter((each) => !CONTROL.includes(each));
    assert.deepEqual(own(known.split(', ')).sort(), own(documented).sort());
  });
}

test('all functions with options are looked at', () => {
  assert.ok(functions.length > 50, `${functions.length} functions`);
});

test('an option of another function is refused, where it was without effect', () => {
  const wrong = /** @type {any} */ ({ keys: 64, seed: 1, dK: 64 });
  assert.throws(() => experiments.saturationCurve(wrong), {
    message:
      "saturationCurve: unknown option 'dK', expected one of keys, queries, seed, entrySize, factor, dimensions",
  });
});

// Laws refuse options that they do not have, and list all that they take.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readReference } from '../../../web/site/generator/api.js';
import { propertiesOf } from '../../../web/site/generator/api-options.js';
import * as theory from '../../../web/theory/index.js';

const { entries, typeOf } = await readReference();
const REFUSED =
  /^DTypeError: (\w+): unknown option 'sclae'(?: \(did you mean '\w+'\?\))?, expected one of (.*)$/;

/** Functions with options, and the place of these among the arguments. */
const functions = entries.flatMap(({ name, file, params }) => {
  const place = params.findIndex((param) => param.name === 'options');
  const known = file.startsWith('theory/') && place >= 0;
  return known ? [{ name, file, place, type: params[place].type }] : [];
});

/**
 * Returns the name and the options in the refusal of an option that no function has.
 * @param {string} name
 * @param {number} place
 */
async function refusal(name, place) {
  const call = Reflect.get(theory, name);
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
    assert.deepEqual(known.split(', ').sort(), documented.sort());
  });
}

test('all functions with options are looked at', () => {
  assert.deepEqual(functions.map(({ name }) => name).sort(), [
    'costModel',
    'expectedEffectiveKeys',
    'expectedSaturation',
    'freezingDimension',
    'memoryModel',
    'scoreDensity',
    'sinkWeight',
    'startDeviation',
  ]);
});

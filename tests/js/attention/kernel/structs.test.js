// Whoever writes a struct gives all of its fields, no others, and each of its type: also where the compiler of
// types cannot see it.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import * as lab from '../../../../web/attention/index.js';
import { Block } from '../../../../web/attention/kernel/block.js';
import * as generated from '../../../../web/attention/kernel/generated/structs.js';
import { readHeaders } from '../../../../web/build/boundary.js';
import {
  attentionOf,
  createModel,
  createTrainer,
  lossGradient,
} from '../../../../web/language/index.js';
import { callsOf } from '../functions.js';

const FUNCTIONS = callsOf(lab);

const text = ['attn.h', 'language/language.h'].map((file) =>
  readFileSync(new URL(`../../../../c/${file}`, import.meta.url), 'utf8'),
);
const { structs } = readHeaders(text.join(''));
const STRUCTS = /** @type {Record<string, any>} */ (generated);

/** @type {Record<string, (value: any) => boolean>} */
const IS = {
  float: (value) => typeof value === 'number',
  int32_t: (value) => value === (value | 0),
  uint32_t: (value) => value === value >>> 0,
};
/** @type {Set<string>} */
const written = new Set();
const originals = structs.map(({ name }) => STRUCTS[name.toUpperCase()].write);

before(() =>
  structs.forEach(({ name, fields }, i) => {
    STRUCTS[name.toUpperCase()].write = (/** @type {any[]} */ ...args) => {
      const given = args[3];
      assert.deepEqual(Object.keys(given).sort(), fields.map((field) => field.name).sort(), name);
      for (const { name: field, type, isPointer } of fields) {
        const value = given[field];
        const isRight = isPointer
          ? value === null || value instanceof Block
          : (IS[type]?.(value) ?? true);
        assert.ok(
          isRight,
          `${name}.${field} is ${value}, expected ${isPointer ? 'a pointer' : type}`,
        );
      }
      written.add(name);
      originals[i](...args);
    };
  }),
);
after(() => structs.forEach(({ name }, i) => (STRUCTS[name.toUpperCase()].write = originals[i])));

for (const [name, { call, args }] of Object.entries(FUNCTIONS)) {
  test(`${name} gives the structs that it writes all of their fields`, async () => {
    await lab.init();
    call(...args);
  });
}

test('so do a call with a limit, and the model and its training', () => {
  const { call, args } = FUNCTIONS.attention;
  call(...args.slice(0, 3), { ...args[3], limit: { milliseconds: 1e9 } });
  const model = createModel({ vocabulary: 5, context: 4, dModel: 4, seed: 1 });
  attentionOf(model, [1, 2, 3]);
  lossGradient(model, [[1, 2]], [[2, 3]]);
  const trainer = createTrainer(model, { schedule: 'constant' });
  trainer.step([[1, 2]], [[2, 3]]);
  trainer.dispose();
});

test('these were all structs of the headers', () => {
  assert.deepEqual([...written].sort(), structs.map(({ name }) => name).sort());
});

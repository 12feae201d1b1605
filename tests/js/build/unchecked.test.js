// Bundles of figures have the checks of theory and experiments as functions that do nothing, and their
// constants as they are.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { unchecked } from '../../../web/build/unchecked.js';
import * as check from '../../../web/theory/check.js';

const transform = /** @type {(code: string, id: string) => { code: string } | undefined} */ (
  unchecked.transform
);
const CHECKS = resolve('web/theory/check.js');

test('every check is there, and none of them does anything', async () => {
  const { code = '' } = transform(readFileSync(CHECKS, 'utf8'), CHECKS) ?? {};
  const stubs = await import(`data:text/javascript,${encodeURIComponent(code)}`);
  assert.deepEqual(Object.keys(stubs).sort(), Object.keys(check).sort());
  for (const stub of Object.values(stubs)) assert.equal(stub('f', { a: NaN }), undefined);
});

test('constants of theory and experiments are the same, but not frozen', async () => {
  const source = "export const SIZES = Object.freeze({ all: Object.freeze([1, 2],), name: 'd' });";
  const { code = '' } = transform(source, resolve('web/experiments/cost.js')) ?? {};
  const { SIZES } = await import(`data:text/javascript,${encodeURIComponent(code)}`);
  assert.deepEqual(SIZES, { all: [1, 2], name: 'd' });
  assert.ok(!Object.isFrozen(SIZES) && !Object.isFrozen(SIZES.all));
});

test('the package stays as it is, with what it freezes for its users', () => {
  const source = 'export const kernel = Object.freeze({});';
  assert.equal(transform(source, resolve('web/attention/kernels.js')), undefined);
});

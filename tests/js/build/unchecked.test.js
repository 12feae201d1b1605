// Bundles of figures have the checks of theory and experiments as functions that do nothing.
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

test('other modules stay as they are', () => {
  assert.equal(transform('export function check() {}', resolve('web/theory/norm.js')), undefined);
});

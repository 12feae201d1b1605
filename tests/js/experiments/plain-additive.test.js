// The plain JavaScript baseline gives the results of the kernel.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { additiveAttention, randomNormal } from '../../../web/attention/index.js';
import { plainFactored, plainPairwise } from '../../../web/experiments/plain-additive.js';

const n = 7;
const d = 5;
const h = 3;
const at = (/** @type {number} */ stream, /** @type {number[]} */ shape) =>
  randomNormal(shape, { seed: 1, stream });
const query = at(0, [n, d]);
const key = at(1, [n, d]);
const value = at(2, [n, d]);
const weights = { queryWeight: at(3, [h, d]), keyWeight: at(4, [h, d]), scoreWeight: at(5, [h]) };
const inputs = {
  query: query.data,
  key: key.data,
  value: value.data,
  queryWeight: weights.queryWeight.data,
  keyWeight: weights.keyWeight.data,
  scoreWeight: weights.scoreWeight.data,
  n,
  d,
  h,
};

for (const [name, plain] of Object.entries({ plainFactored, plainPairwise })) {
  test(`${name} agrees with the kernel`, () => {
    const { output } = additiveAttention(query, key, value, weights);
    const actual = plain(inputs);
    assert.equal(actual.length, n * d);
    actual.forEach((x, i) => assert.ok(Math.abs(x - output.data[i]) < 1e-5, `${i}`));
  });
}

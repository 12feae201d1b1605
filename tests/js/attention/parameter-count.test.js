// The size of a multi-head layer against PyTorch's.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { additiveAttention, parameterCount, randomNormal } from '../../../web/attention/index.js';
import { goldenCases } from './golden.js';

test('the parameters of PyTorch modules are counted', () => {
  const [{ entries }] = goldenCases('param_counts.json');
  let compared = 0;
  for (const { d_model: dModel, heads, kdim, bias, by_parameter: by } of entries) {
    if (kdim) continue; // keys of another size than queries: cross-attention, not counted here
    const own = Object.entries(by).filter(([name]) => /in_proj|out_proj/.test(name));
    const expected = own.reduce((total, [, count]) => total + Number(count), 0);
    assert.equal(parameterCount({ dModel, heads, bias }).total, expected);
    compared++;
  }
  assert.equal(compared, 10);
});

test('each part is counted with its bias', () => {
  assert.deepEqual(parameterCount({ dModel: 8, heads: 2, dKey: 3, dValue: 5, bias: true }), {
    query: 8 * 6 + 6,
    key: 8 * 6 + 6,
    value: 8 * 10 + 10,
    output: 10 * 8 + 8,
    total: 54 + 54 + 90 + 88,
    kvCachePerToken: 2 * (3 + 5),
  });
});

test('additive attention has the entries of its weights', () => {
  const [dQuery, dKey, hidden] = [3, 5, 7];
  const weights = {
    queryWeight: randomNormal([hidden, dQuery], { seed: 1 }),
    keyWeight: randomNormal([hidden, dKey], { seed: 2 }),
    scoreWeight: randomNormal([hidden], { seed: 3 }),
    bias: randomNormal([hidden], { seed: 4 }),
  };
  const [query, key] = [dQuery, dKey].map((d) => randomNormal([2, d], { seed: 5 }));
  additiveAttention(query, key, key, weights); // which refuses other sizes
  const [inQuery, inKey, score, bias] = Object.values(weights).map(({ data }) => data.length);
  const additive = { dQuery, dKey, hidden };
  assert.deepEqual(parameterCount({ additive, bias: true }), {
    query: inQuery,
    key: inKey,
    score,
    bias,
    total: inQuery + inKey + score + bias,
  });
  assert.equal(parameterCount({ additive }).total, inQuery + inKey + score);
});

test('heads do not change the total, grouped heads shrink keys, values and cache', () => {
  const totals = [1, 2, 8, 32].map((heads) => parameterCount({ dModel: 64, heads }).total);
  assert.deepEqual(totals, [16384, 16384, 16384, 16384]);
  const grouped = parameterCount({ dModel: 64, heads: 8, kvHeads: 2 });
  assert.deepEqual([grouped.key, grouped.value, grouped.kvCachePerToken], [1024, 1024, 32]);
});

test('wrong arguments are named with the expected ones', () => {
  const cases = /** @type {[any, string, string][]} */ ([
    [undefined, 'DTypeError', 'parameterCount: dModel is undefined, expected a positive safe integer'],
    [{ dModel: 8 }, 'DTypeError', 'parameterCount: heads is undefined, expected a positive safe integer'],
    [{ dModel: 0, heads: 1 }, 'DTypeError', 'parameterCount: dModel is 0, expected a positive safe integer'],
    [{ dModel: 8, heads: 2.5 }, 'DTypeError', 'parameterCount: heads is 2.5, expected a positive safe integer'],
    [{ dModel: 8, heads: 2, bias: 1 }, 'DTypeError', 'parameterCount: bias is 1, expected one of false, true'],
    [{ dModel: 8, heads: 2, dHead: 1 }, 'DTypeError', "parameterCount: unknown option 'dHead' (did you mean 'heads'?), expected one of dModel, heads, kvHeads, dKey, dValue, bias, additive"],
    [{ additive: 8 }, 'DTypeError', 'parameterCount: additive is 8, expected an object'],
    [{ additive: { dQuery: 8, dKey: 8 } }, 'DTypeError', 'parameterCount: additive.hidden is undefined, expected a positive safe integer'],
    [{ additive: { dQuery: 8, dKey: 8, h: 1 } }, 'DTypeError', "parameterCount: unknown option 'h', expected one of dQuery, dKey, hidden"],
    [{ additive: { dQuery: 8, dKey: 8, hidden: 1 }, heads: 2 }, 'DTypeError', "parameterCount: unknown option 'heads', expected one of additive, bias"],
    [{ dModel: 10, heads: 4 }, 'ShapeError', 'parameterCount: heads is 4, expected a divisor of dModel 10'],
    [{ dModel: 8, heads: 4, kvHeads: 3 }, 'ShapeError', 'parameterCount: kvHeads is 3, expected a divisor of heads 4'],
    [{ dModel: 10, heads: 4, dKey: null }, 'DTypeError', 'parameterCount: dKey is null, expected a positive safe integer'],
    [{ dModel: 8, heads: 4, dValue: null }, 'DTypeError', 'parameterCount: dValue is null, expected a positive safe integer'],
    [{ dModel: 8, heads: 4, kvHeads: null }, 'DTypeError', 'parameterCount: kvHeads is null, expected a positive safe integer'],
  ]); // prettier-ignore
  for (const [options, name, message] of cases) {
    assert.throws(() => parameterCount(options), { name, message });
  }
});

// Additive attention against PyTorch, by both methods, and its rules.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  additiveAttention,
  additiveAttentionGradient,
  randomNormal,
} from '../../../web/attention/index.js';
import { OF_DOTS, optionsWithout } from '../../../web/attention/settings.js';
import * as oracle from '../oracle.js';
import { compareGolden, goldenCases, toInput } from './golden.js';
import { additiveLayer as layer, empty, zeros } from './problems.js';

const EVERYTHING = /** @type {const} */ (['weights', 'scores', 'logSumExp']);
const METHODS = /** @type {const} */ (['factored', 'pairwise']);

test('scores of one unit are the golden hyperbolic tangents', (t) => {
  const [, { inputs, variants }] = goldenCases('scalar_tables.json');
  const { y } = variants[0].expected;
  const x = { data: inputs.x.data, shape: [y.data.length, 1] };
  const layer1 = { queryWeight: [[1]], keyWeight: [[1]], scoreWeight: [1] };
  /** @type {Record<string, number>} */
  const worst = {};
  for (const method of METHODS) {
    const { data } = additiveAttention(x, [[0]], [[0]], {
      ...layer1,
      method,
      returns: ['scores'],
    }).scores;
    worst[method] = y.data.reduce((most, expected, i) => {
      if (Number.isNaN(expected)) {
        assert.ok(Number.isNaN(data[i]));
        return most;
      }
      // Per pair tanh is taken of the sum; factored it is made of two exponentials.
      const size = method === 'pairwise' ? Math.abs(expected) : 1;
      const error = Math.abs(data[i] - expected) / (oracle.EPSILON * size + 2 ** -149);
      assert.ok(error <= 3, `${method} tanh(${inputs.x.data[i]}): ${error}`);
      return Math.max(most, error);
    }, 0);
  }
  t.diagnostic(`worst in 2⁻²⁴ (pairwise: · |tanh x|): ${JSON.stringify(worst)}`);
});

test('the golden vectors of additive attention are met by both methods', (t) => {
  const { compare, report } = compareGolden();
  for (const { name, inputs, variants } of goldenCases('additive.json')) {
    const { q, k, values, W1, W2, v, b } = Object.fromEntries(
      Object.entries(inputs).map(([key, input]) => [key, toInput(input)]),
    );
    for (const variant of variants) {
      for (const method of METHODS) {
        const { output, ...rest } = additiveAttention(q, k, values, {
          queryWeight: W1,
          keyWeight: W2,
          scoreWeight: v,
          bias: variant.params.bias ? b : null,
          ...(variant.inputs?.mask && { mask: toInput(variant.inputs.mask) }),
          method,
          returns: EVERYTHING,
        });
        const { scores, weights, logSumExp } = rest;
        const results = { output, scores, weights, logsumexp: logSumExp };
        compare(`${name} ${method}`, variant, results);
      }
    }
  }
  report(t, 72);
});

test('each batch and head is attended to by itself, with the same weights', () => {
  const [q, k, v] = [1, 2, 3].map((seed) => randomNormal([2, 3, 5, 4], { seed }));
  const weights = layer(6, 4, 4);
  const mask = [[true, false, true, true, false]]; // prettier-ignore
  const rows = Array.from({ length: 5 }, () => mask[0]);
  const all = additiveAttention(q, k, v, { ...weights, mask: rows, returns: EVERYTHING });
  assert.deepEqual(all.output.shape, [2, 3, 5, 4]);
  for (let head = 0; head < 6; head++) {
    const one = additiveAttention(
      oracle.matrixOf(q, head),
      oracle.matrixOf(k, head),
      oracle.matrixOf(v, head),
      {
        ...weights,
        mask: rows,
        returns: EVERYTHING,
      },
    );
    assert.deepEqual(one.output.data, all.output.data.subarray(head * 20, head * 20 + 20));
    assert.deepEqual(one.weights.data, all.weights.data.subarray(head * 25, head * 25 + 25));
  }
});

test('an infinite input saturates tanh, by both methods and in the gradient', () => {
  const { scoreWeight, ...weights } = layer(5, 2, 2);
  const bound = oracle.sum([...scoreWeight.data]);
  // All units see +Infinity in the first entry, with any key.
  weights.queryWeight.data.forEach((w, i) => (weights.queryWeight.data[i] = Math.abs(w)));
  const [query, key] = [[[Infinity, 1]], randomNormal([3, 2], { seed: 1 })];
  for (const method of METHODS) {
    const options = { ...weights, scoreWeight, method, returns: EVERYTHING };
    const { scores, weights: p } = additiveAttention(query, key, key, options);
    assert.ok(scores.data.every((s) => Math.abs(s - bound) < 1e-6));
    assert.ok(p.data.every((w) => Math.abs(w - 1 / 3) < 1e-6));
  }
  const gradients = additiveAttentionGradient(query, key, key, [[1, 2]], {
    ...weights,
    scoreWeight,
  });
  assert.ok(gradients.dKey.data.every((d) => d === 0));
  assert.ok(gradients.dValue.data.every(Number.isFinite));
});

test('empty shapes give empty or zero results', () => {
  const x = randomNormal([3, 2], { seed: 1 });
  const weights = layer(4, 2, 2);
  assert.deepEqual(additiveAttention(empty(0, 2), x, x, weights).output, empty(0, 2));
  const none = additiveAttention(x, empty(0, 2), empty(0, 2), { ...weights, returns: EVERYTHING });
  assert.deepEqual([...none.output.data], [0, 0, 0, 0, 0, 0]);
  assert.deepEqual([...none.logSumExp.data], [-Infinity, -Infinity, -Infinity]);
  assert.deepEqual(additiveAttention(x, x, empty(3, 0), weights).output, empty(3, 0));
});

test('wrong shapes and options are named with the expected ones, by both functions', () => {
  const t = zeros;
  const good = { queryWeight: t(6, 3), keyWeight: t(6, 5), scoreWeight: t(6), bias: t(6) };
  const option = (/** @type {any} */ change) => [t(2, 3), t(4, 5), t(4, 7), { ...good, ...change }];
  const known = `queryWeight, keyWeight, scoreWeight, bias, method, ${optionsWithout(...OF_DOTS).join(', ')}`;
  const cases = /** @type {[any[], string, string][]} */ ([
    [option({ queryWeight: t(6, 4) }), 'ShapeError', 'queryWeight is [6, 4], expected [h, 3] with h above 0, where 3 is the last axis of query'],
    [option({ queryWeight: t(0, 3) }), 'ShapeError', 'queryWeight is [0, 3], expected [h, 3] with h above 0, where 3 is the last axis of query'],
    [option({ queryWeight: t(6) }), 'ShapeError', 'queryWeight is [6], expected [h, 3] with h above 0, where 3 is the last axis of query'],
    [option({ keyWeight: t(6, 3) }), 'ShapeError', 'keyWeight is [6, 3], expected [6, 5] to match queryWeight [6, 3]'],
    [option({ scoreWeight: t(5) }), 'ShapeError', 'scoreWeight is [5], expected [6] to match queryWeight [6, 3]'],
    [option({ bias: t(1, 6) }), 'ShapeError', 'bias is [1, 6], expected [6] to match queryWeight [6, 3]'],
    [option({ mask: t(4, 2) }), 'ShapeError', 'mask is [4, 2], expected [2, 4]; axes before the last may be 1'],
    [[t(2, 3), t(4, 5), t(3, 7), good], 'ShapeError', 'value is [3, 7], expected 4 rows to match key [4, 5]'],
    [[t(4, 2, 3), t(2, 4, 5), t(2, 4, 7), good], 'ShapeError', 'key is [2, 4, 5], expected 4 heads to match query [4, 2, 3]'],
    [[t(2, 3), t(4, 0), t(4, 7), good], 'ShapeError', 'key is [4, 0], expected a last axis above 0'],
    [[t(2), t(4, 5), t(4, 7), good], 'ShapeError', 'query is [2], expected [n, d], [h, n, d] or [b, h, n, d]'],
    [option({ queryWeight: undefined }), 'DTypeError', 'queryWeight is undefined, expected a tensor'],
    [option({ keyWeight: null }), 'DTypeError', 'keyWeight is null, expected a tensor'],
    [option({ method: 'fast' }), 'DTypeError', "method is 'fast', expected one of 'factored', 'pairwise'"],
    [option({ scale: 1 }), 'DTypeError', `unknown option 'scale', expected one of ${known}`],
    [option({ causal: 'yes' }), 'DTypeError', "causal is 'yes', expected one of false, 'upper-left', 'lower-right', true"],
    [option({ returns: [undefined] }), 'DTypeError', "returns[0] is null, expected one of 'weights', 'scores', 'logSumExp'"],
    [[t(2, 3), t(4, 5), t(4, 7), undefined], 'DTypeError', 'queryWeight is undefined, expected a tensor'],
  ]); // prettier-ignore
  for (const [[q, k, v, options], name, message] of cases) {
    const forward = () => additiveAttention(q, k, v, options);
    assert.throws(forward, { name, message: `additiveAttention: ${message}` });
    const backward = () => additiveAttentionGradient(q, k, v, t(...q.shape.slice(0, -1), 7), options);
    assert.throws(backward, { name, message: `additiveAttentionGradient: ${message}` });
  }
  for (const shape of [[2, 5], [4, 7]]) {
    assert.throws(() => additiveAttentionGradient(t(2, 3), t(4, 5), t(4, 7), t(...shape), good), {
      name: 'ShapeError',
      message: `additiveAttentionGradient: dOutput is [${shape.join(', ')}], expected [2, 7] to match the output`,
    });
  }
}); // prettier-ignore

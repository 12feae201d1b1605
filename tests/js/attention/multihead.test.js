// The rules of multi-head layers: batches, contexts, masks, empty shapes, errors.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  multiHeadAttention,
  multiHeadAttentionGradient,
  randomNormal,
} from '../../../web/attention/index.js';
import { optionsWithout } from '../../../web/attention/settings.js';
import { empty, zeros } from './problems.js';

const PARTS = /** @type {const} */ (['query', 'key', 'value', 'output']);
const EXTRAS = /** @type {const} */ (['weights', 'query', 'key', 'value', 'concatenated']);

/** A self-attention layer with all biases. @param {number} heads @param {number} d of a head */
const layerOf = (heads, d, kvHeads = heads) => {
  const dModel = heads * d;
  const rows = { query: heads * d, key: kvHeads * d, value: kvHeads * d, output: dModel };
  return /** @type {any} */ (
    Object.fromEntries(
      PARTS.flatMap((part, i) => [
        [`${part}Weight`, randomNormal([rows[part], dModel], { seed: 20 + i, std: 0.3 })],
        [`${part}Bias`, randomNormal([rows[part]], { seed: 30 + i })],
      ]),
    )
  );
};

test('a context or bias that is null is none', () => {
  const layer = layerOf(2, 3);
  const [x, dO] = [1, 2].map((seed) => randomNormal([4, 6], { seed }));
  const none = Object.fromEntries(PARTS.map((part) => [`${part}Bias`, null]));
  const [bare, options] = [{ ...layer, ...none }, { heads: 2 }];
  for (const run of [
    (/** @type {any} */ parameters, /** @type {any} */ given) =>
      multiHeadAttention(x, parameters, given),
    (/** @type {any} */ parameters, /** @type {any} */ given) =>
      multiHeadAttentionGradient(x, parameters, dO, given),
  ]) {
    const absent = Object.fromEntries(PARTS.map((part) => [`${part}Bias`, undefined]));
    const expected = run({ ...layer, ...absent }, options);
    assert.deepEqual(run(bare, { ...options, context: null }), expected);
  }
});

test('empty shapes give empty or zero results', () => {
  const layer = layerOf(2, 3);
  const x = randomNormal([3, 6], { seed: 1 });
  const none = multiHeadAttention(empty(0, 6), layer, { heads: 2, returns: EXTRAS });
  assert.deepEqual([none.output, none.weights], [empty(0, 6), empty(2, 0, 0)]);
  assert.deepEqual(multiHeadAttention(empty(0, 4, 6), layer, { heads: 2 }).output, empty(0, 4, 6));
  const noKeys = multiHeadAttention(x, layer, { heads: 2, context: empty(0, 6) });
  for (let i = 0; i < 3; i++) {
    assert.deepEqual(noKeys.output.data.slice(6 * i, 6 * i + 6), layer.outputBias.data);
  }
  const zero = (/** @type {any} */ gradients, /** @type {RegExp} */ except) => {
    for (const [name, { data }] of Object.entries(gradients)) {
      if (!except.test(name))
        assert.ok(
          data.every((/** @type {number} */ d) => d === 0),
          name,
        );
    }
  };
  zero(multiHeadAttentionGradient(empty(0, 6), layer, empty(0, 6), { heads: 2 }), /^$/);
  zero(multiHeadAttentionGradient(empty(0, 4, 6), layer, empty(0, 4, 6), { heads: 2 }), /^$/);
  const dO = randomNormal([3, 6], { seed: 2 });
  const options = { heads: 2, context: empty(0, 6) };
  const gradients = multiHeadAttentionGradient(x, layer, dO, options);
  zero(gradients, /^dOutputBias$/);
  assert.deepEqual(gradients.dContext, empty(0, 6));
  const noValues = {
    queryWeight: layer.queryWeight,
    keyWeight: layer.keyWeight,
    valueWeight: empty(0, 6),
    outputWeight: empty(5, 0),
  };
  const output = { data: new Float32Array(15), shape: [3, 5] };
  assert.deepEqual(multiHeadAttention(x, noValues, { heads: 2 }).output, output);
  const noModel = { ...layer, queryWeight: empty(6, 0), keyWeight: empty(6, 0), valueWeight: empty(6, 0) }; // prettier-ignore
  const constant = multiHeadAttention(empty(3, 0), noModel, { heads: 2 }).output;
  assert.deepEqual(constant.data.slice(0, 6), constant.data.slice(6, 12));
  assert.deepEqual(
    multiHeadAttentionGradient(empty(3, 0), noModel, dO, { heads: 2 }).dX,
    empty(3, 0),
  );
});

test('wrong layers are named with the expected ones, by both functions', () => {
  const t = zeros;
  const good = {
    queryWeight: t(12, 8),
    keyWeight: t(6, 5),
    valueWeight: t(10, 5),
    outputWeight: t(8, 20),
    queryBias: t(12),
    keyBias: t(6),
    valueBias: t(10),
    outputBias: t(8),
  };
  const options = { heads: 4, kvHeads: 2, context: t(2, 7, 5) };
  const x = t(2, 3, 8);
  const layer = (/** @type {any} */ change) => [x, { ...good, ...change }, options];
  const option = (/** @type {any} */ change) => [x, good, { ...options, ...change }];
  const known = 'queryWeight, keyWeight, valueWeight, outputWeight, queryBias, keyBias, valueBias, outputBias'; // prettier-ignore
  const cases = /** @type {[any[], string, string][]} */ ([
    [[t(8), good, options], 'ShapeError', 'x is [8], expected [n, d_model] or [b, n, d_model]'],
    [[t(1, 2, 3, 8), good, options], 'ShapeError', 'x is [1, 2, 3, 8], expected [n, d_model] or [b, n, d_model]'],
    [[{ data: new Float32Array(7), shape: [1, 8] }, null, null], 'ShapeError', 'x.data has length 7, expected 8 to match shape [1, 8]'],
    [layer({ queryWeight: t(12, 7) }), 'ShapeError', 'queryWeight is [12, 7], expected last axis 8 to match x [2, 3, 8]'],
    [layer({ queryWeight: t(11, 8) }), 'ShapeError', 'queryWeight is [11, 8], expected rows that heads 4 divides'],
    [layer({ queryWeight: t(0, 8) }), 'ShapeError', 'queryWeight is [0, 8], expected rows above 0'],
    [layer({ queryWeight: t(96) }), 'ShapeError', 'queryWeight is [96], expected [out, in]'],
    [layer({ keyWeight: t(6, 8) }), 'ShapeError', 'keyWeight is [6, 8], expected last axis 5 to match context [2, 7, 5]'],
    [layer({ keyWeight: t(12, 5) }), 'ShapeError', 'keyWeight is [12, 5], expected 6 rows (2 heads of 3) to match queryWeight [12, 8]'],
    [layer({ valueWeight: t(10, 4) }), 'ShapeError', 'valueWeight is [10, 4], expected last axis 5 to match context [2, 7, 5]'],
    [layer({ valueWeight: t(9, 5) }), 'ShapeError', 'valueWeight is [9, 5], expected rows that kvHeads 2 divides'],
    [layer({ outputWeight: t(8, 10) }), 'ShapeError', 'outputWeight is [8, 10], expected last axis 20 (4 heads of 5) to match valueWeight [10, 5]'],
    [layer({ queryBias: t(11) }), 'ShapeError', 'queryBias is [11], expected [12] to match queryWeight [12, 8]'],
    [layer({ keyBias: t(1, 6) }), 'ShapeError', 'keyBias is [1, 6], expected [6] to match keyWeight [6, 5]'],
    [layer({ valueBias: t(12) }), 'ShapeError', 'valueBias is [12], expected [10] to match valueWeight [10, 5]'],
    [layer({ outputBias: t(20) }), 'ShapeError', 'outputBias is [20], expected [8] to match outputWeight [8, 20]'],
    [layer({ keyWeight: undefined }), 'DTypeError', 'keyWeight is undefined, expected a tensor'],
    [layer({ weight: t(1) }), 'DTypeError', `unknown parameter 'weight', expected one of ${known}`],
    [[x, undefined, options], 'DTypeError', 'queryWeight is undefined, expected a tensor'],
    [[x, null, options], 'DTypeError', 'parameters is null, expected an object'],
    [[x, good, undefined], 'DTypeError', 'heads is undefined, expected a positive safe integer'],
    [option({ heads: 0 }), 'DTypeError', 'heads is 0, expected a positive safe integer'],
    [option({ heads: '4' }), 'DTypeError', "heads is '4', expected a positive safe integer"],
    [option({ kvHeads: 1.5 }), 'DTypeError', 'kvHeads is 1.5, expected a positive safe integer'],
    [option({ kvHeads: 3 }), 'ShapeError', 'kvHeads is 3, expected a divisor of heads 4'],
    [option({ context: t(7, 5) }), 'ShapeError', 'context is [7, 5], expected 3 axes to match x [2, 3, 8]'],
    [option({ context: t(3, 7, 5) }), 'ShapeError', 'context is [3, 7, 5], expected batch 2 to match x [2, 3, 8]'],
    [option({ context: undefined }), 'ShapeError', 'keyWeight is [6, 5], expected last axis 8 to match x [2, 3, 8]'],
    [option({ mask: t(7, 3) }), 'ShapeError', 'mask is [7, 3], expected [2, 4, 3, 7]; axes before the last may be 1, leading ones left out'],
    [option({ mask: t(2, 3, 7) }), 'ShapeError', 'mask is [2, 3, 7], expected [2, 4, 3, 7]; axes before the last may be 1, leading ones left out'],
    [option({ scale: 1e39 }), 'DTypeError', 'scale is 1e+39, expected a finite float32 number'],
    [option({ causal: null }), 'DTypeError', "causal is null, expected one of false, 'upper-left', 'lower-right', true"],
    [option({ returns: ['scores'] }), 'DTypeError', "returns[0] is 'scores', expected one of 'weights', 'meanWeights', 'query', 'key', 'value', 'concatenated'"],
    [option({ similarity: 'dot' }), 'DTypeError', `unknown option 'similarity', expected one of heads, kvHeads, context, ${optionsWithout('similarity').join(', ')}`],
  ]); // prettier-ignore
  for (const [[input, parameters, given], name, message] of cases) {
    const forward = () => multiHeadAttention(input, parameters, given);
    assert.throws(forward, { name, message: `multiHeadAttention: ${message}` });
    const backward = () => multiHeadAttentionGradient(input, parameters, t(2, 3, 8), given);
    assert.throws(backward, { name, message: `multiHeadAttentionGradient: ${message}` });
  }
  const wrong = () => multiHeadAttentionGradient(x, good, t(2, 3, 7), options);
  assert.throws(wrong, {
    name: 'ShapeError',
    message:
      'multiHeadAttentionGradient: dOutput is [2, 3, 7], expected [2, 3, 8] to match the output',
  });
  assert.deepEqual(multiHeadAttention(x, good, options).output, t(2, 3, 8));
});

test('an unknown name is refused before a missing one, which it explains', () => {
  const parameters = /** @type {any} */ ({ Wq: [[1]] });
  assert.throws(() => multiHeadAttention([[1]], parameters, { heads: 1 }), {
    message: /unknown parameter 'Wq' \(here queryWeight\)/,
  });
  const layer = { queryWeight: [[1]], keyWeight: [[1]], valueWeight: [[1]], outputWeight: [[1]] };
  assert.throws(() => multiHeadAttention([[1]], layer, /** @type {any} */ ({ numHeads: 1 })), {
    message: /unknown option 'numHeads' \(here heads\)/,
  });
});

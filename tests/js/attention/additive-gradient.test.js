// Gradients of additive attention against PyTorch, float64 formulas and central differences.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  additiveAttention,
  additiveAttentionGradient,
  backend,
  randomNormal,
  tensor,
} from '../../../web/attention/index.js';
import * as oracle from '../oracle.js';
import { runs } from '../runs.js';
import { goldenCases, goldenError, toInput } from './golden.js';
import { drawMask } from './problems.js';

/**
 * @import { Tensor } from '../../../web/attention/index.js'
 * @import { Matrix } from '../oracle/matrices.js'
 */

const INPUTS = /** @type {const} */ (['dQuery', 'dKey', 'dValue']);
const SHARED = /** @type {const} */ (['dQueryWeight', 'dKeyWeight', 'dScoreWeight', 'dBias']);
const NAMES = /** @type {const} */ ([...INPUTS, ...SHARED]);

/** A layer of hidden size h. @param {number} h @param {number} dQ @param {number} dK
 *  @param {number} [seed] @param {number} [std] */
const layerOf = (h, dQ, dK, seed = 9, std = 0.5) => ({
  queryWeight: randomNormal([h, dQ], { seed, stream: 1, std }),
  keyWeight: randomNormal([h, dK], { seed, stream: 2, std }),
  scoreWeight: randomNormal([h], { seed, stream: 3 }),
  bias: randomNormal([h], { seed, stream: 4, std }),
});

/**
 * Returns the change that a gradient may have when projections are rounded otherwise than PyTorch
 * rounds them, as the relaxed backend does: by their size, in units of 2⁻²⁴ of the gradient.
 *
 * @param {[Matrix, Matrix][]} maps x and the weight it meets
 * @param {number[]} gradient
 */
function otherRounding(maps, gradient) {
  if (backend() !== 'relaxed') return 0;
  const projections = maps.flatMap(([x, weight]) =>
    x.flatMap((row) => weight.map((weights) => Math.abs(oracle.dot(row, weights)))),
  );
  return oracle.EPSILON * Math.max(...projections) * Math.max(...gradient.map(Math.abs));
}

test('the golden gradients of additive attention are met', (t) => {
  /** @type {Record<string, number>} */
  const worst = {};
  let arrays = 0;
  const arrayOf = {
    dQuery: 'dq',
    dKey: 'dk',
    dValue: 'dvalues',
    dQueryWeight: 'dW1',
    dKeyWeight: 'dW2',
    dScoreWeight: 'dv',
    dBias: 'db',
  };
  for (const { name: title, inputs, variants } of goldenCases('additive.json')) {
    const { q, k, values, W1, W2, v, b, d_out } = Object.fromEntries(
      Object.entries(inputs).map(([name, input]) => [name, toInput(input)]),
    );
    const [query, key, ...weights] = [q, k, W1, W2].map((input) =>
      oracle.matrixOf(/** @type {Tensor} */ (input)),
    );
    const maps = /** @type {[Matrix, Matrix][]} */ ([
      [query, weights[0]],
      [key, weights[1]],
    ]);
    for (const variant of variants.filter(({ expected }) => expected.dq)) {
      const got = additiveAttentionGradient(q, k, values, d_out, {
        queryWeight: W1,
        keyWeight: W2,
        scoreWeight: v,
        bias: variant.params.bias ? b : null,
        ...(variant.inputs?.mask && { mask: toInput(variant.inputs.mask) }),
      });
      assert.equal('dBias' in got, variant.params.bias);
      for (const [name, { data, shape }] of Object.entries(got)) {
        const array = arrayOf[/** @type {keyof typeof arrayOf} */ (name)];
        assert.deepEqual(shape, variant.expected[array].shape);
        const floor = otherRounding(maps, variant.expected[array].data);
        const error = goldenError(data, variant, array, floor);
        assert.ok(error <= 1, `${title} ${variant.name} ${array}: ${error}`);
        worst[array] = Math.max(worst[array] ?? 0, error);
        arrays++;
      }
    }
  }
  t.diagnostic(`${arrays} arrays, worst in units of the tolerance: ${JSON.stringify(worst)}`);
  assert.ok(arrays >= 40, `${arrays}`);
});

/** @param {number} most rows, columns or units @param {number[]} stds of the weights */
const problems = (most, stds) =>
  fc.record({
    lead: fc.constantFrom([], [1], [3], [2, 2]),
    nQ: fc.integer({ min: 1, max: most }),
    nK: fc.integer({ min: 1, max: most }),
    dQ: fc.integer({ min: 1, max: most }),
    dK: fc.integer({ min: 1, max: most }),
    dV: fc.integer({ min: 1, max: most }),
    hidden: fc.integer({ min: 1, max: 2 * most }),
    std: fc.constantFrom(...stds),
    bias: fc.boolean(),
    causal: fc.constantFrom(false, true, /** @type {const} */ ('lower-right')),
    mask: fc.constantFrom(/** @type {const} */ ('none'), 'boolean', 'additive', 'dead'),
    broadcast: fc.boolean(),
    method: fc.constantFrom(/** @type {const} */ ('factored'), 'pairwise'),
    seed: fc.nat(),
  });

/** Returns a problem's inputs, and each head of it as the oracle takes them. @param {any} problem */
function build({ lead, nQ, nK, dQ, dK, dV, hidden, std, seed, ...rest }) {
  const [query, key, value, dOutput] = [
    [nQ, dQ],
    [nK, dK],
    [nK, dV],
    [nQ, dV],
  ].map((shape, stream) => randomNormal([...lead, ...shape], { seed, stream: 20 + stream }));
  const { bias, ...weights } = layerOf(hidden, dQ, dK, seed, std);
  const maskLead = rest.broadcast ? lead.map(() => 1) : lead;
  const { mask, added } = drawMask(rest.mask, [...maskLead, nQ, nK], seed);
  const { causal, method } = rest;
  const options = { ...weights, bias: rest.bias ? bias : null, causal, mask, method };
  const shared = {
    queryWeight: oracle.matrixOf(weights.queryWeight),
    keyWeight: oracle.matrixOf(weights.keyWeight),
    scoreWeight: [...weights.scoreWeight.data],
    ...(rest.bias && { bias: [...bias.data] }),
    causal: /** @type {'all'} */ (causal === true ? 'upper-left' : causal || 'all'),
  };
  const count = lead.reduce((/** @type {number} */ a, /** @type {number} */ b) => a * b, 1);
  const heads = Array.from({ length: count }, (_, head) => ({
    ...shared,
    query: oracle.matrixOf(query, head),
    key: oracle.matrixOf(key, head),
    value: oracle.matrixOf(value, head),
    dOutput: oracle.matrixOf(dOutput, head),
    ...(added && { mask: oracle.matrixOf(added, rest.broadcast ? 0 : head) }),
  }));
  const names = NAMES.filter((name) => name !== 'dBias' || rest.bias);
  return { inputs: /** @type {const} */ ([query, key, value, dOutput]), options, heads, names };
}

/** Gradients of all heads: of inputs one after another, of shared parameters the sum.
 *  @param {Record<string, Matrix>[]} heads @param {typeof NAMES[number]} name */
function gather(heads, name) {
  const lists = heads.map((head) => head[name].flat());
  if (INPUTS.some((input) => input === name)) return lists.flat();
  return lists[0].map((_, i) => oracle.sum(lists.map((list) => list[i])));
}

test('gradients agree with the float64 formulas on any problem, far tails of tanh included', (t) => {
  /** @type {Record<string, number>} */
  const worst = {};
  fc.assert(
    fc.property(problems(8, [0.01, 0.5, 0.5, 5]), (problem) => {
      const { inputs, options, heads, names } = build(problem);
      const got = /** @type {any} */ (additiveAttentionGradient(...inputs, options));
      assert.deepEqual(Object.keys(got), [...names]);
      const each = heads.map(oracle.additiveAttentionGradient);
      for (const name of names) {
        const magnitude = gather(each.map((head) => head.magnitude), name); // prettier-ignore
        const largest = Math.max(...magnitude);
        const error = oracle.errorInUnits(got[name].data, gather(/** @type {any} */ (each), name), largest); // prettier-ignore
        assert.ok(error <= 8, `${name}: ${error} · 2⁻²⁴ · magnitude`);
        worst[name] = Math.max(worst[name] ?? 0, error);
      }
    }),
    runs(800),
  );
  t.diagnostic(`worst in 2⁻²⁴ · magnitude: ${JSON.stringify(worst)}`);
});

test('gradients of more queries and keys than a tile holds agree with the formulas', () => {
  const sizes = fc.record({ nQ: fc.integer({ min: 1, max: 80 }), nK: fc.integer({ min: 60, max: 150 }) });
  fc.assert(
    fc.property(problems(9, [0.1, 1, 5]), sizes, (problem, { nQ, nK }) => {
      const { inputs, options, heads, names } = build({ ...problem, lead: [], nQ, nK });
      const got = /** @type {any} */ (additiveAttentionGradient(...inputs, options));
      const { magnitude, ...expected } = /** @type {any} */ (oracle.additiveAttentionGradient(heads[0]));
      for (const name of names) {
        const largest = Math.max(...magnitude[name].flat());
        const error = oracle.errorInUnits(got[name].data, expected[name].flat(), largest);
        assert.ok(error <= 8, `${name}: ${error} · 2⁻²⁴ · magnitude`);
      }
    }),
    runs(15),
  );
}); // prettier-ignore

test('gradients agree with central differences of the float64 loss', (t) => {
  let worst = 0;
  fc.assert(
    fc.property(problems(3, [0.3, 0.7]), (problem) => {
      const { inputs, options, heads, names } = build(problem);
      const got = /** @type {any} */ (additiveAttentionGradient(...inputs, options));
      const magnitudes = heads.map(oracle.additiveAttentionGradient).map((x) => x.magnitude);
      const lossOf = (/** @type {typeof heads[number]} */ head) => {
        const { output } = oracle.additiveAttention(head);
        return oracle.sum(output.map((row, i) => oracle.dot(row, head.dOutput[i])));
      };
      const loss = () => oracle.sum(heads.map(lossOf));
      const differentiate = (/** @type {(head: any) => Matrix} */ matrix) =>
        heads.flatMap((head) => oracle.differences(loss, matrix(head)).flat());
      const { queryWeight, keyWeight, scoreWeight, bias } = /** @type {any} */ (heads[0]);
      /** @type {Record<string, number[]>} */
      const expected = {
        dQuery: differentiate((head) => head.query),
        dKey: differentiate((head) => head.key),
        dValue: differentiate((head) => head.value),
        dQueryWeight: oracle.differences(loss, queryWeight).flat(),
        dKeyWeight: oracle.differences(loss, keyWeight).flat(),
        dScoreWeight: oracle.differences(loss, [scoreWeight]).flat(),
        dBias: bias ? oracle.differences(loss, [bias]).flat() : [],
      };
      for (const name of names) {
        const size = Math.max(...gather(magnitudes, name));
        const error = oracle.errorInUnits(got[name].data, expected[name], size + 0.1);
        assert.ok(error <= 8, `${name}: ${error}`);
        worst = Math.max(worst, error);
      }
    }),
    runs(200),
  );
  t.diagnostic(`worst in 2⁻²⁴ · (magnitude + 0.1): ${worst}`);
});

/** @param {number} nQ @param {number} nK @param {number} d @param {number[]} [lead] */
const draw = (nQ, nK, d, lead = []) =>
  [nQ, nK, nK, nQ].map((n, i) => randomNormal([...lead, n, d], { seed: 5 + i }));

test('both methods have the same gradient, and returns is without effect', () => {
  const [q, k, v, dO] = draw(4, 5, 3);
  const layer = layerOf(6, 3, 3);
  const expected = additiveAttentionGradient(q, k, v, dO, layer);
  const options = { ...layer, method: /** @type {const} */ ('pairwise'), returns: /** @type {const} */ (['scores']) }; // prettier-ignore
  assert.deepEqual(additiveAttentionGradient(q, k, v, dO, options), expected);
  assert.deepEqual(Object.keys(additiveAttention(q, k, v, options)), ['output', 'scores']);
});

test('NaN touches the rows that attend to it or are attended by it', () => {
  const [q, k, v, dO] = draw(4, 4, 3);
  const rows = (/** @type {Tensor} */ t) =>
    oracle.matrixOf(t).map((row) => (row.some(Number.isNaN) ? 1 : 0));
  const bad = tensor(q);
  bad.data[3] = NaN; // query 1, which attends to keys 0 and 1
  const got = additiveAttentionGradient(bad, k, v, dO, { ...layerOf(5, 3, 3), causal: true });
  assert.deepEqual(INPUTS.map((name) => rows(got[name])), [[0, 1, 0, 0], [1, 1, 0, 0], [1, 1, 0, 0]]); // prettier-ignore
  assert.ok(got.dScoreWeight.data.every(Number.isNaN));
});

test('empty shapes give empty or zero gradients', () => {
  const empty = (/** @type {number[]} */ ...shape) => ({ data: new Float32Array(0), shape });
  const x = randomNormal([3, 2], { seed: 1 });
  const layer = layerOf(4, 2, 2);
  for (const got of [
    additiveAttentionGradient(empty(0, 2), x, x, empty(0, 2), layer),
    additiveAttentionGradient(x, empty(0, 2), empty(0, 2), x, layer),
    additiveAttentionGradient(x, x, empty(3, 0), empty(3, 0), layer),
    additiveAttentionGradient(empty(0, 3, 2), empty(0, 3, 2), empty(0, 3, 2), empty(0, 3, 2), layer),
  ]) {
    assert.deepEqual(Object.keys(got), [...NAMES]);
    assert.deepEqual(got.dQueryWeight.shape, [4, 2]);
    for (const { data } of Object.values(got)) assert.ok(data.every((d) => d === 0));
  } // prettier-ignore
});

test('wrong shapes and options are named with the expected ones', () => {
  const t = (/** @type {number[]} */ ...shape) => ({
    data: new Float32Array(shape.reduce((a, b) => a * b, 1)),
    shape,
  });
  const good = { queryWeight: t(6, 3), keyWeight: t(6, 5), scoreWeight: t(6), bias: t(6) };
  const call =
    (/** @type {any} */ change, /** @type {any} */ dOutput = t(2, 7)) =>
    () =>
      additiveAttentionGradient(t(2, 3), t(4, 5), t(4, 7), dOutput, { ...good, ...change });
  const known =
    'queryWeight, keyWeight, scoreWeight, bias, method, causal, window, offset, keyLengths, sink, mask, returns, into, limit';
  const cases = /** @type {[() => unknown, string, string][]} */ ([
    [call({}, t(2, 5)), 'ShapeError', 'dOutput is [2, 5], expected [2, 7] to match the output'],
    [call({}, t(4, 7)), 'ShapeError', 'dOutput is [4, 7], expected [2, 7] to match the output'],
    [call({ scale: 1 }, { data: [1], shape: [2, 7] }), 'ShapeError', 'dOutput.data has length 1, expected 14 to match shape [2, 7]'],
    [call({}, null), 'DTypeError', 'dOutput is null, expected a tensor'],
    [() => additiveAttentionGradient(t(2), t(4, 5), t(4, 7), t(2, 7), good), 'ShapeError', 'query is [2], expected [n, d], [h, n, d] or [b, h, n, d]'],
    [() => additiveAttentionGradient(t(2, 3), t(4, 0), t(4, 7), t(2, 7), good), 'ShapeError', 'key is [4, 0], expected a last axis above 0'],
    [() => additiveAttentionGradient(t(2, 3), t(4, 5), t(3, 7), t(2, 7), good), 'ShapeError', 'value is [3, 7], expected 4 rows to match key [4, 5]'],
    [call({ queryWeight: t(6, 4) }), 'ShapeError', 'queryWeight is [6, 4], expected [h, 3] with h above 0, where 3 is the last axis of query'],
    [call({ keyWeight: t(6, 3) }), 'ShapeError', 'keyWeight is [6, 3], expected [6, 5] to match queryWeight [6, 3]'],
    [call({ scoreWeight: t(5) }), 'ShapeError', 'scoreWeight is [5], expected [6] to match queryWeight [6, 3]'],
    [call({ bias: t(5) }), 'ShapeError', 'bias is [5], expected [6] to match queryWeight [6, 3]'],
    [call({ scoreWeight: undefined }), 'DTypeError', 'scoreWeight is undefined, expected a tensor'],
    [call({ mask: t(4, 2) }), 'ShapeError', 'mask is [4, 2], expected [2, 4]; axes before the last may be 1'],
    [call({ method: 'slow' }), 'DTypeError', "method is 'slow', expected one of 'factored', 'pairwise'"],
    [call({ causal: 0 }), 'DTypeError', "causal is 0, expected one of false, 'upper-left', 'lower-right', true"],
    [call({ scale: 1 }), 'DTypeError', `unknown option 'scale', expected one of ${known}`],
    [call({ returns: 1 }), 'DTypeError', "returns is 1, expected an array of 'weights', 'scores', 'logSumExp'"],
  ]); // prettier-ignore
  for (const [run, name, message] of cases) {
    assert.throws(run, { name, message: `additiveAttentionGradient: ${message}` });
  }
});

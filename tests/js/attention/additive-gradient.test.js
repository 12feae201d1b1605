// Gradients of additive attention against PyTorch and float64 formulas.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  additiveAttention,
  additiveAttentionGradient,
  backend,
  randomNormal,
} from '../../../web/attention/index.js';
import * as oracle from '../oracle.js';
import { runs } from '../runs.js';
import { compareGolden, goldenCases, toInput } from './golden.js';
import { additiveLayer as layerOf, drawMask, empty } from './problems.js';

/**
 * @import { Tensor } from '../../../web/attention/index.js'
 * @import { Matrix } from '../oracle/matrices.js'
 */

const INPUTS = /** @type {const} */ (['dQuery', 'dKey', 'dValue']);
const SHARED = /** @type {const} */ (['dQueryWeight', 'dKeyWeight', 'dScoreWeight', 'dBias']);
const NAMES = /** @type {const} */ ([...INPUTS, ...SHARED]);

/**
 * Returns the change that a gradient may have when projections are rounded otherwise than PyTorch
 * rounds them, as the relaxed backend does: by their size, in units of 2⁻²⁴ of the gradient.
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
  const { compare, report } = compareGolden();
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
      const results = Object.entries(got).map(([name, result]) => [
        arrayOf[/** @type {keyof typeof arrayOf} */ (name)],
        result,
      ]);
      compare(title, variant, Object.fromEntries(results), (array) =>
        otherRounding(maps, variant.expected[array].data),
      );
    }
  }
  report(t, 59);
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

test('empty shapes give empty or zero gradients', () => {
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

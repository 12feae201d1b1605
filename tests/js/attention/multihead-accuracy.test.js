// Multi-head layers and their gradients against PyTorch and float64 formulas.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  multiHeadAttention,
  multiHeadAttentionGradient,
  parameterCount,
  randomNormal,
} from '../../../web/attention/index.js';
import * as oracle from '../oracle.js';
import { runs } from '../runs.js';
import { compareGolden, goldenCases, toInput } from './golden.js';
import { drawMask } from './problems.js';

/**
 * @import { Tensor } from '../../../web/attention/index.js'
 * @import { Matrix } from '../oracle/matrices.js'
 * @import { Case } from './golden.js'
 */

const PARTS = /** @type {const} */ (['query', 'key', 'value', 'output']);
const EXTRAS = /** @type {const} */ (['weights', 'query', 'key', 'value', 'concatenated']);

/** Turns queryWeight into dQueryWeight. @param {string} name */
const gradientOf = (name) => `d${name[0].toUpperCase()}${name.slice(1)}`;

/** Returns the parameters of a golden layer. @param {Case['inputs']} inputs
 *  @param {boolean} bias @returns {any} */
const goldenLayer = (inputs, bias) =>
  Object.fromEntries(
    PARTS.flatMap((part) => {
      const letter = part[0].toUpperCase();
      const weight = [`${part}Weight`, toInput(inputs[`W${letter}`])];
      return bias ? [weight, [`${part}Bias`, toInput(inputs[`b${letter}`])]] : [weight];
    }),
  );

/** @param {Tensor} t */
const largestOf = ({ data }) => Math.max(...data.map(Math.abs));

test('the golden vectors of multi-head layers are met, gradients too', (t) => {
  const { compare, report } = compareGolden();
  for (const { name, dims, inputs, variants } of goldenCases('mha_layer.json')) {
    const [x, dO] = [inputs.x, inputs.d_out].map(toInput);
    for (const variant of variants) {
      const { bias, mask, param_count } = variant.params;
      const { d_model: dModel, heads } = dims;
      assert.equal(parameterCount({ dModel, heads, bias }).total, param_count);
      const options = {
        heads: dims.heads,
        ...(inputs.x_kv && { context: toInput(inputs.x_kv) }),
        causal: mask === 'causal_upper_left',
        returns: EXTRAS,
      };
      const layer = goldenLayer(inputs, bias);
      const forward = multiHeadAttention(x, layer, options);
      const gradients = /** @type {any} */ (multiHeadAttentionGradient(x, layer, dO, options));
      const { query, key, value, weights, concatenated, output } = forward;
      /** @type {Record<string, Tensor>} */
      const got = { q_proj: query, k_proj: key, v_proj: value, weights, output };
      got.heads_concat = concatenated;
      Object.assign(got, { dx: gradients.dX, ...(inputs.x_kv && { dx_kv: gradients.dContext }) });
      for (const part of PARTS) {
        const letter = part[0].toUpperCase();
        got[`dW${letter}`] = gradients[gradientOf(`${part}Weight`)];
        if (bias) got[`db${letter}`] = gradients[gradientOf(`${part}Bias`)];
      }
      assert.deepEqual(Object.keys(got).sort(), Object.keys(variant.expected).sort());
      // softmax is invariant to the bias of the keys: exactly 0, judged absolutely.
      compare(name, variant, got, (array) =>
        array === 'dbK' ? 8 * oracle.EPSILON * largestOf(gradients.dQueryBias) : 0,
      );
    }
  }
  report(t, 79);
});

/** @param {number} most rows @param {number} size of a head at most */
const problems = (most, size) =>
  fc.record({
    batch: fc.constantFrom(0, 1, 3), // 0: no such axis
    kvHeads: fc.integer({ min: 1, max: 3 }),
    shared: fc.integer({ min: 1, max: 3 }),
    n: fc.integer({ min: 1, max: most }),
    nK: fc.integer({ min: 1, max: most }),
    dModel: fc.integer({ min: 1, max: 3 * size }),
    dContext: fc.integer({ min: 1, max: 3 * size }),
    dK: fc.integer({ min: 1, max: size }),
    dV: fc.integer({ min: 1, max: size }),
    dOut: fc.integer({ min: 1, max: 3 * size }),
    cross: fc.boolean(),
    biases: fc.record({
      query: fc.boolean(),
      key: fc.boolean(),
      value: fc.boolean(),
      output: fc.boolean(),
    }),
    scale: fc.constantFrom(undefined, 0, -0.5, 1),
    causal: fc.constantFrom(false, true, /** @type {const} */ ('lower-right')),
    mask: fc.constantFrom(/** @type {const} */ ('none'), 'boolean', 'additive', 'dead'),
    maskAxes: fc.constantFrom('none', 'heads', 'batch', 'both'),
    seed: fc.nat(),
  });

/** Inputs of a problem, and each item of its batch as the oracle takes it. @param {any} problem */
function build({ batch, kvHeads, shared, cross, biases, seed, ...problem }) {
  const { n, dModel, dK, dV, dOut, causal } = problem;
  const heads = kvHeads * shared;
  const [nK, dContext] = cross ? [problem.nK, problem.dContext] : [n, dModel];
  const lead = batch ? [batch] : [];
  const draw = (/** @type {number[]} */ shape, /** @type {number} */ stream, std = 1) =>
    randomNormal(shape, { seed, stream, std });
  const x = draw([...lead, n, dModel], 0);
  const context = draw([...lead, nK, dContext], 1);
  const dOutput = draw([...lead, n, dOut], 2);
  const shapes = {
    query: [heads * dK, dModel],
    key: [kvHeads * dK, dContext],
    value: [kvHeads * dV, dContext],
    output: [dOut, heads * dV],
  };
  /** @type {any} */
  const parameters = {};
  PARTS.forEach((part, i) => {
    const [rows, columns] = shapes[part];
    parameters[`${part}Weight`] = draw([rows, columns], 11 + i, 1 / Math.sqrt(columns));
    if (biases[part]) parameters[`${part}Bias`] = draw([rows], 15 + i, 0.5);
  });
  const each = /heads|both/.test(problem.maskAxes) ? heads : 1;
  const items = batch && /batch|both/.test(problem.maskAxes) ? batch : 1;
  const axes = [items, each];
  while (axes[0] === 1 && seed % 2) axes.shift(); // leading axes of 1 may be left out
  const { mask, added } = drawMask(problem.mask, [...axes, n, nK], seed);
  const matrices = PARTS.map((part) => [part, oracle.matrixOf(parameters[`${part}Weight`])]);
  const vectors = PARTS.flatMap((part) =>
    biases[part] ? [[part, [...parameters[`${part}Bias`].data]]] : [],
  );
  const layers = Array.from({ length: batch || 1 }, (_, item) => ({
    x: oracle.matrixOf(x, item),
    ...(cross && { context: oracle.matrixOf(context, item) }),
    dOutput: oracle.matrixOf(dOutput, item),
    weights: Object.fromEntries(matrices),
    biases: Object.fromEntries(vectors),
    heads,
    kvHeads,
    scale: Math.fround(problem.scale ?? 1 / Math.sqrt(dK)),
    ...(added && {
      masks: Array.from({ length: heads }, (_, h) =>
        oracle.matrixOf(added, (items === 1 ? 0 : item) * each + (each === 1 ? 0 : h)),
      ),
    }),
    causal: /** @type {'all'} */ (causal === true ? 'upper-left' : causal || 'all'),
  }));
  const options = {
    heads,
    ...(shared > 1 && { kvHeads }),
    ...(cross && { context }),
    ...(problem.scale !== undefined && { scale: problem.scale }),
    causal,
    mask,
  };
  return { x, parameters, dOutput, options, layers };
}

/** Returns the worst error of a tensor in 2⁻²⁴ of its largest magnitude.
 *  @param {Tensor} got @param {number[]} expected @param {number[]} magnitude */
const errorOf = (got, expected, magnitude) =>
  oracle.errorInUnits(got.data, expected, Math.max(...magnitude));

test('a layer agrees with float64 on any problem, all options crossed', (t) => {
  let worst = 0;
  fc.assert(
    fc.property(problems(6, 4), (problem) => {
      const { x, parameters, options, layers } = build(problem);
      const got = multiHeadAttention(x, parameters, { ...options, returns: EXTRAS });
      const each = layers.map((layer) => /** @type {any} */ (oracle.multiHeadAttention(layer)));
      for (const name of /** @type {const} */ (['output', ...EXTRAS])) {
        const expected = each.flatMap((item) => item[name].flat(2));
        const magnitude = each.flatMap((item) => item.magnitude[name].flat(2));
        const error = errorOf(/** @type {Tensor} */ (got[name]), expected, magnitude);
        assert.ok(error <= 8, `${name}: ${error} · 2⁻²⁴ · magnitude`);
        worst = Math.max(worst, error);
      }
    }),
    runs(700),
  );
  t.diagnostic(`worst in 2⁻²⁴ · magnitude: ${worst}`);
});

/** Returns the names of the gradients that a call gives. @param {ReturnType<typeof build>} built */
const namesOf = ({ parameters, options }) => [
  'dX',
  ...(options.context ? ['dContext'] : []),
  ...Object.keys(parameters).map(gradientOf),
];

/** Gradients of a batch from those of its items: of inputs one after another, of parameters the
 *  sum. @param {Record<string, Matrix>[]} items @param {boolean} cross
 *  @returns {Record<string, number[]>} */
function gather(items, cross) {
  const total = Object.keys(items[0]).map((name) => {
    const lists = items.map((item) => item[name].flat());
    if (/^d(X|Context)$/.test(name)) return [name, lists.flat()];
    return [name, lists[0].map((_, i) => oracle.sum(lists.map((list) => list[i])))];
  });
  const all = Object.fromEntries(total);
  if (!cross)
    all.dX = all.dX.map((/** @type {number} */ d, /** @type {number} */ i) => d + all.dContext[i]);
  return all;
}

/** Returns the gradients by formula. @param {ReturnType<typeof build>} built */
function byFormula({ layers, options }) {
  const each = layers.map(oracle.multiHeadAttentionGradient);
  const gradients = each.map((item) => /** @type {any} */ (item.gradients));
  const magnitudes = each.map((item) => /** @type {any} */ (item.magnitude));
  const cross = Boolean(options.context);
  return { expected: gather(gradients, cross), magnitude: gather(magnitudes, cross) };
}

test('gradients of a layer agree with the float64 formulas on any problem', (t) => {
  let worst = 0;
  fc.assert(
    fc.property(problems(6, 4), (problem) => {
      const built = build(problem);
      const { x, parameters, dOutput, options } = built;
      const got = /** @type {any} */ (multiHeadAttentionGradient(x, parameters, dOutput, options));
      assert.deepEqual(Object.keys(got).sort(), namesOf(built).sort());
      const { expected, magnitude } = byFormula(built);
      for (const name of namesOf(built)) {
        const error = errorOf(got[name], expected[name], magnitude[name]);
        assert.ok(error <= 8, `${name}: ${error} · 2⁻²⁴ · magnitude`);
        worst = Math.max(worst, error);
      }
    }),
    runs(700),
  );
  t.diagnostic(`worst in 2⁻²⁴ · magnitude: ${worst}`);
});

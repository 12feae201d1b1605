/**
 * The same C in two builds: what the simd module computes, its translation to JavaScript computes
 * bit for bit (NaN in the same places). The kernels are compared in everything they do.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createKernel } from '../../../web/attention/index.js';

const EVERYTHING = /** @type {const} */ (['weights', 'scores', 'logSumExp']);
const simd = await createKernel({ backend: 'simd' });
const js = await createKernel({ backend: 'js' });

/** @typedef {import('../../../web/attention/index.js').Kernel} Kernel */

/** All numbers of a result; unlike the bytes of a Float32Array, one NaN is like another.
 *  @param {any} result @returns {any} */
function entries(result) {
  if (result.data) return { shape: result.shape, data: [...result.data] };
  if (typeof result !== 'object') return result;
  return Object.entries(result).map(([name, part]) => [name, entries(part)]);
}

/** Numbers of all sizes, some of them not finite.
 *  @param {Kernel} kernel @param {number[]} shape @param {number} seed @param {number} std */
function numbers(kernel, shape, seed, std) {
  const t = kernel.randomNormal(shape, { seed, std });
  const places = kernel.randomUniform(shape, { seed: seed + 1 }).data;
  places.forEach((u, i) => {
    if (u < 0.002) t.data[i] = [NaN, Infinity, -Infinity, -0, 1e-42][i % 5];
  });
  return t;
}

const problems = fc.record({
  heads: fc.integer({ min: 1, max: 3 }),
  nQ: fc.integer({ min: 0, max: 40 }),
  nK: fc.integer({ min: 0, max: 140 }),
  dK: fc.integer({ min: 1, max: 40 }),
  dV: fc.integer({ min: 0, max: 40 }),
  hidden: fc.integer({ min: 1, max: 40 }),
  std: fc.constantFrom(1e-20, 0.1, 1, 8, 1e15),
  causal: fc.constantFrom(false, /** @type {const} */ ('upper-left'), 'lower-right'),
  masked: fc.boolean(),
  cosine: fc.boolean(),
  seed: fc.nat(),
});

/** @param {Kernel} kernel @param {any} problem */
function attend(kernel, problem) {
  const { query, key, value, options } = drawProblem(kernel, problem);
  return kernel.attention(query, key, value, { ...options, returns: EVERYTHING });
}

/** @param {Kernel} kernel @param {any} problem */
function differentiate(kernel, problem) {
  const { query, key, value, options } = drawProblem(kernel, problem);
  const { heads, nQ, dV, seed } = problem;
  const dOutput = numbers(kernel, [heads, nQ, dV], seed + 30, 1);
  return kernel.attentionGradient(query, key, value, dOutput, options);
}

/** @param {Kernel} kernel @param {any} problem */
function drawProblem(kernel, { heads, nQ, nK, dK, dV, std, causal, masked, cosine, seed }) {
  const [query, key, value] = [[nQ, dK], [nK, dK], [nK, dV]].map((shape, i) =>
    numbers(kernel, [heads, ...shape], seed + 10 * i, std),
  ); // prettier-ignore
  const mask = masked ? numbers(kernel, [nQ, nK], seed + 40, 1) : null;
  mask?.data.forEach((x, i) => x > 1 && (mask.data[i] = -Infinity));
  /** @type {'cosine' | 'dot'} */
  const similarity = cosine ? 'cosine' : 'dot';
  return { query, key, value, options: { causal, mask, similarity } };
}

/** @param {Kernel} kernel @param {any} problem */
function halve(kernel, { nQ, nK, std, seed }) {
  const x = numbers(kernel, [nQ, nK], seed, std);
  return [
    kernel.roundToFloat16(x),
    kernel.roundToBFloat16(x),
    kernel.softmaxFloat16(x),
    kernel.softmaxFloat16(x, { subtractMax: false }),
  ];
}

/** @param {Kernel} kernel @param {any} problem */
function layer(kernel, { heads, nQ, nK, dK, dV, std, causal, masked, seed }) {
  const draw = (/** @type {number[]} */ shape, /** @type {number} */ i, size = 0.3) =>
    numbers(kernel, shape, seed + 10 * i, size);
  const [x, context] = [draw([2, nQ, dK], 0, std), draw([2, nK, dV], 1, std)];
  const [d, kvHeads] = [1 + (dK % 9), heads % 2 ? 1 : 2];
  const parameters = {
    queryWeight: draw([heads * d, dK], 2),
    keyWeight: draw([kvHeads * d, dV], 3),
    valueWeight: draw([kvHeads * d, dV], 4),
    outputWeight: draw([dK, heads * d], 5),
    keyBias: draw([kvHeads * d], 6),
    outputBias: draw([dK], 7),
  };
  const mask = masked ? draw([nQ, nK], 8, 1) : null;
  const options = { heads, kvHeads, context, causal, mask };
  const dOutput = draw([2, nQ, dK], 9, 1);
  return [
    kernel.multiHeadAttention(x, parameters, { ...options, returns: ['weights', 'query'] }),
    kernel.multiHeadAttentionGradient(x, parameters, dOutput, options),
  ];
}

/** Few queries and keys and no subnormal numbers: per pair, in JavaScript, is slow.
 *  @param {Kernel} kernel @param {any} problem */
function attendAdditively(kernel, { dK, dV, hidden, std, causal, seed, ...counts }) {
  const [nQ, nK] = [counts.nQ % 13, counts.nK % 41];
  const draw = (/** @type {number[]} */ shape, /** @type {number} */ i) =>
    numbers(kernel, shape, seed + 10 * i, Math.min(Math.max(std, 0.1), 8));
  const [query, key, value] = [draw([nQ, dV + 1], 0), draw([nK, dK], 1), draw([nK, dV], 2)];
  const layer = {
    queryWeight: draw([hidden, dV + 1], 3),
    keyWeight: draw([hidden, dK], 4),
    scoreWeight: draw([hidden], 5),
    bias: draw([hidden], 6),
  };
  const options = { ...layer, causal, returns: EVERYTHING };
  const pairwise = { ...options, method: /** @type {const} */ ('pairwise') };
  return [
    kernel.additiveAttention(query, key, value, options),
    kernel.additiveAttention(query, key, value, pairwise),
    kernel.additiveAttentionGradient(query, key, value, draw([nQ, dV], 7), options),
  ];
}

/** @param {Kernel} kernel @param {any} problem */
function rows(kernel, { nQ, nK, std, seed }) {
  const x = numbers(kernel, [nQ, nK], seed, std);
  const dOutput = numbers(kernel, [nQ, nK], seed + 10, 1);
  const p = kernel.softmax(x, { temperature: 1.5 });
  return [
    p,
    kernel.logSoftmax(x, { temperature: 0.5 }),
    kernel.logSumExp(x),
    kernel.softmaxGradient(x, dOutput),
    kernel.softmaxJacobian(kernel.tensor(x.data.subarray(0, nK), [nQ === 0 ? 0 : nK])),
    kernel.entropy(p),
    kernel.effectiveKeys(p),
    kernel.jacobianTrace(p),
    kernel.describe(x),
  ];
}

for (const [name, compute, numRuns] of /** @type {const} */ ([
  ['attention', attend, 300],
  ['gradients of attention', differentiate, 300],
  ['additive attention and its gradients', attendAdditively, 200],
  ['multi-head layers and their gradients', layer, 150],
  ['16-bit formats', halve, 100],
  ['functions of rows and statistics', rows, 300],
])) {
  test(`${name}: the simd and the js backend give the same bits`, () => {
    fc.assert(
      fc.property(problems, (problem) => {
        assert.deepEqual(entries(compute(js, problem)), entries(compute(simd, problem)));
      }),
      { numRuns },
    );
  });
}

test('random numbers: the simd and the js backend give the same bits', () => {
  for (const options of [{ seed: 0 }, { seed: 2 ** 53 - 1, stream: 2 ** 40 + 3 }]) {
    for (const n of [1, 2, 3, 7, 1000, 100_003]) {
      assert.deepEqual(js.randomNormal([n], options), simd.randomNormal([n], options));
      assert.deepEqual(js.randomUniform([n], options), simd.randomUniform([n], options));
    }
  }
});

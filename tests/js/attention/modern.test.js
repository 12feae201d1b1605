// Caps, windows, offsets, lengths, sinks and temperatures against PyTorch, and against masks and
// options of the same meaning.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  additiveAttention,
  additiveAttentionGradient,
  attention,
  attentionGradient,
  attentionScores,
  multiHeadAttention,
  multiHeadAttentionGradient,
  randomNormal,
} from '../../../web/attention/index.js';
import { runs } from '../runs.js';
import { modernCases, read, toNumber } from './golden.js';

/** @import { Tensor } from '../../../web/attention/index.js' */

const MATRICES = /** @type {const} */ (['weights', 'scores', 'cappedScores', 'maskedScores']);
const EVERYTHING = /** @type {const} */ ([...MATRICES, 'meanWeights', 'logSumExp']);

/** Returns the entries of a result or of its golden counterpart. @param {any} x @returns {number[] | Float32Array} */
function entriesOf(x) {
  const entries = typeof x === 'number' ? [x] : (x.data ?? x);
  return Array.isArray(entries) ? entries.map(toNumber) : entries;
}

/** Returns the largest difference, over the largest entry. @param {ArrayLike<number>} got @param {number[] | Float32Array} expected */
function distance(got, expected) {
  assert.equal(got.length, expected.length);
  let [size, worst] = [1, 0];
  expected.forEach((x, i) => {
    if (Number.isFinite(x)) size = Math.max(size, Math.abs(x));
    if (Object.is(got[i], x)) return;
    const difference = Math.abs(got[i] - x);
    worst = Number.isNaN(difference) ? Infinity : Math.max(worst, difference);
  });
  return worst / size;
}

for (const golden of modernCases('attention_modern.json')) {
  test(`results and gradients are those of PyTorch: ${golden.name}`, () => {
    const [query, key, value, dOutput] = ['query', 'key', 'value', 'dOutput'].map((name) =>
      read(golden[name]),
    );
    const { options, results, gradients } = golden;
    const got = {
      ...attention(query, key, value, { ...options, returns: MATRICES }),
      ...attentionGradient(query, key, value, dOutput, options),
    };
    for (const [name, expected] of Object.entries({ ...results, ...gradients })) {
      const array = entriesOf(Reflect.get(got, name));
      const error = distance(array, entriesOf(expected));
      // A sum of products of both signs with scores, which are up to 150 here.
      const bound = name === 'dScale' ? 1e-5 : 3e-6;
      assert.ok(error <= bound, `${name} is ${error} off`);
    }
  });
}

const problems = fc.record({
  batch: fc.integer({ min: 1, max: 3 }),
  groups: fc.integer({ min: 1, max: 2 }),
  shared: fc.integer({ min: 1, max: 3 }),
  nQ: fc.integer({ min: 0, max: 90 }),
  nK: fc.integer({ min: 0, max: 150 }),
  dK: fc.integer({ min: 1, max: 20 }),
  dV: fc.integer({ min: 0, max: 20 }),
  similarity: fc.constantFrom(/** @type {const} */ ('dot'), 'cosine'),
  seed: fc.nat(),
});

/** @typedef {typeof problems extends fc.Arbitrary<infer P> ? P : never} Problem */

/** @param {Problem} problem */
function draw({ batch, groups, shared, nQ, nK, dK, dV, seed }) {
  const heads = groups * shared;
  return [
    randomNormal([batch, heads, nQ, dK], { seed, stream: 1 }),
    randomNormal([batch, groups, nK, dK], { seed, stream: 2 }),
    randomNormal([batch, groups, nK, dV], { seed, stream: 3 }),
    randomNormal([batch, heads, nQ, dV], { seed, stream: 4 }),
  ];
}

/** Returns a whole number from low to high. @param {number} seed @param {number} stream @param {number} low
 *  @param {number} high */
const integer = (seed, stream, low, high) =>
  low + (Math.imul(seed + stream * 7919, 2654435761) >>> 8) % (high - low + 1); // prettier-ignore

/** Returns options that allow fewer keys, and the mask that they stand for. @param {Problem} problem */
function drawSpan({ batch, nQ, nK, seed }) {
  const [left, right] = [1, 2].map((stream) => integer(seed, stream, -1, 40));
  const offset = Array.from({ length: batch }, (_, i) => integer(seed, 10 + i, -20, 40));
  const keyLengths = Array.from({ length: batch }, (_, i) => integer(seed, 20 + i, 0, nK));
  const causal = integer(seed, 3, 0, 1) === 1;
  const data = new Uint8Array(batch * nQ * nK);
  for (let item = 0, at = 0; item < batch; item++) {
    for (let i = 0; i < nQ; i++) {
      for (let j = 0; j < nK; j++, at++) {
        const p = i + offset[item];
        const isFar = (left >= 0 && j < p - left) || (right >= 0 && j > p + right);
        data[at] = Number(!isFar && !(causal && j > p) && j < keyLengths[item]);
      }
    }
  }
  const window = /** @type {[number, number]} */ ([left, right]);
  const mask = { data, shape: [batch, 1, nQ, nK] };
  return { options: { window, offset, keyLengths, causal }, mask };
}

/** Expects two results to agree to a few roundings, name by name.
 *  @param {object} got @param {object} expected @param {number} [bound] */
function expectClose(got, expected, bound = 4e-6) {
  assert.deepEqual(Object.keys(got).sort(), Object.keys(expected).sort());
  for (const [name, part] of Object.entries(expected)) {
    const error = distance(entriesOf(Reflect.get(got, name)), entriesOf(part));
    assert.ok(error <= bound, `${name} is ${error} off`);
  }
}

test('windows, offsets and lengths are the mask that they stand for', () => {
  fc.assert(
    fc.property(problems, (problem) => {
      const [query, key, value, dOutput] = draw(problem);
      const { options, mask } = drawSpan(problem);
      const { similarity } = problem;
      const more = { softcap: 1.5, sink: 0.5, similarity };
      const got = attention(query, key, value, { ...options, ...more, returns: EVERYTHING });
      const expected = attention(query, key, value, { mask, ...more, returns: EVERYTHING });
      expectClose(got, expected);
      expectClose(
        attentionGradient(query, key, value, dOutput, { ...options, ...more }),
        attentionGradient(query, key, value, dOutput, { mask, ...more }),
        2e-5,
      );
    }),
    runs(150),
  );
});

test('the mean of weights is that over the heads of an item', () => {
  fc.assert(
    fc.property(problems, (problem) => {
      const [query, key, value] = draw(problem);
      const returns = /** @type {const} */ (['weights', 'meanWeights']);
      const { weights, meanWeights } = attention(query, key, value, { returns });
      const { batch, groups, shared, nQ, nK } = problem;
      const [heads, size] = [groups * shared, nQ * nK];
      assert.deepEqual(meanWeights.shape, [batch, nQ, nK]);
      const mean = Array.from({ length: batch * size }, (_, at) => {
        const [item, entry] = [Math.floor(at / size), at % size];
        let sum = 0;
        for (let head = 0; head < heads; head++) sum += weights.data[(item * heads + head) * size + entry]; // prettier-ignore
        return sum / heads;
      });
      assert.ok(distance([...meanWeights.data], mean) <= 2e-7);
    }),
    runs(60),
  );
});

test('queries after a cache of keys attend as they do among all', () => {
  const n = 40;
  const [query, key, value] = [1, 2, 3].map((seed) => randomNormal([n, 8], { seed }));
  const whole = attention(query, key, value, { causal: true, window: [9, -1] });
  const last = { data: query.data.slice(24 * 8), shape: [n - 24, 8] };
  const options = { causal: true, window: /** @type {const} */ ([9, -1]), offset: 24 };
  const { output } = attention(last, key, value, options);
  const { offset, ...rest } = options;
  assert.equal(offset, 24);
  const lowerRight = attention(last, key, value, { ...rest, causal: 'lower-right' });
  assert.deepEqual(lowerRight.output, output);
  const expected = [...whole.output.data.subarray(24 * 8)];
  assert.ok(distance([...output.data], expected) <= 1e-6);
});

test('additive attention takes spans and sinks as attention does', () => {
  const [b, h, n, d] = [2, 2, 9, 4];
  const [query, key, value, dOutput] = [1, 2, 3, 4].map((seed) => randomNormal([b, h, n, d], { seed })); // prettier-ignore
  const spans = { window: /** @type {const} */ ([3, 1]), offset: [1, -2], keyLengths: [9, 4] };
  const data = new Uint8Array(b * n * n);
  for (let i = 0; i < data.length; i++) {
    const [item, p, j] = [Math.floor(i / n / n), Math.floor(i / n) % n, i % n];
    const at = p + spans.offset[item];
    data[i] = Number(j >= at - 3 && j <= at + 1 && j < spans.keyLengths[item]);
  }
  const mask = { data, shape: [b, 1, n, n] };
  const [queryWeight, keyWeight] = [5, 6].map((seed) => randomNormal([6, d], { seed }));
  const hidden = { queryWeight, keyWeight, scoreWeight: randomNormal([6], { seed: 7 }) };
  const sink = [0.5, -0.5];
  const returns = /** @type {const} */ (['weights', 'logSumExp']);
  expectClose(
    additiveAttention(query, key, value, { ...hidden, ...spans, sink, returns }),
    additiveAttention(query, key, value, { ...hidden, mask, sink, returns }),
  );
  expectClose(
    additiveAttentionGradient(query, key, value, dOutput, { ...hidden, ...spans, sink }),
    additiveAttentionGradient(query, key, value, dOutput, { ...hidden, mask, sink }),
    1e-5,
  );
});

test('the layer without projections is attention, in all of its options', () => {
  const x = randomNormal([2, 7, 6], { seed: 1 });
  const identity = Array.from({ length: 6 }, (_, i) =>
    Array.from({ length: 6 }, (_, j) => +(i === j)),
  );
  const layer = {
    queryWeight: identity,
    keyWeight: identity,
    valueWeight: identity,
    outputWeight: identity,
  };
  const options = {
    softcap: 1.2,
    temperature: 0.7,
    sink: [0.3],
    window: /** @type {const} */ ([2, 2]),
    keyLengths: [7, 5],
    offset: [1, -2],
  };
  const inputs = { data: x.data, shape: [2, 1, 7, 6] };
  const returns = /** @type {const} */ (['weights', 'meanWeights']);
  const expected = attention(inputs, inputs, inputs, { ...options, returns });
  const got = multiHeadAttention(x, layer, { ...options, heads: 1, returns });
  for (const name of /** @type {const} */ (['output', 'weights', 'meanWeights'])) {
    assert.ok(distance([...got[name].data], [...expected[name].data]) <= 1e-6, name);
  }
  const gradient = attentionGradient(inputs, inputs, inputs, inputs, options);
  const { dX, dSink } = multiHeadAttentionGradient(x, layer, x, { ...options, heads: 1 });
  const sum = gradient.dQuery.data.map(
    (g, i) => g + gradient.dKey.data[i] + gradient.dValue.data[i],
  );
  assert.ok(distance([...dX.data], [...sum]) <= 1e-5);
  assert.ok(distance(entriesOf(dSink), entriesOf(gradient.dSink)) <= 1e-5);
});

test('matrices of many rows come out in portions, each in its place', () => {
  const x = randomNormal([300, 3], { seed: 1 });
  const y = randomNormal([700, 3], { seed: 2 });
  const { weights, scores } = attention(x, y, y, { returns: ['weights', 'scores'] });
  assert.deepEqual(attentionScores(x, y), { scores });
  for (const row of [0, 63, 64, 127, 255, 299]) {
    const query = { data: x.data.slice(row * 3, row * 3 + 3), shape: [1, 3] };
    const alone = attention(query, y, y, { returns: ['weights', 'scores'] });
    const part = (/** @type {Tensor} */ t) => [...t.data.subarray(row * 700, (row + 1) * 700)];
    assert.ok(distance(part(weights), [...alone.weights.data]) <= 1e-7);
    assert.ok(distance(part(scores), [...alone.scores.data]) <= 1e-6);
  }
});

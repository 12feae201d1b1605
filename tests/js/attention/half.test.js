// 16-bit formats against all their numbers, and softmax in fp16 against its limits.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  randomNormal,
  roundToBFloat16,
  roundToFloat16,
  softmaxFloat16,
} from '../../../web/attention/index.js';
import { goldenCases } from './golden.js';

/**
 * The nearest multiple of the spacing that a format with `bits` significant bits and exponents
 * from `least` has at x, ties to even; in float64, where every step is exact.
 * @param {number} x a float32 number
 * @param {{ bits: number, least: number, largest: number }} format
 */
function nearest(x, { bits, least, largest }) {
  if (!Number.isFinite(x) || x === 0) return x;
  let exponent = Math.floor(Math.log2(Math.abs(x)));
  if (2 ** exponent > Math.abs(x)) exponent--; // log2 may round up
  const spacing = 2 ** (Math.max(exponent, least) - bits + 1);
  const steps = Math.abs(x) / spacing;
  const below = Math.floor(steps);
  const rest = steps - below;
  const rounded = (rest > 0.5 || (rest === 0.5 && below % 2 === 1) ? below + 1 : below) * spacing;
  return Math.sign(x) * (rounded > largest ? Infinity : rounded);
}

const FLOAT16 = { bits: 11, least: -14, largest: 65504 };
const BFLOAT16 = { bits: 8, least: -126, largest: 2 ** 127 * (2 - 2 ** -7) };
const formats = /** @type {const} */ ([
  ['fp16', roundToFloat16, FLOAT16],
  ['bfloat16', roundToBFloat16, BFLOAT16],
]);

test('any shape is rounded entry by entry, more than one portion too', () => {
  const shape = [3, 7, 5000];
  const x = randomNormal(shape, { seed: 1 });
  x.data.set([
    -0,
    NaN,
    Infinity,
    -Infinity,
    65519.99,
    65520,
    2049,
    2 ** -24,
    1.5 * 2 ** -25,
    1e-40,
  ]);
  const before = x.data.slice();
  for (const [, round, format] of formats) {
    const rounded = round(x);
    assert.deepEqual(rounded.shape, shape);
    assert.ok(rounded.data.every((y, i) => Object.is(y, nearest(x.data[i], format))));
  }
  assert.deepEqual(x.data, before);
  assert.deepEqual(roundToFloat16({ data: [2049], shape: [] }), {
    data: Float32Array.of(2048),
    shape: [],
  });
  const empty = { data: new Float32Array(0), shape: [0, 3] };
  assert.deepEqual(roundToBFloat16(empty), empty);
});

test('the golden scores in fp16 are met', (t) => {
  const [{ dims, inputs, variants }] = goldenCases('fp16.json');
  let arrays = 0;
  for (const { name, params, expected, counts } of variants) {
    const rows = (/** @type {string} */ input, factor = 1) =>
      Array.from({ length: dims.n_q }, (_, i) => {
        const start = i * dims.d_max;
        const row = inputs[input].data.slice(start, start + params.d);
        return row.map((x) => x * params.input_multiplier * factor);
      });
    const [q, k] = [rows('q'), rows('k')];
    const pairs = (/** @type {(a: number[], b: number[]) => number} */ score) =>
      q.flatMap((a) => k.map((b) => score(a, b)));
    const exact = pairs((a, b) => a.reduce((sum, x, j) => sum + x * b[j], 0));
    /** Computes scores rounded after every product and every sum, all pairs at a time.
     *  @param {number[][]} queries */
    const sequential = (queries) => {
      let sum = roundToFloat16(new Float32Array(dims.n_q * dims.n_k)).data;
      for (let j = 0; j < params.d; j++) {
        const products = queries.flatMap((a) => k.map((b) => a[j] * b[j]));
        const rounded = roundToFloat16(products).data;
        sum = roundToFloat16(sum.map((s, i) => s + rounded[i])).data;
      }
      return sum;
    };
    const scale = roundToFloat16([1 / Math.sqrt(params.d)]).data[0];
    assert.equal(scale, params.scale_f16);
    const prescaled = q.map((row) => [...roundToFloat16(row.map((x) => x * scale)).data]);
    const factor = Math.fround(1 / Math.sqrt(params.d));
    const scaled = Float32Array.from(exact).map((s) => s * factor);
    const got = {
      exact: Float32Array.from(exact),
      f32acc_round_f16: roundToFloat16(exact).data,
      seq_f16: sequential(q),
      prescaled_q_seq_f16: sequential(prescaled),
      f32acc_scaled_round_f16: roundToFloat16(scaled).data,
    };
    for (const [array, data] of Object.entries(got)) {
      assert.deepEqual([...data], expected[array].data, `${name} ${array}`);
      arrays++;
      if (array === 'exact') continue;
      const inf = data.filter((x) => Math.abs(x) === Infinity).length;
      const nan = data.filter(Number.isNaN).length;
      assert.deepEqual({ inf, nan }, counts[array]);
    }
    // Scaling after the overflow does not help.
    const late = roundToFloat16(got.seq_f16.map((s) => s * scale)).data;
    const inf = late.filter((x) => Math.abs(x) === Infinity).length;
    assert.equal(inf, counts.seq_f16_then_scaled.inf);
  }
  t.diagnostic(`${arrays} arrays, all equal`);
});

test('of every fp16 number softmaxFloat16 has the exponential that its documentation promises', () => {
  const sizes = Array.from({ length: 31 * 1024 }, (_, bits) => {
    const [exponent, rest] = [bits >> 10, bits & 1023];
    return exponent ? 2 ** (exponent - 15) * (1 + rest / 1024) : 2 ** -24 * rest;
  });
  const numbers = [...sizes, ...sizes.slice(1).map((x) => -x)];
  const rows = { data: numbers.flatMap((x) => [x, 0]), shape: [numbers.length, 2] };
  const step = (/** @type {number} */ x) => nearest(x, FLOAT16);
  /** @param {boolean} subtractMax */
  const differing = (subtractMax) => {
    const { data } = softmaxFloat16(rows, { subtractMax });
    return numbers.filter((x, i) => {
      const top = subtractMax ? Math.max(x, 0) : 0;
      const [a, b] = [x - top, 0 - top].map((y) => step(Math.exp(step(y))));
      return ![a, b].every((power, j) => Object.is(data[2 * i + j], step(power / step(a + b))));
    });
  };
  assert.deepEqual(differing(true), []);
  assert.deepEqual(differing(false), [0.007297515869140625, 0.0226898193359375]);
});

test('−Infinity throughout gives 0, NaN its own row, and the last axis is a row', () => {
  assert.deepEqual([...softmaxFloat16([-Infinity, -Infinity]).data], [0, 0]);
  const { data, shape } = softmaxFloat16([[NaN, 1], [1, 1], [-Infinity, 5]]); // prettier-ignore
  assert.deepEqual([...data], [NaN, NaN, 0.5, 0.5, 0, 1]);
  assert.deepEqual(shape, [3, 2]);
  const x = randomNormal([300, 1000], { seed: 1 });
  const before = x.data.slice();
  const all = softmaxFloat16(x);
  assert.deepEqual(x.data, before);
  for (const row of [0, 65, 66, 299]) {
    const one = softmaxFloat16(x.data.subarray(1000 * row, 1000 * row + 1000));
    assert.deepEqual(one.data, all.data.slice(1000 * row, 1000 * row + 1000));
  }
  const empty = { data: new Float32Array(0), shape: [2, 0] };
  assert.deepEqual(softmaxFloat16(empty), empty);
});

test('wrong arguments are named with the expected ones', () => {
  const cases = /** @type {[() => unknown, string, string][]} */ ([
    [() => softmaxFloat16({ data: [1], shape: [] }), 'ShapeError', 'softmaxFloat16: x is [], expected at least one axis'],
    [() => softmaxFloat16([1], /** @type {any} */ ({ temperature: 1 })), 'DTypeError', "softmaxFloat16: unknown option 'temperature', expected one of subtractMax, into"],
    [() => softmaxFloat16([1], /** @type {any} */ ({ subtractMax: 0 })), 'DTypeError', 'softmaxFloat16: subtractMax is 0, expected one of true, false'],
  ]); // prettier-ignore
  for (const [call, name, message] of cases) assert.throws(call, { name, message });
});

test('numbers that float32 does not have are rounded once', () => {
  const halfway = 1 + 2 ** -11; // between two numbers of fp16; and of bfloat16 1 + 2^-8
  const cases = [
    63343.99805,
    halfway + 2 ** -40,
    -halfway - 2 ** -40,
    1 + 2 ** -8 + 2 ** -40,
    1e-46,
    1e39,
  ];
  const halves = [63328, 1 + 2 ** -10, -1 - 2 ** -10, 1 + 2 ** -8, 0, Infinity];
  const wide = [63232, 1, -1, 1 + 2 ** -7, 0, Infinity];
  for (const all of [cases, Float64Array.from(cases)]) {
    assert.deepEqual([...roundToFloat16(all).data], halves);
    assert.deepEqual([...roundToBFloat16(all).data], wide);
  }
  assert.deepEqual([...roundToFloat16([[63343.99805], [1]]).data], [63328, 1]);
  assert.equal(softmaxFloat16([63343.99805, 63328]).data[0], 0.5);
});

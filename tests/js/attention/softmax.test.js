// Softmax, its kin and its gradient against PyTorch and float64 formulas.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  entropy,
  logSoftmax,
  logSumExp,
  softmax,
  softmaxGradient,
  softmaxJacobian,
} from '../../../web/attention/index.js';
import * as oracle from '../oracle.js';
import { runs } from '../runs.js';
import { compareGolden, goldenCases, toInput } from './golden.js';

/** @import { Case } from './golden.js' */

const NEVER_FINITE = /^nonfinite_/; // these only record the behaviour of PyTorch

/** Returns the README's floor: 8 · 2⁻²⁴ times the conditioning of the result of the row.
 *  @param {Case} golden @param {number} temperature
 *  @returns {Record<string, number>} */
function floors({ inputs }, temperature) {
  const x = inputs.x.data;
  const dy = inputs.dy.data;
  const n = x.length;
  const p = oracle.softmax(x, temperature);
  const off = oracle.softmaxMagnitude(x, temperature);
  const largest = Math.max(...x.filter(Number.isFinite).map(Math.abs)) / temperature;
  const dot = oracle.sum(p, (pi, i) => pi * Math.abs(dy[i]));
  const offDot = oracle.sum(off, (o, i) => o * Math.abs(dy[i]));
  const unit = 8 * oracle.EPSILON;
  const long = n > 256 ? (Math.sqrt(n) / 8) * oracle.EPSILON : 0;
  return {
    softmax: long,
    log_softmax: long,
    logsumexp: unit * largest + long,
    entropy: unit * oracle.sum(p, (pi, i) => (pi ? off[i] * (1 + Math.abs(Math.log(pi))) : 0)),
    vjp:
      (unit * Math.max(...p.map((pi, i) => off[i] * (Math.abs(dy[i]) + dot) + pi * offDot))) /
      temperature,
    jacobian: (unit * Math.max(...p.map((pi, i) => off[i] + pi * oracle.sum(off)))) / temperature,
    log_softmax_vjp: (unit * Math.max(...off) * Math.abs(oracle.sum(dy))) / temperature,
  };
}

/** Returns (dy − p Σ dy) / T, the gradient of log softmax, from p. @param {Float32Array} p
 *  @param {ArrayLike<number>} dy @param {number} temperature */
function logSoftmaxGradient(p, dy, temperature) {
  const total = oracle.sum(Array.from(dy));
  return Float32Array.from(p, (pi, i) => (dy[i] - pi * total) / temperature);
}

test('the golden vectors of softmax are met', (t) => {
  const { compare, report } = compareGolden();
  for (const golden of goldenCases('softmax.json')) {
    if (NEVER_FINITE.test(golden.name)) continue;
    const x = toInput(golden.inputs.x);
    const dy = toInput(golden.inputs.dy);
    for (const variant of golden.variants) {
      const { temperature } = variant.params;
      const options = { temperature };
      const p = softmax(x, options);
      const results = {
        softmax: p,
        log_softmax: logSoftmax(x, options),
        logsumexp: logSumExp(x, options),
        entropy: entropy(p),
        vjp: softmaxGradient(x, dy, options),
        ...(variant.expected.jacobian && { jacobian: softmaxJacobian(x, options) }),
        ...(variant.expected.log_softmax_vjp && {
          log_softmax_vjp: {
            data: logSoftmaxGradient(p.data, dy.data, temperature),
            shape: p.shape,
          },
        }),
      };
      const floor = floors(golden, temperature);
      compare(golden.name, variant, results, (array) => floor[array]);
    }
  }
  report(t, 394);
});

test('ratios of probabilities are the golden exponentials', (t) => {
  const [{ inputs, variants }] = goldenCases('scalar_tables.json');
  const y = variants[0].expected.y.data;
  let worst = 0;
  let numbers = 0;
  inputs.x.data.forEach((x, i) => {
    if (!(Math.abs(x) < 87)) return; // beyond, one of the two probabilities is 0
    const [a, b] = softmax([x, 0]).data;
    // The argument is multiplied with log2 e, and rounded, before the exponential is taken.
    const error = Math.abs(a / b / y[i] - 1) / (oracle.EPSILON * (4 + Math.abs(x)));
    assert.ok(error <= 1, `exp(${x}): ${error}`);
    worst = Math.max(worst, error);
    numbers++;
  });
  t.diagnostic(`${numbers} numbers, worst in 2⁻²⁴ · (4 + |x|): ${worst}`);
});

/** Rows of any size of entries, with −Infinity among them. */
const rows = fc
  .record({
    rows: fc.integer({ min: 1, max: 4 }),
    columns: fc.integer({ min: 1, max: 40 }),
    size: fc.constantFrom(0, 1e-30, 1, 30, 1e4, 1e38),
    temperature: fc.constantFrom(0.1, 0.5, 1, 3, 1000),
  })
  .chain(({ rows: n, columns, size, temperature }) =>
    fc
      .array(
        fc.array(
          fc.oneof(
            { weight: 9, arbitrary: fc.double({ min: -1, max: 1, noNaN: true }) },
            fc.constant(-Infinity),
          ),
          { minLength: columns, maxLength: columns },
        ),
        { minLength: n, maxLength: n },
      )
      .map((matrix) => ({
        matrix: matrix.map((row) => row.map((x) => Math.fround(x * (size || 1)))),
        temperature: Math.fround(temperature),
      })),
  );

/**
 * @param {number[][]} matrix
 * @param {number} temperature
 */
function expectAgreement(matrix, temperature) {
  const options = { temperature };
  const p = softmax(matrix, options).data;
  const lse = logSumExp(matrix, options).data;
  const log = logSoftmax(matrix, options).data;
  matrix.forEach((row, r) => {
    const n = row.length;
    const at = (/** @type {Float32Array} */ data) => data.subarray(r * n, (r + 1) * n);
    const off = oracle.softmaxMagnitude(row, temperature);
    assert.ok(oracle.errorInUnits(at(p), oracle.softmax(row, temperature), off) <= 4);
    const expected = oracle.logSumExp(row, temperature);
    const largest = Math.max(0, ...row.filter(Number.isFinite).map(Math.abs)) / temperature;
    const size = 1 + largest + (Number.isFinite(expected) ? Math.abs(expected) : 0);
    assert.ok(oracle.errorInUnits([lse[r]], [expected], size) <= 3);
    if (expected === -Infinity) return;
    // As max + log Σ, not as lse, so that float64 does not cancel either.
    const top = Math.max(...row);
    const shifted = row.map((x) => x - top);
    const rest = oracle.logSumExp(shifted, temperature);
    const logs = shifted.map((x) => x / temperature - rest);
    const sizes = logs.map((x) => 1 + (x === -Infinity ? 0 : Math.abs(x)));
    assert.ok(oracle.errorInUnits(at(log), logs, sizes) <= 6);
  });
}

test('softmax, logSumExp and their kin agree with float64 on any rows', () => {
  fc.assert(
    fc.property(rows, ({ matrix, temperature }) => expectAgreement(matrix, temperature)),
    runs(2500),
  );
});

test('many small terms beside a large one, which round one way, are within the bounds', () => {
  for (const small of [-9.6375, -11.5625, -16.15]) {
    const row = Array(1024).fill(Math.fround(small));
    row[0] = 0;
    const [p, m] = [oracle.softmax(row), oracle.softmaxMagnitude(row)];
    assert.ok(oracle.errorInUnits(softmax(row).data, p, m) <= 4, `${small}`);
    const dp = Array(1024).fill(Math.fround(0.3));
    const [mean, spread] = [p, m].map((of) => oracle.dot(of, dp));
    const sizes = p.map((pi, i) => m[i] * (dp[i] + mean) + pi * spread);
    const expected = p.map((pi, i) => pi * (dp[i] - mean));
    const { data } = softmaxGradient(row, dp);
    assert.ok(oracle.errorInUnits(data, expected, sizes) <= 4, `gradient, ${small}`);
  }
});

test('any number of leading axes is a list of rows; the last axis stays', () => {
  const x = { data: Float32Array.from({ length: 24 }, (_, i) => i % 5), shape: [2, 3, 4] };
  assert.deepEqual(softmax(x).shape, [2, 3, 4]);
  assert.deepEqual(logSumExp(x).shape, [2, 3]);
  assert.deepEqual(softmaxJacobian(x).shape, [2, 3, 4, 4]);
  assert.deepEqual(logSumExp([1, 2]).shape, []);
});

test('more rows than fit in one portion are computed like one row after another', () => {
  const columns = 1000;
  const data = Float32Array.from({ length: 200 * columns }, (_, i) => Math.sin(i * i));
  const all = softmax({ data, shape: [200, columns] }).data;
  const sums = logSumExp({ data, shape: [200, columns] }).data;
  for (const r of [0, 64, 65, 66, 130, 199]) {
    const row = data.subarray(r * columns, (r + 1) * columns);
    assert.deepEqual(all.subarray(r * columns, (r + 1) * columns), softmax(row).data);
    assert.equal(sums[r], logSumExp(row).data[0]);
  }
});

test('empty tensors give empty results, and rows of no entries a logSumExp of −Infinity', () => {
  assert.deepEqual(softmax([]), { data: new Float32Array(0), shape: [0] });
  assert.deepEqual(softmax({ data: [], shape: [0, 5] }).shape, [0, 5]);
  assert.deepEqual(softmaxJacobian({ data: [], shape: [3, 0] }).shape, [3, 0, 0]);
  assert.deepEqual([...logSumExp({ data: [], shape: [2, 0] }).data], [-Infinity, -Infinity]);
});

test('wrong arguments are named with the expected ones', () => {
  const cases = /** @type {[() => unknown, string, string][]} */ ([
    [() => softmax({ data: [1], shape: [] }), 'ShapeError', 'softmax: x is [], expected at least one axis'],
    [() => softmaxGradient([1, 2], [1]), 'ShapeError', 'softmaxGradient: dOutput is [1], expected [2] to match x'],
    [() => softmax([1], { temperature: 0 }), 'DTypeError', 'softmax: temperature is 0, expected a positive float32 number'],
    [() => logSumExp([1], { temperature: -1 }), 'DTypeError', 'logSumExp: temperature is -1, expected a positive float32 number'],
    [() => logSoftmax([1], { temperature: NaN }), 'DTypeError', 'logSoftmax: temperature is NaN, expected a finite float32 number'],
    [() => softmax([1], { temperature: 1e-60 }), 'DTypeError', 'softmax: temperature is 1e-60, expected a positive float32 number'],
    [() => softmaxJacobian([1], /** @type {any} */ ({ temprature: 1 })), 'DTypeError', "softmaxJacobian: unknown option 'temprature' (did you mean 'temperature'?), expected one of temperature, into"],
  ]); // prettier-ignore
  for (const [call, name, message] of cases) assert.throws(call, { name, message });
});

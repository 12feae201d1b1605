// The scales of today's models, measured with the kernel: against theory, and against each formula
// written out in float64.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { effectiveKeys, entropy, softmax } from '../../../web/attention/index.js';
import { scaleLaw, SCALES } from '../../../web/experiments/scale-list.js';
import {
  expectedAligned,
  expectedScale,
  measureAligned,
  measureScale,
} from '../../../web/experiments/scales.js';
import { pairs } from '../../../web/experiments/noise.js';
import { scoresOf } from '../../../web/experiments/scores.js';
import { assertNear } from '../theory/near.js';

/** @import { Scale } from '../../../web/experiments/scale-list.js' */

const setting = { dK: 64, keys: 64 };

test('every scale agrees with its theory', () => {
  for (const { within, ...sizes } of [
    { ...setting, within: 0.02 },
    { dK: 16, keys: 32, within: 0.03 },
  ]) {
    for (const scale of SCALES) {
      const measured = measureScale({ ...sizes, scale, queries: 2048, seed: 1 });
      const theory = expectedScale({ ...sizes, scale });
      for (const name of /** @type {const} */ ([
        'effectiveKeys',
        'entropy',
        'maxWeight',
        'trace',
        'rowSum',
      ])) {
        assertNear(measured[name], theory[name], within);
      }
    }
  }
});

test('cosines of two entries, whose law is densest at its ends, are followed too', () => {
  const cosine = { dK: 2, keys: 16, scale: /** @type {const} */ ('cosine'), gain: 8 };
  const theory = expectedScale(cosine);
  const rows = [1, 2, 3, 4, 5, 6, 7, 8].map((seed) =>
    measureScale({ ...cosine, queries: 2048, seed }),
  );
  for (const name of /** @type {const} */ (['effectiveKeys', 'maxWeight'])) {
    const mean = rows.reduce((sum, row) => sum + row[name], 0) / rows.length;
    assertNear(mean, theory[name], 0.02);
  }
});

test('the weight on an aligned key agrees with its theory, too', () => {
  const small = { dK: 16, keys: 16 };
  for (const scale of SCALES) {
    const options = { ...small, scale, rho: 0.5, queries: 4096, seed: 2 };
    const [theory] = expectedAligned({ ...small, scale, alignments: [0.5] });
    assertNear(measureAligned(options), theory, 0.04);
  }
});

/** The weights of scores q·k under a scale, each formula as its paper writes it. @type {Record<string, (dots: number[], d: number) => number[]>} */
const FORMULAS = {
  none: (dots) => softmaxOf(dots),
  sqrt: (dots, d) => softmaxOf(dots.map((dot) => dot / Math.sqrt(d))),
  t5: (dots, d) => softmaxOf(dots.map((dot) => dot / Math.sqrt(d))),
  softcap: (dots, d) => softmaxOf(dots.map((dot) => 50 * Math.tanh(dot / Math.sqrt(d) / 50))),
  'softcap-alone': (dots) => softmaxOf(dots.map((dot) => 50 * Math.tanh(dot / 50))),
  'log-keys': (dots, d) =>
    softmaxOf(dots.map((dot) => (0.43 * Math.log(dots.length) * dot) / Math.sqrt(d))),
  yarn: (dots, d) =>
    softmaxOf(dots.map((dot) => ((0.1 * Math.log(dots.length / 4) + 1) ** 2 * dot) / Math.sqrt(d))),
  sigmoid: (dots, d) => dots.map((dot) => 1 / (1 + Math.exp(-dot / Math.sqrt(d)))),
  'sigmoid-bias': (dots, d) =>
    dots.map((dot) => 1 / (1 + dots.length * Math.exp(-dot / Math.sqrt(d)))),
  sink: (dots, d) => softmaxOf([...dots.map((dot) => dot / Math.sqrt(d)), 0]).slice(0, -1),
};

/** @param {number[]} scores */
function softmaxOf(scores) {
  const powers = scores.map(Math.exp);
  const sum = powers.reduce((a, b) => a + b);
  return powers.map((power) => power / sum);
}

test('largest weight, trace and row sum are those of the formulas written out', () => {
  const sample = { dK: 8, keys: 20, queries: 16, seed: 4 };
  const { query, key } = pairs(sample);
  const { data } = scoresOf(query, key);
  const rows = Array.from({ length: 16 }, (_, row) => [...data.subarray(row * 20, row * 20 + 20)]);
  for (const [scale, formula] of Object.entries(FORMULAS)) {
    const weights = rows.map((dots) => formula(dots, 8));
    const mean = (/** @type {(row: number[]) => number} */ of) =>
      weights.reduce((sum, row) => sum + of(row), 0) / 16;
    const sum = (/** @type {number[]} */ row) => row.reduce((a, b) => a + b, 0);
    const got = measureScale({ ...sample, scale: /** @type {Scale} */ (scale), trained: 4 });
    assertNear(
      got.maxWeight,
      mean((row) => Math.max(...row)),
      1e-5,
    );
    assertNear(
      got.trace,
      mean((row) => sum(row.map((p) => p * (1 - p)))),
      1e-5,
    );
    assertNear(got.rowSum, mean(sum), 1e-5);
  }
});

test('effective keys and entropy are the means over queries of what the kernel gives', () => {
  const sample = { dK: 8, keys: 20, queries: 16, seed: 4 };
  const { query, key } = pairs(sample);
  const weights = softmax(scoresOf(query, key), { temperature: Math.sqrt(8) });
  const counts = [...effectiveKeys(weights).data];
  const found = measureScale({ ...sample, scale: 'sqrt' });
  assertNear(found.effectiveKeys, counts.reduce((a, b) => a + b) / 16, 1e-5);
  const entropies = [...entropy(weights).data];
  assertNear(found.entropy, entropies.reduce((a, b) => a + b) / 16, 1e-5);
});

test("T5's start is 1/√d_k to the last digits of float32", () => {
  const of = (/** @type {Scale} */ scale) => measureScale({ ...setting, scale, seed: 1 });
  const [start, root] = [of('t5'), of('sqrt')];
  assertNear(start.effectiveKeys, root.effectiveKeys, 1e-6);
  assertNear(start.maxWeight, root.maxWeight, 1e-6);
});

test('with n the others spread out or stay, and ln n gathers', () => {
  const share = (/** @type {Scale} */ scale, /** @type {number} */ keys) =>
    expectedScale({ dK: 64, keys, scale }).effectiveKeys / keys;
  assertNear(share('sqrt', 16384), share('sqrt', 1024), 0.03);
  assertNear(share('sqrt', 16384), Math.exp(-1), 0.02);
  assert.ok(share('log-keys', 16384) < share('log-keys', 1024) / 2);
  assert.ok(share('yarn', 16384) < share('sqrt', 16384));
});

test('parameters reach their scales', () => {
  const law = (/** @type {Scale} */ scale) =>
    scaleLaw({ ...setting, scale, temperature: 2, gain: 7, trained: 64 });
  assert.deepEqual(law('temperature'), { factor: 0.5 });
  assert.deepEqual(law('cosine'), { factor: 7, cosine: true });
  assert.deepEqual(law('yarn'), { factor: 1 / 8 });
});

// The freezing line, the map of the entropy and the weight of an aligned key against limits,
// inversion and simulation.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  alignedWeights,
  entropyExponents,
  expectedSaturation,
  freezingExponent,
} from '../../../web/theory/index.js';
import { assertNear } from './near.js';

test('the freezing line is ½ − ln(2 ln n)/(2 ln d): 0 at d = 2 ln n, ½ far out', () => {
  assertNear(
    freezingExponent(64, 64),
    0.5 - Math.log(2 * Math.log(64)) / (2 * Math.log(64)),
    1e-12,
  );
  assertNear(freezingExponent(512, 2 * Math.log(512)), 0, 0, 1e-12);
  assertNear(freezingExponent(64, 1e200), 0.5, 0.01);
});

test('the exponents of the map give the entropy that they are asked for', () => {
  const ratios = [0.1, 0.3, 0.5, 0.7, 0.9];
  for (const [dK, keys] of [
    [4, 16],
    [64, 64],
    [1024, 300],
  ]) {
    entropyExponents({ dK, keys, ratios }).forEach((alpha, index) => {
      const { entropyRatio } = expectedSaturation({ dK, keys, factor: dK ** -alpha });
      assertNear(entropyRatio, ratios[index], 0, 0.006);
    });
  }
});

test('a key that is not aligned gets 1/n; one that is gets more with every ρ', () => {
  const alignments = [0, 0.2, 0.5, 0.8, 1];
  for (const factor of [1, 1 / 8, 1 / 64]) {
    const weights = alignedWeights({ dK: 64, keys: 64, factor, alignments });
    assertNear(weights[0], 1 / 64, 0.02);
    for (let i = 1; i < weights.length; i++) assert.ok(weights[i] >= weights[i - 1]);
    assert.ok(weights[4] <= 1 + 1e-9);
  }
});

test('against one other key of equal length the weight is the mean of a logistic function', () => {
  // ρ = 1 and a fixed length: a = c·d is certain, the other score is N(0, c²d).
  const [dK, factor] = [64, 1 / 8];
  const [weight] = alignedWeights({ dK, keys: 2, factor, alignments: [1], fixedLength: true });
  let exact = 0;
  for (let g = -8; g <= 8; g += 0.01) {
    const density = Math.exp((-g * g) / 2) / Math.sqrt(2 * Math.PI);
    exact += (density * 0.01) / (1 + Math.exp(g - 8));
  }
  assertNear(weight, exact, 1e-4);
});

test('nearly orthogonal others: the gain ln(9(n − 1)) gives a weight of .9', () => {
  const keys = 64;
  const gain = Math.log(9 * (keys - 1));
  assertNear(gain, 6.3, 0.01);
  const dK = 1e6;
  const options = { dK, keys, factor: gain / dK, alignments: [1], fixedLength: true };
  assertNear(alignedWeights(options)[0], 0.9, 1e-3);
});

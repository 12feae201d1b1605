import assert from 'node:assert/strict';
import { test } from 'node:test';
import { randomNormal } from '../../../web/attention/index.js';
import { freezingDimension } from '../../../web/theory/freezing.js';
import { startDeviation } from '../../../web/theory/start.js';
import { STARTS } from '../../../web/shared/starts.js';
import { assertNear } from './near.js';

test('the variance of an entry is 1, 1/3, 1/2, 16/9 and .31, whatever d_model is but for the last', () => {
  for (const dModel of [64, 512, 4096]) {
    const variances = STARTS.map(({ key }) => startDeviation({ dModel, start: key }) ** 2);
    [1, 1 / 3, 1 / 2, 16 / 9, 0.0004 * dModel].forEach((v, i) =>
      assertNear(variances[i], v, 1e-12),
    );
  }
  assert.equal(startDeviation({ dModel: 64 }), 1);
  assertNear(startDeviation({ dModel: 768, std: 0.02 }) ** 2, 0.3072, 1e-12);
  assertNear(startDeviation({ dModel: 512, dK: 512, start: 'glorot' }), 1, 1e-12);
});

test('saturation begins at d_k = 75, 33, 2.6 and 88 instead of 8.3', () => {
  const at = STARTS.map(({ key }) =>
    freezingDimension(64, { entrySize: startDeviation({ dModel: 768, start: key }) }),
  );
  [8.3, 75, 33, 2.6, 88].forEach((d, i) => assertNear(at[i], d, 0.02));
});

test('weights of that variance make entries of that deviation from inputs of variance 1', () => {
  const [n, dModel, dK] = [64, 256, 32];
  const input = randomNormal([n, dModel], { seed: 1 }).data;
  const weights = randomNormal([dK, dModel], { seed: 2 }).data;
  for (const { key, weight } of STARTS) {
    const std = Math.sqrt(weight(dModel, dK));
    let squares = 0;
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < dK; j++) {
        let entry = 0;
        for (let k = 0; k < dModel; k++)
          entry += input[i * dModel + k] * std * weights[j * dModel + k];
        squares += entry ** 2;
      }
    }
    assertNear(Math.sqrt(squares / n / dK), startDeviation({ dModel, dK, start: key }), 0.05);
  }
});

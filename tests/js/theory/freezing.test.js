// The freezing transition against the figures quoted for 64 and 512 keys.
import { test } from 'node:test';
import { freezingDimension, freezingSigma } from '../../../web/theory/freezing.js';
import { assertNear } from './near.js';

test('saturation begins at d_k = 8.3 for 64 keys and 12.5 for 512', () => {
  assertNear(freezingDimension(64), 8.3, 0, 0.05);
  assertNear(freezingDimension(512), 12.5, 0, 0.05);
});

test('at the freezing dimension unscaled scores have the freezing deviation', () => {
  for (const entrySize of [1, 0.5, 2]) {
    const deviation = entrySize ** 2 * Math.sqrt(freezingDimension(100, { entrySize }));
    assertNear(deviation, freezingSigma(100), 1e-14);
  }
});

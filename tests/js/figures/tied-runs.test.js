// The words of the figures of tied and untied models on several runs.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { bySteps, spread } from '../../../web/figures/common/tied-runs.js';

it('the median of an even number of runs lies halfway between the middle two', () => {
  assert.deepEqual(spread([10, 1, 3, 2]), { y: 2.5, low: 1, high: 10 });
  assert.deepEqual(spread([7, 1, 2]), { y: 2, low: 1, high: 7 });
  assert.deepEqual(spread([4]), { y: 4, low: 4, high: 4 });
});

it('a step counts once every run has come to it', () => {
  const first = { step: 1, seed: 1 };
  const second = { step: 1, seed: 2 };
  const rows = [first, second, { step: 2, seed: 1 }];
  assert.deepEqual(bySteps(rows), [{ step: 1, runs: 2, at: [first, second] }]);
});

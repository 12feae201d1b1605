// Lists of names by which a page chooses parts of a figure.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chosenNames } from '../../../../../web/figures/kit/state/chosen.js';

const KNOWN = ['scores', 'weights'];

test('names that exist are chosen in their usual order', () => {
  const { names, unknown } = chosenNames('panels', ' weights, scores ', KNOWN);
  assert.deepEqual(names, KNOWN);
  assert.deepEqual(unknown, []);
  assert.deepEqual(chosenNames('panels', '', KNOWN), { names: [], unknown: [] });
});

test('names that do not exist are reported, with the attribute and the names that do', () => {
  const { names, unknown } = chosenNames('panels', 'none weights weigths', KNOWN);
  assert.deepEqual(names, ['weights']);
  assert.deepEqual(unknown, ['panels="none weigths" (scores | weights)']);
});

test('a text that is too long is refused without being repeated', () => {
  const { names, unknown } = chosenNames('panels', 'scores '.repeat(1e5), KNOWN);
  assert.deepEqual(names, []);
  assert.deepEqual(unknown, ['panels="…" (scores | weights)']);
});

// The rules of attention's gradients: empty shapes, options without effect, errors.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { attention, attentionGradient, randomNormal } from '../../../web/attention/index.js';
import { empty, zeros } from './problems.js';

test('empty shapes give empty or zero gradients', () => {
  const x = randomNormal([3, 2], { seed: 1 });
  for (const similarity of /** @type {const} */ (['dot', 'cosine'])) {
    assert.deepEqual(attentionGradient(empty(0, 2), x, x, empty(0, 2), { similarity }), {
      dQuery: empty(0, 2),
      dKey: zeros(3, 2),
      dValue: zeros(3, 2),
      dScale: 0,
    });
    assert.deepEqual(attentionGradient(x, empty(0, 2), empty(0, 4), zeros(3, 4), { similarity }), {
      dQuery: zeros(3, 2),
      dKey: empty(0, 2),
      dValue: empty(0, 4),
      dScale: 0,
    });
    const none = attentionGradient(x, x, empty(3, 0), empty(3, 0), { similarity });
    assert.deepEqual([none.dValue, none.dScale], [empty(3, 0), 0]);
    assert.ok(none.dQuery.data.every((y) => y === 0) && none.dKey.data.every((y) => y === 0));
  }
  const lead = attentionGradient(empty(0, 3, 2), empty(0, 3, 2), empty(0, 3, 2), empty(0, 3, 2));
  assert.deepEqual(lead.dKey, empty(0, 3, 2));
});

test('returns is checked and without effect, so that one object serves both calls', () => {
  const [q, k, v, dO] = [5, 6, 7, 8].map((seed) => randomNormal([3, 2], { seed }));
  const options = { causal: true, returns: /** @type {const} */ (['weights']) };
  assert.deepEqual(Object.keys(attention(q, k, v, options)), ['output', 'weights']);
  assert.deepEqual(
    attentionGradient(q, k, v, dO, options),
    attentionGradient(q, k, v, dO, { causal: true }),
  );
});

test('a gradient by the output of another shape is named with the expected one', () => {
  const [query, key, value] = [[2, 3], [4, 3], [4, 5]].map((shape) => randomNormal(shape, { seed: 1 })); // prettier-ignore
  for (const shape of [[2, 4], [10], [1, 2, 5]]) {
    assert.throws(() => attentionGradient(query, key, value, randomNormal(shape, { seed: 1 })), {
      name: 'ShapeError',
      message: `attentionGradient: dOutput is [${shape.join(', ')}], expected [2, 5] to match the output`,
    });
  }
}); // prettier-ignore

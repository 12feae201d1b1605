// Places of labels that would meet.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { text } from '../../../../../web/figures/kit/chart/chart.js';
import { apart } from '../../../../../web/figures/kit/chart/labels.js';
import { runs } from '../../../runs.js';

const at = (/** @type {number[]} */ ...places) => places.map((place) => ({ at: place, size: 10 }));

describe('labels', () => {
  it('stay where they are if they do not meet', () => {
    assert.deepEqual(apart(at(0, 20, 50), [0, 100]), [0, 20, 50]);
    assert.deepEqual(apart([], [0, 100]), []);
  });

  it('share the distance where they meet, and keep to the ends', () => {
    assert.deepEqual(apart(at(50, 50), [0, 100]), [45, 55]);
    assert.deepEqual(apart(at(50, 52, 54), [0, 100]), [42, 52, 62]);
    assert.deepEqual(apart(at(0, 0), [0, 100]), [0, 10]);
    assert.deepEqual(apart(at(100, 100), [0, 100]), [90, 100]);
  });

  it('are apart, in order and within the ends wherever they were', () => {
    const list = fc.array(
      fc.tuple(fc.float({ min: -50, max: 300, noNaN: true }), fc.integer({ min: 1, max: 30 })),
      { maxLength: 8 },
    );
    fc.assert(
      fc.property(list, (drawn) => {
        const wanted = drawn
          .map(([place, size]) => ({ at: place, size }))
          .sort((a, b) => a.at - b.at);
        const places = apart(wanted, [0, 250]);
        places.forEach((place, i) => {
          if (i > 0) assert.ok(place - places[i - 1] >= wanted[i - 1].size - 1e-6);
          assert.ok(place >= -1e-6 && place <= 250 + 1e-6);
        });
      }),
      runs(200),
    );
  });
});

describe('a text with room for less', () => {
  it('gets narrower letters, and never stretched ones', () => {
    const lengthOf = (/** @type {number} */ within) =>
      text(0, 0, 'keys, as read', { within }).attributes.textLength;
    const estimate = 13 * 0.58 * 12;
    assert.equal(lengthOf(estimate + 1), undefined);
    assert.equal(lengthOf(estimate - 1), String(76.9)); // what it takes in usual fonts
    assert.equal(lengthOf(50), String(50));
  });
});

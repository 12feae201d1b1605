// The steps of sliders that are even in ratios.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isLogarithmic, nextValue } from '../../../../../web/figures/kit/shell/slider.js';
import { numberField } from '../../../../../web/figures/kit/state/state.js';

const dK = numberField({ initial: 64, min: 1, max: 512 });
const arrow = { up: true, steps: 8 };

describe('a slider of whole numbers that span decades', () => {
  it('is even in ratios, and one over a few steps or from 0 in differences', () => {
    assert.ok(isLogarithmic(dK));
    assert.ok(isLogarithmic(numberField({ initial: 1, min: 0.25, max: 64, step: 0.25 })));
    assert.ok(!isLogarithmic(numberField({ initial: 64, min: 16, max: 256, step: 16 })));
    assert.ok(!isLogarithmic(numberField({ initial: 0.3, min: 0, max: 1, step: 0.01 })));
  });

  it('goes by arrow keys through the first whole numbers, then by an eighth of a doubling', () => {
    let value = 1;
    const passed = /** @type {number[]} */ ([]);
    while (value < 512) passed.push((value = nextValue(dK, value, arrow)));
    assert.deepEqual(passed.slice(0, 9), [2, 3, 4, 5, 6, 7, 8, 9, 10]);
    for (let power = 2; power <= 512; power *= 2) assert.ok(passed.includes(power), `${power}`);
    passed.forEach((each, i) => assert.ok(!i || each > passed[i - 1]));
    assert.ok(passed.length < 70);
  });

  it('goes back the same way, by PageUp and PageDown to the next power of two', () => {
    for (let value = 1; value < 512; value = nextValue(dK, value, arrow)) {
      const next = nextValue(dK, value, arrow);
      assert.equal(nextValue(dK, next, { ...arrow, up: false }), value);
    }
    assert.equal(nextValue(dK, 70, { up: true, steps: 1 }), 128);
    assert.equal(nextValue(dK, 70, { up: false, steps: 1 }), 64);
  });

  it('stays at its ends, and moves from every number', () => {
    assert.equal(nextValue(dK, 512, arrow), 512);
    assert.equal(nextValue(dK, 1, { ...arrow, up: false }), 1);
    for (let value = 1; value < 512; value++) assert.ok(nextValue(dK, value, arrow) > value);
  });
});

// Heights and places of panels in columns of every width.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { PAIR_FROM, STACK_BELOW } from '../../../../../web/figures/kit/chart/chart.js';
import { grid } from '../../../../../web/figures/kit/chart/layout.js';

/** @import { Aspect } from '../../../../../web/figures/kit/chart/chart.js' */

/** @type {Aspect} */
const ASPECT = { wide: 0.74, narrow: 2.72 };
const four = (/** @type {number} */ width, aspect = ASPECT) =>
  grid({ width, count: 4, columns: 2, aspect });

describe('four panels in two columns', () => {
  it('are as wide as the picture where they stack, and half as wide side by side', () => {
    for (const [aspect, below] of /** @type {const} */ ([
      [ASPECT, STACK_BELOW],
      [{ ...ASPECT, below: PAIR_FROM }, PAIR_FROM],
    ])) {
      const [stacked, beside] = [four(below - 1, aspect), four(below, aspect)];
      assert.deepEqual(
        stacked.panels.map(({ x, width }) => [x, width]),
        Array(4).fill([0, below - 1]),
      );
      assert.equal(new Set(beside.panels.map(({ x }) => x)).size, 2);
      assert.ok(
        beside.panels.every(({ x, width }) => x + width <= below && width > below / 2 - 15),
      );
    }
  });

  it('are no higher in a wider column up to 600 pixels, and grow with it from there on', () => {
    for (const aspect of [ASPECT, { ...ASPECT, below: PAIR_FROM }]) {
      let last = four(400, aspect).height;
      for (let width = 401; width <= STACK_BELOW; width++) {
        const { height } = four(width, aspect);
        assert.ok(height <= last, `${width}`);
        last = height;
      }
      assert.equal(last, ASPECT.wide * STACK_BELOW);
      assert.equal(four(1000, aspect).height, ASPECT.wide * 1000);
    }
  });
});

// Computations in slices: what is interrupted goes on where it was, and gives what it gives at once.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FIGURES } from '../../../web/build/vite.config.js';
import { createMemo } from '../../../web/figures/kit/spec.js';
import { initialState } from '../../../web/figures/kit/state.js';
import { made } from './made.js';

/** @import { AnyFigureSpec } from '../../../web/figures/kit/spec.js' */

/** Figures whose numbers take long, and the fewest parts that they come in. */
const LONG = /** @type {Record<string, number>} */ ({
  saturation: 30,
  gradient: 30,
  precision: 12,
  scale: 20,
  training: 30,
  values: 16,
});

/**
 * The data of a figure at its start, and how often it was interrupted.
 * @param {AnyFigureSpec} spec
 * @param {boolean} interrupted  after every part
 */
function compute(spec, interrupted) {
  const end = Symbol('a part is done');
  const turn = () => {
    if (interrupted) throw end;
  };
  const memo = createMemo(turn);
  for (let turns = 0; ; turns++) {
    try {
      const context = { coarse: false, still: true, memo, turn, result: undefined };
      return { turns, data: spec.compute(initialState(spec.fields), context) };
    } catch (error) {
      if (error !== end) throw error;
    }
  }
}

describe('a computation that is interrupted after every part', () => {
  for (const name of FIGURES) {
    it(`of ${name} comes to its end, with the same numbers`, async () => {
      const { spec } = await import(`../../../web/figures/${name}.js`);
      const { turns, data } = compute(spec, true);
      assert.deepEqual(data, compute(spec, false).data);
      assert.ok(turns >= (LONG[name] ?? 0), `${turns} turns`);
    });

    it(`of ${name} does hardly more than one at once`, async () => {
      const { spec } = await import(`../../../web/figures/${name}.js`);
      compute(spec, false); // draws the noise, which is kept
      const [whole, parts] = [false, true].map((each) => made(() => compute(spec, each)));
      assert.ok(parts <= 1.2 * whole, `${parts} numbers, not ${whole}`);
    });
  }
});

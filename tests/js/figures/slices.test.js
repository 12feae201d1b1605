// @slow
// Computations in slices: an interrupted work goes on where it was, and gives the result of work
// without a pause.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FIGURES } from '../../../web/build/paths.js';
import { initialState } from '../../../web/figures/kit/state/state.js';
import { createMemo } from '../../../web/shared/memo.js';
import { made } from './made.js';

/** @import { AnyFigureSpec } from '../../../web/figures/kit/spec.js' */

/** Figures whose numbers take long, and the fewest parts that they come in. */
const LONG = /** @type {Record<string, number>} */ ({
  saturation: 30,
  gradient: 30,
  precision: 12,
  scale: 20,
  scales: 30,
  training: 30,
  values: 16,
});

/**
 * Computes the data of a figure at its start, and counts its parts.
 * @param {AnyFigureSpec} spec
 * @param {unknown} loaded  what the figure needs
 * @param {boolean} interrupted  begins again after every part, as where the state changes meanwhile
 */
function compute(spec, loaded, interrupted) {
  const context = {
    coarse: false,
    still: true,
    memo: createMemo(),
    result: undefined,
    language: /** @type {'en'} */ ('en'),
    loaded,
  };
  const begin = () => spec.compute(initialState(spec.fields), context);
  let steps = begin();
  let parts = 0;
  let step = steps.next();
  while (!step.done) {
    parts++;
    if (interrupted) steps = begin();
    step = steps.next();
  }
  return { parts, data: step.value };
}

describe('a computation that is interrupted after every part', () => {
  for (const name of FIGURES) {
    it(`of ${name} comes to its end, with the same numbers, and does hardly more than one at once`, async () => {
      const { spec } = await import(`../../../web/figures/${name}/element.js`);
      const loaded = await spec.load?.('en');
      compute(spec, loaded, false); // draws the noise, which is kept
      const [whole, interrupted] = [false, true].map((each) => {
        let result = /** @type {ReturnType<typeof compute> | undefined} */ (undefined);
        const numbers = made(() => (result = compute(spec, loaded, each)));
        return { ...result, numbers };
      });
      assert.deepEqual(interrupted.data, whole.data);
      assert.ok(Number(interrupted.parts) >= (LONG[name] ?? 0), `${interrupted.parts} parts`);
      assert.ok(
        interrupted.numbers <= 1.2 * whole.numbers,
        `${interrupted.numbers} numbers, not ${whole.numbers}`,
      );
    });
  }
});

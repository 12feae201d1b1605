// @slow
// The cost of a step of dragging, counted in 32-bit numbers that it makes, not in time.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { pairs } from '../../../web/experiments/noise.js';
import { DIMENSIONS } from '../../../web/experiments/factors.js';
import { queriesNow } from '../../../web/figures/common/sampling.js';
import { initialState } from '../../../web/figures/kit/state/state.js';
import { createMemo } from '../../../web/shared/memo.js';
import { atOnce } from '../../../web/shared/slices.js';
import { made } from './made.js';

/** @import { Tensor } from '../../../web/attention/index.js' */

/** Figures that measure a sample of queries. */
const SAMPLED = ['saturation', 'gradient', 'precision', 'scale'];
/** The numbers that a step may make, as a share of those that letting go makes. */
const MOST = 0.3;

describe('a step of dragging, half of the queries and every other control at its largest', () => {
  for (const name of SAMPLED) {
    it(`of ${name} measures a part of the queries`, async () => {
      const { spec } = await import(`../../../web/figures/${name}/element.js`);
      const numbers = Object.entries(spec.fields).filter(
        ([key, { kind }]) => kind === 'number' && key !== 'seed',
      );
      const largest = initialState(spec.fields);
      // A step measures as many of half the queries as of all, and letting go half as many.
      for (const [key, { max }] of numbers) largest[key] = key === 'queries' ? max / 2 : max;
      const memo = createMemo();
      const step = (/** @type {object} */ patch, coarse = true) => {
        const context = { coarse, still: false, memo, result: undefined };
        return made(() => atOnce(spec.compute({ ...largest, ...patch }, context)));
      };
      step({}, false);
      for (const [key, { step: least }] of numbers) {
        const patch = { [key]: largest[key] - least };
        const share = step(patch) / step(patch, false);
        assert.ok(share < MOST, `${key}: ${share}`);
      }
    });
  }
});

describe('the objects that a step of dragging makes once', () => {
  /** @param {string} name  @returns {Promise<{ state: any, step: (patch: object) => number }>} */
  async function dragged(name) {
    const { spec } = await import(`../../../web/figures/${name}/element.js`);
    const state = initialState(spec.fields);
    const memo = createMemo();
    const context = { coarse: true, still: false, memo, result: undefined };
    const step = (/** @type {object} */ patch) =>
      made(() => atOnce(spec.compute({ ...state, ...patch }, context)));
    return { state, step };
  }

  it('is the scores of gradient, for all its factors; it makes no gradient of keys', async () => {
    const { state, step } = await dragged('gradient');
    const keys = state.keys + 1;
    const queries = queriesNow({ ...state, keys }, { coarse: true }, 4096);
    const sample = made(() => {
      for (const dK of [...DIMENSIONS, state.dK]) pairs({ dK, keys, queries, seed: state.seed });
    });
    const share = step({ keys }) / sample;
    assert.ok(share < 3, `${share}`);
  });

  it('is the scores of saturation: another size of entries makes weights, two series of each', async () => {
    const { state, step } = await dragged('saturation');
    const { queries, keys } = state;
    step({ entrySize: 1.5 });
    const share = step({ entrySize: 1.55 }) / (queries * keys);
    assert.ok(share < 23, `${share}`); // at 11 d_k
  });

  it('is the sample of scale: another ρ makes four matrices of weights', async () => {
    const { state, step } = await dragged('scale');
    const { queries, keys, rho } = state;
    step({ rho: rho + 0.01 });
    const share = step({ rho: rho + 0.02 }) / (queries * keys);
    assert.ok(share < 4.1, `${share}`);
  });
});

describe('the queries measured while the reader drags', () => {
  const sample = { dK: 64, seed: 3 };
  for (const keys of [2, 37, 64, 300, 512]) {
    it(`meet the ${keys} keys that they meet among all`, () => {
      const queries = 1024;
      const few = queriesNow({ queries, keys }, { coarse: true });
      assert.ok(few <= queries && few * keys < 3 * 16_384, `${few}`);
      const all = pairs({ ...sample, keys, queries });
      const some = pairs({ ...sample, keys, queries: few });
      assert.deepEqual(some.key, all.key);
      const each = queries / all.query.shape[0];
      const fewEach = few / all.query.shape[0];
      for (let set = 0; set < all.query.shape[0]; set++) {
        const at = (/** @type {Tensor} */ { data }, /** @type {number} */ row) =>
          data.subarray(64 * row, 64 * (row + fewEach));
        assert.deepEqual(at(some.query, set * fewEach), at(all.query, set * each));
      }
    });
  }
});

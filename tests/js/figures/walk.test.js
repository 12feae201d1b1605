// What <attn-walk> says and draws: numbers of its panels against the sample and against theory.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { walkWeights } from '../../../web/experiments/walk.js';
import { spec } from '../../../web/figures/walk/element.js';
import { film } from '../../../web/figures/walk/film.js';
import { SCORE_LIMIT } from '../../../web/figures/walk/series.js';
import { renderStatic, staticView } from '../../../web/figures/kit/chart/static.js';
import { LANGUAGE_KEYS } from '../../../web/shared/languages.js';

/** @import { View } from '../../../web/figures/walk/element.js' */

const viewOf = (/** @type {Record<string, unknown>} */ options) =>
  /** @type {View} */ (staticView(spec, options));

/** Returns the rows of a table. @param {Record<string, unknown>} options  @param {string} panel */
const table = (options, panel) =>
  spec.rows(viewOf(options)).filter((row) => row.panel.startsWith(panel));

describe('the claim', () => {
  for (const lang of LANGUAGE_KEYS) {
    it(`in ${lang} has the deviation and the weight of the chosen scale, whatever d_k is`, () => {
      const titleOf = (/** @type {Record<string, unknown>} */ state) =>
        spec.title(viewOf({ lang, ...state }));
      assert.match(titleOf({}), /d_k = 256 .*√d_k = 16\D.*9\d%.*3\d%/);
      assert.match(titleOf({ dK: 64 }), /d_k = 64 .*√d_k = 8\D.*8\d%.*3\d%/);
      assert.match(titleOf({ dK: 512 }), /d_k = 512 .*√d_k = 22[.,]6\D.*9\d%.*3\d%/);
      assert.match(titleOf({ dK: 512, scale: 'sqrt' }), /512 .*1.*3\d%.*0[.,](79|80)/);
      assert.match(titleOf({ dK: 512, scale: 'linear' }), /512 .*0[.,]0442.*13%.*0[.,]039/);
    });
  }
});

describe('the walks', () => {
  it('end at the scaled scores of the keys that are weighed', () => {
    for (const [scale, factor] of /** @type {const} */ ([
      ['none', 'none'],
      ['sqrt', '1/√d'],
      ['linear', '1/d'],
    ])) {
      const ends = table({ scale }, 'The score').filter(
        ({ x, measured }) => x === 256 && measured !== undefined,
      );
      const rows = walkWeights({ dK: 256, seed: 898 }).filter((row) => row.factor === factor);
      assert.equal(ends.length, 8);
      rows.forEach(({ score }, key) =>
        assert.ok(Math.abs(Number(ends[key].measured) - score) < 1e-4),
      );
    }
  });

  it('have one axis for all scales and every d_k', () => {
    const picture = (/** @type {Record<string, unknown>} */ state) => {
      const svg = renderStatic(spec, { panels: 'walks', ...state });
      return [...svg.matchAll(/y="([\d.]+)">(−?\d+)<\/text>/g)]
        .map(([, y, tick]) => `${tick} ${y}`)
        .filter((each) => /^(−60|0|60) /.test(each))
        .slice(0, 3);
    };
    const usual = picture({});
    assert.equal(usual.length, 3);
    for (const state of [{ scale: 'sqrt' }, { scale: 'linear', dK: 512 }, { dK: 1 }])
      assert.deepEqual(picture(state), usual);
    assert.ok(
      SCORE_LIMIT >= 3 * Math.sqrt(512),
      'three of the largest deviation are in the picture',
    );
  });

  it('may be dropped one by one: the bell counts them, and the query weighs the keys that are there', () => {
    for (const walks of [1, 2, 8, 9, 10, 1000, 2000]) {
      const { data } = viewOf({ walks });
      assert.equal(data.walks.length, Math.min(walks, 36));
      const bars = table({ walks }, 'Softmax').filter(({ series }) => series === 'unscaled');
      assert.equal(bars.length, Math.min(walks, 8));
      const sum = bars.reduce((total, { measured = NaN }) => total + measured, 0);
      assert.ok(Math.abs(sum - 1) < 1e-6);
      const ends = table({ walks }, 'Density');
      const counted = ends.reduce((total, { measured = NaN }) => total + walks * measured * 4, 0);
      assert.ok(counted > 0.98 * walks - 1e-6 && counted < walks + 1e-6, `${counted} of ${walks}`);
    }
  });
});

describe('the gradient', () => {
  it('of the typical query dies without a scale, and that of the mean does not', () => {
    const at = (/** @type {number} */ dK) => {
      const [{ measured: median = NaN }] = table({ dK }, 'Gradient, median');
      const [{ measured: mean = NaN, theory = NaN }] = table({ dK }, 'Gradient, mean');
      return { median, mean, theory };
    };
    const [small, large] = [at(16), at(512)];
    assert.ok(small.median > 1 && large.median < 0.02, `${small.median}, ${large.median}`);
    assert.ok(large.theory > 1.4 && large.mean > 1.1, `${large.theory}, ${large.mean}`);
  });

  it('is alike at every d_k with √d_k alone', () => {
    const medians = (/** @type {number} */ dK) =>
      table({ dK }, 'Gradient, median').map(({ measured = NaN }) => measured);
    const [few, many] = [medians(16), medians(512)];
    assert.ok(Math.abs(many[1] / few[1] - 1) < 0.05);
    assert.ok(many[2] < 0.2 * few[2]);
  });

  it('of each query is a row of the table, whose median and mean are those of the summary', () => {
    const rows = table({ walks: 480 }, 'Gradient, query');
    assert.equal(rows.length, 3 * 60);
    const own = rows.slice(0, 60).map(({ measured = NaN }) => measured);
    own.sort((a, b) => a - b);
    const [{ measured: median = NaN }] = table({ walks: 480 }, 'Gradient, median');
    const [{ measured: mean = NaN }] = table({ walks: 480 }, 'Gradient, mean');
    assert.ok(Math.abs(median - (own[29] + own[30]) / 2) < 1e-12);
    assert.ok(Math.abs(mean - own.reduce((sum, each) => sum + each, 0) / 60) < 1e-12);
  });

  it('below the axis is drawn at its end and counted there', () => {
    for (const dK of [256, 512]) {
      const rows = table({ dK }, 'Gradient, query').slice(0, 60);
      const below = rows.filter(({ measured = NaN }) => measured < 1e-6).length;
      const svg = renderStatic(spec, { panels: 'gradient', dK, width: 720 });
      assert.ok(below > 5 && svg.includes(`◂ ${below} below`), `${below}`);
    }
    assert.ok(!renderStatic(spec, { panels: 'gradient', dK: 4 }).includes('◂'));
  });
});

it('plays from one step to 256 without a scale, and ends divided by the root', () => {
  const { at } = film;
  assert.deepEqual(at(0), { dK: 1, scale: 'none' });
  assert.deepEqual(at(2000), { dK: 16, scale: 'none' });
  assert.deepEqual(at(4000), { dK: 256, scale: 'none' });
  assert.deepEqual(at(6000), { dK: 256, scale: 'sqrt' });
  assert.equal(at(7000), undefined);
});

it('writes no weight below 1 as 100 %', () => {
  const svg = renderStatic(spec, { panels: 'weights', dK: 512 });
  assert.match(svg, />99\.\d+%</);
  assert.doesNotMatch(svg, />100%</);
});

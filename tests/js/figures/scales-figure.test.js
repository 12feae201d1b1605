// @slow
// What <attn-scales> says and draws of every scale.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SCALES } from '../../../web/experiments/scale-list.js';
import { staticView } from '../../../web/figures/kit/chart/static.js';
import { nameOf } from '../../../web/figures/common/scales.js';
import { spec } from '../../../web/figures/scales/element.js';
import { LANGUAGE_KEYS } from '../../../web/shared/languages.js';
import { assertNear } from '../theory/near.js';

const views = (/** @type {Record<string, unknown>} */ values) =>
  /** @type {any} */ (staticView(spec, values));

/** Returns both shares of a title, as parts of 1. @param {Record<string, unknown>} values */
function sharesOf(values) {
  const title = spec.title(views({ lang: 'en', ...values }));
  return [...title.matchAll(/([\d.]+)(?:%|×10⁻([⁰-⁹]))/g)].map(([, share, power]) =>
    power ? Number(share) * 10 ** -'⁰¹²³⁴⁵⁶⁷⁸⁹'.indexOf(power) : Number(share) / 100,
  );
}

describe('the claim', () => {
  it('says of 1/√d_k that it keeps about 1/e of many keys effective', () => {
    const [, end] = sharesOf({ factor: 'sqrt' });
    assertNear(end, 1 / Math.E, 0.02); // e to minus the variance of the scores, which is 1
  });

  it('says of half that factor that it keeps e^−¼ of them', () => {
    const [, end] = sharesOf({ factor: 'half-sqrt' });
    assertNear(end, Math.exp(-1 / 4), 0.02);
  });

  it('says of no scale that hardly any key counts among many, and of d_k what it is about', () => {
    const [now, end] = sharesOf({ factor: 'none' });
    assert.ok(now < 0.03 && end < 0.001, `${now} ${end}`);
    assert.match(spec.title(views({ lang: 'en', across: 'dK' })), /at d_k = 1,?024$/);
  });
});

describe('the read-out', () => {
  it('has the sum of a row where it is not 1', () => {
    for (const factor of SCALES) {
      const view = views({ lang: 'en', factor });
      const [{ rows }] = spec.readout(view);
      const sums = rows.filter(({ quantity }) => quantity === view.text.rowSum);
      assert.equal(sums.length, /^si/.test(factor) ? 1 : 0, factor);
    }
  });
});

describe('the panels', () => {
  it('draw every scale, over n and over d_k, in both languages', () => {
    for (const factor of SCALES) {
      for (const [index, lang] of LANGUAGE_KEYS.entries()) {
        const across = ['keys', 'dK'][index];
        const view = views({ lang, factor, across, measure: 'maxWeight', queries: 16 });
        assert.doesNotThrow(() => spec.draw(view));
        assert.ok(spec.rows(view).some(({ series }) => series === nameOf(view, factor)));
        assert.ok(
          view.data.course.some((/** @type {{ scale: string }} */ row) => row.scale === factor),
        );
      }
    }
  });

  it('have a row a scale and measure in the table', () => {
    const view = views({ lang: 'en' });
    const rows = spec.rows(view).filter(({ across, measured }) => across === 'n' && measured);
    assert.ok(rows.length >= 3 * SCALES.length);
  });
});

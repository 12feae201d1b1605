// @slow
// What <attn-language> computes from the recorded models, and what it says of them.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { VARIANT_OPTIONS } from '../../../web/experiments/language.js';
import { load, spec } from '../../../web/figures/language/element.js';
import { shownStep, STEPS } from '../../../web/figures/language/steps.js';
import { staticView } from '../../../web/figures/kit/chart/static.js';
import { openVariants } from '../../../web/language/recorded/open.js';
import { keysOf } from '../../../web/shared/keys.js';
import { LANGUAGE_KEYS } from '../../../web/shared/languages.js';

const SCALES = /** @type {const} */ (['sqrt', 'none', 'linear']);
const VARIANTS = keysOf(VARIANT_OPTIONS);
const variants = await openVariants();

describe('the step that is shown', () => {
  it('is the chosen one with 1/√d_k, and the start or the end with another scale', () => {
    const shown = SCALES.map((scale) => STEPS.map((step) => shownStep({ scale, step: `${step}` })));
    assert.deepEqual(shown, [
      [0, 100, 300, 1000, 1500],
      [0, 1500, 1500, 1500, 1500],
      [0, 1500, 1500, 1500, 1500],
    ]);
  });
});

for (const lang of LANGUAGE_KEYS) {
  describe(`the figure in ${lang}`, () => {
    it('shows every step of every scale, with weights that sum to 1', async () => {
      for (const scale of SCALES) {
        for (const step of STEPS.map(String)) {
          const loaded = await load(lang, { scale, step });
          const view = staticView(spec, { lang, scale, step, loaded });
          for (const row of view.data.weights) {
            const sum = row.reduce((/** @type {number} */ a, /** @type {number} */ b) => a + b, 0);
            assert.ok(Math.abs(sum - 1) < 1e-5);
          }
          const { deviation, expected } = view.data.histogram;
          assert.ok(deviation > 0 && expected > 0);
          const isOther = String(view.data.shown) !== step;
          assert.equal(spec.note?.(/** @type {any} */ (view)).includes('1500'), isOther);
        }
      }
    });

    it('has in its histogram the ratio that was recorded, but for the rounding of parameters', async () => {
      for (const step of STEPS.map(String)) {
        const loaded = await load(lang, { scale: 'sqrt', step });
        for (const head of ['1.1', '1.2', '2.1', '2.2']) {
          const { data } = staticView(spec, { lang, step, head, loaded });
          const recorded = data.headCourse.filter(
            (/** @type {any} */ row) => row.step === data.shown,
          )[0];
          const { deviation, expected } = data.histogram;
          // The recorded ratio is a mean over texts, each with deviations of its own.
          assert.ok(Math.abs(deviation / expected / recorded.ratio - 1) < 0.15, `${step} ${head}`);
        }
      }
    });

    it('shows the heads of each variant after every step, of the runs in English', async () => {
      for (const variant of VARIANTS) {
        for (const step of STEPS.map(String)) {
          const state = { scale: /** @type {const} */ ('linear'), step, variant };
          const loaded = await load(lang, state);
          const view = staticView(spec, { lang, ...state, head: '2.1', loaded });
          const runs = variants.runs.filter((run) => run.variant.replace(/-\w+$/, '') === variant);
          assert.equal(view.data.runs, runs.length);
          assert.equal(view.data.lines.length, 4 * runs.length);
          const start = runs.some((run) => run.variant === 'learned-linear') ? 'linear' : 'sqrt';
          const name = variant === 'keys-norm' ? 'keys-norm-none' : `${variant}-${start}`;
          const [{ rows }] = runs.filter((run) => run.variant === name && run.seed === 1);
          const { heads } = rows.filter((row) => row.step === Number(step))[0];
          const [group, ...losses] = spec.readout(/** @type {any} */ (view));
          const [spread, dimension] = group.rows;
          assert.deepEqual(
            [spread.measured, spread.theory, dimension.measured, dimension.theory],
            [heads.measured[2], heads.predicted[2], heads.effectiveDimension[2], 64],
          );
          const scales = new Set(runs.map((run) => run.variant.split('-').pop()));
          assert.equal(losses.length, scales.size);
          const title = spec.title(/** @type {any} */ (view));
          assert.doesNotMatch(title + spec.note?.(/** @type {any} */ (view)), /NaN|undefined|[{}]/);
        }
      }
    });

    it('reads whatever is written, and at most 24 words', async () => {
      const loaded = await load(lang);
      for (const text of ['a', '!', 'ñandú 漢字 🙂', 'so '.repeat(50), '月'.repeat(160)]) {
        const { data } = staticView(spec, { lang, text, loaded });
        assert.ok(data.words.length > 0 && data.words.length <= 24);
        assert.equal(data.weights.length, data.words.length);
      }
    });
  });
}

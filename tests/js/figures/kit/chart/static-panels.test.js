// Static pictures of chosen panels.

import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { FIGURES } from '../../../../../web/build/paths.js';
import {
  drawStatic,
  renderStatic,
  staticView,
} from '../../../../../web/figures/kit/chart/static.js';
import { chosenNames } from '../../../../../web/figures/kit/state/chosen.js';

/** Returns the titles of the panels of a picture. @param {string} svg */
const titles = (svg) =>
  [...svg.matchAll(/<text [^>]*font-size="13" font-weight="600"[^>]*>(.*?)<\/text>/gs)].map(
    ([, title]) => title,
  );

/** Returns the height of a picture. @param {string} svg */
const heightOf = (svg) => Number(svg.match(/ height="([\d.]+)"/)?.[1]);

/** A figure that takes little time. */
const QUICK = 'walk';

for (const name of FIGURES) {
  describe(`the picture of attn-${name}`, () => {
    /** @type {any} */
    let spec;
    /** @type {ReturnType<typeof staticView>} */
    let view;
    before(async () => {
      ({ spec } = await import(`../../../../../web/figures/${name}/element.js`));
      view = staticView(spec, { width: 720, theme: 'light', loaded: await spec.load?.('en') });
    });

    it('shows the panels that are named, in the order of the figure, and no others', () => {
      const { panels = [] } = spec;
      if (panels.length < 2) return; // one picture of matrices, or of words
      /** Draws what a page chooses, from the same data. @param {readonly string[]} chosen */
      const draw = (chosen) => {
        const { names } = chosenNames('panels', chosen.join(' '), panels);
        return drawStatic(spec, { ...view, panels: names.length > 0 ? names : undefined });
      };
      const whole = draw([]);
      assert.equal(draw(['bars', '<script>']), whole);
      const all = titles(whole);
      assert.equal(all.length, panels.length);
      for (const [i, panel] of panels.entries()) {
        const svg = draw([panel]);
        assert.deepEqual(titles(svg), [all[i]]);
        assert.ok(heightOf(svg) <= heightOf(whole));
      }
      const [first, , ...rest] = panels;
      const some = [first, ...rest].reverse();
      assert.deepEqual(
        titles(draw(some)),
        all.filter((_, i) => i !== 1),
      );
    });
  });
}

it('a name that no panel has is left out, and all panels are drawn where there is no other', async () => {
  const { spec } = await import(`../../../../../web/figures/${QUICK}/element.js`);
  const draw = (/** @type {string} */ panels) => renderStatic(spec, { panels, width: 400 });
  const [first] = spec.panels;
  assert.equal(draw(`bars, ${first}`), draw(first));
  assert.notEqual(draw(first), draw(''));
  assert.equal(draw('bars, <script>'), draw(''));
});

// Static pictures of chosen panels.

import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { FIGURES } from '../../../../../web/build/paths.js';
import { renderStatic } from '../../../../../web/figures/kit/chart/static.js';

/** Returns the titles of the panels of a picture. @param {string} svg */
const titles = (svg) =>
  [...svg.matchAll(/<text [^>]*font-size="13" font-weight="600"[^>]*>(.*?)<\/text>/gs)].map(
    ([, title]) => title,
  );

/** Returns the height of a picture. @param {string} svg */
const heightOf = (svg) => Number(svg.match(/ height="([\d.]+)"/)?.[1]);

for (const name of FIGURES) {
  describe(`the picture of attn-${name}`, () => {
    /** @type {any} */
    let spec;
    /** @type {unknown} */
    let loaded;
    before(async () => {
      ({ spec } = await import(`../../../../../web/figures/${name}/element.js`));
      loaded = await spec.load?.('en');
    });

    it('shows the panels that are named, in the order of the figure, and no others', () => {
      const { panels = [] } = spec;
      if (panels.length < 2) return; // one picture of matrices, or of words
      const draw = (/** @type {readonly string[]} */ names) =>
        renderStatic(spec, { panels: names.join(' '), width: 720, theme: 'light', loaded });
      const whole = draw([]);
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

    it('shows all panels where no name is one of them', () => {
      const draw = (/** @type {string} */ panels) =>
        renderStatic(spec, { panels, width: 400, loaded });
      assert.equal(draw('bars, <script>'), draw(''));
    });
  });
}

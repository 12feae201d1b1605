// The accessibility tree, and a network that ends: only Chromium's driver shows the one and ends the other.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FIGURES } from '../../web/build/paths.js';
import { drawn, useBench } from '../browser/figures/bench.js';
import { drawn as drawnOnPage, freshPage, useSite } from '../browser/page/site.js';
import { LANGUAGE_KEYS } from '../../web/shared/languages.js';

const bench = useBench();

const FIGURE = '<attn-saturation></attn-saturation>';

describe('in Chromium', () => {
  describe('with a screen reader', () => {
    it('a figure is named by its claim, its picture described, its controls and tables labelled', async () => {
      const tab = await bench.open(FIGURE);
      await drawn(tab);
      const tree = await tab.locator('attn-saturation').ariaSnapshot();
      for (const line of [
        /^- figure "At dk = 64, the unscaled softmax puts 79% of its weight, on average, on one of 64 keys/,
        /slider "dk": "64"/,
        /spinbutton "dk, as a number": "64"/,
        /combobox "scale":/,
        /img "Density of the scores/,
        /table "unscaled softmax\(q·k\)":/,
        /row "largest weight 0.789 0.791 −0.3%"/,
        /button "Download as CSV"/,
        /status: "?At dk = 64, the unscaled softmax puts 79% of its weight, on average, on one of 64 keys; .* 11%/,
      ]) {
        assert.match(tree, line);
      }
    });

    it('no control of any figure, in either language, is without a name or has that of another', async () => {
      for (const lang of LANGUAGE_KEYS) {
        const body = FIGURES.map((name) => `<attn-${name}></attn-${name}>`).join('');
        const tab = await bench.open(body, { lang });
        for (const name of FIGURES) {
          const figure = tab.locator(`attn-${name}`);
          await figure.scrollIntoViewIfNeeded();
          await drawn(tab, `attn-${name}`);
          const tree = await figure.ariaSnapshot();
          const roles = /(?<=^ *- )(slider|spinbutton|combobox|textbox|button|img|table)\b.*/gm;
          const controls = tree.match(roles) ?? [];
          assert.ok(controls.length > 6, name);
          assert.deepEqual(
            controls.filter((control) => !/^\w+ "[^"]+/.test(control)),
            [],
            name,
          );
          // The group around them distinguishes the cells of a matrix.
          const single = controls.filter(
            (control) => !/"(row \d+, column|第 \d+ 行)/.test(control),
          );
          const names = single.map((control) => control.match(/^\w+ "[^"]+"/)?.[0]);
          const twice = names.filter((each, index) => names.indexOf(each) !== index);
          assert.deepEqual(twice, [], name);
          assert.match(tree, /status: /);
        }
        await tab.close();
      }
    });
  });

  describe('with a connection that ends', () => {
    const site = useSite();

    it('figures that are there go on; those that did not come keep their pictures', async () => {
      const { page } = await freshPage(site);
      await page.route('**/assets/figure-gradient-*.js', (route) =>
        route.abort('internetdisconnected'),
      );
      /** @type {string[]} */
      const errors = [];
      page.on('pageerror', (error) => errors.push(String(error)));
      await page.goto(`${site.url}/en/`);
      const figure = await drawnOnPage(page, 'attn-saturation');
      await page.locator('attn-gradient').scrollIntoViewIfNeeded();
      await page.context().setOffline(true);
      await page.waitForTimeout(500);
      assert.ok(await page.locator('attn-gradient > img:visible').first().isVisible());
      await figure.evaluate((element) => Object.assign(element, { dK: 100 }));
      await figure.scrollIntoViewIfNeeded();
      await figure.locator('.title', { hasText: '= 100' }).waitFor();
      assert.deepEqual(errors, []);
      await page.context().close();
    });
  });
});

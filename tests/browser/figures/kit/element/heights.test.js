// How high figures are in columns between a phone and a page: panels in a wider column are no higher.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FIGURES } from '../../../../../web/figures/list.js';
import { LANGUAGE_KEYS } from '../../../../../web/shared/languages.js';
import { drawn, useBench, until } from '../../bench.js';

const bench = useBench();

/** The column of a large phone, and how much lower two panels side by side are than both below one another. */
const PHONE = 400;
const BESIDE = 0.75;
const COLUMNS = [460, 480, 520, 560, 590];
const PADDING = 16;
const AT_REST = `!root.querySelector('[role=status]').textContent.match(/Computing|正在/)`;

describe('in columns of 460 to 600 pixels', () => {
  for (const name of FIGURES) {
    it(`attn-${name} is no higher than on a phone`, async () => {
      const figures = LANGUAGE_KEYS.map(
        (lang) => `<div><attn-${name} id="${lang}" lang="${lang}"></attn-${name}></div>`,
      );
      const tab = await bench.open(`<div class="pile">${figures.join('')}</div>`);
      const heightsAt = async (/** @type {number} */ column) => {
        await tab.setViewportSize({ width: column + PADDING, height: 900 });
        return Promise.all(
          LANGUAGE_KEYS.map(async (lang) => {
            await drawn(tab, `#${lang}`);
            await until(tab, `figure.figureWidth === ${column} && ${AT_REST}`, `#${lang}`);
            return tab
              .locator(`#${lang}`)
              .evaluate((figure) => figure.getBoundingClientRect().height);
          }),
        );
      };
      const { spec } = await import(`../../../../../web/figures/${name}/element.js`);
      const most = spec.aspect.below && !spec.oneAtATime ? BESIDE : 1;
      const phone = await heightsAt(PHONE);
      for (const column of COLUMNS) {
        const heights = await heightsAt(column);
        heights.forEach((height, i) =>
          assert.ok(height <= most * phone[i], `${column}: ${height} ${phone}`),
        );
      }
    });
  }
});

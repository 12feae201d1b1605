// A figure that comes late, as on a slow network, to a page that shows its text already.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { drawn, useBench } from '../../bench.js';
import { watchShifts } from '../../../shifts.js';
import { FIGURES } from '../../../../../web/figures/list.js';

const POLICY =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; " +
  'img-src data:; worker-src blob:';

const bench = useBench();

const PICTURE =
  '<img alt="" width="720" height="500" src="data:image/svg+xml,' +
  "%3Csvg xmlns='http://www.w3.org/2000/svg' width='720' height='500'%3E%3Crect width='99' height='99'/%3E%3C/svg%3E\">";
const TEXT = `<p>${'The text of the page goes on below the figure. '.repeat(30)}</p>`.repeat(4);

/**
 * Returns the shifts of a page to which the script comes when it has been drawn: the first, which may be that of
 * the element's coming, and all.
 * @param {string} code
 * @param {string} name
 * @param {number} width
 */
async function shiftsOf(code, name, width) {
  const tab = await bench.open(`<p>It has a figure.</p>${code}${TEXT}`, {
    script: false,
    policy: POLICY,
    width,
  });
  const shifted = await watchShifts(tab);
  await tab.reload();
  await tab.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 50))),
  );
  const before = (await shifted()).length;
  await tab.addScriptTag({ url: '/figures.js', type: 'module' });
  await drawn(tab, `attn-${name}`);
  const all = (await shifted()).slice(before);
  const sum = all.reduce((total, { value }) => total + value, 0);
  return { sum, later: sum - (all[0]?.value ?? 0), all: JSON.stringify(all) };
}

describe('a figure whose script comes late', () => {
  for (const width of [1000, 390]) {
    it(`moves next to nothing beside the style of pages, ${width} pixels wide`, async () => {
      /** @type {string[]} */
      const moved = [];
      for (const name of FIGURES) {
        const inside = name === 'saturation' ? PICTURE : '';
        const code = `<link rel="stylesheet" href="/figures.css"><attn-${name}>${inside}</attn-${name}>`;
        const { sum, all } = await shiftsOf(code, name, width);
        if (sum > 0.1) moved.push(`${name}: ${sum} ${all}`);
      }
      assert.deepEqual(moved, []);
    });
  }

  for (const width of [1000, 390]) {
    it(`takes its room at once without that code, ${width} pixels wide`, async () => {
      for (const name of FIGURES) {
        const { later, all } = await shiftsOf(`<attn-${name}></attn-${name}>`, name, width);
        assert.ok(later <= 0.05, `${name}: ${later} ${all}`);
      }
    });
  }
});

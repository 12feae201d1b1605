// No two texts of a chart meet: at four widths, in both languages, in states where lines end together.

import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { drawn, meetingTexts, startBench, until } from './bench.js';

/** @type {Awaited<ReturnType<typeof startBench>>} */
let bench;
before(async () => {
  bench = await startBench();
});
after(() => bench.close());
afterEach(() => assert.deepEqual(bench.complaints.splice(0), []));

const WIDTHS = [1280, 600, 390, 320];
/** States of each figure, as attributes. */
const STATES = {
  saturation: [
    '',
    'lower="competitors" head="2-2" keys="512"',
    'lower="growth" head="1-2"',
    'd-k="1"',
    'd-k="512" keys="512"',
    'scale="none"',
    'scale="linear" keys="2"',
  ],
  gradient: ['', 'd-k="2" keys="2"', 'd-k="1024" keys="256"', 'preset="even"'],
  scale: ['', 'factor="none"', 'factor="cosine" gain="64"', 'd-k="1024" keys="512"', 'keys="2"'],
  precision: ['', 'entry-size="64"', 'format="fp32" entry-size="4" keys="256"', 'scale="none"'],
  heads: ['', 'heads="64"', 'model="4096" kv-heads="1"'],
  cost: [''],
  values: [''],
  training: [''],
};
const AT_REST = `!root.querySelector('[role=status]').textContent.match(/Computing|正在/)`;

describe('texts of a chart stand apart', () => {
  for (const [name, states] of Object.entries(STATES)) {
    it(`in attn-${name}`, async () => {
      for (const lang of ['en', 'zh']) {
        for (const state of states) {
          const figure = `<attn-${name} lang="${lang}" ${state}></attn-${name}>`;
          const tab = await bench.open(figure, { width: WIDTHS[0] });
          await drawn(tab, `attn-${name}`);
          await until(tab, AT_REST, `attn-${name}`);
          for (const width of WIDTHS) {
            await tab.setViewportSize({ width, height: 900 });
            await until(tab, `figure.figureWidth === figure.clientWidth`, `attn-${name}`);
            await tab.evaluate(() => new Promise(requestAnimationFrame));
            const found = await meetingTexts(tab, `attn-${name}`);
            assert.deepEqual(found, [], `${lang} ${width} px ${state}`);
          }
          await tab.close();
        }
      }
    });
  }
});

// No two texts of a chart meet: at seven widths, four of which panels just fit, in five fonts and both languages, in states where lines end together.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { drawn, meetingTexts, useBench, until } from '../../bench.js';
import { LANGUAGE_KEYS } from '../../../../../web/shared/languages.js';
import { FAMILIES, setFont } from '../../fonts.js';

const bench = useBench({ fonts: true });

const WIDTHS = [1280, 656, 616, 576, 476, 390, 320];
/** States of each figure, as attributes. */
const STATES = {
  saturation: [
    '',
    'd-k="1"',
    'd-k="512" keys="512"',
    'scale="none"',
    'scale="linear" keys="2"',
    'mean="0.5" start="glorot"',
  ],
  gradient: [
    '',
    'd-k="2" keys="2"',
    'd-k="1024" keys="256"',
    'd-k="1024" preset="unscaled"',
    'preset="even"',
  ],
  scale: ['', 'factor="none"', 'factor="cosine" gain="64"', 'd-k="1024" keys="512"', 'keys="2"'],
  scales: [
    '',
    'factor="none" measure="trace" head="1.2"',
    'factor="sigmoid-bias" measure="maxWeight" across="dK"',
    'keys="512" factor="yarn" head="2.2"',
    'keys="2"',
  ],
  precision: [
    '',
    'entry-size="64"',
    'format="fp32" entry-size="4" keys="256"',
    'format="int8"',
    'scale="none"',
  ],
  heads: ['', 'heads="64"', 'model="4096" kv-heads="1"'],
  cost: [''],
  asymmetry: ['d-k="1"', 'd-k="3"'],
  values: [''],
  training: [''],
};
const AT_REST = `!root.querySelector('[role=status]').textContent.match(/Computing|正在/)`;

describe('texts of a chart stand apart', () => {
  for (const [name, states] of Object.entries(STATES)) {
    it(`in attn-${name}`, async () => {
      // All on one page, since to open one takes longer than to draw a figure.
      const shown = LANGUAGE_KEYS.flatMap((lang) => states.map((state) => ({ lang, state })));
      const figures = shown.map(
        ({ lang, state }, i) =>
          `<div><attn-${name} id="f${i}" lang="${lang}" ${state}></attn-${name}></div>`,
      );
      const pile = `<div class="pile">${figures.join('')}</div>`;
      const tab = await bench.open(pile, { width: WIDTHS[0] });
      for (const i of shown.keys()) {
        await drawn(tab, `#f${i}`);
        await until(tab, AT_REST, `#f${i}`);
      }
      for (const width of WIDTHS) {
        await tab.setViewportSize({ width, height: 900 });
        for (const i of shown.keys()) {
          await until(tab, `figure.figureWidth === figure.clientWidth`, `#f${i}`);
        }
        for (const family of FAMILIES) {
          await setFont(tab, family);
          assert.deepEqual(await meetingTexts(tab, `attn-${name}`), [], `${width} px ${family}`);
        }
      }
    });
  }
});

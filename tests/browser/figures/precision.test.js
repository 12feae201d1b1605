// <attn-precision> in Chromium: its counts against theory, its controls by keyboard.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { drawn, readout, shadowText, useBench } from './bench.js';

const NAME = 'attn-precision';
const bench = useBench();

it('shows lost weights where nothing overflows: 56 % unscaled, none scaled', async () => {
  const tab = await bench.open(`<${NAME} queries="1024"></${NAME}>`);
  await drawn(tab, NAME);
  const lines = await readout(tab, NAME);
  assert.deepEqual(lines['unscaled: q·k overflows'], { measured: 0, theory: 0 });
  assert.ok(Math.abs(lines['unscaled: exp overflows'].measured - 8.3) < 0.6);
  assert.ok(lines['unscaled: rows where exp overflows'].measured > 98);
  assert.ok(Math.abs(lines['unscaled: weight is 0'].measured - 56) <= 2);
  assert.deepEqual(lines['scaled: weight is 0'], { measured: 0, theory: 0 });
  assert.match(await shadowText(tab, NAME), /0% of the unscaled scores overflow/);
});

it('gives in Chinese the size that entries would need', async () => {
  const tab = await bench.open(`<${NAME} lang="zh" entry-size="64"></${NAME}>`);
  await drawn(tab, NAME);
  assert.match(await shadowText(tab, NAME), /元素要大到 45/);
  const lines = await readout(tab, NAME);
  assert.ok(lines['unscaled: q·k 溢出'].measured > 0);
  assert.equal(lines['scaled: q·k 溢出'].measured, 0);
});

// <attn-heads> in Chromium: its numbers against the formula, its controls by keyboard.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { drawn, shadowText, useBench, until } from './bench.js';

const NAME = 'attn-heads';
const bench = useBench();

/**
 * @param {import('playwright-core').Page} tab
 * @returns {Promise<Record<string, string>>} the counts
 */
const counted = (tab) =>
  tab
    .locator(NAME)
    .evaluate((figure) =>
      Object.fromEntries(
        [...(figure.shadowRoot?.querySelectorAll('.readout tbody tr') ?? [])].map((row) => [
          row.children[0].textContent?.trim(),
          row.children[1].textContent?.trim(),
        ]),
      ),
    );

it('counts 4 · 512² parameters, at 8 heads and at 64', async () => {
  const tab = await bench.open('<attn-heads></attn-heads>');
  await drawn(tab, NAME);
  const total = '1,048,576';
  assert.equal((await counted(tab))['all four'], total);
  const heads = tab.locator(`${NAME} input[type=range]`).first();
  await heads.press('End');
  await until(tab, "root.querySelector('.title').textContent.includes('or 64')", NAME);
  assert.equal((await counted(tab))['all four'], total);
  assert.equal((await counted(tab))['numbers per token'], '1,024');
});

it('lists its data in whole numbers, without empty columns', async () => {
  const tab = await bench.open('<attn-heads heads="1"></attn-heads>');
  await drawn(tab, NAME);
  assert.match(await shadowText(tab, NAME), /One head: the layer learns 1,048,576 numbers/);
  await tab.locator(`${NAME} [part~=table]`).click();
  await until(tab, "root.querySelectorAll('.data table').length === 3", NAME);
  const tables = await tab
    .locator(`${NAME} .data table`)
    .evaluateAll((all) =>
      all.map((table) =>
        [...table.querySelectorAll('tr')].map((row) =>
          [...row.children].map((each) => each.textContent?.trim()),
        ),
      ),
    );
  assert.deepEqual(tables[0][0], ['series', 'heads h', 'measured', 'theory']);
  assert.deepEqual(tables[0][1], ['WQ', '1', '262,144', '']);
  for (const [head, ...rows] of tables) {
    for (const column of head.keys()) assert.ok(rows.some((row) => row[column]));
  }
});

it('reports a remainder that heads leave of d_model', async () => {
  const tab = await bench.open('<attn-heads heads="12"></attn-heads>');
  await drawn(tab, NAME);
  assert.match(await shadowText(tab, NAME), /leaves a remainder/);
  assert.equal((await counted(tab))['all four'], (4 * 512 * 12 * 42).toLocaleString('en'));
});

it('sets the heads of a published model when one is chosen', async () => {
  const tab = await bench.open('<attn-heads lang="zh"></attn-heads>');
  await drawn(tab, NAME);
  await tab.locator(`${NAME} #field-model`).selectOption('4096');
  await until(tab, "root.querySelector('.title').textContent.includes('32')", NAME);
  const { kvHeads, heads } = await tab
    .locator(NAME)
    .evaluate((figure) => Reflect.get(figure, 'state'));
  assert.deepEqual([heads, kvHeads], [32, '8']);
  assert.equal((await counted(tab))['每个词元的个数'], '2,048');
  await until(tab, "root.host.getAttribute('heads') === '32'", NAME); // written once it has settled
});

it('grows with heads only where d_k is fixed', async () => {
  const tab = await bench.open('<attn-heads head-size="fixed" heads="16"></attn-heads>');
  await drawn(tab, NAME);
  assert.equal((await counted(tab))['all four'], '2,097,152');
});

it('writes the formula of its count, with biases where the projections have them', async () => {
  // 512 / 12 is 42 and a remainder; 4 heads of keys and values.
  const weights = 512 * (12 + 4) * (42 + 42);
  const biases = 12 * 42 + 4 * (42 + 42) + 512;
  for (const [bias, formula, total] of /** @type {const} */ ([
    ['no', 'dmodel·(h + g)·(dk + dv)', weights],
    ['yes', 'dmodel·(h + g)·(dk + dv) + h·dk + g·(dk + dv) + dmodel', weights + biases],
  ])) {
    const tab = await bench.open(
      `<attn-heads heads="12" kv-heads="4" bias="${bias}"></attn-heads>`,
    );
    await drawn(tab, NAME);
    assert.equal(await tab.locator(`${NAME} .readout .formula`).first().textContent(), formula);
    assert.equal((await counted(tab))['all four'], total.toLocaleString('en'));
    await tab.close();
  }
});

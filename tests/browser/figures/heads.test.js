// <attn-heads> in Chromium: its numbers against the formula, its controls by keyboard.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { useFigure } from './bench.js';

/** @import { Figure } from './bench.js' */

const { open } = useFigure('attn-heads');

/** Returns the counts. @param {Figure} figure */
async function counted({ find }) {
  const rows = await find('.readout tbody tr').evaluateAll((all) =>
    all.map(({ children }) => [children[0], children[1]].map((cell) => cell.textContent?.trim())),
  );
  return Object.fromEntries(rows);
}

it('counts 4 · 512² parameters, at 8 heads and at 64', async () => {
  const figure = await open();
  const total = '1,048,576';
  assert.equal((await counted(figure))['all four'], total);
  await figure.find('input[type=range]').first().press('End');
  await figure.shows('.title', 'or 64');
  assert.equal((await counted(figure))['all four'], total);
  assert.equal((await counted(figure))['numbers per token'], '1,024');
});

it('lists its data in whole numbers, without empty columns', async () => {
  const { find, until, allText } = await open('heads="1"');
  assert.match(await allText(), /One head: the layer learns 1,048,576 numbers/);
  await find('[part~=table]').click();
  await until("root.querySelectorAll('.data table').length === 3");
  const tables = await find('.data table').evaluateAll((all) =>
    all.map((table) =>
      [...table.querySelectorAll('tr')].map((row) =>
        [...row.children].map((each) => each.textContent?.trim()),
      ),
    ),
  );
  assert.deepEqual(tables[0][0], ['series', 'heads h', 'measured', 'theory']);
  assert.deepEqual(tables[0][1], ['W_Q', '1', '262,144', '']);
  for (const [head, ...rows] of tables) {
    for (const column of head.keys()) assert.ok(rows.some((row) => row[column]));
  }
});

it('reports a remainder that heads leave of d_model', async () => {
  const figure = await open('heads="12"');
  assert.match(await figure.allText(), /leaves a remainder/);
  assert.equal((await counted(figure))['all four'], (4 * 512 * 12 * 42).toLocaleString('en'));
});

it('sets the heads of a published model when one is chosen', async () => {
  const figure = await open('lang="zh"');
  const { find, until, shows, get } = figure;
  await find('#field-model').selectOption('4096');
  await shows('.title', '32');
  const { kvHeads, heads } = await get('state');
  assert.deepEqual([heads, kvHeads], [32, '8']);
  assert.equal((await counted(figure))['每个词元的个数'], '2048');
  await until("figure.getAttribute('heads') === '32'"); // written once it has settled
});

it('grows with heads only where d_k is fixed', async () => {
  const figure = await open('head-size="fixed" heads="16"');
  assert.equal((await counted(figure))['all four'], '2,097,152');
});

it('writes the formula of its count, with biases where the projections have them', async () => {
  // 512 / 12 is 42 and a remainder; 4 heads of keys and values.
  const weights = 512 * (12 + 4) * (42 + 42);
  const biases = 12 * 42 + 4 * (42 + 42) + 512;
  for (const [bias, formula, total] of /** @type {const} */ ([
    ['no', 'd_model·(h + g)·(d_k + d_v)', weights],
    ['yes', 'd_model·(h + g)·(d_k + d_v) + h·d_k + g·(d_k + d_v) + d_model', weights + biases],
  ])) {
    const figure = await open(`heads="12" kv-heads="4" bias="${bias}"`);
    assert.equal(await figure.text('.readout .formula'), formula);
    assert.equal((await counted(figure))['all four'], total.toLocaleString('en'));
    await figure.tab.close();
  }
});

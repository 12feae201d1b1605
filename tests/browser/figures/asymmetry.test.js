// <attn-asymmetry> in Chromium: the floors, the run, and vectors moved by keyboard and pointer.

import assert from 'node:assert/strict';
import { after, afterEach, before, it } from 'node:test';
import { drawn, hold, readout, startBench, until } from './bench.js';

const NAME = 'attn-asymmetry';
/** @type {Awaited<ReturnType<typeof startBench>>} */
let bench;
before(async () => {
  bench = await startBench();
});
after(() => bench.close());
afterEach(() => assert.deepEqual(bench.complaints.splice(0), []));

const FIGURE = '<attn-asymmetry></attn-asymmetry>';

it('shows a short run at once, at the floor when tied, below it when not', async () => {
  for (const [relation, floor] of /** @type {const} */ ([
    ['ring3', 1.0986],
    ['pairs', 0.6931],
    ['ring8', 1.489],
  ])) {
    const tab = await bench.open(
      `<attn-asymmetry relation="${relation}" d-k="8"></attn-asymmetry>`,
    );
    await drawn(tab, NAME);
    const lines = await readout(tab, NAME);
    assert.equal(lines['tied: loss at the end'].theory, floor);
    const { measured } = lines['tied: loss at the end'];
    assert.ok(measured >= floor - 1e-4 && measured < floor + 0.02, `${relation}: ${measured}`);
    assert.ok(lines['untied: loss at the end'].measured < 0.02);
    await tab.close();
  }
});

it('trains eight runs of both on Run, shows progress and its result', async () => {
  const tab = await bench.open(FIGURE);
  await drawn(tab, NAME);
  const release = await hold(tab);
  await tab.locator(`${NAME} [part~=run]`).click();
  await tab.locator(`${NAME} progress`).waitFor();
  await release();
  await tab.locator(`${NAME} progress`).waitFor({ state: 'detached' });
  await until(tab, "root.querySelector('.readout').textContent.includes('median of 8')", NAME);
  const lines = await readout(tab, NAME);
  assert.equal(lines['tied: loss at the end'].measured, 1.0986);
  await tab.locator(`${NAME} #field-tie`).selectOption('tied');
  await until(tab, "figure.getAttribute('tie') === 'tied'", NAME);
  assert.match((await tab.locator(`${NAME} [role=status]`).textContent()) ?? '', /4000 steps/);
  await tab.close();
});

it('stops when cancelled', async () => {
  const tab = await bench.open(FIGURE);
  await drawn(tab, NAME);
  const release = await hold(tab);
  await tab.locator(`${NAME} [part~=run]`).click();
  await tab.locator(`${NAME} [part~=cancel]`).click();
  await release();
  await until(tab, "/Cancelled/.test(root.querySelector('[part~=notice]')?.textContent)", NAME);
  await tab.close();
});

it('moves a key by arrow keys and by dragging, and the maps with it', async () => {
  const tab = await bench.open(FIGURE);
  await drawn(tab, NAME);
  const key = tab.locator(`${NAME} .handles button`).nth(3);
  assert.match((await key.getAttribute('aria-label')) ?? '', /^key 1 at 1\.60, −0\.50$/);
  const before = await readout(tab, NAME);
  await key.press('ArrowUp');
  await until(tab, "figure.getAttribute('keys')?.startsWith('1.6 -0.4 ')", NAME);
  const box = await key.boundingBox();
  assert.ok(box);
  await tab.mouse.move(box.x + 15, box.y + 15);
  await tab.mouse.down();
  await tab.mouse.move(box.x - 60, box.y + 40, { steps: 4 });
  await tab.mouse.up();
  await until(tab, "Number(figure.getAttribute('keys')?.split(' ')[0]) < 1.4", NAME);
  const name = 'maps: largest column sum';
  assert.notEqual((await readout(tab, NAME))[name].measured, before[name].measured);
  assert.equal((await readout(tab, NAME))['maps: row sums'].measured, 1);
  await tab.close();
});

it('has one set of handles when tied, and even then one map is not the other turned over', async () => {
  const tab = await bench.open('<attn-asymmetry lang="zh" tie="tied"></attn-asymmetry>');
  await drawn(tab, NAME);
  assert.equal(await tab.locator(`${NAME} .handles button`).count(), 3);
  assert.ok((await readout(tab, NAME))['maps: 与 softmax(KQᵀ)ᵀ 相差'].measured > 0.05);
  await tab.close();
});

it('takes vectors from attributes, and only vectors', async () => {
  const tab = await bench.open(
    '<attn-asymmetry keys="1 0 0 1 9 -9" queries="1 2"></attn-asymmetry>',
  );
  await drawn(tab, NAME);
  const { keys, queries } = await tab
    .locator(NAME)
    .evaluate((figure) => Reflect.get(figure, 'state'));
  assert.equal(keys, '1 0 0 1 2.5 -2.5');
  assert.equal(queries, '1.4 0.6 -0.4 1.8 -0.9 -1');
  assert.match((await tab.locator(`${NAME} [part~=notice]`).textContent()) ?? '', /queries/);
  await tab.close();
});

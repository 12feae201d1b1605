// <attn-asymmetry> in Chromium: the floors, the run, and vectors moved by keyboard and pointer.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { drawn, hold, readout, useBench, until } from './bench.js';

const NAME = 'attn-asymmetry';
const bench = useBench();

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
});

it('moves a key by arrow keys and by dragging, and the maps with it', async () => {
  const tab = await bench.open(FIGURE);
  await drawn(tab, NAME);
  const key = tab.locator(`${NAME} .handles button`).nth(3);
  assert.match((await key.getAttribute('aria-label')) ?? '', /^key 1 at 1\.60, −0\.50$/);
  // Elsewhere a screen reader takes the arrow keys of a button for its own.
  const plane = tab.getByRole('application', { name: 'By hand: queries, keys' });
  assert.equal(await plane.count(), 1);
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
});

it('has one set of handles when tied, and even then one map is not the other turned over', async () => {
  const tab = await bench.open('<attn-asymmetry lang="zh" tie="tied"></attn-asymmetry>');
  await drawn(tab, NAME);
  assert.equal(await tab.locator(`${NAME} .handles button`).count(), 3);
  assert.ok((await readout(tab, NAME))['maps: 与 softmax(KQᵀ)ᵀ 相差'].measured > 0.05);
});

/** Returns the places of the handles. @param {import('playwright-core').Page} tab */
async function places(tab) {
  const names = await tab
    .locator(`${NAME} .handles button`)
    .evaluateAll((all) => all.map((each) => each.getAttribute('aria-label') ?? ''));
  const of = (/** @type {string} */ role) =>
    names.flatMap((name) => (name.startsWith(role) ? [name.replace(/.* at /, '')] : []));
  return { queries: of('query'), keys: of('key') };
}

const RING = {
  queries: ['0.00, 1.60', '−1.39, −0.80', '1.39, −0.80'],
  keys: ['1.56, −0.90', '0.00, 1.80', '−1.56, −0.90'],
};
const MIXED = {
  queries: ['1.40, 0.60', '−0.40, 1.80', '−0.90, −1.00'],
  keys: ['1.60, −0.50', '0.90, 1.50', '−1.20, 0.30'],
};

it('draws the vectors that an attribute or a link names, but those that it gives itself', async () => {
  const hash = '#attn=1&figure=asymmetry&vectors=';
  const given = '&queries=1.4+0.6+-0.4+1.8+-0.9+-1&keys=1.6+-0.5+0.9+1.5+-1.2+0.3';
  for (const [attributes, link, expected] of /** @type {const} */ ([
    ['vectors="ring"', '', RING],
    ['keys="1.6 -0.5 0.9 1.5 -1.2 0.3" vectors="ring"', '', { ...RING, keys: MIXED.keys }],
    ['', `${hash}ring`, RING],
    ['', `${hash}ring${given}`, MIXED],
    ['', '', MIXED],
  ])) {
    const tab = await bench.open(`<attn-asymmetry ${attributes}></attn-asymmetry>`, { hash: link });
    await drawn(tab, NAME);
    assert.deepEqual(await places(tab), expected, attributes + link);
    await tab.close();
  }
});

it('calls vectors that the reader has moved own, so that a preset can be chosen again', async () => {
  const tab = await bench.open(
    '<attn-asymmetry vectors="ring" controls="vectors"></attn-asymmetry>',
  );
  await drawn(tab, NAME);
  const select = tab.locator(`${NAME} #field-vectors`);
  await tab.locator(`${NAME} .handles button`).nth(3).press('ArrowUp');
  await until(tab, "figure.getAttribute('vectors') === 'own'", NAME);
  assert.equal(await select.inputValue(), 'own');
  assert.deepEqual(await places(tab), { ...RING, keys: ['1.56, −0.80', ...RING.keys.slice(1)] });
  await select.selectOption('ring');
  await until(tab, "figure.getAttribute('vectors') === 'ring'", NAME);
  assert.deepEqual(await places(tab), RING);
});

it('keeps the keys of a preset where queries are moved that stand for both', async () => {
  const tab = await bench.open('<attn-asymmetry vectors="ring" tie="tied"></attn-asymmetry>');
  await drawn(tab, NAME);
  await tab.locator(`${NAME} .handles button`).first().press('ArrowUp');
  await until(tab, "figure.getAttribute('vectors') === 'own'", NAME);
  await tab.locator(`${NAME} #field-tie`).selectOption('separate');
  await until(tab, "root.querySelectorAll('.handles button').length === 6", NAME);
  assert.deepEqual((await places(tab)).keys, RING.keys);
});

it('takes vectors from attributes, and only vectors', async () => {
  const tab = await bench.open(
    '<attn-asymmetry keys="1 0 0 1 9 -9" queries="1 2"></attn-asymmetry>',
  );
  await drawn(tab, NAME);
  assert.deepEqual(await places(tab), {
    queries: ['1.40, 0.60', '−0.40, 1.80', '−0.90, −1.00'],
    keys: ['1.00, 0.00', '0.00, 1.00', '2.50, −2.50'],
  });
  assert.match((await tab.locator(`${NAME} [part~=notice]`).textContent()) ?? '', /queries/);
});

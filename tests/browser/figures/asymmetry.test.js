// <attn-asymmetry> in Chromium: the run, and vectors moved by keyboard and pointer.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { hold, useFigure } from './bench.js';

/** @import { Figure } from './bench.js' */

const { open } = useFigure('attn-asymmetry');

it('trains eight runs of both on Run, shows progress and its result', async () => {
  const { tab, find, until, shows, text, readout } = await open();
  const release = await hold(tab);
  await find('[part~=run]').click();
  await find('progress').waitFor();
  await release();
  await find('progress').waitFor({ state: 'detached' });
  await shows('.readout', 'median of 8');
  const lines = await readout();
  assert.equal(lines['tied: loss at the end'].measured, 1.0986);
  await find('#field-tie').selectOption('tied');
  await until("figure.getAttribute('tie') === 'tied'");
  assert.match(await text('[role=status]'), /4000 steps/);
});

it('moves a key by arrow keys and by dragging, and the maps with it', async () => {
  const { tab, find, until, readout } = await open();
  const key = find('.handles button').nth(3);
  assert.match((await key.getAttribute('aria-label')) ?? '', /^key 1 at 1\.60, −0\.50$/);
  // Elsewhere a screen reader takes the arrow keys of a button for its own.
  const plane = tab.getByRole('application', { name: 'By hand: queries, keys' });
  assert.equal(await plane.count(), 1);
  const before = await readout();
  await key.press('ArrowUp');
  await until("figure.getAttribute('keys')?.startsWith('1.6 -0.4 ')");
  const box = await key.boundingBox();
  assert.ok(box);
  await tab.mouse.move(box.x + 15, box.y + 15);
  await tab.mouse.down();
  await tab.mouse.move(box.x - 60, box.y + 40, { steps: 4 });
  await tab.mouse.up();
  await until("Number(figure.getAttribute('keys')?.split(' ')[0]) < 1.4");
  const name = 'maps: largest column sum';
  assert.notEqual((await readout())[name].measured, before[name].measured);
  assert.equal((await readout())['maps: row sums'].measured, 1);
});

it('has one set of handles when tied, and even then one map is not the other turned over', async () => {
  const { find, readout } = await open('lang="zh" tie="tied"');
  assert.equal(await find('.handles button').count(), 3);
  assert.ok((await readout())['maps: 与 softmax(KQᵀ)ᵀ 相差'].measured > 0.05);
});

/** Returns the places of the handles of a figure. @param {Figure} figure */
async function places({ find }) {
  const handles = find('.handles button');
  const names = await handles.evaluateAll((all) => all.map((each) => each.ariaLabel ?? ''));
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
    const figure = await open(attributes, { hash: link });
    assert.deepEqual(await places(figure), expected, attributes + link);
    await figure.tab.close();
  }
});

it('calls vectors that the reader has moved own, so that a preset can be chosen again', async () => {
  const figure = await open('vectors="ring" controls="vectors"');
  const { find, until } = figure;
  const select = find('#field-vectors');
  await find('.handles button').nth(3).press('ArrowUp');
  await until("figure.getAttribute('vectors') === 'own'");
  assert.equal(await select.inputValue(), 'own');
  assert.deepEqual(await places(figure), { ...RING, keys: ['1.56, −0.80', ...RING.keys.slice(1)] });
  await select.selectOption('ring');
  await until("figure.getAttribute('vectors') === 'ring'");
  assert.deepEqual(await places(figure), RING);
});

it('keeps the keys of a preset where queries are moved that stand for both', async () => {
  const figure = await open('vectors="ring" tie="tied"');
  const { find, until } = figure;
  await find('.handles button').first().press('ArrowUp');
  await until("figure.getAttribute('vectors') === 'own'");
  await find('#field-tie').selectOption('separate');
  await until("root.querySelectorAll('.handles button').length === 6");
  assert.deepEqual((await places(figure)).keys, RING.keys);
});

it('takes vectors from attributes, and only vectors', async () => {
  const figure = await open('keys="1 0 0 1 9 -9" queries="1 2"');
  assert.deepEqual(await places(figure), {
    queries: MIXED.queries,
    keys: ['1.00, 0.00', '0.00, 1.00', '2.50, −2.50'],
  });
  assert.match(await figure.text('[part~=notice]'), /queries/);
});

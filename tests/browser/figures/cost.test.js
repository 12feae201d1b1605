// <attn-cost> in Chromium: the run on the reader's device.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { costModel } from '../../../web/theory/cost.js';
import { drawn, figureOn, hold, useFigure } from './bench.js';
import { waitUntil } from '../../wait.js';

const { bench, open } = useFigure('attn-cost');

const SMALL = 'd-k="16" hidden-size="16"';

it('carries times over by the count of operations while a slider is dragged', async () => {
  const { tab, find, until } = await open(SMALL);
  const times = async () => {
    const rows = await find('.readout tbody tr:last-child').allTextContents();
    const all = rows.map((row) => {
      const [, keys = '', time = '', unit = ''] = /n\s=\s(\d+)\s+([\d.]+) (\S+)/.exec(row) ?? [];
      return { keys: Number(keys), milliseconds: Number(time) * (unit === 'ms' ? 1 : 1e-3) };
    });
    return all.filter(({ keys }) => keys > 0); // the others are ratios
  };
  const before = await times();
  const said = await find('.title').textContent();
  await hold(tab); // or a pause would end the dragging, and it would measure again
  const slider = find('input[type=range]').first();
  await slider.evaluate((input) => {
    Reflect.set(input, 'value', '64');
    input.dispatchEvent(new Event('input', { bubbles: true }));
  });
  await until(`root.querySelector('.title').textContent !== ${JSON.stringify(said)}`);
  const after = await times();
  for (const [i, method] of /** @type {const} */ (['dot', 'factored', 'pairwise']).entries()) {
    const { keys, milliseconds } = before[i];
    const operations = (/** @type {number} */ dK) => costModel({ method, keys, dK, hidden: 16 });
    const expected = (milliseconds * operations(64)) / operations(16);
    assert.equal(after[i].keys, keys);
    assert.ok(
      Math.abs(after[i].milliseconds / expected - 1) < 0.02,
      JSON.stringify([before, after]),
    );
  }
});

it('measures every size after Run, shows progress, and reports the end', async () => {
  const { tab, find, until, shows, text, readout } = await open(SMALL);
  await tab.evaluate(() => {
    const told = Object.assign(globalThis, { told: /** @type {unknown[]} */ ([]) }).told;
    addEventListener('attn-change', (event) => {
      told.push(/** @type {CustomEvent} */ (event).detail.settled);
    });
  });
  const release = await hold(tab);
  await find('[part~=run]').click();
  await find('progress').waitFor();
  assert.ok(await find('[part~=run]').isDisabled());
  await release();
  await find('progress').waitFor({ state: 'detached' });
  await shows('.note', 'rounds ');
  const isSure = !(await text('.note')).includes('The times differ too much'); // as they do on a busy machine
  assert.match(await text('[role=status]'), isSure ? /^On this device/ : /^By the count/);
  const lines = await readout();
  assert.ok(
    Object.keys(lines).some((name) => /^dot: time, n\s=\s(512|1024|2048)$/.test(name)),
    JSON.stringify(lines),
  );
  assert.deepEqual(await tab.evaluate('told'), [true]); // once, of all that it measured
  const note = await text('.note');
  const [, low, high] = /rounds ([\d.,]+)–([\d.,]+) for factored/.exec(note) ?? [];
  const { measured } = lines['factored: × dot'];
  assert.ok(Number(low) <= measured && measured <= Number(high), `${measured}: ${note}`);
  await find('input[type=range]').first().press('ArrowRight');
  await until("!root.querySelector('.note').textContent.includes('rounds ')");
  // It is spoken once the reader's hand rests.
  await until("/^(A quick|By the count)/.test(root.querySelector('[role=status]').textContent)");
});

it('stops when cancelled, when removed, and when it leaves the screen', async () => {
  const tab = await bench.open(`<attn-cost ${SMALL}></attn-cost><div class="far"></div>`);
  await drawn(tab, 'attn-cost');
  const { find, until } = figureOn(tab, 'attn-cost');
  const progress = find('progress');
  const run = async () => {
    const release = await hold(tab);
    await find('[part~=run]').click();
    await progress.waitFor();
    return release;
  };
  const notice = async () => (await find('[part~=notice]').allTextContents()).join();
  let release = await run();
  await find('[part~=cancel]').click();
  await release();
  await progress.waitFor({ state: 'detached' });
  assert.match(await notice(), /Cancelled/);
  release = await run();
  assert.equal(await notice(), '');
  await tab.evaluate(() => scrollTo(0, 4000));
  await release();
  await progress.waitFor({ state: 'detached' });
  assert.match(await notice(), /Cancelled/);
  await tab.evaluate(() => scrollTo(0, 0));
  release = await run();
  await tab.evaluate(() => {
    const figure = document.querySelector('attn-cost');
    Object.assign(globalThis, { removed: figure });
    figure?.remove();
  });
  await release();
  await until('removed.busy === false');
  assert.match(await tab.evaluate('removed.notice'), /Cancelled/);
});

it('promises to keep no result where a change of state ends the run and discards it', async () => {
  const { tab, find, until } = await open(SMALL);
  const listeners = await tab.evaluate(async () => {
    let count = 0;
    const { addEventListener: add, removeEventListener: remove } = document;
    document.addEventListener = (/** @type {any[]} */ ...args) => {
      count++;
      Reflect.apply(add, document, args);
    };
    document.removeEventListener = (/** @type {any[]} */ ...args) => {
      count--;
      Reflect.apply(remove, document, args);
    };
    const figure = document.querySelector('attn-cost') ?? {};
    const run = /** @type {() => Promise<void>} */ (Reflect.get(figure, 'run'));
    const ended = [run.call(figure), run.call(figure)];
    const during = count;
    await new Promise((resolve) => setTimeout(resolve, 100));
    Reflect.set(figure, 'dK', 32);
    await Promise.all(ended);
    return { during, after: count };
  });
  assert.deepEqual(listeners, { during: 1, after: 0 }); // of one run, which is all there is
  await until("!root.querySelector('progress')");
  assert.equal(await find('[part~=notice]').count(), 0);
});

it('compares no time of plain JavaScript with the count of operations of the kernel', async () => {
  const { find } = await open('d-k="64" hidden-size="64" tanh="scalar"');
  const times = await find('[part=readout] tr')
    .filter({ hasText: 'time, n' })
    .evaluateAll((rows) => rows.map((row) => row.querySelector('td.error')?.textContent ?? '–'));
  assert.equal(times.length, 3);
  for (const error of times) assert.match(error, /^\s*(–|[+−]?\d{1,3}(\.\d)?%|×\d\d(\.\d)?)\s*$/);
  // The ratios of plain JavaScript to the kernel are some eighty times those of operations, on a busy machine more.
  const ratios = await find('td.error').allTextContents();
  for (const error of ratios)
    assert.match(error, /^\s*(–|[+−]?\d{1,3}(\.\d)?%|×\d{2,3}(\.\d)?)\s*$/);
});

it('keeps the page able to answer while it runs', async () => {
  const { tab, find } = await open(SMALL);
  const counted = tab.evaluate(async () => {
    const figure = document.querySelector('attn-cost') ?? {};
    await waitUntil(() => Reflect.get(figure, 'busy'), 'the run begins', { frames: true });
    let count = 0;
    for (; count < 10; count++) await new Promise(requestAnimationFrame);
    return { count, busy: Reflect.get(figure, 'busy') };
  });
  await find('[part~=run]').click();
  assert.deepEqual(await counted, { count: 10, busy: true });
});

// <attn-cost> in Chromium: the run on the reader's device.

import assert from 'node:assert/strict';
import { after, afterEach, before, it } from 'node:test';
import { drawn, readout, startBench, until } from './bench.js';

/** @type {Awaited<ReturnType<typeof startBench>>} */
let bench;
before(async () => {
  bench = await startBench();
});
after(() => bench.close());
afterEach(() => assert.deepEqual(bench.complaints.splice(0), []));

const SMALL = '<attn-cost d-k="16" hidden-size="16"></attn-cost>';

it('shows numbers before any interaction, labelled as a prediction', async () => {
  const tab = await bench.open(SMALL);
  await drawn(tab, 'attn-cost');
  const lines = Object.values(await readout(tab, 'attn-cost'));
  assert.equal(lines.length, 5);
  for (const { measured, theory } of lines) assert.ok(measured > 0 && theory > 0);
  const note = await tab.locator('attn-cost .note').first().textContent();
  assert.match(note ?? '', /Prediction/);
  await tab.close();
});

it('measures every size after Run, shows progress, and says that it measured', async () => {
  const tab = await bench.open(SMALL);
  await drawn(tab, 'attn-cost');
  await tab.locator('attn-cost [part~=run]').click();
  await tab.locator('attn-cost progress').waitFor();
  assert.ok(await tab.locator('attn-cost [part~=run]').isDisabled());
  await tab.locator('attn-cost progress').waitFor({ state: 'detached', timeout: 90_000 });
  await until(
    tab,
    "root.querySelector('[role=status]').textContent.startsWith('On this device')",
    'attn-cost',
  );
  const lines = await readout(tab, 'attn-cost');
  assert.ok(
    Object.keys(lines).some((name) => /^dot: time, n = (512|1024|2048)$/.test(name)),
    JSON.stringify(lines),
  );
  await tab.locator('attn-cost input[type=range]').first().press('ArrowRight');
  await until(
    tab,
    "root.querySelector('[role=status]').textContent.startsWith('A quick')",
    'attn-cost',
  );
  await tab.close();
});

it('stops when cancelled, when removed, and when it leaves the screen', async () => {
  const tab = await bench.open(`${SMALL}<div class="far"></div>`);
  await drawn(tab, 'attn-cost');
  const run = tab.locator('attn-cost [part~=run]');
  const progress = tab.locator('attn-cost progress');
  await run.click();
  await progress.waitFor();
  await tab.locator('attn-cost [part~=cancel]').click();
  await progress.waitFor({ state: 'detached' });
  assert.match((await tab.locator('attn-cost [part~=notice]').textContent()) ?? '', /Cancelled/);
  await run.click();
  await progress.waitFor();
  await tab.evaluate(() => scrollTo(0, 4000));
  await progress.waitFor({ state: 'detached' });
  await tab.evaluate(() => scrollTo(0, 0));
  await run.click();
  await progress.waitFor();
  await tab.evaluate(() => {
    const figure = document.querySelector('attn-cost');
    Object.assign(globalThis, { removed: figure });
    figure?.remove();
  });
  await until(tab, 'removed.busy === false');
  await tab.close();
});

it('keeps the page able to answer while it runs', async () => {
  const tab = await bench.open(SMALL);
  await drawn(tab, 'attn-cost');
  await tab.locator('attn-cost [part~=run]').click();
  const frames = await tab.evaluate(async () => {
    let count = 0;
    for (; count < 10; count++) await new Promise(requestAnimationFrame);
    return { count, busy: Reflect.get(document.querySelector('attn-cost') ?? {}, 'busy') };
  });
  assert.deepEqual(frames, { count: 10, busy: true });
  await tab.close();
});

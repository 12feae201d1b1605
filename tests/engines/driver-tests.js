// A driver drives the engine that it names, and misses no complaint of a page.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serve } from '../browser/serve.js';
import { use } from '../fixture.js';
import { until } from './driver.js';

/** @import { Browser, Engine } from './driver.js' */

const PAGE = `<!doctype html><head><title>page</title><link rel="icon" href="data:,"></head>
  <input value=""><iframe sandbox="allow-scripts" src="/frame.html"></iframe>
  <script src="/page.js"></script>`;
const FRAME = `<!doctype html><head><title>frame</title></head><p>framed</p>
  <script>console.error('the frame logs')</script>`;
const SCRIPT = `console.warn('the page warns');
  setTimeout(() => { throw new Error('the page throws'); });`;
const POLICY = "default-src 'none'; script-src 'self'; frame-src 'self'; img-src data:";

/** Tests the driver of an engine. @param {Engine} engine @param {Browser} browser */
export function testDriver(engine, browser) {
  const server = use(() => {
    const files = { '/': PAGE, '/frame.html': FRAME, '/page.js': SCRIPT };
    return serve(files, { '/': POLICY, '/frame.html': '' });
  });

  test('its pages are read, typed into and heard', async () => {
    const page = await browser.newPage();
    await page.goto(server.origin);
    assert.match(page.version, /^\w+ \d+\.\d/);
    console.log(`${engine.name}: ${page.version}`);
    const seen = await page.evaluate(
      async (number) => [await Promise.resolve(number), typeof WebAssembly],
      1.5,
    );
    const hasWasm = !/without WebAssembly/.test(engine.name);
    assert.deepEqual(seen, [1.5, hasWasm ? 'object' : 'undefined']);
    await assert.rejects(
      page.evaluate(() => {
        throw new TypeError('thrown to the test');
      }),
      /thrown to the test/,
    );

    await page.evaluate(() => document.querySelector('input')?.focus());
    await page.press('a');
    await page.press('ArrowLeft');
    await page.press('b');
    await until(page.evaluate, () => document.querySelector('input')?.value === 'ba');

    const text = () => document.querySelector('p')?.textContent;
    assert.equal(await page.evaluateInFrame(text), 'framed');
    for (const expected of ['page warns', 'page throws', 'frame logs']) {
      const isHeard = async () => (await page.complaints()).join('\n').includes(expected);
      await until(async (condition) => condition(), isHeard);
    }
    await page.close();
  });
}

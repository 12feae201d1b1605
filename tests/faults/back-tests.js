// The back/forward cache keeps a page that its reader leaves, and shows it again whole.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { bundleFigures } from '../browser/bundle.js';
import { launch, serve, WHOLE } from '../browser/serve.js';
import { use } from '../fixture.js';
import { until } from '../engines/driver.js';
import { evaluator } from '../engines/evaluate.js';

/** @import { Browser, Engine, Evaluate } from '../engines/driver.js' */

const FIGURE_PAGE = `<!doctype html><html lang="en"><head><title>figure</title>
  <script src="/shows.js"></script><script type="module" src="/figures.js"></script></head>
  <body><attn-saturation></attn-saturation></body>`;

/**
 * Opens a page of Chromium with the cache, which Playwright turns off. It evaluates through the protocol, which unlike
 * Playwright knows pages that come out of the cache.
 */
async function openChromium() {
  const browser = await launch([], {
    executablePath: WHOLE, // without windows it has no such cache
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
  });
  const tab = await browser.newPage();
  const session = await tab.context().newCDPSession(tab);
  return {
    goto: (/** @type {string} */ address) => tab.goto(address),
    evaluate: evaluator(async (expression) => {
      const { result } = await session.send('Runtime.evaluate', { expression, awaitPromise: true });
      return result.value;
    }),
    close: () => browser.close(),
  };
}

/**
 * Waits until a page is there. While one gives way to the other, none may answer.
 * @param {Evaluate} evaluate
 * @param {string} path
 */
const arrival = (evaluate, path) =>
  until(
    (work, ...args) => evaluate(work, ...args).catch(() => undefined),
    (expected) => location.pathname === expected && document.readyState === 'complete',
    path,
  );

const drawn = () =>
  Boolean(document.querySelector('attn-saturation')?.shadowRoot?.querySelector('.plot text'));
const isAt = (/** @type {number} */ dK) => {
  const { shadowRoot } = document.querySelector('attn-saturation') ?? {};
  return Boolean(shadowRoot?.querySelector('.title')?.textContent?.includes(`= ${dK}`));
};

/** Tests that a page comes back. @param {Engine} engine @param {Browser} browser */
export function testBack(engine, browser) {
  const server = use(async () =>
    serve({
      '/figure.html': FIGURE_PAGE,
      '/other.html': '<!doctype html><head><title>other</title></head><p>other</p>',
      '/shows.js':
        "shows = []; addEventListener('pageshow', ({ persisted }) => shows.push(persisted));",
      ...(await bundleFigures()),
    }),
  );

  it('a page that comes back from the cache has its figures as they were, and they work', async () => {
    const { goto, evaluate, close } = await (engine.name === 'Chromium'
      ? openChromium()
      : browser.newPage());
    try {
      await goto(`${server.origin}/figure.html`);
      await until(evaluate, drawn);
      await evaluate(() => {
        Object.assign(document.querySelector('attn-saturation') ?? {}, { dK: 100 });
      });
      await until(evaluate, isAt, 100);
      await evaluate(() => void setTimeout(() => location.assign('/other.html'), 100));
      await arrival(evaluate, '/other.html');
      await evaluate(() => void setTimeout(() => history.back(), 100));
      await arrival(evaluate, '/figure.html');
      assert.deepEqual(await evaluate(() => Reflect.get(globalThis, 'shows')), [false, true]);
      assert.ok(await evaluate(isAt, 100));
      await evaluate(() => {
        Object.assign(document.querySelector('attn-saturation') ?? {}, { dK: 200 });
      });
      await until(evaluate, isAt, 200);
    } finally {
      await close();
    }
  });
}

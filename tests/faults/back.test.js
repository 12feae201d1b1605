// The back/forward cache: a page is left, put aside whole, and shown again.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { bundleFigures, launch, serve } from '../browser/serve.js';
import { ENGINES, until } from '../engines/driver.js';
import { evaluator } from '../engines/evaluate.js';

const FIGURE_PAGE = `<!doctype html><html lang="en"><head><title>figure</title>
  <script src="/shows.js"></script><script type="module" src="/figures.js"></script></head>
  <body><attn-saturation></attn-saturation></body>`;

/** @type {Awaited<ReturnType<typeof serve>>} */
let server;
before(async () => {
  server = await serve({
    '/figure.html': FIGURE_PAGE,
    '/other.html': '<!doctype html><head><title>other</title></head><p>other</p>',
    '/shows.js':
      "shows = []; addEventListener('pageshow', ({ persisted }) => shows.push(persisted));",
    '/figures.js': await bundleFigures(),
  });
});
after(() => server.close());

/** Playwright turns the cache off and knows no page that comes out of it; the protocol below does. */
async function openChromium() {
  const browser = await launch([], { ignoreDefaultArgs: ['--disable-back-forward-cache'] });
  const tab = await browser.newPage();
  const session = await tab.context().newCDPSession(tab);
  const newPage = async () => ({
    goto: (/** @type {string} */ address) => tab.goto(address),
    evaluate: evaluator(async (expression) => {
      const { result } = await session.send('Runtime.evaluate', { expression, awaitPromise: true });
      return result.value;
    }),
  });
  return { newPage, close: () => browser.close() };
}

/** Waits for a page to be there. While one gives way to the other there may be none that answers.
 *  @param {import('../engines/evaluate.js').Evaluate} evaluate @param {string} path */
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

for (const { name, backend, missing, open } of ENGINES) {
  if (backend !== 'simd') continue;
  describe(`in ${name}`, { skip: missing }, () => {
    it('a page that comes back from the cache has its figures as they were, and they work', async () => {
      const browser = await (name === 'Chromium' ? openChromium() : open());
      try {
        const { goto, evaluate } = await browser.newPage();
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
        await browser.close();
      }
    });
  });
}

// Connections that fail: a kernel in a separate file that does not come at once, and a server that ends.
// The failure is an error, and the next start or the Retry button of a figure requests the file again, which
// Firefox does not do by itself.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { it } from 'node:test';
import { bundleFigures } from '../browser/bundle.js';
import { serve } from '../browser/serve.js';
import { listen } from '../listen.js';
import { use } from '../fixture.js';
import { until } from '../engines/driver.js';
import { waitUntil } from '../wait.js';
import { look } from './look-into-page.js';

/** @import { Open } from './tests-of-engine.js' */

const WEB = new URL('../../web/', import.meta.url);
const SITE = new URL('../../dist/site/', import.meta.url);

/** The package as it is written, and in the bundle, whose files have other names. */
const WAYS = ['/attention/index.js', '/figures.min.js'];

const PAGE = `<!doctype html><html lang="en"><head><title>figure</title><link rel="icon" href="data:,">
  <script type="module" src="/figures.js"></script></head><body><attn-saturation></attn-saturation></body>`;

/** Returns whether the figure has drawn and names this number in its claim. @param {number} dK */
const shows = (dK) => {
  const root = document.querySelector('attn-saturation')?.shadowRoot;
  const title = root?.querySelector('.title')?.textContent ?? '';
  return Boolean(root?.querySelector('.plot > svg text')) && title.includes(`= ${dK},`);
};

/** @type {Record<string, string>} */
const FILES = {
  '/empty.html': '<!doctype html>',
  '/figure.html': `<!doctype html><script>delete globalThis.WebAssembly</script>
    <script type="module" src="/figures.min.js"></script><attn-saturation></attn-saturation>`,
};
for (const room of ['assets', 'attention', 'diagnosis', 'shared']) {
  for (const name of readdirSync(new URL(room, WEB), { recursive: true, encoding: 'utf8' })) {
    if (name.endsWith('.js')) {
      FILES[`/${room}/${name}`] = readFileSync(new URL(`${room}/${name}`, WEB), 'utf8');
    }
  }
}
for (const name of ['figures.min.js', 'kernel-fallback.min.js', 'kernel-relaxed.min.js']) {
  FILES[`/${name}`] = readFileSync(new URL(name, SITE), 'utf8');
}

/** Serves the separate kernels from a request for `/up` to a request for `/down`. */
function serveUnreliably() {
  let isUp = false;
  return listen((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    if (pathname === '/up' || pathname === '/down') isUp = pathname === '/up';
    const isKernel = /(fallback|relaxed)[^/]*$/.test(pathname);
    const kind = pathname.endsWith('.js') ? 'javascript' : 'html';
    response.statusCode = isKernel && !isUp ? 503 : 200;
    response.setHeader('Content-Type', `text/${kind}; charset=utf-8`);
    response.setHeader('Cache-Control', 'no-store');
    response.end(FILES[pathname] ?? '');
  });
}

/** Tests connections that fail. @param {Open} open */
export function testConnection(open) {
  const server = use(serveUnreliably);

  for (const way of WAYS) {
    it(`a js kernel that did not come can be requested again, from ${way}`, async () => {
      const page = await open(`${server.origin}/empty.html?js${way}`);
      const seen = await look(
        page,
        `(async () => {
          const { init, softmax } = await import('${way}');
          const start = () => init({ backend: 'js' }).catch(({ code }) => code);
          await fetch('/down');
          const down = [await start(), await start()];
          await fetch('/up');
          const up = [await start(), await start()];
          return { down, up, sum: softmax([0, 0]).data.join() };
        })()`,
      );
      assert.deepEqual(seen, {
        down: ['ATTN_BACKEND', 'ATTN_BACKEND'],
        up: ['js', 'js'],
        sum: '0.5,0.5',
      });
    });

    it(`a relaxed kernel that did not come is no simd kernel, from ${way}`, async () => {
      await open(`${server.origin}/up`);
      const fresh = await open(`${server.origin}/empty.html?fresh${way}`);
      const firstStart = `import('${way}').then(({ init }) => init({ backend: 'relaxed' }))`;
      const backend = await look(fresh, firstStart); // simd where the engine lacks relaxed SIMD
      const page = await open(`${server.origin}/empty.html?relaxed${way}`);
      const seen = await look(
        page,
        `(async () => {
          const { backend, init } = await import('${way}');
          const start = () => init({ backend: 'relaxed' }).catch(({ code }) => code);
          await fetch('/down');
          const down = [await init(), await start(), backend()];
          await fetch('/up');
          return { down, up: await start() };
        })()`,
      );
      assert.deepEqual(seen, { down: ['simd', 'ATTN_BACKEND', 'simd'], up: backend });
    });
  }

  it('a figure whose kernel did not come draws after Retry', async () => {
    await open(`${server.origin}/down`);
    const page = await open(`${server.origin}/figure.html`);
    const draws = await look(
      page,
      `(async () => {
        const find = (selector) =>
          (${waitUntil})(() => document.querySelector('attn-saturation').shadowRoot?.querySelector(selector));
        const button = await find('[part~=retry]');
        await fetch('/up');
        button.click();
        return Boolean(await find('.plot > svg text'));
      })()`,
    );
    assert.equal(draws, true);
  });

  it('a figure goes on computing when its server is gone', async () => {
    const ending = await serve({ '/figure.html': PAGE, ...(await bundleFigures()) });
    const { evaluate } = await open(`${ending.origin}/figure.html`);
    await until(evaluate, shows, 64);
    await ending.close();
    await evaluate(() => {
      Object.assign(document.querySelector('attn-saturation') ?? {}, { dK: 100, seed: 7 });
    });
    await until(evaluate, shows, 100);
  });
}

// A kernel that stands in a file of its own, and does not come when it is first asked for: that is an
// error, and the next start or a figure's Retry asks again. Firefox needs more for that than to be asked.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { after, before, it } from 'node:test';
import { listen } from '../listen.js';
import { inEveryBrowser, look } from './browsers.js';

const SOURCES = new URL('../../web/attention/', import.meta.url);
const SITE = new URL('../../dist/site/', import.meta.url);

/** The package as it is written, and in a bundle of ours, whose files have other names. */
const WAYS = ['/attention/index.js', '/figures.min.js'];

/** @type {Record<string, string>} */
const FILES = {
  '/empty.html': '<!doctype html>',
  '/figure.html': `<!doctype html><script>delete globalThis.WebAssembly</script>
    <script type="module" src="/figures.min.js"></script><attn-saturation></attn-saturation>`,
};
for (const name of readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })) {
  if (name.endsWith('.js')) {
    FILES[`/attention/${name}`] = readFileSync(new URL(name, SOURCES), 'utf8');
  }
}
for (const name of ['figures.min.js', 'kernel-fallback.min.js', 'kernel-relaxed.min.js']) {
  FILES[`/${name}`] = readFileSync(new URL(name, SITE), 'utf8');
}

/** Kernels in files of their own come from it once a page has asked for `/up`, until one asks for `/down`. */
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

inEveryBrowser((open) => {
  /** @type {Awaited<ReturnType<typeof serveUnreliably>>} */
  let server;
  before(async () => {
    server = await serveUnreliably();
  });
  after(() => server.close());

  for (const way of WAYS) {
    it(`a js kernel that did not come can be asked for again, from ${way}`, async () => {
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
      const askedOnce = `import('${way}').then(({ init }) => init({ backend: 'relaxed' }))`;
      const backend = await look(fresh, askedOnce); // simd where the engine lacks relaxed SIMD
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
        const sleep = (time) => new Promise((resolve) => setTimeout(resolve, time));
        const find = async (selector) => {
          for (;;) {
            const found = document.querySelector('attn-saturation').shadowRoot?.querySelector(selector);
            if (found) return found;
            await sleep(20);
          }
        };
        const button = await find('[part~=retry]');
        await fetch('/up');
        button.click();
        return Boolean(await find('.plot > svg text'));
      })()`,
    );
    assert.equal(draws, true);
  });
});

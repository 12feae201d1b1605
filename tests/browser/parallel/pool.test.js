// A pool in Chromium: in a page, a worker, a sandboxed frame, a page of a file, and under policies that
// allow its workers or forbid them. Everywhere it gives the bits of one thread.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { at } from '../../../web/build/paths.js';
import { STRICT_POLICY, launch, serve } from '../serve.js';

/** @import { Browser } from 'playwright-core' */

/** Returns the number of workers, whether bits are the same as without them, and how calls end. */
const PROBE = `
export async function probe() {
  const pool = createPool({ workers: 2 });
  const x = randomNormal([2, 500, 32], { seed: 1 });
  const options = { causal: true, returns: ['weights'] };
  const one = attention(x, x, x, options);
  const many = await pool.attention(x, x, x, options);
  const same = (name) => one[name].data.every((number, i) => Object.is(number, many[name].data[i]));
  const { size } = pool;
  const aborted = new AbortController();
  const call = pool.attention(x, x, x, { signal: aborted.signal }).catch((error) => error.name);
  aborted.abort();
  const ending = await call;
  pool.dispose();
  const disposed = await pool.attention(x, x, x).catch((error) => error.code);
  return { size, same: same('output') && same('weights'), ending, disposed };
}`;

const RIGHT = { same: true, ending: 'AbortError', disposed: 'ATTN_BACKEND' };

/** @type {string} */
let script;
/** @type {Browser} */
let browser;
/** @type {Awaited<ReturnType<typeof serve>>} */
let server;

before(async () => {
  const contents = `import { createPool } from './parallel/index.js';
    import { attention, randomNormal } from './attention/index.js';
    ${PROBE}`;
  const built = await build({
    stdin: { contents, resolveDir: at('.') },
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'lab',
  });
  script = built.outputFiles[0].text;
  const page =
    '<!doctype html><meta charset="utf-8"><title>test</title><script src="/lab.js"></script>';
  server = await serve(
    {
      '/': page,
      '/no-workers.html': page,
      '/trusted.html': page,
      '/untrusted.html': page,
      '/lab.js': script,
      '/worker.js': `${script}; lab.probe().then(postMessage);`,
      '/frame.html': `<!doctype html><iframe sandbox="allow-scripts" src="/framed.html"></iframe>`,
      '/framed.html': `${page}<script>lab.probe().then((seen) => parent.postMessage(seen, '*'))</script>`,
    },
    {
      '/': `${STRICT_POLICY}; worker-src blob: 'self'`,
      '/worker.js': `${STRICT_POLICY}; worker-src blob:`,
      '/no-workers.html': STRICT_POLICY,
      '/trusted.html': `${STRICT_POLICY}; worker-src blob:; require-trusted-types-for 'script'`,
      '/untrusted.html': `${STRICT_POLICY}; worker-src blob:; require-trusted-types-for 'script'; trusted-types lit-html`,
      '/frame.html': "frame-src 'self'; script-src 'unsafe-inline' 'unsafe-eval'",
      '/framed.html': "script-src * 'unsafe-inline' 'wasm-unsafe-eval'; worker-src blob:",
    },
  );
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await server?.close();
});

/** Opens a page and returns what its script finds. @param {string} url @param {string} [program] */
async function find(url, program = 'lab.probe()') {
  const page = await browser.newPage();
  try {
    await page.goto(url);
    return await page.evaluate(program);
  } finally {
    await page.close();
  }
}

const IN_WORKER = `new Promise((resolve) => {
  new Worker('/worker.js').onmessage = ({ data }) => resolve(data);
})`;
const IN_FRAME = `new Promise((resolve) => {
  addEventListener('message', ({ data }) => resolve(data));
  document.querySelector('iframe').src += '?again';
})`;

/** Where a pool computes, with how many workers. @type {[where: string, path: string, size: number, program?: string][]} */
const PLACES = [
  ['in workers under a policy with worker-src blob:', '/', 2],
  ['on the page where a policy forbids workers', '/no-workers.html', 0],
  ['in workers where a policy wants trusted types and allows ours', '/trusted.html', 2],
  ['on the page where a policy allows other trusted types alone', '/untrusted.html', 0],
  ['in workers of a worker', '/', 2, IN_WORKER],
  ['in workers of a sandboxed frame, whose origin is opaque', '/frame.html', 2, IN_FRAME],
];
for (const [where, path, size, program] of PLACES) {
  it(`computes ${where}`, async () => {
    assert.deepEqual(await find(`${server.origin}${path}`, program), { size, ...RIGHT });
  });
}

it('computes in workers of a page that is a file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'attention-lab-pool-'));
  try {
    const path = join(folder, 'page.html');
    writeFileSync(join(folder, 'lab.js'), script);
    writeFileSync(path, '<!doctype html><meta charset="utf-8"><script src="lab.js"></script>');
    assert.deepEqual(await find(pathToFileURL(path).href), { size: 2, ...RIGHT });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

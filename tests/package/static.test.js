// attention-lab/js where WebAssembly is forbidden and dynamic import too: in a module service worker under
// `script-src 'self'`, and in the background worker of a browser extension (Manifest V3).
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { chromium } from 'playwright-core';
import { launch } from '../browser/serve.js';
import { listen } from '../listen.js';
import { assertAnswer, PROGRAM } from './answer.js';
import { installPackage } from './packed.js';

const { folder, run, remove } = installPackage();
const root = join(folder, 'node_modules/attention-lab');
after(remove);

/** Computes at the first call, and answers with what it found. */
const worker = (/** @type {string} */ from) => `
  ${PROGRAM.replaceAll("'attention-lab'", `'${from}'`)}
  import { backend, init } from '${from}';
  const tell = async () => {
    const found = {};
    try {
      found.answer = answer();
    } catch (error) {
      found.atOnce = error.code;
    }
    found.backend = backend();
    await init().catch(({ code, message }) => Object.assign(found, { code, message }));
    return found;
  };
  self.told = tell();
  addEventListener('message', async ({ ports: [port] }) => port.postMessage(await self.told));`;

/**
 * Asks a module service worker, which is served with a policy.
 * @param {import('playwright-core').Browser} browser
 * @param {string} from the specifier of its import
 */
async function askServiceWorker(browser, from) {
  const texts = /** @type {Record<string, string>} */ ({
    '/': '<!doctype html><title>page</title><link rel="icon" href="data:,">',
    '/worker.js': worker(from),
  });
  const { port, close } = await listen((request, response) => {
    const path = String(request.url);
    response.setHeader('Content-Type', path === '/' ? 'text/html' : 'text/javascript');
    response.setHeader('Content-Security-Policy', "script-src 'self'");
    response.end(texts[path] ?? readFileSync(join(root, path)));
  });
  const page = await browser.newPage();
  try {
    await page.goto(`http://127.0.0.1:${port}/`);
    return await page.evaluate(async () => {
      await navigator.serviceWorker.register('/worker.js', { type: 'module' });
      const { active } = await navigator.serviceWorker.ready;
      const { port1, port2 } = new MessageChannel();
      const told = new Promise((resolve) => (port1.onmessage = ({ data }) => resolve(data)));
      active?.postMessage('', [port2]);
      return /** @type {Promise<Record<string, string>>} */ (told);
    });
  } finally {
    await page.close();
    await close();
  }
}

describe("a module service worker under script-src 'self'", () => {
  /** @type {import('playwright-core').Browser} */
  let browser;
  before(async () => {
    browser = await launch();
  });
  after(() => browser.close());

  it('computes from its first call on by attention-lab/js', async () => {
    const { answer, ...found } = await askServiceWorker(browser, './js.js');
    assertAnswer(answer);
    assert.deepEqual(found, { backend: 'js' });
  });

  it('is sent there by the error of attention-lab', async () => {
    const found = await askServiceWorker(browser, './attention/index.js');
    assert.deepEqual([found.atOnce, found.code], ['ATTN_BACKEND', 'ATTN_BACKEND']);
    assert.match(found.message, /'attention-lab\/js' needs no WebAssembly and no import\(\)/);
  });
});

it("an extension's background worker computes by attention-lab/js", async () => {
  const extension = mkdtempSync(join(tmpdir(), 'attention-lab-extension-'));
  const manifest = {
    manifest_version: 3,
    name: 'attention',
    version: '1',
    background: { service_worker: 'background.js', type: 'module' },
  };
  cpSync(join(root, 'js.js'), join(extension, 'js.js'));
  writeFileSync(join(extension, 'manifest.json'), JSON.stringify(manifest));
  writeFileSync(join(extension, 'background.js'), worker('./js.js'));
  const context = await chromium.launchPersistentContext('', {
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: [
      '--headless=new',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-features=DisableLoadExtensionCommandLineSwitch',
      `--disable-extensions-except=${extension}`,
      `--load-extension=${extension}`,
    ],
  });
  try {
    const [background = await context.waitForEvent('serviceworker')] = context.serviceWorkers();
    const { answer, ...found } = await background.evaluate(() => Reflect.get(self, 'told'));
    assertAnswer(answer);
    assert.deepEqual(found, { backend: 'js' });
  } finally {
    await context.close();
    rmSync(extension, { recursive: true, force: true });
  }
});

it('in Node too, without a module of WebAssembly', () => {
  const program = `
    import { backend, createKernel, errorFrom, init, softmax } from 'attention-lab/js';
    console.log(backend(), softmax([0, 0]).data.join(), backend(), await init());
    const kernel = await createKernel({ backend: 'js' });
    console.log(kernel.softmax([0, 0]).data.join(), kernel.backend());
    for (const options of [{ backend: 'simd' }, { module: new WebAssembly.Module(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0)) }]) {
      await createKernel(options).catch((error) => console.log(error.code, error.message));
    }`;
  const lines = run('node', ['--input-type=module', '--eval', program]).trim().split('\n');
  assert.deepEqual(lines, [
    'undefined 0.5,0.5 js js',
    '0.5,0.5 js',
    "ATTN_DTYPE createKernel: backend is 'simd', expected one of 'auto', 'js'",
    'ATTN_DTYPE createKernel: attention-lab/js takes no module, expected none',
  ]);
});

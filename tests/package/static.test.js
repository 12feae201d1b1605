// attention-lab/js where WebAssembly is forbidden and dynamic import too: in a module service worker under
// `script-src 'self'`, and in the background worker of a browser extension (Manifest V3).
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { chromium } from 'playwright-core';
import { launch, WHOLE } from '../browser/serve.js';
import { listen } from '../listen.js';
import { assertAnswer, INPUTS } from './answer.js';
import { installPackage } from './packed.js';

const { folder, run, remove } = await installPackage();
const root = join(folder, 'node_modules/attention-lab');
after(remove);

/** The worker that the page of recipes shows. */
const RECIPE = readFileSync('web/site/recipes/extension/background.js', 'utf8');

/** The backend that it has found, or the reason why there is none. */
const REPORT = `
  import { backend, init } from './js.js';
  self.report = init().then(backend, ({ code, message }) => ({ code, message }));
  addEventListener('message', async ({ data, ports: [port] }) => {
    if (data === 'report') port.postMessage(await self.report);
  });`;

/**
 * Asks a module service worker, which is served with a policy.
 * @param {import('playwright-core').Browser} browser
 * @param {string} script
 * @param {unknown[]} questions
 * @returns {Promise<any[]>} an answer to each
 */
async function askServiceWorker(browser, script, questions) {
  const texts = /** @type {Record<string, string>} */ ({
    '/': '<!doctype html><title>page</title><link rel="icon" href="data:,">',
    '/worker.js': script,
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
    return await page.evaluate(async (all) => {
      await navigator.serviceWorker.register('/worker.js', { type: 'module' });
      const { active } = await navigator.serviceWorker.ready;
      const answers = all.map((question) => {
        const { port1, port2 } = new MessageChannel();
        active?.postMessage(question, [port2]);
        return new Promise((resolve, reject) => {
          port1.onmessage = ({ data }) => resolve(data);
          setTimeout(() => reject(new Error(`no answer to ${question}`)), 60_000);
        });
      });
      return Promise.all(answers);
    }, questions);
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
    const [answer] = await askServiceWorker(browser, RECIPE, [INPUTS]);
    assertAnswer(answer.join(' '));
    assert.deepEqual(await askServiceWorker(browser, REPORT, ['report']), ['js']);
  });

  it('is sent there by the error of attention-lab', async () => {
    const script = REPORT.replace('./js.js', './attention/index.js');
    const [{ code, message }] = await askServiceWorker(browser, script, ['report']);
    assert.equal(code, 'ATTN_BACKEND');
    assert.match(message, /'attention-lab\/js' needs no WebAssembly and no import\(\)/);
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
  writeFileSync(join(extension, 'background.js'), `${RECIPE}${REPORT}`);
  const context = await chromium.launchPersistentContext('', {
    executablePath: WHOLE, // which has extensions
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
    const answer = await background.evaluate((data) => {
      const { port1, port2 } = new MessageChannel();
      self.dispatchEvent(new MessageEvent('message', { data, ports: [port2] }));
      return new Promise(
        (resolve) => (port1.onmessage = ({ data: numbers }) => resolve([...numbers])),
      );
    }, INPUTS);
    assertAnswer(answer.join(' '));
    assert.equal(await background.evaluate(() => Reflect.get(self, 'report')), 'js');
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

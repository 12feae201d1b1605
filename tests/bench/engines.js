// The engines: Node 20 or later, the newest Node, Chromium, Firefox. Each gives every measurement a fresh process or
// page, so that none inherits optimised code or memory.
import { execFile, fork } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'vite';

import { launch, WHOLE } from '../browser/serve.js';
import { ENGINES, NEWEST_NODE } from '../engines/driver.js';

/**
 * @import { ServerResponse } from 'node:http'
 * @import { AddressInfo } from 'node:net'
 * @import { Page } from 'playwright-core'
 * @import { MeasurementName } from './measure/index.js'
 * @import { Part } from './measure/results.js'
 */

/**
 * Goals of the relaxed backend are judged where `isRelaxedJudged`.
 * @typedef {{ name: string, isRelaxedJudged: boolean, close: () => Promise<void>,
 *   run: (name: MeasurementName, options: object) => Promise<Part[]> }} Engine
 */

const at = (/** @type {string} */ path) => fileURLToPath(new URL(path, import.meta.url));
const BUNDLE = at('../../build/bench');

/** Opens the Node that runs this program. @returns {Promise<Engine>} */
export async function openNode() {
  const version = process.versions.node;
  return {
    name: `Node ${version}`,
    isRelaxedJudged: false,
    run: (name, options) => runInNode(process.execPath, version, name, options),
    close: async () => {},
  };
}

/** Opens the newest Node. @returns {Promise<Engine | undefined>} undefined where it is not installed */
export async function openNewestNode() {
  if (!NEWEST_NODE) return undefined;
  const { stdout } = await promisify(execFile)(NEWEST_NODE, ['--version']);
  const version = stdout.trim().slice(1);
  return {
    name: `Node ${version}`,
    isRelaxedJudged: true,
    run: (name, options) => runInNode(NEWEST_NODE, version, name, options),
    close: async () => {},
  };
}

/**
 * @param {string} execPath
 * @param {string} version
 * @param {MeasurementName} name
 * @param {object} options
 * @returns {Promise<Part[]>}
 */
function runInNode(execPath, version, name, options) {
  const isOld = Number(version.split('.')[0]) < 22;
  const execArgv = isOld ? ['--experimental-wasm-relaxed-simd'] : [];
  const args = [name, JSON.stringify({ ...options, files: {} })];
  const child = fork(at('in-node.js'), args, { execPath, execArgv });
  return new Promise((resolve, reject) => {
    child.once('message', (parts) => resolve(/** @type {Part[]} */ (parts)));
    child.once('exit', (code) => reject(new Error(`${name} in Node ended with ${code}`)));
  });
}

// ---- browsers -----------------------------------------------------------------------------------

/** Folders from which pages load the peers' modules. */
const FOLDERS = {
  litert: at('node_modules/@litertjs/core/wasm'),
  ort: at('node_modules/onnxruntime-web/dist'),
  tfjs: at('node_modules/@tensorflow/tfjs-backend-wasm/dist'),
};

const KINDS = /** @type {Record<string, string>} */ ({
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.wasm': 'application/wasm',
});

const PAGE =
  '<!doctype html><meta charset="utf-8"><title>bench</title><script type="module" src="/page.js"></script>';

/** Bundles the page and serves it, isolated, which makes the clock fine. */
export async function servePage() {
  await build({
    configFile: false,
    logLevel: 'error',
    build: {
      outDir: BUNDLE,
      emptyOutDir: true,
      target: 'es2022',
      rolldownOptions: { input: at('page.js'), output: { entryFileNames: '[name].js' } },
    },
  });
  const server = createServer((request, response) => {
    respond(request.url ?? '/', response).catch(() => response.writeHead(404).end());
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {AddressInfo} */ (server.address());
  const origin = `http://localhost:${port}`;
  const names = Object.keys(FOLDERS).map((name) => [name, `${origin}/${name}/`]);
  return {
    origin,
    files: Object.fromEntries(names),
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve(undefined)));
    },
  };
}

/** @typedef {Awaited<ReturnType<typeof servePage>>} Server */

/** @param {string} url @param {ServerResponse} response */
async function respond(url, response) {
  const path = normalize(new URL(url, 'http://localhost').pathname);
  response.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
  response.setHeader('Cross-Origin-Embedder-Policy', 'require-corp');
  response.setHeader('Content-Type', KINDS[extname(path)] ?? KINDS['.html']);
  if (path === '/') return response.end(PAGE);
  const [, folder, ...rest] = path.split('/');
  const file = folder in FOLDERS ? join(FOLDERS[/** @type {'ort'} */ (folder)], ...rest) : join(BUNDLE, path);
  response.setHeader('Content-Length', (await stat(file)).size);
  createReadStream(file).pipe(response);
} // prettier-ignore

/** @param {Server} server @returns {Promise<Engine>} */
export async function openChromium(server) {
  const browser = await launch([], { executablePath: WHOLE });
  return {
    name: `Chromium ${browser.version()}`,
    isRelaxedJudged: true,
    async run(name, options) {
      const context = await browser.newContext();
      try {
        const page = await context.newPage();
        page.setDefaultTimeout(0);
        await exposeThreadTime(page);
        await page.goto(server.origin);
        const given = { ...options, files: server.files };
        return await page.evaluate(ask, /** @type {[string, object]} */ ([name, given]));
      } finally {
        await context.close();
      }
    },
    close: () => browser.close(),
  };
}

/** Lets clock.js read the time that the page's thread has worked. @param {Page} page */
async function exposeThreadTime(page) {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  await page.exposeFunction('threadTime', async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return 1000 * (metrics.find(({ name }) => name === 'ThreadTime')?.value ?? NaN);
  });
}

/** Runs a measurement in the page. @param {[string, object]} message @returns {Promise<Part[]>} */
const ask = ([name, options]) => /** @type {any} */ (globalThis).measure(name, options);

/** @param {Server} server @returns {Promise<Engine | undefined>} undefined where it is not installed */
export async function openFirefox(server) {
  const engine = ENGINES.find(({ name }) => name === 'Firefox');
  if (!engine || engine.missing) return undefined;
  const browser = await engine.open();
  const withPage = async (/** @type {(page: any) => Promise<any>} */ work) => {
    const page = await browser.newPage();
    try {
      await page.goto(server.origin);
      return await work(page);
    } finally {
      await page.close();
    }
  };
  return {
    name: await withPage(async ({ version }) => version),
    isRelaxedJudged: false,
    run: (name, options) =>
      withPage((page) => page.evaluate(ask, [name, { ...options, files: server.files }])),
    close: () => browser.close(),
  };
}

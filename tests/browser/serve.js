// Tests in browsers share the figures bundled from their sources, a small server, and Chromium.

import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { build } from 'vite';
import { listen } from '../listen.js';
import { FOLDER as COVERAGE } from './coverage.js';

/** @import { LaunchOptions } from 'playwright-core' */

const at = (/** @type {string} */ path) =>
  fileURLToPath(new URL(`../../web/${path}`, import.meta.url));

/** The strictest policy in which figures promise to work; pages have it unless a test gives another. */
export const STRICT_POLICY =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src blob:";

/** The name of the first module, which is no file. */
const ENTRY = at('figures/under-test.js');

/** @type {Promise<Record<string, string>> | undefined} */
let bundled;

/**
 * Bundles the figures. Returns the texts of `/figures.js`, a module that registers them and exports their
 * classes, and of the files that it loads when they are needed, so that no page reads all recorded models.
 */
export const bundleFigures = () => (bundled ??= bundle());

async function bundle() {
  const source = `import ${JSON.stringify(at('figures/define.js'))};
    export * from ${JSON.stringify(at('figures/index.js'))};`;
  const result = await build({
    configFile: false,
    logLevel: 'error',
    plugins: [
      {
        name: 'entry',
        resolveId: (id) => (id === ENTRY ? id : undefined),
        load: (id) => (id === ENTRY ? source : undefined),
      },
    ],
    build: {
      write: false,
      sourcemap: COVERAGE ? 'inline' : false,
      lib: { entry: ENTRY, formats: ['es'] },
      rolldownOptions: {
        // Code that is left out, or written otherwise, cannot be counted.
        treeshake: !COVERAGE,
        preserveEntrySignatures: 'allow-extension',
        output: {
          minify: !COVERAGE,
          entryFileNames: 'figures.js',
          chunkFileNames: 'figures-[name]-[hash].js',
        },
      },
    },
  });
  const [{ output }] = /** @type {{ output: { fileName: string, code: string }[] }[]} */ (result);
  return Object.fromEntries(output.map(({ fileName, code }) => [`/${fileName}`, code]));
}

const KINDS = /** @type {Record<string, string>} */ ({
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
});

/**
 * Serves texts by path (without query), read at each request; the kind follows from the path's ending.
 * @param {Record<string, string>} files
 * @param {Record<string, string>} [policies]  by path, where not the strict one
 * @returns {Promise<{ origin: string, close: () => Promise<void> }>}
 */
export function serve(files, policies = {}) {
  return listen((request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname;
    const body = files[path];
    response.statusCode = body === undefined ? 404 : 200;
    response.setHeader('Content-Type', KINDS[path.split('.').pop() ?? ''] ?? KINDS.html);
    response.setHeader('Content-Security-Policy', policies[path] ?? STRICT_POLICY);
    response.end(body ?? '');
  });
}

/** The time in ms after which a test gives up waiting: enough for a slow and busy machine. */
export const PATIENCE = 180_000;

/** The browser that readers have. Without windows Chromium takes half of the processor's time for a page. */
export const WHOLE = process.env.CHROMIUM || '/usr/bin/chromium';

/**
 * Opens Chromium without a window.
 * @param {string[]} [args]  further switches of Chromium
 * @param {LaunchOptions} [options]
 */
export async function launch(args = [], options = {}) {
  const browser = await chromium.launch({
    executablePath: process.env.HEADLESS || WHOLE,
    ...options,
    timeout: PATIENCE,
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      ...args,
    ],
  });
  const newContext = browser.newContext.bind(browser); // which newPage calls too
  browser.newContext = async (options) => {
    const context = await newContext(options);
    context.setDefaultTimeout(PATIENCE);
    return context;
  };
  return browser;
}

// Tests in browsers share a small server and Chromium.

import { chromium } from 'playwright-core';
import { listen } from '../listen.js';
import { PATIENCE } from '../wait.js';

/** @import { LaunchOptions } from 'playwright-core' */

/** The strictest policy in which figures promise to work; pages have it unless a test gives another. */
export const STRICT_POLICY =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src blob:";

const KINDS = /** @type {Record<string, string>} */ ({
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  woff2: 'font/woff2',
});

/**
 * Serves files by path (without query), read at each request; the kind follows from the path's ending.
 * @param {Record<string, string | Buffer>} files
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

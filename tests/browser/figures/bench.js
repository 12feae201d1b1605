// A workbench for figures: pages with a given body under a strict policy, and readers of what they show.

import { countLines } from '../coverage.js';
import { bundleFigures, launch, serve, STRICT_POLICY } from '../serve.js';

const STYLE = `:root { color-scheme: light dark; background: light-dark(#fff, #141416); }
body { margin: 0 auto; padding: 8px; max-width: 60rem; }
.far { height: 5000px; }`;

/** @param {string} body  @param {{ lang?: string, script?: boolean }} [options] */
const page = (body, { lang = 'en', script = true } = {}) => `<!doctype html>
<html lang="${lang}"><head><meta charset="utf-8"><title>figures</title>
<meta name="viewport" content="width=device-width">
<link rel="stylesheet" href="/style.css">
${script ? '<script type="module" src="/figures.js"></script>' : ''}</head>
<body><main><h1>figures</h1>${body}</main></body></html>`;

/**
 * Starts Chromium and a server. Pages opened by `open` fail the test on any script error or
 * violation of the policy.
 */
export async function startBench() {
  /** @type {Record<string, string>} */
  const files = { '/figures.js': await bundleFigures(), '/style.css': STYLE };
  /** @type {Record<string, string>} */
  const policies = {};
  const server = await serve(files, policies);
  const browser = await launch(['--js-flags=--expose-gc']);
  /** @type {string[]} */
  const complaints = [];
  return {
    origin: server.origin,
    complaints,
    /**
     * @param {string} body
     * @param {{ lang?: string, script?: boolean, policy?: string, hash?: string, width?: number, scheme?: 'light' | 'dark' }} [options]
     */
    async open(
      body,
      { hash = '', policy = STRICT_POLICY, width = 1000, scheme = 'light', ...options } = {},
    ) {
      const path = `/${Object.keys(files).length}.html`;
      files[path] = page(body, options);
      policies[path] = policy;
      const context = await browser.newContext({
        viewport: { width, height: 900 },
        colorScheme: scheme,
        locale: 'en-GB',
        permissions: ['clipboard-read', 'clipboard-write'],
      });
      const tab = await context.newPage();
      await countLines(tab);
      tab.on('pageerror', (error) => complaints.push(String(error)));
      tab.on('console', (message) => {
        if (message.type() === 'error' && !message.text().includes('404')) {
          complaints.push(message.text());
        }
      });
      await tab.goto(server.origin + path + hash);
      return tab;
    },
    async close() {
      await browser.close();
      await server.close();
    },
  };
}

/** @typedef {import('playwright-core').Page} Page */

/** @param {Page} tab  @param {string} [selector] */
export async function drawn(tab, selector = 'attn-saturation') {
  await tab.locator(`${selector} [part~="plot"] > svg`).first().waitFor();
}

/**
 * The read-out as numbers: one array a line, measured and theory.
 * @param {Page} tab
 * @param {string} [selector]
 * @returns {Promise<Record<string, { measured: number, theory: number }>>} by `series: quantity`
 */
export async function readout(tab, selector = 'attn-saturation') {
  return tab
    .locator(selector)
    .first()
    .evaluate((figure) => {
      /** @type {Record<string, { measured: number, theory: number }>} */
      const found = {};
      for (const table of figure.shadowRoot?.querySelectorAll('.readout table') ?? []) {
        for (const row of table.querySelectorAll('tbody tr')) {
          const [quantity, measured, theory] = [...row.children].map(
            (cell) => cell.textContent?.trim() ?? '',
          );
          found[`${table.getAttribute('data-series')}: ${quantity}`] = {
            measured: parseFloat(measured),
            theory: parseFloat(theory),
          };
        }
      }
      return found;
    });
}

/** @param {Page} tab  @param {string} [selector]  @returns {Promise<string>} all text of the shadow tree */
export const shadowText = (tab, selector = 'attn-saturation') =>
  tab
    .locator(selector)
    .first()
    .evaluate((figure) => figure.shadowRoot?.textContent ?? '');

/**
 * Waits until a condition holds. Polls from outside: the page's policy forbids what waitForFunction does.
 * @param {Page} tab
 * @param {string} condition  of `figure` and `root`, its shadow root
 * @param {string} [selector]
 */
export async function until(tab, condition, selector = 'attn-saturation') {
  const expression = `(() => { const figure = document.querySelector(${JSON.stringify(selector)});
    const root = figure?.shadowRoot; return Boolean(${condition}); })()`;
  const deadline = Date.now() + 20_000;
  while (!(await tab.evaluate(expression))) {
    if (Date.now() > deadline) throw new Error(`never came true: ${condition}`);
    await tab.waitForTimeout(20);
  }
}

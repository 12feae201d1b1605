// A workbench for figures: pages with a given body under a strict policy, and readers of what they show.

import assert from 'node:assert/strict';
import { afterEach } from 'node:test';
import { use } from '../../fixture.js';
import { openKeptPage } from '../kept-pages.js';
import { bundleFigures } from '../bundle.js';
import { readFonts } from './fonts.js';
import { inkOf } from './ink.js';
import { launch, serve, STRICT_POLICY } from '../serve.js';
import { FIGURES } from '../../../web/figures/list.js';
import { pageStyles } from '../../../web/figures/kit/shell/styles.js';
import { waitUntil } from '../../wait.js';

/** @import { Page } from 'playwright-core' */

/** What figures need for their long runs apart from the page. */
const WITH_WORKERS = `${STRICT_POLICY}; worker-src blob:`;

const STYLE = `:root { color-scheme: light dark; background: light-dark(#fff, #141416); }
body { margin: 0 auto; padding: 8px; max-width: 60rem; }
.far { height: 5000px; }
.pile { position: relative; } /* of figures that all are in view */
.pile > * { position: absolute; left: 0; right: 0; }`;

/** @param {string} body  @param {{ lang?: string, script?: boolean }} [options] */
const page = (body, { lang = 'en', script = true } = {}) => `<!doctype html>
<html lang="${lang}"><head><meta charset="utf-8"><title>figures</title>
<meta name="viewport" content="width=device-width">
<link rel="stylesheet" href="/style.css">
${script ? '<script type="module" src="/figures.js"></script>' : ''}</head>
<body><main><h1>figures</h1>${body}</main></body></html>`;

/** @typedef {{ lang?: string, script?: boolean, policy?: string, hash?: string, width?: number, scheme?: 'light' | 'dark', motion?: boolean }} PageOptions
 *   motion: whether films play by themselves */

const CONTEXT = { locale: 'en-GB', permissions: ['clipboard-read', 'clipboard-write'] };

/** Returns the specs of all figures. */
const specs = () =>
  Promise.all(
    FIGURES.map(async (name) => {
      const { spec } = await import(`../../../web/figures/${name}/element.js`);
      return spec;
    }),
  );

/** Starts Chromium and a server. @param {{ fonts?: boolean }} options */
async function startBench({ fonts = false }) {
  const brought = fonts ? readFonts() : { rules: '', files: {} };
  /** @type {Record<string, string | Buffer>} */
  const files = {
    ...(await bundleFigures()),
    ...brought.files,
    '/style.css': STYLE + brought.rules,
    '/figures.css': pageStyles(await specs()),
  };
  const usual = fonts ? `${WITH_WORKERS}; font-src 'self'` : WITH_WORKERS;
  /** @type {Record<string, string>} */
  const policies = {};
  const server = await serve(files, policies);
  const browser = await launch(['--js-flags=--expose-gc']);
  /** @type {string[]} */
  const complaints = [];
  const listen = (/** @type {Page} */ tab) => {
    tab.addInitScript(`globalThis.inkOf = ${inkOf};
      globalThis.waitUntil = ((setTimeout) => ${waitUntil})(setTimeout)`); // which a test may hold
    tab.on('pageerror', (error) => complaints.push(String(error)));
    tab.on('console', (message) => {
      if (message.type() === 'error' && !message.text().includes('404')) {
        complaints.push(message.text());
      }
    });
  };
  /** @type {Set<Page>} */
  const tabs = new Set();

  /** @param {string} body @param {PageOptions} [options] */
  async function open(body, options = {}) {
    const { hash = '', policy = usual, width = 1000, scheme = 'light', motion, ...rest } = options;
    const path = `/${Object.keys(files).length}.html`;
    files[path] = page(body, rest);
    policies[path] = policy;
    const tab = await openKeptPage(browser, CONTEXT, listen);
    const { close } = tab;
    tab.close = () => (tabs.delete(tab), close());
    tabs.add(tab);
    await tab.setViewportSize({ width, height: 900 });
    await tab.emulateMedia({
      colorScheme: scheme,
      reducedMotion: motion ? 'no-preference' : 'reduce',
    });
    await tab.goto(server.origin + path + hash);
    return tab;
  }

  async function closeTabs() {
    for (const tab of tabs) await tab.close();
  }

  async function close() {
    await browser.close();
    await server.close();
  }
  return { origin: server.origin, complaints, open, closeTabs, close };
}

/**
 * Returns a workbench for the tests of a file or a `describe`. Its `open` returns a page with the given body, which
 * closes with the test that opened it; its `complaints` are the errors of scripts and the violations of policies,
 * of which a test may leave none. With `fonts`, pages have the families of fonts.js. What a test evaluates in a page may
 * call `waitUntil` there, too.
 * @param {{ fonts?: boolean }} [options]
 */
export function useBench(options = {}) {
  const bench = use(() => startBench(options));
  afterEach(async () => {
    await bench.closeTabs();
    assert.deepEqual(bench.complaints.splice(0), []);
  });
  return bench;
}

/**
 * Returns what a test does with an element of a page: finds parts of it, waits for it, reads and sets its properties.
 * @param {Page} tab
 * @param {string} tag
 */
export function figureOn(tab, tag) {
  const element = tab.locator(tag).first();
  const find = (/** @type {string} */ selector) => tab.locator(`${tag} ${selector}`);
  const holds = (/** @type {string} */ condition) => until(tab, condition, tag);
  return {
    tab,
    element,
    find,
    until: holds,
    /** Waits until a part's text has some text. @param {string} selector @param {string} text */
    shows: (selector, text) =>
      holds(`root?.querySelector(${JSON.stringify(selector)})?.textContent
        .includes(${JSON.stringify(text)})`),
    /** @param {string} selector */
    text: async (selector) => (await find(selector).first().textContent()) ?? '',
    allText: () => shadowText(tab, tag),
    /** Returns the place of a part on the screen. @param {string} selector */
    boxOf: async (selector) =>
      (await find(selector).first().boundingBox()) ?? assert.fail(`${selector} has no box`),
    readout: () => readout(tab, tag),
    /** @param {string} key @returns {Promise<any>} */
    get: (key) => element.evaluate((figure, name) => Reflect.get(figure, name), key),
    /** @param {object} values */
    set: (values) => element.evaluate((figure, given) => void Object.assign(figure, given), values),
  };
}

/** @typedef {ReturnType<typeof figureOn>} Figure */

/**
 * Returns a workbench for the tests of one figure, whose `open` returns the figure on a page of its own, drawn.
 * @param {string} tag
 */
export function useFigure(tag) {
  const bench = useBench();
  /** @param {string} [attributes] @param {PageOptions} [options] */
  async function open(attributes = '', options = {}) {
    const tab = await bench.open(`<${tag} ${attributes}></${tag}>`, options);
    await drawn(tab, tag);
    return figureOn(tab, tag);
  }
  return { bench, open };
}

/** @param {Page} tab  @param {string} [selector] */
export async function drawn(tab, selector = 'attn-saturation') {
  const picture = tab.locator(`${selector} [part~="plot"] > svg`).first();
  await toldBy(tab, selector, () => picture.waitFor());
}

/**
 * Returns the read-out as numbers: one array a line, measured and theory.
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

/**
 * Returns the texts of pictures whose ink is less than a pixel from that of another one.
 * @param {Page} tab
 * @param {string} selector  of figures
 * @returns {Promise<string[]>} the values of the figure's attributes, and both texts
 */
export const meetingTexts = (tab, selector) =>
  tab.locator(selector).evaluateAll((figures) => {
    const level = '.plot svg text:not([transform*=rotate], [transform*=rotate] *)';
    const areNear = (/** @type {DOMRect} */ a, /** @type {DOMRect} */ b) =>
      Math.max(a.left, b.left) < Math.min(a.right, b.right) + 1 &&
      Math.max(a.top, b.top) < Math.min(a.bottom, b.bottom) + 1;
    return figures.flatMap((figure) => {
      const state = [...figure.attributes].map(({ value }) => value);
      const texts = [...(figure.shadowRoot?.querySelectorAll(level) ?? [])];
      const inks = /** @type {DOMRect[][]} */ (texts.map(Reflect.get(globalThis, 'inkOf')));
      return texts.flatMap((one, i) =>
        texts
          .slice(i + 1)
          .filter((_, j) => inks[i].some((a) => inks[i + 1 + j].some((b) => areNear(a, b))))
          .map((other) => `${state}: ${one.textContent} ${other.textContent}`),
      );
    });
  });

/** @param {Page} tab  @param {string} [selector]  @returns {Promise<string>} all text of the shadow tree */
export const shadowText = (tab, selector = 'attn-saturation') =>
  tab
    .locator(selector)
    .first()
    .evaluate((figure) => figure.shadowRoot?.textContent ?? '');

/**
 * Waits until a condition holds. Polls from outside: the page's policy forbids the evaluation of
 * waitForFunction.
 * @param {Page} tab
 * @param {string} condition  of `figure` and `root`, its shadow root
 * @param {string} [selector]
 */
export async function until(tab, condition, selector = 'attn-saturation') {
  const expression = `(() => { const figure = document.querySelector(${JSON.stringify(selector)});
    const root = figure?.shadowRoot; return Boolean(${condition}); })()`;
  await toldBy(tab, selector, () => waitUntil(() => tab.evaluate(expression), condition));
}

/**
 * Waits, and adds what the figure says to the error of a wait in vain: why it could not compute, say.
 * @param {Page} tab
 * @param {string} selector
 * @param {() => Promise<unknown>} wait
 */
async function toldBy(tab, selector, wait) {
  try {
    await wait();
  } catch (error) {
    const told = await tab.evaluate((name) => {
      const figure = document.querySelector(name);
      const status = figure?.shadowRoot?.querySelector('[role=status]')?.textContent;
      return `${document.visibilityState}, ${JSON.stringify(Reflect.get(Object(figure), 'state'))}, ${status}`;
    }, selector);
    throw new Error(`${/** @type {Error} */ (error).message}\n${selector}: ${told}`, {
      cause: error,
    });
  }
}

/**
 * Stops the sliced and delayed work of a page at its next pause, until the returned function is
 * called: so there is time to see it at work.
 * @param {Page} tab
 */
export async function hold(tab) {
  await tab.evaluate(() => {
    const real = setTimeout;
    const { scheduler } = /** @type {any} */ (globalThis);
    const held = /** @type {unknown[][]} */ ([]);
    const keep = (/** @type {unknown[]} */ ...args) => held.push(args);
    const keepTask = (/** @type {() => void} */ task) =>
      new Promise((resolve) => keep(() => resolve(task()), 0));
    const release = () => {
      Object.assign(globalThis, { setTimeout: real });
      Reflect.deleteProperty(scheduler, 'postTask');
      for (const args of held.splice(0)) Reflect.apply(real, globalThis, args);
    };
    Object.assign(scheduler, { postTask: keepTask });
    Object.assign(globalThis, { release, setTimeout: keep });
  });
  return () => tab.evaluate(() => Reflect.get(globalThis, 'release')());
}

/**
 * Counts, in the page, the `references` that are left after a frame, which releases the painted
 * elements.
 */
async function collect() {
  await new Promise(requestAnimationFrame);
  await new Promise((resolve) => setTimeout(resolve, 20));
  // In a separate task: while JavaScript runs, the engine keeps objects that its stack seems to point
  // at.
  await globalThis.gc?.({ type: 'major', execution: 'async' });
  const references = /** @type {WeakRef<Element>[]} */ (Reflect.get(globalThis, 'references'));
  return references.filter((each) => each.deref()).length;
}

/**
 * Returns the number of elements in the page's `references` that cannot be collected. The engine
 * itself may keep the one that it painted last; a leak keeps all.
 * @param {Page} tab
 */
export async function uncollected(tab) {
  let left = Infinity;
  for (let turn = 0; left > 1 && turn < 100; turn++) left = await tab.evaluate(collect);
  return left;
}

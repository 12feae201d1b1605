// Figures by keyboard alone and by assistive technology, in every browser engine.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { before, describe, it } from 'node:test';
import { FIGURES } from '../../web/build/paths.js';
import { bundleFigures } from '../browser/bundle.js';
import { serve } from '../browser/serve.js';
import { use } from '../fixture.js';
import { until } from '../engines/driver.js';

/** @import { Engine, Page } from '../engines/driver.js' */
/** @import { Open } from './tests-of-engine.js' */

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** @param {readonly string[]} names */
const pageOf = (names) => `<!doctype html><html lang="en"><head><title>figures</title>
  <script type="module" src="/figures.js"></script></head>
  <body><main><h1>figures</h1>${names.map((name) => `<attn-${name}></attn-${name}>`).join('')}</main></body>`;

/** The parts by which a reader takes a figure away, or opens its table. */
const ACTIONS = ['share', 'embed', 'download-svg', 'download-png', 'download-csv', 'table'];

/** The strict policy would forbid axe. */
const POLICY = "default-src 'self' 'unsafe-eval'";

/** Scrolls to each figure until it is drawn, and back. @param {Page} page */
async function drawAll({ evaluate }) {
  const names = await evaluate(() =>
    [...document.querySelectorAll('main > *')].map(({ localName }) => localName).slice(1),
  );
  for (const name of names) {
    await evaluate((selector) => document.querySelector(selector)?.scrollIntoView(), name);
    await until(
      evaluate,
      (selector) =>
        [
          ...(document
            .querySelector(selector)
            ?.shadowRoot?.querySelectorAll('[part~=readout] td') ?? []),
        ].some((cell) => cell.textContent?.trim()),
      name,
    );
  }
  await evaluate(() => scrollTo(0, 0));
}

/** Returns the element that has the focus, in words, or nothing if it has had it before. @param {Page} page */
const focus = ({ evaluate }) =>
  evaluate(async () => {
    // A frame later the page has scrolled to it.
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    let at = document.activeElement;
    while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
    if (!at || at === document.body || at === document.documentElement) return undefined;
    const known = Reflect.get(globalThis, 'known') ?? new Set();
    if (known.has(at)) return undefined;
    Object.assign(globalThis, { known: known.add(at) });
    const { outlineStyle, outlineWidth } = getComputedStyle(at);
    const { top, bottom } = at.getBoundingClientRect();
    const name = [at.localName, at.getAttribute('type') ?? '', at.getAttribute('part') ?? ''];
    return {
      name: name.filter(Boolean).join(' '),
      outlined: outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2,
      seen: bottom > 0 && top < innerHeight,
    };
  });

/** Presses a key until the focus leaves the page or comes round. @param {Page} page @param {string} key */
async function walk(page, key) {
  const stops = [];
  for (let at; ; stops.push(at)) {
    await page.press(key);
    at = await focus(page);
    if (!at || stops.length > 400) return stops;
  }
}

/** Tests figures by keyboard and by assistive technology. @param {Engine} engine @param {Open} open */
export function testAccess({ name: engine }, open) {
  const server = use(async () => {
    const files = {
      '/figure.html': pageOf(['saturation']),
      '/figures.html': pageOf(FIGURES),
      ...(await bundleFigures()),
    };
    return serve(files, { '/figures.html': POLICY });
  });

  it('sliders, lists, settings and buttons are worked with the keyboard alone', async () => {
    const page = await open(`${server.origin}/figure.html`);
    await drawAll(page);
    const { evaluate } = page;
    const press = async (/** @type {string[]} */ ...keys) => {
      for (const key of keys) await page.press(key);
    };
    const becomes = (/** @type {string} */ name, /** @type {unknown} */ value) =>
      until(
        evaluate,
        (key, expected) =>
          Reflect.get(document.querySelector('attn-saturation') ?? {}, key) === expected,
        name,
        value,
      );
    await evaluate(() => {
      document.querySelector('attn-saturation')?.shadowRoot?.querySelector('input')?.focus();
    });
    await press('ArrowRight', 'Home');
    await becomes('dK', 1);
    await press('Tab', 'Control+a', '1', '0', '0', 'Tab');
    await becomes('dK', 100);
    await press('Tab', 'Tab', 'u'); // the first letter of a choice, unscaled
    await becomes('scale', 'none');
    await press('Tab', 'Enter');
    await until(evaluate, () =>
      Boolean(
        document.querySelector('attn-saturation')?.shadowRoot?.querySelector('details[open]'),
      ),
    );
    await evaluate(() => {
      const root = document.querySelector('attn-saturation')?.shadowRoot;
      /** @type {HTMLElement | null | undefined} */ (root?.querySelector('[part=table]'))?.focus();
    });
    await press(' ', 'Tab'); // into the table, which scrolls
    assert.equal((await focus(page))?.name, 'div data');
  });

  it('a change is spoken once it has settled, not while dragging', async () => {
    const page = await open(`${server.origin}/figure.html`);
    await drawAll(page);
    await page.evaluate(async () => {
      const root = document.querySelector('attn-saturation')?.shadowRoot;
      const status = /** @type {Element} */ (root?.querySelector('[role=status]'));
      /** @type {string[]} */
      const seen = [];
      const watch = () => seen.push(status.textContent?.trim() ?? '');
      const observer = new MutationObserver(watch);
      observer.observe(status, { childList: true, characterData: true, subtree: true });
      const slider = /** @type {HTMLInputElement} */ (root?.querySelector('input'));
      for (const value of [70, 80, 90, 100]) {
        slider.value = String(value);
        slider.dispatchEvent(new Event('input', { bubbles: true }));
        await new Promise((resolve) => setTimeout(resolve)); // frames may be rare on a busy machine
      }
      Object.assign(globalThis, { seen });
    });
    await until(page.evaluate, () => Reflect.get(globalThis, 'seen').length > 0);
    const spoken = await page.evaluate(() => Reflect.get(globalThis, 'seen'));
    assert.equal(spoken.length, 1);
    assert.match(spoken[0], /= 100,/);
  });

  describe('every figure', () => {
    /** @type {Page} */
    let page;
    before(async () => {
      page = await open(`${server.origin}/figures.html`);
      await drawAll(page);
    });

    // In Chromium axe sees them in either language, light and dark, with everything open (element.test.js).
    it('axe finds nothing in any figure', { skip: engine === 'Chromium' }, async () => {
      const found = await page.evaluate(async (source) => {
        (0, eval)(source);
        const { violations } = await Reflect.get(globalThis, 'axe').run({
          resultTypes: ['violations'],
        });
        return violations.map((/** @type {any} */ { id, nodes }) => [
          id,
          nodes.map((/** @type {any} */ node) => node.target.flat().join(' ')),
        ]);
      }, axe);
      assert.deepEqual(found, []);
    });

    // The last, because some engines then leave the focus outside of all later pages.
    it('every control of every figure is reached in both directions, visibly, and left again', async () => {
      const forwards = await walk(page, 'Tab');
      const hidden = forwards.filter(({ outlined, seen }) => !outlined || !seen);
      assert.deepEqual(hidden, []);
      assert.ok(forwards.length > 12 * FIGURES.length && forwards.length < 400);
      const parts = forwards.map(({ name }) => name.split(' ').at(-1));
      for (const action of ACTIONS) {
        assert.equal(parts.filter((part) => part === action).length, FIGURES.length, action);
      }
      await page.evaluate(() => {
        const last = [...Reflect.get(globalThis, 'known')].pop();
        Object.assign(globalThis, { known: new Set([last]) });
        last.focus();
      });
      const backwards = await walk(page, 'Shift+Tab');
      assert.deepEqual(
        backwards.map(({ name }) => name),
        forwards
          .slice(0, -1)
          .map(({ name }) => name)
          .reverse(),
      );
    });
  });
}

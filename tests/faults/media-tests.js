// Forced colours, reduced motion and paper, in the engines whose drivers can set them: WebKitGTK's cannot.

import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { inflateSync } from 'node:zlib';
import { bundleFigures } from '../browser/bundle.js';
import { launch, serve } from '../browser/serve.js';
import { use } from '../fixture.js';
import { openFirefox, until } from '../engines/driver.js';
import { evaluator } from '../engines/evaluate.js';

/** @import { Browser, Engine, Evaluate } from '../engines/driver.js' */

/** @typedef {{ forced?: boolean, still?: boolean, dark?: boolean }} Wishes of a reader */
/**
 * @typedef {object} Page
 * @property {(address: string) => Promise<unknown>} goto
 * @property {Evaluate} evaluate
 * @property {() => Promise<Uint8Array>} print  as PDF
 * @property {() => Promise<void>} close
 */

/** Little motion on a dark screen. */
const QUIET = { still: true, dark: true };

/** Opens a page for a reader with wishes. @type {Record<string, (wishes: Wishes, browser: Browser) => Promise<Page>>} */
const OPEN = {
  async Chromium({ forced, still, dark }) {
    const browser = await launch();
    const page = await browser.newPage({
      forcedColors: forced ? 'active' : 'none',
      reducedMotion: still ? 'reduce' : 'no-preference',
      colorScheme: dark ? 'dark' : 'light',
    });
    return {
      goto: (address) => page.goto(address),
      evaluate: evaluator((text) => page.evaluate(text)),
      print: () => page.pdf(),
      close: () => browser.close(),
    };
  },
  /** Launches it with the wishes, which are settings. */
  async Firefox(wishes, browser) {
    const { forced, still, dark } = wishes;
    const isPlain = Object.keys(wishes).length === 0;
    const own = isPlain
      ? browser
      : await openFirefox({
          'browser.display.document_color_use': forced ? 2 : 0,
          'ui.prefersReducedMotion': still ? 1 : 0,
          'ui.systemUsesDarkTheme': dark ? 1 : 0,
        });
    const { goto, evaluate, print, close } = await own.newPage();
    assert.ok(print);
    return { goto, evaluate, print, close: isPlain ? close : own.close };
  },
};

/** Returns whether anything in the figure is animated. */
const moves = () =>
  [...(document.querySelector('attn-saturation')?.shadowRoot?.querySelectorAll('*') ?? [])].some(
    (part) => {
      const { transitionDuration, animationName } = getComputedStyle(part);
      return parseFloat(transitionDuration) > 0 || animationName !== 'none';
    },
  );

/** Returns the colours of title, caption and picture. */
function coloursUsed() {
  const root = document.querySelector('attn-saturation')?.shadowRoot;
  const parts = root?.querySelectorAll('.plot > svg *, .title, figcaption') ?? [];
  return [...parts].flatMap((part) => {
    const { fill, stroke, color } = getComputedStyle(part);
    return part instanceof SVGElement ? [fill, stroke] : [color];
  });
}

/** Returns system colours as the page paints them. @param {string[]} names */
function systemColours(names) {
  const probe = /** @type {Element} */ (document.querySelector('body > i'));
  return names.map((name) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`body > i { color: ${name}; forced-color-adjust: none }`);
    document.adoptedStyleSheets = [sheet];
    return getComputedStyle(probe).color;
  });
}

/** Returns every colour that a PDF fills something with, its parts from 0 to 1. @param {Buffer} pdf */
function fillsOf(pdf) {
  const streams = [...pdf.toString('latin1').matchAll(/stream\r?\n/g)];
  const texts = streams.map(({ index, 0: { length } }) => {
    try {
      return inflateSync(pdf.subarray(index + length), { finishFlush: 2 }).toString('latin1');
    } catch {
      return ''; // a picture or a font
    }
  });
  const fills = texts.join('\n').matchAll(/([\d.]+) ([\d.]+) ([\d.]+) rg\b/g);
  return [...fills].map(([, ...parts]) => parts.map(Number));
}

/** Tests a reader's preferences of media. @param {Engine} engine @param {Browser} browser */
export function testMedia(engine, browser) {
  const open = OPEN[engine.name];
  if (!open) return;
  const server = use(async () => {
    const html = `<!doctype html><html lang="en"><head><title>figure</title><link rel="icon" href="data:,">
    <link rel="stylesheet" href="/style.css"><script type="module" src="/figures.js"></script></head>
    <body><attn-saturation></attn-saturation><i></i></body>`;
    const style = ':root { color-scheme: light dark }';
    return serve({ '/figure.html': html, '/style.css': style, ...(await bundleFigures()) });
  });
  /** By wishes. @type {Map<string, Promise<Page>>} */
  const pages = new Map();
  after(async () => {
    for (const page of pages.values()) await (await page).close();
  });

  /** Opens a figure for a reader with wishes. @param {Wishes} wishes */
  const openFigure = async (wishes) => {
    const key = JSON.stringify(wishes);
    const opened = pages.get(key) ?? open(wishes, browser);
    pages.set(key, opened);
    const page = await opened;
    await page.goto(`${server.origin}/figure.html`);
    await until(page.evaluate, () =>
      Boolean(
        document.querySelector('attn-saturation')?.shadowRoot?.querySelector('.plot > svg text'),
      ),
    );
    return page;
  };
  it('forced colours are the only ones, in the picture too, and series still differ', async () => {
    for (const dark of [false, true]) {
      const { evaluate } = await openFigure({ forced: true, dark });
      assert.ok(await evaluate(() => matchMedia('(forced-colors: active)').matches));
      const names = ['CanvasText', 'LinkText', 'GrayText', 'Canvas'];
      const allowed = await evaluate(systemColours, names);
      const paintsNothing = ['rgba(0, 0, 0, 0)', 'rgb(0, 0, 0)']; // the initial fill
      const others = (await evaluate(coloursUsed)).filter(
        (colour) => /^rgb/.test(colour) && ![...allowed, ...paintsNothing].includes(colour),
      );
      assert.deepEqual(others, []);
      assert.notEqual(allowed[0], allowed[1]);
    }
  });

  it('nothing moves for readers who prefer that', async () => {
    for (const still of [false, true]) {
      const { evaluate } = await openFigure(still ? QUIET : {});
      assert.equal(await evaluate(moves), !still);
    }
  });

  it('paper has dark ink, with any colours of the screen', async () => {
    const { print } = await openFigure(QUIET);
    const fills = fillsOf(Buffer.from(await print()));
    const dark = fills.filter((fill) => fill.every((part) => part < 0.45));
    const light = fills.filter((fill) => fill.every((part) => part > 0.9));
    assert.ok(dark.length > 20 && light.length < dark.length / 2, JSON.stringify(fills));
  });
}

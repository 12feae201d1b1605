// Forced colours and reduced motion, in the engines that can be told of them: WebKitGTK's driver cannot.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { bundleFigures, launch, serve } from '../browser/serve.js';
import { ENGINES, openFirefox, until } from '../engines/driver.js';
import { evaluator } from '../engines/evaluate.js';

/** @typedef {{ forced?: boolean, still?: boolean, dark?: boolean }} Wishes of a reader */
/** @typedef {import('../engines/driver.js').Evaluate} Evaluate */
/** @typedef {{ goto: (address: string) => Promise<unknown>, evaluate: Evaluate, close: () => Promise<void> }} Page */

/** @type {Record<string, (wishes: Wishes) => Promise<Page>>} */
const OPEN = {
  async Chromium({ forced, still, dark }) {
    const browser = await launch();
    const page = await browser.newPage({
      forcedColors: forced ? 'active' : 'none',
      reducedMotion: still ? 'reduce' : 'no-preference',
      colorScheme: dark ? 'dark' : 'light',
    });
    const evaluate = evaluator((text) => page.evaluate(text));
    return { goto: (address) => page.goto(address), evaluate, close: () => browser.close() };
  },
  async Firefox({ forced, still, dark }) {
    const browser = await openFirefox({
      'browser.display.document_color_use': forced ? 2 : 0,
      'ui.prefersReducedMotion': still ? 1 : 0,
      'ui.systemUsesDarkTheme': dark ? 1 : 0,
    });
    const { goto, evaluate } = await browser.newPage();
    return { goto, evaluate, close: () => browser.close() };
  },
};

/** @type {Awaited<ReturnType<typeof serve>>} */
let server;
before(async () => {
  const html = `<!doctype html><html lang="en"><head><title>figure</title><link rel="icon" href="data:,">
    <link rel="stylesheet" href="/style.css"><script type="module" src="/figures.js"></script></head>
    <body><attn-saturation></attn-saturation><i></i></body>`;
  const style = ':root { color-scheme: light dark }';
  const figures = await bundleFigures();
  server = await serve({ '/figure.html': html, '/style.css': style, '/figures.js': figures });
});
after(() => server.close());

/** Whether anything in the figure is animated. */
const moves = () =>
  [...(document.querySelector('attn-saturation')?.shadowRoot?.querySelectorAll('*') ?? [])].some(
    (part) => {
      const { transitionDuration, animationName } = getComputedStyle(part);
      return parseFloat(transitionDuration) > 0 || animationName !== 'none';
    },
  );

/** The colours of title, caption and picture. */
function coloursUsed() {
  const root = document.querySelector('attn-saturation')?.shadowRoot;
  const parts = root?.querySelectorAll('.plot > svg *, .title, figcaption') ?? [];
  return [...parts].flatMap((part) => {
    const { fill, stroke, color } = getComputedStyle(part);
    return part instanceof SVGElement ? [fill, stroke] : [color];
  });
}

/** What system colours are. @param {string[]} names */
function systemColours(names) {
  const probe = /** @type {Element} */ (document.querySelector('body > i'));
  return names.map((name) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`body > i { color: ${name}; forced-color-adjust: none }`);
    document.adoptedStyleSheets = [sheet];
    return getComputedStyle(probe).color;
  });
}

for (const { name, missing } of ENGINES) {
  const open = OPEN[name];
  if (!open) continue;
  /** @param {Wishes} wishes @param {(evaluate: Evaluate) => Promise<void>} work */
  const withFigure = async (wishes, work) => {
    const { goto, evaluate, close } = await open(wishes);
    try {
      await goto(`${server.origin}/figure.html`);
      await until(evaluate, () =>
        Boolean(
          document.querySelector('attn-saturation')?.shadowRoot?.querySelector('.plot > svg text'),
        ),
      );
      await work(evaluate);
    } finally {
      await close();
    }
  };
  describe(`in ${name}`, { skip: missing }, () => {
    it('forced colours are the only ones, in the picture too, and series still differ', async () => {
      for (const dark of [false, true]) {
        await withFigure({ forced: true, dark }, async (evaluate) => {
          assert.ok(await evaluate(() => matchMedia('(forced-colors: active)').matches));
          const names = ['CanvasText', 'LinkText', 'GrayText', 'Canvas'];
          const allowed = await evaluate(systemColours, names);
          const paintsNothing = ['rgba(0, 0, 0, 0)', 'rgb(0, 0, 0)']; // the initial fill
          const others = (await evaluate(coloursUsed)).filter(
            (colour) => /^rgb/.test(colour) && ![...allowed, ...paintsNothing].includes(colour),
          );
          assert.deepEqual(others, []);
          assert.notEqual(allowed[0], allowed[1]);
        });
      }
    });

    it('nothing moves for readers who prefer that', async () => {
      for (const still of [false, true]) {
        await withFigure({ still }, async (evaluate) => {
          assert.equal(await evaluate(moves), !still);
        });
      }
    });
  });
}

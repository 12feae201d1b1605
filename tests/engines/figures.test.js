// Every figure in every engine: on the page and in other people's frames, in both languages. A
// figure has to come to rest with numbers in its read-out, and to give other numbers when its main control
// moves; nothing may be thrown, nor an error or warning logged.
//
// An interpreter without compiler begins with small samples, in slices. There only the article's first
// figure is waited for and moved, and the others are seen at rest in frames, where the page has to have
// had its turns meanwhile.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { serve as serveSite } from '../../web/build/serve.js';
import { ELEMENTS } from '../../web/build/vite.config.js';
import { serve } from '../browser/serve.js';
import { ENGINES, until, useBrowser } from './driver.js';

/** @typedef {import('./evaluate.js').Evaluate} Evaluate */

const LANGUAGES = /** @type {const} */ (['en', 'zh']);

/** Runs in the page: whether a figure is at rest, with numbers to read.
 *  @param {string} name @param {number} claims  measured, where the figure is the ledger */
function isAtRest(name, claims) {
  const figure = /** @type {any} */ (document.querySelector(`attn-${name}`));
  if (figure?.failure) throw new Error(`${name}: ${figure.failure}`);
  if (name === 'claims') return figure?.results?.size >= claims;
  const readout = figure?.shadowRoot?.querySelector('[part=readout]');
  const drawn = figure?.shadowRoot?.querySelector('[part~=plot] > svg text');
  return figure?.data !== undefined && !figure.busy && drawn && /\d/.test(readout?.textContent);
}

/** Runs in the page: the numbers of a figure, read and spoken, or the sentences of the ledger, if
 *  other than `before`. (Of a layer's heads the read-out says that the parameters stay the same.)
 *  @param {string} name @param {unknown} before @returns {string | undefined} */
function readOther(name, before) {
  const root = document.querySelector(`attn-${name}`)?.shadowRoot;
  const texts = [...(root?.querySelectorAll('ol, [part=readout] td, [role=status]') ?? [])];
  const all = texts.map((element) => element.textContent).join(' ');
  const now = name === 'claims' ? all : all.match(/[\d.]+/g)?.join(' ');
  return now === before ? undefined : now;
}

/** Figures whose first numbers take an interpreter seconds. */
const LONG = ['saturation', 'gradient', 'precision', 'scale', 'training', 'values'];
/** They come in nine parts at least, a slice or more each. */
const FEWEST_TURNS = 5;

/** Runs in the page, before a figure begins: counts how often it lets the page have a turn. */
function countTurns() {
  const { scheduler } = /** @type {any} */ (globalThis);
  const pause = scheduler.yield.bind(scheduler);
  Object.assign(globalThis, { turns: 0 });
  scheduler.yield = () => {
    Reflect.set(globalThis, 'turns', Reflect.get(globalThis, 'turns') + 1);
    return pause();
  };
}

/** Runs in the page: moves the first slider of a figure to its start, or takes the next choice.
 *  @param {string} name */
function move(name) {
  const controls = document.querySelector(`attn-${name}`)?.shadowRoot?.querySelector('.controls');
  const slider = /** @type {HTMLInputElement} */ (controls?.querySelector('input[type=range]'));
  const choice = /** @type {HTMLSelectElement} */ (controls?.querySelector('select'));
  if (slider?.value === slider?.min) slider?.stepUp();
  else if (slider) slider.value = slider.min;
  if (!slider) choice.selectedIndex = (choice.selectedIndex + 1) % choice.length;
  const control = slider ?? choice;
  control.dispatchEvent(new Event('input', { bubbles: true }));
  control.dispatchEvent(new Event('change', { bubbles: true }));
}

/** Moves the main control of a figure at rest, and waits for other numbers.
 *  @param {Evaluate} evaluate @param {string} name @param {number} claims */
async function exercise(evaluate, name, claims) {
  const before = await evaluate(readOther, name, '');
  await evaluate(move, name);
  await until(evaluate, readOther, name, before);
  await until(evaluate, isAtRest, name, claims);
}

/** @type {Awaited<ReturnType<typeof serveSite>>} */
let site;
/** Other people's pages, each with a figure in a sandboxed frame, in either language by turns: far
 *  down, so that it begins when it is scrolled to.
 *  @type {Awaited<ReturnType<typeof serve>>} */
let host;
before(async () => {
  site = await serveSite();
  const files = Object.fromEntries(
    ELEMENTS.map((name, i) => [`/${name}.html`, framed(name, i % 2)]),
  );
  const noPolicy = Object.fromEntries(ELEMENTS.map((name) => [`/${name}.html`, '']));
  host = await serve(files, noPolicy);
});
after(async () => {
  site.close();
  await host.close();
});

/** @param {string} name @param {number} language */
function framed(name, language) {
  const address = `${site.url}/embed/${name}.html?lang=${LANGUAGES[language]}`;
  return `<!doctype html><html lang="en"><head><title>host</title><link rel="icon" href="data:,"></head>
    <body><div style="height: 3000px"></div>
    <iframe src="${address}" title="${name}" width="700" height="900" sandbox="allow-scripts"></iframe>
    </body></html>`;
}

for (const engine of ENGINES) {
  describe(engine.name, { skip: engine.missing }, () => {
    const browser = useBrowser(engine);
    const [onPage, claims] = engine.interpreted ? [ELEMENTS.slice(0, 1), 1] : [ELEMENTS, 23];

    for (const language of LANGUAGES) {
      test(`the page /${language}/ loads, and its figures work`, async () => {
        const page = await browser.newPage();
        await page.goto(`${site.url}/${language}/`);
        for (const name of onPage) {
          await page.evaluate((of) => document.querySelector(`attn-${of}`)?.scrollIntoView(), name);
          await until(page.evaluate, isAtRest, name, claims);
          await exercise(page.evaluate, name, claims);
        }
        assert.deepEqual(await page.complaints(), []);
        await page.close();
      });
    }

    test('every figure works in a sandboxed frame', async () => {
      const page = await browser.newPage();
      for (const name of ELEMENTS) {
        await page.goto(`${host.origin}/${name}.html`);
        if (engine.interpreted) await page.evaluateInFrame(countTurns);
        await page.evaluate(() => document.querySelector('iframe')?.scrollIntoView());
        await until(page.evaluateInFrame, isAtRest, name, claims);
        if (!engine.interpreted) await exercise(page.evaluateInFrame, name, claims);
        else if (LONG.includes(name)) {
          const turns = await page.evaluateInFrame(() => Reflect.get(globalThis, 'turns'));
          assert.ok(turns >= FEWEST_TURNS, `${name}: ${turns} turns`);
        }
        assert.deepEqual(await page.complaints(), [], name);
      }
      await page.close();
    });
  });
}

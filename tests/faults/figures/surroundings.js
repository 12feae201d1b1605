// Styles, directions, languages, widths and globals of the page around a figure.

import { allWork, EVERY, FIGURE, POLICY } from './case-pages.js';

/** @import { Case } from './case-pages.js' */
/** @import { Tools } from './page-tools.js' */

/** Returns the figures in which anything has another place or colour under hostile styles. @param {Tools} tools */
async function moved({ drawn, nextFrame, sleep, until }) {
  const hostile = `html { font-size: 5px !important; word-spacing: 2em; text-transform: uppercase }
    * { font: italic 40px/3 cursive !important; color: red !important; display: inline !important;
      float: left; text-align: right; position: relative !important; inset: 0; zoom: 1;
      opacity: .1 !important; letter-spacing: 1em; box-sizing: content-box; padding: 9px;
      border: 3px solid; max-width: none !important; transition: all 9s; white-space: pre;
      writing-mode: vertical-rl; direction: rtl; visibility: hidden; transform: none }
    html, body, div { all: initial; display: block !important; position: static !important }
    div { width: 640px; visibility: visible; }`; // a larger text of the root would be the reader's
  /** @param {string} css @param {string} dir */
  const dress = async (css, dir) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    document.adoptedStyleSheets = [sheet];
    document.documentElement.setAttribute('dir', dir);
    await nextFrame();
  };
  /** @param {Element} figure */
  const places = async (figure) => {
    // The picture is drawn again for the width that it now has.
    await until(() => [640, undefined].includes(Reflect.get(figure, 'figureWidth')));
    await until(() => figure.getBoundingClientRect().width === 640);
    const { left, top } = figure.getBoundingClientRect();
    // Measured times and claims differ from run to run.
    const isTimed = /cost|claims/.test(figure.localName);
    const parts = figure.shadowRoot?.querySelectorAll(
      isTimed ? 'svg, button, input, select' : 'p, svg, button, input, table, td, th, text',
    );
    const boxes = [...(parts ?? [])].map((part) => part.getBoundingClientRect());
    const content = /** @type {Element} */ (figure.shadowRoot?.querySelector('figure'));
    const inks = [getComputedStyle(figure).opacity, getComputedStyle(content).color];
    return [
      ...inks.flatMap((ink) => ink.match(/[\d.]+/g) ?? []).map(Number),
      ...boxes
        .filter(({ width }) => width > 0)
        .flatMap(({ x, y, width, height }) => [x - left, y - top, width, height]),
    ];
  };
  /** Returns the places once they stay the same. @param {Element} figure */
  const placesAtRest = async (figure) => {
    let [before, after] = [[NaN], await places(figure)];
    const rests = async () => {
      await sleep(200);
      [before, after] = [after, await places(figure)];
      return after.join() === before.join();
    };
    await until(rests, `${figure.localName} at rest`);
    return after;
  };
  const found = [];
  const figures = document.querySelectorAll('div > *');
  // No film plays for a reader who has touched the figure: it would end in the picture of a small sample.
  for (const figure of figures) figure.dispatchEvent(new Event('pointerdown'));
  for (const { localName } of figures) {
    await dress('div { width: 640px }', 'ltr');
    const figure = await drawn(localName);
    const expected = await placesAtRest(figure);
    await dress(hostile, 'rtl');
    const seen = await placesAtRest(figure);
    const at = seen.findIndex((place, i) => !(Math.abs(place - expected[i]) < 1));
    if (expected.length < 8 || seen.length !== expected.length || at >= 0) {
      const lengths = `${seen.length} numbers for ${expected.length}`;
      found.push(`${localName}: ${lengths}, number ${at} is ${seen[at]} for ${expected[at]}`);
    }
  }
  return found;
}

/** @type {Record<string, Case>} */
export const SURROUNDINGS = {
  'hostile styles in another direction of writing move nothing in any figure, and colour nothing': {
    body: EVERY,
    policy: `${POLICY}; worker-src blob:`,
    look: moved,
    seen: [],
  },

  'a page that runs from right to left keeps figures left to right and inside it': {
    html: 'dir="rtl" lang="ar"',
    body: FIGURE,
    look: async ({ drawn }) => {
      const figure = await drawn('attn-saturation');
      const { left, right } = figure.getBoundingClientRect();
      const { scrollWidth, clientWidth } = document.documentElement;
      const claim = /** @type {Element} */ (figure.shadowRoot?.querySelector('.title'));
      return {
        direction: getComputedStyle(figure).direction,
        align: getComputedStyle(claim).textAlign,
        inside: left >= 0 && right <= clientWidth + 1 && scrollWidth <= clientWidth,
      };
    },
    seen: { direction: 'ltr', align: 'start', inside: true },
  },

  'a page of a language with a decimal comma shows points, and a note that it cannot read commas': {
    html: 'lang="de-DE"',
    body: '<attn-saturation entry-size="0,5"></attn-saturation>',
    look: async ({ drawn }) => {
      const figure = await drawn('attn-saturation');
      const root = /** @type {ShadowRoot} */ (figure.shadowRoot);
      const numbers = root.querySelector('[part=readout]')?.textContent ?? '';
      return {
        points: /\d\.\d/.test(numbers) && !/\d,\d/.test(numbers),
        entrySize: Reflect.get(figure, 'entrySize'),
        note: root.querySelector('[part~=notice]')?.textContent?.trim(),
        slider: root.querySelector('input')?.value,
      };
    },
    seen: {
      points: true,
      entrySize: 1,
      note: 'Not understood and left at a usable value: entry-size (0.25 … 3).',
      slider: '64',
    },
  },

  '320 pixels, which is also 400 % zoom, need no sideways scroll': {
    body: '<iframe src="/narrow.html" width="320" height="800"></iframe>',
    policy: `${POLICY}; frame-src 'self'`,
    look: async ({ until }) => {
      const page = () => document.querySelector('iframe')?.contentDocument;
      await until(() =>
        page()?.querySelector('attn-saturation')?.shadowRoot?.querySelector('.plot > svg text'),
      );
      const { scrollWidth, clientWidth } = /** @type {Document} */ (page()).documentElement;
      return [
        document.querySelector('iframe')?.contentWindow?.innerWidth,
        scrollWidth <= clientWidth,
      ];
    },
    seen: [320, true],
  },

  'a dark page has light ink, in the picture too': {
    html: 'class="dark"',
    body: FIGURE,
    look: async ({ drawn }) => {
      const figure = await drawn('attn-saturation');
      const light = (/** @type {string} */ selector, /** @type {'color' | 'fill'} */ property) => {
        const element = /** @type {Element} */ (figure.shadowRoot?.querySelector(selector));
        const { [property]: ink } = getComputedStyle(element);
        return (ink.match(/[\d.]+/g) ?? []).slice(0, 3).every((part) => Number(part) > 128);
      };
      return [light('.title', 'color'), light('.plot > svg text', 'fill')];
    },
    seen: [true, true],
  },

  'globals that a page has patched change nothing in a figure': {
    body: EVERY,
    policy: `${POLICY}; worker-src blob:`,
    before: `const ran = function () { throw new Error('ran'); };
      for (const type of [Array, String, Number, Node, Element, Float32Array]) type.prototype.each = ran;
      // WebKit's driver cannot read results that inherit enumerable properties.
      for (const type of [Object, Function]) Object.defineProperty(type.prototype, 'each', { value: ran });
      // As Prototype.js and MooTools do.
      Array.from = (list) => Array.prototype.slice.call(list);
      Array.prototype.entries = Array.prototype.slice;
      Array.prototype.toJSON = function () { return '[' + this.map((each) => JSON.stringify(each)) + ']'; };
      Math.random = () => 0.5;
      fetch = () => { throw new Error('fetch ran'); };
      XMLHttpRequest = undefined;
      Promise = class extends Promise {};
      Date = class { constructor() { throw new Error('Date ran'); } static now() { return 0; } };`,
    look: allWork,
    seen: { failed: '', right: true },
  },
};

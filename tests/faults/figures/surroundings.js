// Styles, directions, languages, widths and globals of the page around a figure.

import { FIGURE, POLICY, works } from './case-pages.js';

/** @import { Case } from './case-pages.js' */

/** @type {Record<string, Case>} */
export const SURROUNDINGS = {
  'hostile styles of the page do not reach into a figure': {
    body: `<div class="hostile">${FIGURE}</div>`,
    head: '<link rel="stylesheet" href="/hostile.css">',
    look: async ({ drawn }) => {
      const figure = await drawn('attn-saturation');
      const { display, opacity, position, direction, float } = getComputedStyle(figure);
      const caption = /** @type {Element} */ (figure.shadowRoot?.querySelector('figcaption'));
      const { fontSize, letterSpacing, color } = getComputedStyle(caption);
      const red = color === 'rgb(255, 0, 0)';
      return { display, opacity, position, direction, float, fontSize, letterSpacing, red };
    },
    seen: {
      display: 'block',
      opacity: '1',
      position: 'static',
      direction: 'ltr',
      float: 'none',
      fontSize: '14px',
      letterSpacing: 'normal',
      red: false,
    },
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
      note: 'Not understood and left at a usable value: entry-size.',
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
    body: FIGURE,
    before: `const ran = function () { throw new Error('ran'); };
      for (const type of [Array, String, Number, Node, Element, Float32Array]) type.prototype.each = ran;
      // WebKit's driver cannot read results that inherit enumerable properties.
      for (const type of [Object, Function]) Object.defineProperty(type.prototype, 'each', { value: ran });
      Array.prototype.toJSON = function () { return '[' + this.map((each) => JSON.stringify(each)) + ']'; };
      Math.random = () => 0.5;
      fetch = () => { throw new Error('fetch ran'); };
      XMLHttpRequest = undefined;
      Promise = class extends Promise {};
      Date = class { constructor() { throw new Error('Date ran'); } static now() { return 0; } };`,
    look: works,
    seen: true,
  },
};

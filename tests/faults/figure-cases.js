/**
 * Faults of figures that every engine can be made to have: a page that does something wrong, what is
 * looked at in it, and what a reader should see. `look` runs in the page as text, so it may use
 * nothing but its argument, the tools of figures.test.js.
 */
import { STRICT_POLICY } from '../browser/serve.js';

/**
 * @typedef {import('./tools.js').Tools} Tools
 * @typedef {object} Case
 * @property {string} body
 * @property {string} [html]  attributes of the root element
 * @property {string} [head]  further elements of the head
 * @property {string} [before]  a script that comes before the figures
 * @property {string} [script]  where the figures come from, `/figures.js` unless told; {other} is
 *   another origin
 * @property {string} [policy]
 * @property {string} [hash]
 * @property {boolean} [complains]  whether the engine itself reports what is wrong
 * @property {(tools: Tools) => unknown} look
 * @property {unknown} seen  as JSON
 */

/** The strictest that figures promise to work in, and an icon for the tab. */
export const POLICY = STRICT_POLICY.replace('img-src', 'img-src data:');

const FIGURE = '<attn-saturation></attn-saturation>';
const PICTURE = `<attn-saturation><svg id="still" slot="fallback" width="100" height="50" viewBox="0 0 10 5"></svg></attn-saturation>`;

/** What is there where no script came: the picture, and nothing broken. @param {Tools} tools */
async function stillThere({ sleep }) {
  await sleep(300);
  const { width, height } = document.querySelector('#still')?.getBoundingClientRect() ?? {};
  return { seen: Number(width) > 50 && Number(height) > 20, live: Boolean(customElements.get('attn-saturation')) }; // prettier-ignore
}

/** A figure at its defaults, by a number of its read-out. @param {Tools} tools */
async function works({ drawn }) {
  const figure = await drawn('attn-saturation');
  return figure.shadowRoot?.querySelector('[part=readout]')?.textContent?.includes('0.107');
}

const RUBBISH = {
  'd-k': '1e9',
  keys: '<img src=x onerror=alert(1)>',
  scale: '__proto__',
  seed: 'NaN',
  'entry-size': 'x'.repeat(2 ** 20),
  queries: '64; constructor',
};
const DEFAULTS = { dK: 64, keys: 64, scale: 'sqrt', entrySize: 1, queries: 256, seed: 5 };

/** @param {Record<string, string>} attributes */
const withAttributes = (attributes) =>
  Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${value.replaceAll('<', '&lt;')}"`)
    .join('');

/** State and note of a figure, and whether anything of its input became markup. @param {Tools} tools */
async function stateOf({ drawn }) {
  const figure = await drawn('attn-saturation');
  const root = /** @type {ShadowRoot} */ (figure.shadowRoot);
  return {
    state: Reflect.get(figure, 'state'),
    note: root.querySelector('[part~=notice]')?.textContent?.trim() ?? '',
    markup: root.querySelectorAll('img, script, iframe, [onerror]').length,
    polluted: Reflect.has({}, 'polluted'),
  };
}

/** @type {Record<string, Case>} */
export const CASES = {
  // ---- policies and loading -----------------------------------------------------------------

  'a strict policy, Trusted Types included, changes nothing': {
    body: FIGURE,
    policy: `${POLICY}; require-trusted-types-for 'script'; trusted-types lit-html`,
    look: works,
    seen: true,
  },

  'a policy that forbids WebAssembly leaves the same numbers': {
    body: FIGURE,
    policy: POLICY.replace(" 'wasm-unsafe-eval'", ''),
    complains: true,
    look: works,
    seen: true,
  },

  'an engine without WebAssembly shows the same numbers': {
    body: FIGURE,
    before: 'delete globalThis.WebAssembly;',
    look: works,
    seen: true,
  },

  'an engine without SIMD shows the same numbers': {
    body: FIGURE,
    before: `WebAssembly.compile = () => Promise.reject(new WebAssembly.CompileError('no v128'));
      WebAssembly.Module = class { constructor() { throw new WebAssembly.CompileError('no v128'); } };`,
    look: works,
    seen: true,
  },

  'an engine that gives no memory says so in the figure, which then can be tried again': {
    body: FIGURE,
    before: `const { instantiate } = WebAssembly; const { ArrayBuffer: Real } = globalThis;
      WebAssembly.instantiate = () => Promise.reject('out of memory');
      globalThis.ArrayBuffer = class { constructor() { throw new RangeError('out of memory'); } };
      globalThis.repair = () => Object.assign(globalThis, { ArrayBuffer: Real }) &&
        Object.assign(WebAssembly, { instantiate });`,
    look: async ({ until, drawn }) => {
      const root = () => document.querySelector('attn-saturation')?.shadowRoot;
      await until(() => root()?.querySelector('[part~=retry]'));
      const said = root()?.querySelector('[part~=failure] p')?.textContent ?? '';
      Reflect.get(globalThis, 'repair')();
      root()?.querySelector('button')?.click();
      await drawn('attn-saturation');
      return [/out of memory/.test(said), Boolean(root()?.querySelector('[part~=retry]'))];
    },
    seen: [true, false],
  },

  'without JavaScript the picture inside the element is shown': {
    body: PICTURE,
    policy: "default-src 'none'; script-src 'none'; style-src 'self'",
    complains: true,
    look: stillThere,
    seen: { seen: true, live: false },
  },

  'a script that is not found leaves the picture': {
    body: PICTURE,
    script: '/nowhere.js',
    complains: true,
    look: stillThere,
    seen: { seen: true, live: false },
  },

  'a script of the wrong type leaves the picture': {
    body: PICTURE,
    script: '/figures.txt',
    complains: true,
    look: stillThere,
    seen: { seen: true, live: false },
  },

  'a script of another origin that allows it draws': {
    body: FIGURE,
    script: '{other}/shared/figures.js',
    policy: POLICY.replace("'self'", "'self' {other}"),
    look: works,
    seen: true,
  },

  'a script of another origin that does not allow it leaves the picture': {
    body: PICTURE,
    script: '{other}/figures.js',
    policy: POLICY.replace("'self'", "'self' {other}"),
    complains: true,
    look: stillThere,
    seen: { seen: true, live: false },
  },

  'a sandboxed frame draws, and tells its height and nothing else': {
    body: '<iframe sandbox="allow-scripts" src="/embed/saturation.html?id=seven" width="700"></iframe>',
    policy: `${POLICY}; frame-src 'self'`,
    before: "messages = []; addEventListener('message', ({ data }) => messages.push(data));",
    look: async ({ until }) => {
      /** @type {any[]} */
      const messages = Reflect.get(globalThis, 'messages');
      await until(() => messages.at(-1)?.height > 600);
      return messages.map((message) => ({ ...message, height: typeof message.height })).at(-1);
    },
    seen: { type: 'attn:height', v: 1, id: 'seven', height: 'number' },
  },

  // ---- state --------------------------------------------------------------------------------

  'attributes of rubbish are clamped or ignored with a note, and none becomes markup': {
    body: `<attn-saturation${withAttributes(RUBBISH)} __proto__="1"></attn-saturation>`,
    look: stateOf,
    seen: {
      state: { ...DEFAULTS, dK: 512 },
      note: 'Not understood and left at a usable value: keys, scale, seed, entry-size, queries.',
      markup: 0,
      polluted: false,
    },
  },

  'a hash of rubbish is clamped or ignored with a note, and none becomes markup': {
    body: FIGURE,
    hash: `#attn=1&figure=saturation&d-k=1e9&keys=%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E&scale=__proto__&seed=NaN&__proto__[polluted]=1&constructor=1&unknown=2`,
    look: stateOf,
    seen: {
      state: { ...DEFAULTS, dK: 512 },
      note: 'Not understood and left at a usable value: keys, scale, seed.',
      markup: 0,
      polluted: false,
    },
  },

  'a hash of a megabyte gives the default state and a note': {
    body: FIGURE,
    hash: `#attn=1&figure=saturation&d-k=7&keys=${'8'.repeat(2 ** 20 - 200)}`,
    look: stateOf,
    seen: {
      state: DEFAULTS,
      note: 'Not understood and left at a usable value: attn.',
      markup: 0,
      polluted: false,
    },
  },

  // ---- life cycle ---------------------------------------------------------------------------

  'a hundred figures on a page share one kernel': {
    body: '<attn-heads></attn-heads>'.repeat(100),
    before: `instances = 0; const { instantiate } = WebAssembly;
      WebAssembly.instantiate = (module) => { instances += 1; return instantiate.call(WebAssembly, module); };`,
    look: async ({ until }) => {
      const figures = [...document.querySelectorAll('attn-heads')];
      for (const figure of figures) {
        figure.scrollIntoView();
        await until(() => figure.shadowRoot?.querySelector('.plot > svg text'));
      }
      return { drawn: figures.length, instances: Reflect.get(globalThis, 'instances') };
    },
    seen: { drawn: 100, instances: 1 },
  },

  'a figure moved, removed and added again a thousand times keeps its state and its listeners': {
    body: `<div id="a"><attn-saturation d-k="128"></attn-saturation></div><div id="b"></div>`,
    look: async ({ drawn, nextFrame }) => {
      const figure = await drawn('attn-saturation');
      const { addEventListener: add, removeEventListener: remove } = globalThis;
      let listeners = 1;
      globalThis.addEventListener = /** @type {any} */ (
        (/** @type {any[]} */ ...args) => {
          listeners += 1;
          return Reflect.apply(add, globalThis, args);
        }
      );
      globalThis.removeEventListener = /** @type {any} */ (
        (/** @type {any[]} */ ...args) => {
          listeners -= 1;
          return Reflect.apply(remove, globalThis, args);
        }
      );
      for (let i = 0; i < 1000; i++) {
        document.querySelector(i % 2 ? '#a' : '#b')?.append(figure);
        if (i % 100 === 0) await nextFrame();
        if (i % 3 === 0) figure.remove();
      }
      document.querySelector('#b')?.append(figure);
      Reflect.set(figure, 'keys', 32);
      await drawn('attn-saturation');
      const changed = () => figure.shadowRoot?.querySelector('.title')?.textContent ?? '';
      return {
        listeners,
        state: [Reflect.get(figure, 'dK'), Reflect.get(figure, 'keys')],
        plots: figure.shadowRoot?.querySelectorAll('.plot > svg').length,
        says: changed().includes('128'),
      };
    },
    seen: { listeners: 1, state: [128, 32], plots: 1, says: true },
  },

  'an element defined by two versions of the script keeps the first, and works': {
    body: FIGURE,
    look: async ({ drawn }) => {
      await drawn('attn-saturation');
      const first = customElements.get('attn-saturation');
      const second = await import(/** @type {string} */ ('/figures.js?version=2'));
      await import(/** @type {string} */ ('/figures.js?version=2'));
      const added = document.createElement('attn-saturation');
      document.body.prepend(added);
      await drawn('attn-saturation');
      return {
        another: second.AttnSaturation !== first,
        kept: customElements.get('attn-saturation') === first && added.constructor === first,
      };
    },
    seen: { another: true, kept: true },
  },

  'an exception in one figure stays there, says why and offers to try again': {
    body: `${FIGURE}<attn-compute></attn-compute><attn-draw></attn-draw><attn-readout></attn-readout>`,
    look: async ({ drawn, until }) => {
      const { AttnSaturation } = await import(/** @type {string} */ ('/figures.js'));
      const broken = ['compute', 'draw', 'readout'];
      let repaired = false;
      for (const part of broken) {
        const own = AttnSaturation.spec[part];
        class Broken extends AttnSaturation {
          static spec = {
            ...AttnSaturation.spec,
            [part]: (/** @type {any[]} */ ...args) => {
              if (!repaired) throw new Error(`${part} fails`);
              return own(...args);
            },
          };
        }
        customElements.define(`attn-${part}`, /** @type {any} */ (Broken));
      }
      const inside = (/** @type {string} */ name, /** @type {string} */ selector) =>
        document.querySelector(name)?.shadowRoot?.querySelector(selector);
      const said = [];
      for (const part of broken) {
        document.querySelector(`attn-${part}`)?.scrollIntoView();
        await until(() => inside(`attn-${part}`, '[part~=retry]'));
        const words = inside(`attn-${part}`, '[part~=failure] p')?.textContent ?? '';
        said.push(words.includes(`${part} fails`));
      }
      await drawn('attn-saturation');
      repaired = true;
      for (const part of broken) {
        /** @type {HTMLElement} */ (inside(`attn-${part}`, '[part~=retry]')).click();
        await drawn(`attn-${part}`);
        await until(() => !inside(`attn-${part}`, '[part~=retry]'));
      }
      return said;
    },
    seen: [true, true, true],
  },

  'a thousand slider events are computed a few times, and the last one counts': {
    body: FIGURE,
    look: async ({ drawn, until }) => {
      const figure = await drawn('attn-saturation');
      const slider = /** @type {HTMLInputElement} */ (figure.shadowRoot?.querySelector('input'));
      let computed = 0;
      let settled = false;
      figure.addEventListener('attn-change', (event) => {
        computed += 1;
        settled = /** @type {CustomEvent} */ (event).detail.settled;
      });
      for (let i = 0; i < 1000; i++) {
        slider.value = String(1 + (i % 500));
        slider.dispatchEvent(new Event('input', { bubbles: true }));
      }
      await until(() => settled);
      return { few: computed <= 3, dK: Reflect.get(figure, 'dK') };
    },
    seen: { few: true, dK: 500 },
  },

  'a hidden tab computes nothing, ends long work, and goes on when it is seen again': {
    body: '<attn-training></attn-training>',
    before: `hidden = false; waiting = [];
      Object.defineProperty(document, 'hidden', { get: () => hidden });
      const real = requestAnimationFrame.bind(globalThis);
      globalThis.requestAnimationFrame = (work) => real((time) => hidden ? waiting.push(work) : work(time));
      globalThis.setHidden = (value) => {
        hidden = value;
        document.dispatchEvent(new Event('visibilitychange'));
        if (!hidden) for (const work of waiting.splice(0)) real(work);
      };`,
    look: async ({ drawn, until, sleep }) => {
      const figure = await drawn('attn-training');
      const setHidden = Reflect.get(globalThis, 'setHidden');
      const part = (/** @type {string} */ name) =>
        /** @type {HTMLElement} */ (figure.shadowRoot?.querySelector(`[part~=${name}]`));
      part('run').click();
      await until(() => Reflect.get(figure, 'busy'));
      let computed = 0;
      figure.addEventListener('attn-change', () => (computed += 1));
      setHidden(true);
      await until(() => !Reflect.get(figure, 'busy'));
      const notice = part('notice')?.textContent?.trim() ?? '';
      for (const seed of [2, 3, 4]) Reflect.set(figure, 'seed', seed);
      await sleep(200);
      const whileHidden = computed;
      setHidden(false);
      await until(() => computed > 0);
      return { notice, whileHidden, seed: Reflect.get(figure, 'seed') };
    },
    seen: { notice: 'Cancelled; what was measured stays.', whileHidden: 0, seed: 4 },
  },

  // ---- surroundings -------------------------------------------------------------------------

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

  'a page of a language with a decimal comma shows points, and says that it cannot read commas': {
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
      // WebKit's driver cannot read results that inherit what can be enumerated.
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

// The elements as elements of the platform: what a page, a framework or a script does to any element
// it may do to every one of these.

import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { ELEMENTS, FIGURES } from '../../../web/build/vite.config.js';
import { attributeName } from '../../../web/figures/kit/state.js';
import { STRICT_POLICY } from '../serve.js';
import { drawn, shadowText, startBench, uncollected, until } from './bench.js';

/** @type {Awaited<ReturnType<typeof startBench>>} */
let bench;
before(async () => {
  bench = await startBench();
});
after(() => bench.close());
afterEach(() => assert.deepEqual(bench.complaints.splice(0), []));

/**
 * A readable value of every field of a figure that is not its initial one.
 * @param {string} name
 * @returns {Promise<{ key: string, attribute: string, initial: unknown, value: unknown }[]>}
 */
async function otherValues(name) {
  /** @type {{ spec: import('../../../web/figures/kit/spec.js').AnyFigureSpec }} */
  const { spec } = await import(`../../../web/figures/${name}.js`);
  return Object.entries(spec.fields).map(([key, { initial, min, max, options, parse }]) => {
    const matrices = Array.from({ length: 64 }, (_, i) =>
      Array(i + 2)
        .fill(1)
        .join(' '),
    );
    const wanted = [
      min,
      max,
      ...(options ?? []),
      '2, 3',
      'X-1-1',
      'x-1-1',
      'scores-1-1',
      ...matrices,
    ];
    const value = wanted.map(parse).find((each) => each !== undefined && each !== initial);
    return { key, attribute: attributeName(key), initial, value };
  });
}

describe('attributes and properties', () => {
  /** @type {import('playwright-core').Page} */
  let page;
  before(async () => {
    page = await bench.open('');
  });
  after(() => page.close());

  for (const name of FIGURES) {
    it(`of attn-${name} say the same, whichever is set, also before it is connected`, async () => {
      const fields = await otherValues(name);
      assert.ok(fields.every(({ value }) => value !== undefined));
      const seen = await page.evaluate(
        ([tag, all]) =>
          all.map(({ key, attribute, value }) => {
            const byProperty = document.createElement(tag);
            Reflect.set(byProperty, key, value);
            const byAttribute = document.createElement(tag);
            byAttribute.setAttribute(attribute, String(value));
            const found = {
              attribute: byProperty.getAttribute(attribute),
              property: Reflect.get(byAttribute, key),
              copied: Reflect.get(byProperty.cloneNode(), key),
            };
            byAttribute.removeAttribute(attribute);
            Reflect.set(byProperty, key, undefined);
            return {
              ...found,
              removed: Reflect.get(byAttribute, key),
              unset: [Reflect.get(byProperty, key), byProperty.hasAttribute(attribute)],
            };
          }),
        /** @type {const} */ ([`attn-${name}`, fields]),
      );
      assert.deepEqual(
        seen,
        fields.map(({ initial, value }) => ({
          attribute: String(value),
          property: value,
          copied: value,
          removed: initial,
          unset: [initial, false],
        })),
      );
    });
  }

  it('clamp: the attribute of a property is what counts, that of a page stays as written', async () => {
    const tab = await bench.open('<attn-saturation d-k="1e9"></attn-saturation>');
    const seen = await tab.locator('attn-saturation').evaluate((figure) => {
      const found = [Reflect.get(figure, 'dK'), figure.getAttribute('d-k')];
      Reflect.set(figure, 'dK', '-7.4');
      found.push(Reflect.get(figure, 'dK'), figure.getAttribute('d-k'));
      Reflect.set(figure, 'dK', 'many');
      return [...found, Reflect.get(figure, 'dK'), figure.getAttribute('d-k')];
    });
    assert.deepEqual(seen, [512, '1e9', 1, '1', 1, '1']);
    await drawn(tab);
    assert.match(
      (await tab.locator('attn-saturation [part~=notice]').textContent()) ?? '',
      /Not understood.*d-k/,
    );
    // So does one that the page writes after the reader has moved the control.
    await tab.locator('attn-saturation').evaluate((figure) => {
      figure.addEventListener('attn-change', (event) => {
        const { state, settled } = /** @type {CustomEvent} */ (event).detail;
        if (state.dK === 2 && settled) figure.setAttribute('d-k', '1e9');
        if (state.dK === 512) figure.setAttribute('title', String(figure.getAttribute('d-k')));
      });
    });
    await tab.locator('attn-saturation input[type=range]').first().press('ArrowRight');
    await until(tab, 'figure.title');
    assert.equal(await tab.locator('attn-saturation').getAttribute('title'), '1e9');
    await tab.close();
  });

  it('of every element include theme, and of every figure controls', async () => {
    const tab = await bench.open('');
    const seen = await tab.evaluate(
      (names) =>
        names.map((name) => {
          const element = document.createElement(`attn-${name}`);
          const before = [Reflect.get(element, 'theme'), Reflect.get(element, 'controls')];
          Object.assign(element, { theme: 'dark', controls: ['d-k', 'keys'] });
          return [...before, element.getAttribute('theme'), element.getAttribute('controls')];
        }),
      ELEMENTS,
    );
    for (const [i, name] of ELEMENTS.entries()) {
      const controls = name === 'claims' ? [undefined, null] : ['', 'd-k,keys'];
      assert.deepEqual(seen[i], ['', controls[0], 'dark', controls[1]], name);
    }
    await tab.close();
  });

  it('count when set before the definition, and the property wins', async () => {
    const tab = await bench.open('<attn-saturation d-k="8" keys="16"></attn-saturation>', {
      script: false,
    });
    await tab.evaluate(() =>
      Object.assign(document.querySelector('attn-saturation') ?? {}, {
        dK: '128',
        controls: 'none',
        theme: 'dark',
      }),
    );
    await tab.addScriptTag({ url: '/figures.js', type: 'module' });
    await drawn(tab);
    const markup = await tab
      .locator('attn-saturation')
      .evaluate((figure) => figure.getAttributeNames().map((at) => [at, figure.getAttribute(at)]));
    assert.deepEqual(markup, [
      ['d-k', '128'],
      ['keys', '16'],
      ['controls', 'none'],
      ['theme', 'dark'],
    ]);
    assert.match(await shadowText(tab), /d_?k = 128.*of 16 keys/s);
    assert.equal(await tab.locator('attn-saturation [part~=controls]').count(), 0);
    await tab.close();
  });

  it('hold what a shared link says', async () => {
    const tab = await bench.open('<attn-saturation keys="16"></attn-saturation>', {
      hash: '#attn=1&figure=saturation&d-k=9&keys=64',
    });
    await drawn(tab);
    const figure = tab.locator('attn-saturation');
    assert.deepEqual(
      [await figure.getAttribute('d-k'), await figure.getAttribute('keys')],
      ['9', '64'],
    );
    await tab.close();
  });
});

describe('events', () => {
  for (const name of FIGURES) {
    it(`attn-change of attn-${name} leaves a shadow root and tells its figure and state`, async () => {
      const [field] = await otherValues(name);
      const tab = await bench.open('<div id="host"></div>');
      await tab.evaluate((tag) => {
        const root = document.querySelector('#host')?.attachShadow({ mode: 'open' });
        root?.append(document.createElement(tag));
        addEventListener('attn-change', (event) => {
          const { detail, bubbles, composed } = /** @type {CustomEvent} */ (event);
          document.body.dataset.seen = JSON.stringify({ ...detail, bubbles, composed });
        });
      }, `attn-${name}`);
      const figure = tab.locator(`#host attn-${name}`);
      await figure.locator('[part~=plot] > svg').first().waitFor();
      assert.equal(await tab.evaluate(() => document.body.dataset.seen), undefined);
      await figure.evaluate((element, { key, value }) => Reflect.set(element, key, value), field);
      await until(tab, 'document.body.dataset.seen', '#host');
      const seen = JSON.parse((await tab.evaluate(() => document.body.dataset.seen)) ?? '');
      const { state, ...rest } = seen;
      assert.deepEqual(rest, { figure: name, settled: true, bubbles: true, composed: true });
      assert.equal(state[field.key], field.value);
      await tab.close();
    });
  }
});

describe('slots, parts and custom properties', () => {
  it('let a page bring its caption, style parts and set colours', async () => {
    const tab = await bench.open(
      '<attn-saturation><em slot="caption">Of my own.</em></attn-saturation>',
    );
    await drawn(tab);
    await tab.evaluate(() => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(`attn-saturation { --attn-scaled: rgb(1, 2, 3); --attn-ink: rgb(4, 5, 6) }
        attn-saturation::part(readout) { outline: 7px solid red }`);
      document.adoptedStyleSheets = [sheet];
    });
    const seen = await tab.locator('attn-saturation').evaluate((figure) => {
      const root = figure.shadowRoot;
      const styled = (/** @type {string} */ selector) =>
        getComputedStyle(/** @type {Element} */ (root?.querySelector(selector)));
      return {
        outline: styled('[part=readout]').outlineWidth,
        ink: styled('figure').color,
        mark: styled('.plot [fill="var(--scaled)"], .plot [stroke="var(--scaled)"]').fill,
        caption: root?.querySelector('slot[name=caption]') !== null,
      };
    });
    assert.deepEqual(seen, {
      outline: '7px',
      ink: 'rgb(4, 5, 6)',
      mark: 'rgb(1, 2, 3)',
      caption: true,
    });
    assert.ok(await tab.getByText('Of my own.').isVisible());
    assert.ok(!(await tab.getByText('iid N(0, 1)', { exact: false }).first().isVisible()));
    await tab.close();
  });
});

describe('many', () => {
  it('a hundred figures share one kernel and one memory', async () => {
    const quick = ['saturation', 'scale', 'precision', 'heads', 'flow'];
    const hundred = quick
      .map((name) => `<div class="place"><attn-${name}></attn-${name}></div>`)
      .join('')
      .repeat(20);
    const tab = await bench.open(hundred, { script: false });
    await tab.evaluate(() => {
      const counts = { instances: 0, memories: 0 };
      Object.assign(globalThis, { counts });
      for (const name of /** @type {const} */ (['instantiate', 'instantiateStreaming'])) {
        const original = /** @type {any} */ (WebAssembly[name]);
        Reflect.set(WebAssembly, name, (/** @type {unknown[]} */ ...args) => {
          counts.instances++;
          return original.apply(WebAssembly, args);
        });
      }
      for (const [name, count] of /** @type {const} */ ([
        ['Instance', 'instances'],
        ['Memory', 'memories'],
      ])) {
        const Original = /** @type {any} */ (WebAssembly[name]);
        Reflect.set(
          WebAssembly,
          name,
          new Proxy(Original, {
            construct(target, args) {
              counts[count]++;
              return Reflect.construct(target, args);
            },
          }),
        );
      }
      // Every figure is near the viewport, so that all of them start at once.
      const sheet = new CSSStyleSheet();
      sheet.replaceSync('.place { position: absolute; top: 0; width: 600px }');
      document.adoptedStyleSheets = [sheet];
    });
    await tab.addScriptTag({ url: '/figures.js', type: 'module' });
    for (const name of quick) {
      for (const share of [5, 10, 15, 20]) {
        const drawn = `[...document.querySelectorAll('attn-${name}')].filter((it) =>
          it.shadowRoot.querySelector('.plot > svg text'))`;
        await until(tab, `${drawn}.length >= ${share}`);
      }
    }
    assert.deepEqual(await tab.evaluate(() => Reflect.get(globalThis, 'counts')), {
      instances: 1,
      memories: 0, // the one memory is the instance's own export
    });
    await tab.close();
  });
});

/** In a page before its script: `globalThis.held()` tells what scripts hold of the page. */
function watchWhatIsHeld() {
  const listeners = new Map();
  const held = { observers: new Set(), frames: new Set(), timers: new Set() };
  const tell = () =>
    JSON.stringify([
      [...listeners].filter(([, count]) => count !== 0),
      ...Object.values(held).map(({ size }) => size),
    ]);
  Object.assign(globalThis, { held: tell });
  const { addEventListener: add, removeEventListener: remove } = EventTarget.prototype;
  const outside = (/** @type {unknown} */ target) =>
    [undefined, globalThis, document].some((each) => each === target);
  const count = (
    /** @type {unknown} */ target,
    /** @type {string} */ type,
    /** @type {number} */ by,
  ) => outside(target) && listeners.set(type, (listeners.get(type) ?? 0) + by);
  Object.assign(EventTarget.prototype, {
    /** @this {EventTarget} @param {Parameters<typeof add>} args */
    addEventListener(...args) {
      count(this, args[0], 1);
      add.apply(this ?? globalThis, args);
    },
    /** @this {EventTarget} @param {Parameters<typeof remove>} args */
    removeEventListener(...args) {
      count(this, args[0], -1);
      remove.apply(this ?? globalThis, args);
    },
  });
  for (const { prototype } of [IntersectionObserver, ResizeObserver, MutationObserver]) {
    const { observe, disconnect } = /** @type {any} */ (prototype);
    Object.assign(prototype, {
      /** @this {object} @param {unknown[]} args */
      observe(...args) {
        held.observers.add(this);
        observe.apply(this, args);
      },
      /** @this {object} */
      disconnect() {
        held.observers.delete(this);
        disconnect.call(this);
      },
    });
  }
  const once = (
    /** @type {Set<number>} */ set,
    /** @type {string} */ ask,
    /** @type {string} */ cancel,
  ) => {
    const [asked, cancelled] = [ask, cancel].map((name) => Reflect.get(globalThis, name));
    Reflect.set(globalThis, ask, (/** @type {any} */ callback, /** @type {any[]} */ ...rest) => {
      const id = asked(
        (/** @type {any[]} */ ...args) => (set.delete(id), callback(...args)),
        ...rest,
      );
      set.add(id);
      return id;
    });
    Reflect.set(globalThis, cancel, (/** @type {number} */ id) => (set.delete(id), cancelled(id)));
  };
  once(held.frames, 'requestAnimationFrame', 'cancelAnimationFrame');
  once(held.timers, 'setTimeout', 'clearTimeout');
}

describe('comings and goings', () => {
  for (const name of ELEMENTS) {
    it(`attn-${name} holds nothing of the page after 200 of them, and can be collected`, async () => {
      const tab = await bench.open('<div id="a"></div><div id="b"></div>', { script: false });
      await tab.evaluate(watchWhatIsHeld);
      await tab.addScriptTag({ url: '/figures.js', type: 'module' });
      const tag = `attn-${name}`;
      await tab.evaluate((it) => {
        Object.assign(globalThis, { before: Reflect.get(globalThis, 'held')() });
        document.querySelector('#a')?.append(document.createElement(it));
      }, tag);
      await until(tab, "root?.querySelector('.plot > svg text, output')", tag);
      await tab.evaluate(async (it) => {
        const figure = /** @type {Element} */ (document.querySelector(it));
        for (let i = 0; i < 200; i++) {
          const places = [...document.querySelectorAll('#a, #b')];
          places[i % 2].append(figure); // added, at first moved
          places[(i + 1) % 2].append(figure); // moved
          if (i % 40 === 0) await new Promise((resolve) => setTimeout(resolve, 60));
          figure.remove();
        }
        const references = [new WeakRef(figure)];
        for (let i = 0; i < 4; i++) {
          const another = document.createElement(it);
          document.querySelector('#a')?.append(another);
          await new Promise((resolve) => setTimeout(resolve, 60));
          another.remove();
          references.push(new WeakRef(another));
        }
        Object.assign(globalThis, { references });
      }, tag);
      await until(tab, 'held() === before', tag);
      const held = await uncollected(tab);
      assert.ok(held <= 1, `${held} are held`);
      await tab.close();
    });
  }

  it('a figure that measures stops when it is removed', async () => {
    const tab = await bench.open('<attn-training></attn-training>');
    await drawn(tab, 'attn-training');
    await tab.locator('attn-training [part~=run]').click();
    await tab.locator('attn-training progress').waitFor();
    await tab.evaluate(() => {
      const figure = document.querySelector('attn-training');
      Object.assign(globalThis, { removed: figure });
      figure?.remove();
    });
    await until(tab, 'removed.busy === false');
    assert.match(await tab.evaluate('removed.notice'), /Cancelled/);
    await tab.close();
  });

  it('a figure keeps its look in the document of another window', async () => {
    const tab = await bench.open(
      '<iframe srcdoc="<!doctype html><body>"></iframe><attn-heads></attn-heads>',
    );
    await drawn(tab, 'attn-heads');
    const size = await tab.evaluate(async () => {
      const inside = document.querySelector('iframe')?.contentDocument;
      const figure = /** @type {Element} */ (document.querySelector('attn-heads'));
      inside?.body.append(figure);
      const caption = /** @type {Element} */ (figure.shadowRoot?.querySelector('figcaption'));
      return inside?.defaultView?.getComputedStyle(caption).fontSize;
    });
    assert.equal(size, '14px');
    await tab.close();
  });
});

describe('pages that do not expect them', () => {
  for (const name of ELEMENTS) {
    it(`attn-${name} looks the same on a page from right to left with hostile styles`, async () => {
      const tag = `attn-${name}`;
      const tab = await bench.open(`<div><${tag}></${tag}></div>`, { width: 700 });
      await until(tab, "root?.querySelector('.plot > svg text, output')", tag);
      const shown = async (/** @type {string} */ css, /** @type {string} */ dir) => {
        await tab.evaluate(
          ([text, direction]) => {
            const sheet = new CSSStyleSheet();
            sheet.replaceSync(text);
            document.adoptedStyleSheets = [sheet];
            document.querySelector('div')?.setAttribute('dir', direction);
          },
          [css, dir],
        );
        // The picture is drawn again for the width that it now has.
        await until(
          tab,
          `figure.getBoundingClientRect().width === 640 &&
            [640, undefined].includes(root.querySelector('.plot > svg')?.viewBox.baseVal.width)`,
          tag,
        );
        return tab.locator(tag).evaluate((figure) => {
          const { left, top } = figure.getBoundingClientRect();
          // What is measured, on the clock or one claim after the other, is not the same each time.
          const timed = /cost|claims/.test(figure.localName);
          const all = figure.shadowRoot?.querySelectorAll(
            timed ? 'svg, button, input, select' : 'p, svg, button, input, table, td, th, text',
          );
          return [...(all ?? [])]
            .map((element) => ({ name: element.localName, box: element.getBoundingClientRect() }))
            .filter(({ box }) => box.width > 0)
            .map(({ name, box }) => [
              name,
              ...[box.x - left, box.y - top, box.width, box.height].map(Math.round),
            ]);
        });
      };
      const hostile = `html { font-size: 5px; word-spacing: 2em; text-transform: uppercase }
        * { font: italic 40px/3 cursive !important; color: red !important; display: inline !important;
          float: left; text-align: right; position: relative !important; inset: 0; zoom: 1;
          opacity: .1 !important; letter-spacing: 1em; box-sizing: content-box; padding: 9px;
          border: 3px solid; max-width: none !important; transition: all 9s; white-space: pre;
          writing-mode: vertical-rl; direction: rtl; visibility: hidden; transform: none }
        html, body, main, div { all: initial; display: block !important; position: static !important }
        div { width: 640px; visibility: visible; }`;
      const expected = await shown('div { width: 640px }', 'ltr');
      assert.ok(expected.length > 0);
      assert.deepEqual(await shown(hostile, 'rtl'), expected);
      await tab.close();
    });
  }
});

/**
 * Gives a page a style sheet of its own.
 * @param {import('playwright-core').Page} tab
 * @param {string} css
 */
const dress = (tab, css) =>
  tab.evaluate((text) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    document.adoptedStyleSheets = [sheet];
  }, css);

describe('a page with a figure', () => {
  const FIGURE = '<attn-saturation></attn-saturation>';

  it('hides it with what is around it, and by a style of its own', async () => {
    const tab = await bench.open(`<div>${FIGURE}</div>`);
    await drawn(tab);
    const figure = tab.locator('attn-saturation');
    const slider = figure.locator('input[type=range]').first();
    await dress(tab, 'div { visibility: hidden }');
    assert.equal(await slider.isVisible(), false);
    await dress(tab, 'div { pointer-events: none }');
    assert.equal(await slider.isVisible(), true);
    const hit = await slider.evaluate((input) => {
      const { left, top } = input.getBoundingClientRect();
      return document.elementFromPoint(left + 3, top + 3)?.localName;
    });
    assert.equal(hit, 'main');
    await dress(tab, '');
    await figure.evaluate((element) => {
      /** @type {HTMLElement} */ (element).style.display = 'none'; // as Vue's v-show does
    });
    assert.equal(await figure.isVisible(), false);
    await tab.close();
  });

  it('gets no room to scroll through from one in a box that scrolls', async () => {
    const names = ['saturation', 'claims'];
    const tab = await bench.open(
      names.map((name) => `<div><attn-${name}></attn-${name}></div>`).join(''),
    );
    await dress(tab, 'div { height: 300px; overflow: auto }');
    await drawn(tab);
    const [scroll, height] = await tab.evaluate(() => [
      document.documentElement.scrollHeight,
      innerHeight,
    ]);
    assert.equal(scroll, height);
    await tab.close();
  });

  it('sees no key that a control takes, but those with a modifier, Escape and Tab', async () => {
    const tab = await bench.open(
      '<attn-asymmetry><input slot="caption" id="own"></attn-asymmetry><attn-claims></attn-claims>',
    );
    await drawn(tab, 'attn-asymmetry');
    await tab.evaluate(() => {
      const seen = Object.assign(globalThis, { seen: /** @type {string[]} */ ([]) }).seen;
      for (const type of ['keydown', 'keypress', 'keyup']) {
        addEventListener(type, (event) => seen.push(`${type} ${Reflect.get(event, 'key')}`));
      }
    });
    const seen = () => tab.evaluate(() => Reflect.get(globalThis, 'seen').splice(0));
    const queries = '1.4 0.7 -0.4 1.8 -0.9 -1'; // the first is a step higher
    await tab.locator('attn-asymmetry .handles button').first().press('ArrowUp');
    await until(tab, `figure.getAttribute('queries') === '${queries}'`, 'attn-asymmetry');
    await tab.locator('attn-claims select').press('b');
    await tab.locator('attn-asymmetry select').first().press('Shift+B');
    assert.deepEqual(await seen(), []);
    await tab.keyboard.press('Escape');
    assert.deepEqual(await seen(), ['keydown Escape', 'keyup Escape']);
    await tab.keyboard.press('Control+b');
    assert.ok((await seen()).includes('keydown b'));
    await tab.locator('#own').press('b'); // what the page brings is the page's
    assert.deepEqual(await seen(), ['keydown b', 'keypress b', 'keyup b']);
    await tab.close();
  });

  for (const css of ['zoom: 1.5', 'transform: scale(0.5); transform-origin: 0 0']) {
    it(`may show it larger or smaller, by ${css}: what is pointed at stays where it is`, async () => {
      const tab = await bench.open(
        '<div><attn-scale></attn-scale><attn-asymmetry></attn-asymmetry></div>',
      );
      await dress(tab, `div { width: 600px; ${css} }`);
      await until(
        tab,
        "root.querySelector('.plot > svg')?.getAttribute('width') === '600'",
        'attn-scale',
      );
      // Six ninths of the way from 2 to 1024.
      const map = await tab.locator('attn-scale svg rect[cursor]').first().boundingBox();
      assert.ok(map);
      await tab.mouse.click(map.x + (map.width * 6) / 9, map.y + 10);
      await until(tab, "Math.abs(figure.getAttribute('d-k') - 128) < 4", 'attn-scale');
      const handle = tab.locator('attn-asymmetry .handles button').nth(3);
      await handle.scrollIntoViewIfNeeded();
      await drawn(tab, 'attn-asymmetry');
      const centre = async () => {
        const { x, y, width, height } = (await handle.boundingBox()) ?? assert.fail();
        return { x: x + width / 2, y: y + height / 2 };
      };
      const from = await centre();
      await tab.mouse.move(from.x, from.y);
      await tab.mouse.down();
      await tab.mouse.move(from.x - 30, from.y + 12, { steps: 3 });
      await tab.mouse.up();
      await until(tab, "figure.getAttribute('keys')", 'attn-asymmetry');
      const to = await centre();
      // A vector has two decimals, which are less than a pixel.
      assert.ok(
        Math.hypot(to.x - (from.x - 30), to.y - (from.y + 12)) < 1.5,
        JSON.stringify([from, to]),
      );
      await tab.close();
    });
  }

  it('may be translated: the figure asks not to be, and where it is all the same goes on', async () => {
    const tab = await bench.open(`${FIGURE}<attn-claims></attn-claims>`);
    await drawn(tab);
    for (const name of ['saturation', 'claims']) {
      const figure = tab.locator(`attn-${name} figure`);
      assert.equal(await figure.evaluate((element) => Reflect.get(element, 'translate')), false);
    }
    await tab.locator('attn-saturation').evaluate((figure) => {
      // As Firefox does: the content is taken out and put back without comments.
      for (const part of figure.shadowRoot?.querySelectorAll('.title, .readout td, figcaption') ??
        []) {
        const walker = document.createTreeWalker(part, NodeFilter.SHOW_COMMENT);
        const comments = [];
        while (walker.nextNode()) comments.push(walker.currentNode);
        for (const comment of comments) /** @type {Comment} */ (comment).remove();
        part.normalize();
      }
      Reflect.set(figure, 'dK', 100);
    });
    await until(tab, "/= 100/.test(root.querySelector('.title').textContent)");
    assert.match((await tab.locator('attn-saturation [role=status]').textContent()) ?? '', /= 100/);
    await tab.locator('attn-saturation').evaluate((figure) => Reflect.set(figure, 'dK', 200));
    await until(tab, "/= 200/.test(root.querySelector('.title').textContent)");
    assert.equal(await tab.locator('attn-saturation figure').count(), 1);
    await tab.close();
  });

  it('shares its own address where relative ones go elsewhere, and that of the page around it where it has none', async () => {
    const tab = await bench.open(`<base href="/app/">${FIGURE}<iframe></iframe>`);
    await drawn(tab);
    const address = tab.url();
    await tab.locator('attn-saturation [part=share]').click();
    const link = tab.locator('attn-saturation .shared textarea');
    await link.waitFor();
    assert.equal((await link.inputValue()).replace(/#.*/, ''), address);
    assert.equal(tab.url(), await link.inputValue());
    await tab.locator('iframe').evaluate((frame) => {
      frame.setAttribute(
        'srcdoc',
        '<!doctype html><script type="module" src="/figures.js"></script><attn-saturation></attn-saturation>',
      );
    });
    const inside = tab.frameLocator('iframe').locator('attn-saturation');
    await inside.locator('[part=share]').click();
    const other = await inside.locator('.shared textarea').inputValue();
    assert.equal(other.replace(/#.*/, ''), new URL('/app/', address).href);
    await tab.close();
  });

  it('may put it away in a template, and take it out again', async () => {
    const tab = await bench.open(FIGURE);
    await drawn(tab);
    const sheets = await tab.evaluate(() => {
      const figure = /** @type {Element} */ (document.querySelector('attn-saturation'));
      const template = document.createElement('template');
      template.content.append(figure);
      document.querySelector('main')?.append(figure);
      return figure.shadowRoot?.adoptedStyleSheets.length;
    });
    assert.ok(Number(sheets) > 1);
    await drawn(tab);
    await tab.close();
  });

  it('prints what has not come near yet', async () => {
    const tab = await bench.open(`<div class="far"></div>${FIGURE}`);
    await until(tab, "figure.figureWidth > 0 && root.querySelector('.plot.empty')");
    await tab.evaluate(async () => {
      dispatchEvent(new Event('beforeprint'));
      await Promise.resolve();
      const picture = document
        .querySelector('attn-saturation')
        ?.shadowRoot?.querySelector('.plot > svg text');
      if (!picture) throw new Error('nothing is drawn');
    });
    const status = tab.locator('attn-saturation [role=status]');
    assert.doesNotMatch((await status.textContent()) ?? '', /79%/);
    await tab.evaluate(() => scrollTo(0, document.body.scrollHeight));
    await status.filter({ hasText: '79%' }).waitFor({ state: 'attached' }); // of the full sample
    await tab.close();
  });

  it('is told that a picture cannot be saved where the browser gives noise for it', async () => {
    const tab = await bench.open(FIGURE);
    await drawn(tab);
    await tab.evaluate(() => {
      CanvasRenderingContext2D.prototype.getImageData = () =>
        new ImageData(new Uint8ClampedArray([17, 204, 90, 255]), 1, 1);
    });
    await tab.locator('attn-saturation [part=download-png]').click();
    const notice = tab.locator('attn-saturation [part~=notice]');
    await notice.filter({ hasText: 'the canvas gave no image' }).waitFor();
    await tab.close();
  });
});

it('figures work where a policy demands trusted types and names one policy', async () => {
  const policy = `${STRICT_POLICY}; require-trusted-types-for 'script'; trusted-types lit-html`;
  const tab = await bench.open(FIGURES.map((name) => `<attn-${name}></attn-${name}>`).join(''), {
    policy,
  });
  for (const name of FIGURES) {
    await tab.locator(`attn-${name}`).scrollIntoViewIfNeeded();
    await drawn(tab, `attn-${name}`);
  }
  await tab.close();
});

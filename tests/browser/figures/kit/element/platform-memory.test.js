// Memory of the elements: many on a page, and elements that come and go.

import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { ELEMENTS } from '../../../../../web/build/vite.config.js';
import { drawn, startBench, uncollected, until } from '../../bench.js';

/** @type {Awaited<ReturnType<typeof startBench>>} */
let bench;
before(async () => {
  bench = await startBench();
});
after(() => bench.close());
afterEach(() => assert.deepEqual(bench.complaints.splice(0), []));

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

/**
 * Defines, in a page before its script, `globalThis.held()`, which returns the parts of the page
 * that scripts hold.
 */
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

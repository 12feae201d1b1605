// Memory of the elements: many on a page, and elements that come and go.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ELEMENTS } from '../../../../../web/build/paths.js';
import { drawn, useBench, uncollected, until } from '../../bench.js';

const bench = useBench();

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
    });
  }

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
  });
});

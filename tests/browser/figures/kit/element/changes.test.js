// Changes of the state: what is drawn, how often, and what the page hears of it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawn, hold, useBench } from '../../bench.js';
import { waitUntil } from '../../../../wait.js';

const bench = useBench();

const FIGURE = '<attn-saturation></attn-saturation>';

test('a slider goes on being dragged where the page writes back the value of an event', async () => {
  const tab = await bench.open(FIGURE);
  await drawn(tab);
  await hold(tab); // or a pause would end the dragging
  const settled = await tab.evaluate(async () => {
    const figure = /** @type {Element} */ (document.querySelector('attn-saturation'));
    const slider = /** @type {HTMLInputElement} */ (figure.shadowRoot?.querySelector('input'));
    /** @type {boolean[]} */
    const told = [];
    figure.addEventListener('attn-change', (event) => {
      const { detail } = /** @type {CustomEvent} */ (event);
      told.push(detail.settled);
      Reflect.set(figure, 'dK', detail.state.dK);
    });
    slider.value = '100';
    slider.dispatchEvent(new Event('input', { bubbles: true }));
    await waitUntil(() => told.length > 0, 'attn-change');
    for (let i = 0; i < 4; i++) await new Promise(requestAnimationFrame);
    return told;
  });
  assert.deepEqual(settled, [false]);
});

test('each step of an arrow key held down is drawn, and the full sample once it is let go', async () => {
  const tab = await bench.open('<attn-scale keys="512"></attn-scale>');
  await drawn(tab, 'attn-scale');
  const seen = await tab.evaluate(async () => {
    const figure = /** @type {Element} */ (document.querySelector('attn-scale'));
    const slider = /** @type {HTMLInputElement} */ (figure.shadowRoot?.querySelector('input'));
    /** @type {[number, boolean][]} */
    const told = [];
    figure.addEventListener('attn-change', (event) => {
      const { state, settled } = /** @type {CustomEvent} */ (event).detail;
      told.push([state.rho, settled]);
    });
    for (const value of ['0.4', '0.5', '0.6']) {
      slider.value = value;
      for (const type of ['input', 'change']) slider.dispatchEvent(new Event(type));
      const isTold = () => told.some(([rho]) => rho === Number(value));
      await waitUntil(isTold, `a drawing of ρ = ${value}`, { frames: true });
    }
    await waitUntil(() => told.some(([, settled]) => settled), 'the full sample');
    return told;
  });
  assert.deepEqual(seen, [
    [0.4, false],
    [0.5, false],
    [0.6, false],
    [0.6, true],
  ]);
});

test('a picture is drawn once for all changes, and not for changes that it does not show', async () => {
  const tab = await bench.open('<attn-counted></attn-counted>');
  await tab.evaluate(async () => {
    const { AttnValues } = await import(/** @type {any} */ ('/figures.js'));
    const count = Object.assign(globalThis, { compute: 0, pictures: 0 });
    const counting = (/** @type {'compute' | 'pictures'} */ part) => ({
      [part]: (/** @type {unknown[]} */ ...args) => {
        count[part]++;
        return AttnValues.spec[part](...args);
      },
    });
    class Counted extends AttnValues {
      static spec = {
        ...AttnValues.spec,
        ...counting('compute'),
        ...counting('pictures'),
        run: async (/** @type {any} */ state, /** @type {any} */ { onProgress }) => {
          for (let i = 1; i <= 5; i++) {
            onProgress({ fraction: i / 6, rows: [] });
            await new Promise(requestAnimationFrame);
          }
          return [];
        },
      };
    }
    customElements.define('attn-counted', Counted);
  });
  await drawn(tab, 'attn-counted');
  const counted = await tab.evaluate(async () => {
    const count = /** @type {any} */ (globalThis);
    const figure = /** @type {any} */ (document.querySelector('attn-counted'));
    /** @type {{ computed: number, drawn: number }[]} */
    const seen = [];
    const changed = () =>
      new Promise((resolve) => figure.addEventListener('attn-change', resolve, { once: true }));
    const during = async (
      /** @type {() => unknown} */ act,
      /** @type {Promise<unknown> | undefined} */ end = undefined,
    ) => {
      Object.assign(count, { compute: 0, pictures: 0 });
      await act();
      await end;
      await new Promise((resolve) => setTimeout(resolve, 100));
      seen.push({ computed: count.compute, drawn: count.pictures });
    };
    await during(() => (figure.dK = 5), changed());
    await during(() => figure.highlight('tied'));
    await during(() => figure.run());
    await during(() => figure.setAttribute('lang', 'zh'));
    return seen;
  });
  const [set, lit, run, translated] = counted;
  assert.deepEqual([set.drawn, lit.drawn, translated.drawn], [1, 0, 1]);
  assert.ok(run.drawn > 1 && run.drawn <= run.computed, JSON.stringify(run));
});

// The state of every figure element: attributes, properties, links, dragging and controls.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { drawn, hold, useBench, until } from '../../bench.js';

const bench = useBench();

const FIGURE = '<attn-saturation></attn-saturation>';

describe('the state of a figure', () => {
  it('gives no field the name of something that every element has', async () => {
    const tab = await bench.open(FIGURE);
    const [fields, shadowing] = await tab.evaluate(async () => {
      const module = /** @type {Record<string, any>} */ (
        await import(/** @type {any} */ ('/figures.js'))
      );
      const all = Object.values(module).filter(({ spec }) => spec);
      const namesOf = (/** @type {any} */ { spec }) => Object.keys(spec.fields);
      const hidden = (/** @type {any} */ figure) =>
        namesOf(figure).filter((key) => key in Object.getPrototypeOf(figure.prototype));
      return [all.flatMap(namesOf).length, all.flatMap(hidden)];
    });
    assert.ok(fields > 40, `${fields} fields`);
    assert.deepEqual(shadowing, []);
  });

  it('takes an attribute that it cannot read for the default, not for the value before', async () => {
    const tab = await bench.open('<attn-saturation d-k="128"></attn-saturation>');
    await drawn(tab);
    const figure = tab.locator('attn-saturation');
    await figure.evaluate((it) => it.setAttribute('d-k', 'foo'));
    await until(tab, `document.querySelector('attn-saturation').dK === 64`);
    await until(
      tab,
      `document.querySelector('attn-saturation').shadowRoot.querySelector('[part~=notice]')?.textContent.includes('d-k')`,
    );
    assert.equal(await figure.getAttribute('d-k'), 'foo');
  });

  it('goes on being dragged where the page writes back the value of an event', async () => {
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
      const frame = () => new Promise(requestAnimationFrame);
      while (told.length === 0) await frame();
      for (let i = 0; i < 4; i++) await frame();
      return told;
    });
    assert.deepEqual(settled, [false]);
  });

  it('draws each step of an arrow key held down, and the full sample once it is let go', async () => {
    const tab = await bench.open('<attn-scale keys="512"></attn-scale>');
    await drawn(tab, 'attn-scale');
    const seen = await tab.evaluate(async () => {
      const figure = /** @type {Element} */ (document.querySelector('attn-scale'));
      const slider = /** @type {HTMLInputElement} */ (figure.shadowRoot?.querySelector('input'));
      /** @type {[number, boolean][]} */
      const told = [];
      const end = new Promise((resolve) => {
        figure.addEventListener('attn-change', (event) => {
          const { state, settled } = /** @type {CustomEvent} */ (event).detail;
          told.push([state.rho, settled]);
          if (settled && state.rho === 0.6) resolve(undefined);
        });
      });
      for (const value of ['0.4', '0.5', '0.6']) {
        slider.value = value;
        for (const type of ['input', 'change']) slider.dispatchEvent(new Event(type));
        while (!told.some(([rho]) => rho === Number(value))) {
          await new Promise(requestAnimationFrame);
        }
      }
      await end;
      return told;
    });
    assert.deepEqual(seen, [
      [0.4, false],
      [0.5, false],
      [0.6, false],
      [0.6, true],
    ]);
  });

  it('draws its picture once for all changes, and not for changes that it does not show', async () => {
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

  it('leaves a half-typed number alone when the figure is drawn again', async () => {
    const tab = await bench.open(FIGURE);
    await drawn(tab);
    const typed = tab.locator('attn-saturation input[type=number]').first();
    await typed.fill('');
    await tab.evaluate(() => document.querySelector('attn-saturation')?.setAttribute('lang', 'zh'));
    await until(tab, "/[一-龥]/.test(root.querySelector('[part~=controls]').textContent)");
    assert.equal(await typed.inputValue(), '');
    await typed.pressSequentially('128');
    await typed.press('Tab');
    await until(tab, "figure.getAttribute('d-k') === '128'");
    await typed.fill('');
    await typed.press('Tab');
    await until(tab, "root.querySelector('input[type=number]').value === '128'");
    // Typing and deleting is no change, but ends typing.
    await typed.press('End');
    await typed.press('1');
    await typed.press('Backspace');
    await typed.press('Tab');
    await tab.evaluate(() => document.querySelector('attn-saturation')?.setAttribute('d-k', '100'));
    await until(tab, "root.querySelector('.title').textContent.includes('= 100')");
    assert.equal(await typed.inputValue(), '100');
  });

  it('writes a clamped number into the input, also where it was the number before', async () => {
    const tab = await bench.open('<attn-saturation d-k="1"></attn-saturation>');
    await drawn(tab);
    await tab.locator('attn-saturation input[type=number]').first().fill('-5');
    await tab.keyboard.press('Tab');
    await until(tab, "root.querySelector('input[type=number]').value === '1'");
  });

  it('names a list that it cannot read, until it can', async () => {
    const tab = await bench.open('<attn-gradient preset="own" controls="logits"></attn-gradient>');
    await drawn(tab, 'attn-gradient');
    const typed = tab.locator('attn-gradient #field-logits');
    const notice = tab.locator('attn-gradient [part~=notice]');
    await typed.fill('1 2 3 4 5 6 7 8 9');
    await typed.press('Enter');
    await notice.filter({ hasText: 'logits' }).waitFor();
    assert.equal(await typed.inputValue(), '50, 1, 1, 1');
    await typed.fill('1 2');
    await typed.press('Enter');
    await notice.waitFor({ state: 'detached' });
    assert.equal(await typed.inputValue(), '1, 2');
  });

  it('shows the controls that the page names, and reports those that it does not have', async () => {
    const tab = await bench.open(
      ['keys', 'none', 'dK keys', 'rho']
        .map((names, i) => `<attn-saturation id="c${i}" controls="${names}"></attn-saturation>`)
        .join(''),
    );
    for (const [i, { labels, unknown }] of [
      { labels: ['keys n'] },
      { labels: [] },
      { labels: ['keys n'], unknown: 'dK' },
      { labels: ['dk', 'keys n', 'scale'], unknown: 'rho' },
    ].entries()) {
      await tab.locator(`#c${i}`).scrollIntoViewIfNeeded();
      await drawn(tab, `#c${i}`);
      const shown = await tab.locator(`#c${i} .controls > .field label`).allTextContents();
      assert.deepEqual(
        shown.map((label) => label.trim()),
        labels,
      );
      const notices = await tab.locator(`#c${i} [part~=notice]`).allTextContents();
      assert.deepEqual(
        notices,
        unknown ? [`Not understood and left at a usable value: ${unknown}.`] : [],
      );
    }
  });
});

// What every figure element promises, whatever it draws.

import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { FIGURES } from '../../../web/build/vite.config.js';
import { axeViolations } from '../axe.js';
import { STRICT_POLICY } from '../serve.js';
import { drawn, hold, readout, shadowText, startBench, uncollected, until } from './bench.js';

/** @type {Awaited<ReturnType<typeof startBench>>} */
let bench;
before(async () => {
  bench = await startBench();
});
after(() => bench.close());
afterEach(() => assert.deepEqual(bench.complaints.splice(0), []));

const FIGURE = '<attn-saturation></attn-saturation>';
const EVERY = FIGURES.map((name) => `<attn-${name}></attn-${name}>`).join('');

/** Scrolls every figure of a page into view until it is drawn. @param {import('playwright-core').Page} tab */
async function allDrawn(tab) {
  for (const name of FIGURES) {
    await tab.locator(`attn-${name}`).first().scrollIntoViewIfNeeded();
    await drawn(tab, `attn-${name}`);
  }
}

/** In the page: whether every picture is drawn for a window of this width. @param {number} width */
function areDrawnAt(width) {
  const figures = [...document.querySelectorAll('main > :not(h1)')];
  return figures.every((figure) => {
    const picture = figure.shadowRoot?.querySelector('svg[role=img]');
    const whole = Math.floor(figure.getBoundingClientRect().width);
    return innerWidth === width && Number(picture?.getAttribute('width')) === whole;
  });
}

/** In the page: how wide it is, targets that are too small or cut off, texts outside their pictures. */
function lookOutside() {
  const found = (/** @type {string} */ selector) =>
    [...document.querySelectorAll('main > *')].flatMap((figure) => [
      ...(figure.shadowRoot?.querySelectorAll(selector) ?? []),
    ]);
  const small = found('button, input, select, summary').filter((target) => {
    const { height, width, right } = target.getBoundingClientRect();
    return height > 0 && (height < 24 || width < 24 || right > innerWidth);
  });
  const outside = found('svg[role=img] text').filter((text) => {
    const frame = text.closest('svg')?.getBoundingClientRect() ?? new DOMRect();
    const { left, right, top } = text.getBoundingClientRect();
    return left < frame.left - 1 || right > frame.right + 1 || top < frame.top;
  });
  const names = (/** @type {Element[]} */ all) =>
    all.map((part) => {
      const { host } = /** @type {ShadowRoot} */ (part.getRootNode());
      const label = part.ariaLabel ?? Reflect.get(part, 'labels')?.[0]?.textContent;
      return `${host.localName}: ${part.localName} ${label ?? part.textContent}`;
    });
  return {
    scroll: document.documentElement.scrollWidth,
    small: names(small),
    outside: names(outside),
  };
}

describe('state', () => {
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
    await tab.close();
  });

  it('counts a property set before the element is defined, and accepts strings', async () => {
    const tab = await bench.open(FIGURE, { script: false });
    await tab.evaluate(() => {
      const figure = document.querySelector('attn-saturation');
      if (figure) Object.assign(figure, { dK: '128', keys: 32 });
    });
    await tab.addScriptTag({ url: '/figures.js', type: 'module' });
    await drawn(tab);
    assert.match(await shadowText(tab), /= 128/);
    assert.match(await shadowText(tab), /of 32 keys/);
    await tab.close();
  });

  it('clamps what is too large and ignores, with a note, what it cannot read', async () => {
    const long = 'x'.repeat(100_000);
    const tab = await bench.open(
      `<attn-saturation d-k="1e9" keys="&lt;img src=x onerror=alert(1)&gt;" scale="__proto__" seed="NaN"
        queries="${long}" entry-size=""></attn-saturation>`,
    );
    await drawn(tab);
    const state = await tab
      .locator('attn-saturation')
      .evaluate((figure) => Reflect.get(figure, 'state'));
    assert.deepEqual(state, {
      dK: 512,
      keys: 64,
      scale: 'sqrt',
      entrySize: 1,
      queries: 256,
      seed: 5,
    });
    const note = await tab.locator('attn-saturation [part~=notice]').textContent();
    assert.match(note ?? '', /keys, scale/);
    await tab.close();
  });

  it('survives a hash full of rubbish', async () => {
    for (const hash of [
      '#attn=1&figure=saturation&d-k=%00&keys=-5&__proto__=1&scale=<b>',
      '#attn=99&figure=saturation&d-k=7',
      `#attn=1&figure=saturation&seed=${'9'.repeat(9000)}`,
      '#%E0%A4%A',
    ]) {
      const tab = await bench.open(FIGURE, { hash });
      await drawn(tab);
      assert.equal(
        await tab.locator('attn-saturation').evaluate((it) => Reflect.get(it, 'dK')),
        64,
      );
      await tab.close();
    }
  });

  it('takes an attribute that it cannot read for the default, whatever stood there before', async () => {
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
    await tab.close();
  });

  it('announces changes with a bubbling, composed event and mirrors them in attributes', async () => {
    const tab = await bench.open(FIGURE);
    await drawn(tab);
    await tab.evaluate(() => {
      document.addEventListener('attn-change', (event) => {
        document.body.dataset.seen = JSON.stringify(/** @type {CustomEvent} */ (event).detail);
        document.body.dataset.composed = String(event.composed);
      });
    });
    await tab.locator('attn-saturation input[type=range]').first().press('ArrowRight');
    await until(tab, `document.body.dataset.seen?.includes('"settled":true')`);
    const { seen, composed } = await tab.evaluate(() => ({ ...document.body.dataset }));
    assert.equal(JSON.parse(seen ?? '').state.dK, 65);
    assert.equal(composed, 'true');
    assert.equal(await tab.locator('attn-saturation').getAttribute('d-k'), '65');
    await tab.close();
  });

  it('goes on being dragged where the page writes back what it is told', async () => {
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
    await tab.close();
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
        await new Promise(requestAnimationFrame);
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
    await tab.close();
  });

  it('computes a few times, not a thousand, for a thousand slider events in one task', async () => {
    const tab = await bench.open(FIGURE);
    await drawn(tab);
    const computed = await tab.evaluate(async () => {
      const figure = document.querySelector('attn-saturation');
      const slider = figure?.shadowRoot?.querySelector('input');
      let count = 0;
      const settled = new Promise((resolve) => {
        figure?.addEventListener('attn-change', (event) => {
          count++;
          if (/** @type {CustomEvent} */ (event).detail.settled) resolve(undefined);
        });
      });
      for (let i = 0; i < 1000; i++) {
        if (slider) slider.value = String(1 + (i % 500));
        slider?.dispatchEvent(new Event('input', { bubbles: true }));
      }
      await settled;
      return { count, dK: figure && Reflect.get(figure, 'dK') };
    });
    assert.equal(computed.dK, 500);
    assert.ok(computed.count >= 1 && computed.count <= 3, String(computed.count));
    await tab.close();
  });

  it('draws its picture once for all that has changed, and not for what it does not show', async () => {
    const tab = await bench.open('<attn-counted></attn-counted>');
    await tab.evaluate(async () => {
      const { AttnValues } = await import(/** @type {any} */ ('/figures.js'));
      const count = Object.assign(globalThis, { compute: 0, draw: 0 });
      const counting = (/** @type {'compute' | 'draw'} */ part) => ({
        [part]: (/** @type {unknown[]} */ ...args) => {
          count[part]++;
          return AttnValues.spec[part](...args);
        },
      });
      class Counted extends AttnValues {
        static spec = {
          ...AttnValues.spec,
          ...counting('compute'),
          ...counting('draw'),
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
        Object.assign(count, { compute: 0, draw: 0 });
        await act();
        await end;
        await new Promise((resolve) => setTimeout(resolve, 100));
        seen.push({ computed: count.compute, drawn: count.draw });
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
    await tab.close();
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
    // What is typed and taken back is no change, but an end of typing.
    await typed.press('End');
    await typed.press('1');
    await typed.press('Backspace');
    await typed.press('Tab');
    await tab.evaluate(() => document.querySelector('attn-saturation')?.setAttribute('d-k', '100'));
    await until(tab, "root.querySelector('.title').textContent.includes('= 100')");
    assert.equal(await typed.inputValue(), '100');
    await tab.close();
  });

  it('writes what a number was clamped to, also where that was the number before', async () => {
    const tab = await bench.open('<attn-saturation d-k="1"></attn-saturation>');
    await drawn(tab);
    await tab.locator('attn-saturation input[type=number]').first().fill('-5');
    await tab.keyboard.press('Tab');
    await until(tab, "root.querySelector('input[type=number]').value === '1'");
    await tab.close();
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
    await tab.close();
  });

  it('shows the controls it is told to show, and names those that it does not have', async () => {
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
    await tab.close();
  });
});

describe('life cycle', () => {
  it('starts only near the viewport, and says so in its status until then', async () => {
    const tab = await bench.open(`<div class="far"></div>${FIGURE}`);
    await tab.waitForTimeout(300);
    assert.equal(await tab.locator('attn-saturation [part~=plot] > svg').count(), 0);
    assert.notEqual(await tab.locator('attn-saturation [role=status]').textContent(), '');
    await tab.evaluate(() => scrollTo(0, document.body.scrollHeight));
    await drawn(tab);
    await tab.close();
  });

  it('says of a picture out of sight what that shows, whatever was set since', async () => {
    const tab = await bench.open(`${FIGURE}<div class="far"></div>`);
    await drawn(tab);
    const title = tab.locator('attn-saturation [part~=title]');
    const said = await title.textContent();
    await tab.evaluate(async () => {
      const figure = /** @type {Element} */ (document.querySelector('attn-saturation'));
      scrollTo(0, document.body.scrollHeight);
      // Observers are told together, in any order: a frame later the figure knows, too.
      await new Promise((resolve) => {
        const told = (/** @type {IntersectionObserverEntry[]} */ [{ isIntersecting }]) =>
          !isIntersecting && resolve(undefined);
        new IntersectionObserver(told, { rootMargin: '1000px 0px' }).observe(figure);
      });
      await new Promise(requestAnimationFrame);
      figure.setAttribute('d-k', '4');
      for (let i = 0; i < 30; i++) await new Promise(requestAnimationFrame);
      figure.setAttribute('lang', 'en'); // which draws it again
      await new Promise(requestAnimationFrame);
    });
    assert.equal(await title.textContent(), said);
    await tab.evaluate(() => scrollTo(0, 0));
    await until(tab, "root.querySelector('[part~=title]').textContent.includes('= 4')");
    await tab.close();
  });

  it('settles what the reader dragged where it is moved in the document meanwhile', async () => {
    const tab = await bench.open(`<div id="a">${FIGURE}</div><div id="b"></div>`);
    await drawn(tab);
    await tab.evaluate(() => {
      const figure = /** @type {Element} */ (document.querySelector('attn-saturation'));
      const slider = /** @type {HTMLInputElement} */ (figure.shadowRoot?.querySelector('input'));
      slider.value = '512';
      slider.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
      document.querySelector('#b')?.append(figure);
    });
    await until(tab, "figure.getAttribute('d-k') === '512'");
    await until(tab, "root.querySelector('[role=status]').textContent.includes('= 512')");
    await tab.close();
  });

  it('shows the static picture inside it until it has drawn', async () => {
    const tab = await bench.open(
      '<div class="far"></div><attn-saturation><svg id="still" slot="fallback" width="100" height="50" viewBox="0 0 10 5"></svg></attn-saturation>',
    );
    await tab.waitForTimeout(200);
    assert.ok(await tab.locator('#still').isVisible());
    await tab.evaluate(() => scrollTo(0, document.body.scrollHeight));
    await drawn(tab);
    assert.ok(!(await tab.locator('#still').isVisible()));
    await tab.close();
  });

  it('can be moved, removed and added again 200 times, and then be collected', async () => {
    const tab = await bench.open(`<div id="a">${FIGURE}</div><div id="b"></div>`);
    await drawn(tab);
    await tab.evaluate(async () => {
      let listeners = 0;
      const { addEventListener: add, removeEventListener: remove } = globalThis;
      globalThis.addEventListener = (/** @type {any[]} */ ...args) => {
        listeners++;
        return Reflect.apply(add, globalThis, args);
      };
      globalThis.removeEventListener = (/** @type {any[]} */ ...args) => {
        listeners--;
        return Reflect.apply(remove, globalThis, args);
      };
      const figure = /** @type {Element} */ (document.querySelector('attn-saturation'));
      for (let i = 0; i < 200; i++) {
        document.querySelector(i % 2 ? '#a' : '#b')?.append(figure);
        if (i % 20 === 0) await new Promise(requestAnimationFrame);
        figure.remove();
      }
      document.body.dataset.listeners = String(listeners);
      document.querySelector('#a')?.append(figure);
    });
    await drawn(tab);
    assert.equal(Object.keys(await readout(tab)).length, 6);
    // Less by those of the first time: of a changed hash, and of printing.
    assert.equal(await tab.evaluate(() => document.body.dataset.listeners), '-2');
    await tab.evaluate(() => {
      const place = document.querySelector('#a');
      const references = [new WeakRef(/** @type {Element} */ (place?.firstElementChild))];
      const another = document.createElement('attn-saturation'); // which is painted last
      place?.replaceChildren(another);
      Object.assign(globalThis, { references: [...references, new WeakRef(another)] });
    });
    await drawn(tab);
    assert.equal(await uncollected(tab), 1); // the one that is there
    await tab.close();
  });

  for (const part of ['compute', 'status', 'draw', 'readout']) {
    it(`keeps a failure of ${part} to itself, says why, and tries again when asked or set`, async () => {
      const tab = await bench.open(
        `<attn-broken><p slot="fallback">picture</p></attn-broken>${FIGURE}`,
      );
      await drawn(tab);
      await tab.evaluate(async (name) => {
        const { AttnSaturation } = await import(/** @type {any} */ ('/figures.js'));
        class Broken extends AttnSaturation {
          static spec = {
            ...AttnSaturation.spec,
            [name]: (/** @type {unknown[]} */ ...args) => {
              if (!document.body.dataset.repaired) throw new Error('out of memory, say');
              return AttnSaturation.spec[name](...args);
            },
          };
        }
        customElements.define('attn-broken', Broken);
      }, part);
      await tab.locator('attn-broken [part~=retry]').waitFor();
      assert.match(await shadowText(tab, 'attn-broken'), /could not compute: out of memory, say/);
      assert.ok(await tab.getByText('picture').isVisible());
      await tab.locator('attn-broken [part~=retry]').click();
      await tab.locator('attn-broken [part~=retry]').waitFor();
      await tab.evaluate(() => (document.body.dataset.repaired = 'yes'));
      await tab.locator('attn-broken [part~=retry]').click();
      await drawn(tab, 'attn-broken');
      assert.equal(await tab.locator('attn-broken [part~=retry]').count(), 0);
      const set = (/** @type {string} */ dK) =>
        tab.locator('attn-broken').evaluate((it, value) => it.setAttribute('d-k', value), dK);
      await tab.evaluate(() => delete document.body.dataset.repaired);
      await set('65');
      await tab.locator('attn-broken [part~=retry]').waitFor();
      await tab.evaluate(() => (document.body.dataset.repaired = 'yes'));
      await set('66');
      await until(tab, "root.querySelector('.title').textContent.includes('= 66')", 'attn-broken');
      assert.equal(await tab.locator('attn-broken [part~=retry]').count(), 0);
      if (part !== 'compute') {
        // The same numbers in another language.
        await tab.locator('attn-broken').evaluate((it) => {
          delete document.body.dataset.repaired;
          it.setAttribute('lang', 'zh');
        });
        await tab.locator('attn-broken [part~=retry]').waitFor();
        assert.ok(await tab.getByText('picture').isVisible());
      }
      await tab.close();
    });
  }

  it('says why a measurement failed, keeps the preview, and can be asked again', async () => {
    const tab = await bench.open('<attn-failing></attn-failing>');
    await tab.evaluate(async () => {
      const { AttnTraining } = await import(/** @type {any} */ ('/figures.js'));
      class Failing extends AttnTraining {
        static spec = { ...AttnTraining.spec, run: () => Promise.reject('the device is lost') };
      }
      customElements.define('attn-failing', Failing);
    });
    await drawn(tab, 'attn-failing');
    const before = await readout(tab, 'attn-failing');
    await tab.locator('attn-failing [part~=run]').click();
    const notice = tab.locator('attn-failing [part~=notice]');
    await notice.filter({ hasText: 'could not compute: the device is lost' }).waitFor();
    assert.deepEqual(await readout(tab, 'attn-failing'), before);
    assert.ok(await tab.locator('attn-failing [part~=run]').isEnabled());
    await tab.close();
  });

  it('works where the page forbids WebAssembly', async () => {
    const policy = STRICT_POLICY.replace(" 'wasm-unsafe-eval'", '');
    const tab = await bench.open(FIGURE, { policy });
    await drawn(tab);
    assert.equal((await readout(tab))['scaled: largest weight'].measured.toFixed(2), '0.11');
    await tab.close();
    bench.complaints.splice(0); // the engine reports the module that it refused to compile
  });

  it('tolerates the script being loaded twice', async () => {
    const tab = await bench.open(FIGURE);
    await tab.addScriptTag({ url: '/figures.js?again', type: 'module' });
    await drawn(tab);
    await tab.close();
  });
});

describe('appearance', () => {
  for (const lang of ['en', 'zh']) {
    it(`passes axe in ${lang}, light and dark, with everything open`, async () => {
      const tab = await bench.open(EVERY, { lang });
      await allDrawn(tab);
      for (const part of ['summary', '[part~=table]']) {
        for (const button of await tab.locator(part).all()) await button.click();
      }
      // Rows of a table are made alike, and thousands of them would take a minute.
      await tab.locator('.data tr:nth-child(n + 4)').evaluateAll((all) => {
        for (const row of all) row.remove();
      });
      assert.deepEqual(await axeViolations(tab), []);
      await tab.emulateMedia({ colorScheme: 'dark' });
      assert.deepEqual(await axeViolations(tab, 'contrast'), []);
      await tab.close();
    });

    it(`fits any width in ${lang}: no sideways scroll, targets of 24 pixels, texts inside their pictures`, async () => {
      const sized = EVERY.replace('<attn-saturation', '$& entry-size="1.2"');
      const tab = await bench.open(sized, { lang, width: 320 });
      await allDrawn(tab);
      for (const width of [320, 600, 616, 1280]) {
        await tab.setViewportSize({ width, height: 900 });
        await until(tab, `(${areDrawnAt})(${width})`);
        const seen = await tab.evaluate(lookOutside);
        assert.deepEqual(seen, { scroll: width, small: [], outside: [] }, `${width} px`);
      }
      await tab.close();
    });
  }

  it('withstands hostile styles of the page', async () => {
    const tab = await bench.open(`<div class="hostile">${FIGURE}</div>`);
    await drawn(tab);
    const before = await tab.locator('attn-saturation').boundingBox();
    await tab.evaluate(() => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(
        `html { font-size: 5px } * { font-size: 40px !important; color: red !important; display: inline !important;
          float: left; position: fixed !important; opacity: .1 !important; direction: rtl; letter-spacing: 1em }`,
      );
      document.adoptedStyleSheets = [sheet];
    });
    const after = await tab.locator('attn-saturation').evaluate((figure) => ({
      display: getComputedStyle(figure).display,
      opacity: getComputedStyle(figure).opacity,
      position: getComputedStyle(figure).position,
      direction: getComputedStyle(figure).direction,
      font: getComputedStyle(
        /** @type {Element} */ (figure.shadowRoot?.querySelector('figcaption')),
      ).fontSize,
    }));
    assert.deepEqual(after, {
      display: 'block',
      opacity: '1',
      position: 'static',
      direction: 'ltr',
      font: '14px',
    });
    assert.ok(before);
    await tab.close();
  });

  it('hides what cannot be used on paper', async () => {
    const tab = await bench.open(FIGURE);
    await drawn(tab);
    await tab.emulateMedia({ media: 'print' });
    for (const part of ['controls', 'sample', 'share']) {
      assert.ok(!(await tab.locator(`attn-saturation [part~=${part}]`).isVisible()), part);
    }
    assert.ok(await tab.locator('attn-saturation [part~=readout]').isVisible());
    await tab.close();
  });

  it('never leaves its status empty', async () => {
    const tab = await bench.open(FIGURE);
    await until(tab, "root?.querySelector('[role=status]')?.textContent.trim().length > 5");
    await drawn(tab);
    await until(tab, "root.querySelector('[role=status]').textContent.includes('79%')");
    await tab.close();
  });
});

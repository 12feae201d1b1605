// The life cycle and the appearance of every figure element.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FIGURES } from '../../../../../web/build/paths.js';
import { axeViolations } from '../../../axe.js';
import { drawn, readout, useBench, until } from '../../bench.js';
import { waitUntil } from '../../../../wait.js';
import { LANGUAGE_KEYS } from '../../../../../web/shared/languages.js';

const bench = useBench();

const FIGURE = '<attn-saturation></attn-saturation>';
const EVERY = FIGURES.map((name) => `<attn-${name}></attn-${name}>`).join('');

/** Scrolls every figure of a page into view until it is drawn. @param {import('playwright-core').Page} tab */
async function allDrawn(tab) {
  for (const name of FIGURES) {
    await tab.locator(`attn-${name}`).first().scrollIntoViewIfNeeded();
    await drawn(tab, `attn-${name}`);
  }
}

/** Returns, in the page, whether every picture is drawn for a window of this width. @param {number} width */
function areDrawnAt(width) {
  const figures = [...document.querySelectorAll('main > :not(h1)')];
  return figures.every((figure) => {
    const picture = figure.shadowRoot?.querySelector('svg[role=img]');
    const whole = Math.floor(figure.getBoundingClientRect().width);
    return (
      innerWidth === width &&
      Boolean(picture) &&
      Reflect.get(figure, 'figureWidth') === whole &&
      !Reflect.get(figure, 'isUpdatePending')
    );
  });
}

/**
 * Returns, in the page, its width, targets that are too small or cut off, and texts that are below 12 pixels or
 * outside their pictures.
 */
function lookOutside() {
  const found = (/** @type {string} */ selector) =>
    [...document.querySelectorAll('main > *')].flatMap((figure) => [
      ...(figure.shadowRoot?.querySelectorAll(selector) ?? []),
    ]);
  const small = found('button, input, select, summary').filter((target) => {
    const { height, width, right } = target.getBoundingClientRect();
    const isCut = right > innerWidth && !target.closest('.heads'); // a table that scrolls in its box
    return height > 0 && (height < 24 || width < 24 || isCut);
  });
  const texts = found('svg[role=img] text');
  const tiny = texts.filter((text) => {
    const picture = text.closest('svg');
    const scale =
      Number(picture?.getBoundingClientRect().width) / Number(picture?.viewBox.baseVal.width);
    return scale * parseFloat(getComputedStyle(text).fontSize) < 11.9;
  });
  const outside = texts.filter((text) => {
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
    tiny: names(tiny),
    outside: names(outside),
  };
}

describe('life cycle', () => {
  it('starts only near the viewport, and has a status for it until then', async () => {
    const tab = await bench.open(`<div class="far"></div>${FIGURE}`);
    await tab.waitForTimeout(300);
    assert.equal(await tab.locator('attn-saturation [part~=plot] > svg').count(), 0);
    assert.notEqual(await tab.locator('attn-saturation [role=status]').textContent(), '');
    await tab.evaluate(() => scrollTo(0, document.body.scrollHeight));
    await drawn(tab);
  });

  it('describes the picture that it shows while it is out of sight, not a state set since', async () => {
    const tab = await bench.open(`${FIGURE}<div class="far"></div>`);
    await drawn(tab);
    const title = tab.locator('attn-saturation [part~=title]');
    const said = await title.textContent();
    await tab.evaluate(async () => {
      const figure = /** @type {Element} */ (document.querySelector('attn-saturation'));
      scrollTo(0, document.body.scrollHeight);
      // Observers are notified together, in any order: a frame later the figure knows, too.
      let isNear = true;
      const told = (/** @type {IntersectionObserverEntry[]} */ [{ isIntersecting }]) =>
        (isNear = isIntersecting);
      new IntersectionObserver(told, { rootMargin: '1000px 0px' }).observe(figure);
      await waitUntil(() => !isNear, 'the figure is far');
      await new Promise(requestAnimationFrame);
      figure.setAttribute('d-k', '4');
      for (let i = 0; i < 30; i++) await new Promise(requestAnimationFrame);
      figure.setAttribute('lang', 'en'); // which draws it again
      await new Promise(requestAnimationFrame);
    });
    assert.equal(await title.textContent(), said);
    await tab.evaluate(() => scrollTo(0, 0));
    await until(tab, "root.querySelector('[part~=title]').textContent.includes('= 4')");
  });

  it('settles a dragged value where it is moved in the document meanwhile', async () => {
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
  });

  it('may be put away in a template, and taken out again', async () => {
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
  });

  it('is printed though it has not come near yet', async () => {
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
  });

  it('is printed with its name, and the picture of the page, where its model has not come', async () => {
    const tab = await bench.open(
      `<div class="far"></div><attn-roles></attn-roles>
      <attn-language><svg slot="fallback" width="100" height="50" viewBox="0 0 10 5"></svg></attn-language>`,
    );
    const picture = tab.locator('attn-language > svg');
    const printed = (/** @type {string} */ tag, /** @type {string} */ selector) =>
      tab.locator(`${tag} ${selector}`).filter({ visible: true });
    for (const tag of ['attn-language', 'attn-roles']) {
      await until(tab, "figure.figureWidth > 0 && root.querySelector('figure')", tag);
    }
    assert.equal(await printed('attn-language', '[part=title]').count(), 0);
    await tab.evaluate(() => dispatchEvent(new Event('beforeprint')));
    assert.ok(await picture.isVisible());
    for (const tag of ['attn-language', 'attn-roles']) {
      assert.equal(await printed(tag, '[part=title]').count(), 1);
      assert.equal(await printed(tag, 'figcaption').count(), 1);
    }
    assert.equal(await printed('attn-language', '.note').count(), 0);
    assert.match((await printed('attn-roles', '.note').textContent()) ?? '', /^Not drawn here/);
    assert.equal(await tab.locator('attn-roles .plot').count(), 0);
    await tab.evaluate(() => dispatchEvent(new Event('afterprint')));
    assert.equal(await printed('attn-language', '[part=title]').count(), 0);
    assert.equal(await tab.locator('attn-roles .plot').count(), 1);
    assert.ok(await picture.isVisible());
  });

  it('has on paper no button between title and picture, and no picture that paper would cut', async () => {
    const narrow = FIGURES.filter((name) => name !== 'claims');
    const tab = await bench.open(narrow.map((name) => `<attn-${name}></attn-${name}>`).join(''), {
      width: 560,
    });
    for (const name of narrow) {
      await tab.locator(`attn-${name}`).scrollIntoViewIfNeeded();
      await drawn(tab, `attn-${name}`);
    }
    await tab.emulateMedia({ media: 'print' });
    const found = await tab.evaluate(() =>
      [...document.querySelectorAll('main > :not(h1)')].map(({ localName, shadowRoot }) => {
        const above = shadowRoot?.querySelectorAll(
          '.title ~ .parts > :is(.turns, .lead, .controls) button',
        );
        const pictures = shadowRoot?.querySelectorAll('.plot > svg') ?? [];
        return {
          name: localName,
          buttons: [...(above ?? [])].filter((button) => button.checkVisibility()).length,
          isCut: [...pictures].some((picture) => picture.clientHeight > 0.8 * innerHeight + 1),
        };
      }),
    );
    // The map of words and keys is a canvas over the picture, whose size it has.
    const view = found.filter(({ name }) => name === 'attn-view');
    assert.deepEqual(
      found.filter((each) => each.buttons > 0 || (each.isCut && !view.includes(each))),
      [],
    );
  });

  it('keeps no room on paper for what has not come', async () => {
    const tab = await bench.open('<div class="far"></div><attn-roles></attn-roles>', {
      width: 560,
    });
    await until(tab, "figure.figureWidth > 0 && root.querySelector('figure')", 'attn-roles');
    const height = () =>
      tab.locator('attn-roles').evaluate((figure) => figure.getBoundingClientRect().height);
    assert.ok((await height()) > 800);
    await tab.emulateMedia({ media: 'print' });
    await tab.evaluate(() => dispatchEvent(new Event('beforeprint')));
    assert.ok((await height()) < 300);
  });

  it('shows why a measurement failed, keeps the preview, and can run again', async () => {
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
  });

  it('computes and draws where nothing is laid out, as in jsdom', async () => {
    const tab = await bench.open('');
    await tab.evaluate((tag) => {
      for (const name of ['ResizeObserver', 'IntersectionObserver', 'requestAnimationFrame']) {
        Reflect.deleteProperty(globalThis, name);
      }
      Reflect.deleteProperty(CSSStyleSheet.prototype, 'replaceSync');
      Reflect.deleteProperty(Element.prototype, 'scrollIntoView');
      location.hash = '#attn=1&figure=saturation&d-k=100';
      document.body.append(document.createElement(tag));
    }, 'attn-saturation');
    await drawn(tab);
    assert.match(await tab.locator('attn-saturation [part=title]').innerText(), /= 100/);
    assert.equal((await readout(tab))['scaled: largest weight'].measured.toFixed(2), '0.11');
  });

  it('takes observers that never call back for none, as happy-dom has them', async () => {
    const tab = await bench.open('');
    await tab.evaluate((tag) => {
      const idle = class {
        observe() {}
        disconnect() {}
      };
      Object.assign(globalThis, { ResizeObserver: idle, IntersectionObserver: idle });
      Reflect.deleteProperty(Document.prototype, 'fonts');
      document.body.append(document.createElement(tag));
    }, 'attn-saturation');
    await drawn(tab);
  });
});

describe('appearance', () => {
  for (const lang of LANGUAGE_KEYS) {
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
    });

    it(`fits any width in ${lang}: no sideways scroll, targets of 24 pixels, texts of 12 inside their pictures`, async () => {
      const sized = EVERY.replace('<attn-saturation', '$& entry-size="1.2"');
      const tab = await bench.open(sized, { lang, width: 320 });
      await allDrawn(tab);
      for (const width of [320, 600, 616, 1280]) {
        await tab.setViewportSize({ width, height: 900 });
        await until(tab, `(${areDrawnAt})(${width})`);
        const seen = await tab.evaluate(lookOutside);
        assert.deepEqual(seen, { scroll: width, small: [], tiny: [], outside: [] }, `${width} px`);
      }
    });
  }
});

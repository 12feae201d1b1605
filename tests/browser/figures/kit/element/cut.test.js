// Figures cut to size by the page: some controls, some panels, or compact.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { spec } from '../../../../../web/figures/saturation/element.js';
import { FIGURES } from '../../../../../web/build/paths.js';
import { LANGUAGE_KEYS } from '../../../../../web/shared/languages.js';
import { drawn, meetingTexts, readout, useBench, until } from '../../bench.js';
import { FAMILIES, setFont } from '../../fonts.js';

/** @import { Page } from 'playwright-core' */

const bench = useBench({ fonts: true });

/** Returns the titles of the panels. @param {Page} tab  @param {string} [selector] */
const panelTitles = (tab, selector = 'attn-saturation') =>
  tab.locator(`${selector} .plot > svg > title`).allTextContents();

/** Returns the labels of all controls. @param {Page} tab  @param {string} [selector] */
const labels = async (tab, selector = 'attn-saturation') =>
  (await tab.locator(`${selector} .field label`).allTextContents()).map((label) => label.trim());

/** Adds a style sheet, which the policy of the page allows. @param {string} text */
function addStyle(text) {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}

describe('panels', () => {
  it('that a page names are the only ones, in the picture and in the file', async () => {
    const tab = await bench.open(
      '<attn-saturation panels="entropy largest-weight bars"></attn-saturation>',
      { width: 616 },
    );
    await drawn(tab);
    const titles = ['Mean largest weight', 'Mean entropy / ln n'];
    assert.deepEqual(await panelTitles(tab), titles);
    const notice = await tab.locator('attn-saturation [part~=notice]').textContent();
    assert.equal(
      notice,
      `Not understood and left at a usable value: panels="bars" (${spec.panels?.join(' | ')}).`,
    );
    const [file] = await Promise.all([
      tab.waitForEvent('download'),
      tab.locator('attn-saturation [part~=download-svg]').click(),
    ]);
    const svg = await readFile(await file.path(), 'utf8');
    assert.equal(svg.match(/<svg/g)?.length, 1);
    assert.ok(titles.every((title) => svg.includes(`>${title}<`)));
    assert.ok(!svg.includes('Density of the scores'));
  });

  it('of attn-scale come one at a time where they are narrow, by a button each', async () => {
    const tab = await bench.open('<attn-scale></attn-scale>', { width: 390 });
    await drawn(tab, 'attn-scale');
    const names = ['map', 'one aligned key'];
    const buttons = tab.locator('attn-scale [part~=turns] button');
    assert.deepEqual(
      (await buttons.allTextContents()).map((name) => name.trim()),
      names,
    );
    const titles = [];
    for (let i = 0; i < names.length; i++) {
      await buttons.nth(i).click();
      assert.equal(await buttons.nth(i).getAttribute('aria-pressed'), 'true');
      titles.push(...(await panelTitles(tab, 'attn-scale')));
    }
    assert.equal(new Set(titles).size, 2);
    await tab.setViewportSize({ width: 800, height: 900 });
    await until(tab, "root.querySelectorAll('.plot > svg').length === 2", 'attn-scale');
    assert.equal(await buttons.first().isVisible(), false);
    await tab.setViewportSize({ width: 390, height: 900 });
    await until(tab, "root.querySelectorAll('.plot > svg').length === 1", 'attn-scale');
    assert.deepEqual(await panelTitles(tab, 'attn-scale'), titles.slice(1));
  });

  it('of attn-scales that a page names are the ones to choose from', async () => {
    const tab = await bench.open('<attn-scales panels="scales course"></attn-scales>', {
      width: 390,
    });
    await drawn(tab, 'attn-scales');
    const buttons = tab.locator('attn-scales [part~=turns] button');
    assert.equal(await buttons.count(), 2);
    assert.deepEqual(await panelTitles(tab, 'attn-scales'), ['Every scale, at this d_k and n']);
    await tab.evaluate(() =>
      document.querySelector('attn-scales')?.setAttribute('panels', 'course'),
    );
    await until(tab, "!root.querySelector('[part~=turns]')", 'attn-scales');
  });

  for (const name of FIGURES) {
    it(`of attn-${name} are a picture each, with a title and a description`, async () => {
      const tab = await bench.open(`<attn-${name}></attn-${name}>`);
      await until(tab, "root?.querySelector('.plot > svg text')", `attn-${name}`);
      const pictures = await tab.locator(`attn-${name} .plot > svg`).evaluateAll((all) =>
        all.map((picture) => ({
          role: picture.getAttribute('role'),
          words: [...picture.children].slice(0, 2).map((each) => Boolean(each.textContent)),
          box: picture.getBoundingClientRect().toJSON(),
        })),
      );
      for (const { role, words } of pictures)
        assert.deepEqual([role, words], ['img', [true, true]]);
      assert.ok(['flow', 'view', 'words'].includes(name) || pictures.length >= 2);
      for (const [i, { box }] of pictures.entries()) {
        for (const { box: other } of pictures.slice(i + 1)) {
          const across = Math.min(box.right, other.right) - Math.max(box.left, other.left);
          const down = Math.min(box.bottom, other.bottom) - Math.max(box.top, other.top);
          assert.ok(across <= 0.5 || down <= 0.5, 'panels do not overlap');
        }
      }
    });
  }

  it('set d_k at the place of the pointer', async () => {
    const tab = await bench.open('<attn-saturation panels="weights entropy"></attn-saturation>');
    await drawn(tab);
    const area = await tab.locator('attn-saturation svg rect[cursor]').boundingBox();
    assert.ok(area);
    await tab.mouse.click(area.x + (area.width * 5) / 9, area.y + 20); // of 2⁰ … 2⁹
    await until(tab, "Math.abs(figure.getAttribute('d-k') - 32) < 2");
  });
});

describe('panels on paper', () => {
  /** Returns the numbers of A4 pages, in each font. @param {string} css  @param {number} width  of the screen */
  async function pagesOf(css, width) {
    const tab = await bench.open(
      '<attn-saturation></attn-saturation><attn-gradient></attn-gradient>',
      {
        width,
      },
    );
    for (const tag of ['attn-saturation', 'attn-gradient']) {
      await tab.locator(tag).scrollIntoViewIfNeeded();
      await until(tab, "root?.querySelector('.plot > svg text')", tag);
    }
    await tab.evaluate(addStyle, css);
    /** @type {Record<string, number>} */
    const pages = {};
    for (const family of FAMILIES) {
      await setFont(tab, family);
      const pdf = (await tab.pdf({ format: 'A4' })).toString('latin1');
      pages[family] = Number(pdf.match(/\/Count (\d+)/)?.[1]);
    }
    await tab.close();
    return pages;
  }

  it('stand in two columns where they were drawn for a phone', async () => {
    for (const count of Object.values(await pagesOf('', 390))) assert.equal(count, 3);
  });

  it('stay below one another in a narrow column, on a page more', async () => {
    const pages = await pagesOf('main { width: 374px }', 390);
    for (const count of Object.values(pages)) assert.equal(count, 4);
  });
});

/** The text of reveal.js's themes, in pixels. */
const SLIDE_TEXT = 42;

/** Slides of the size that reveal.js has by default, and of that which wide screens have. */
const SLIDE_STYLE = `body { max-width: none; }
section { position: relative; font-size: ${SLIDE_TEXT}px; }
.usual { width: 960px; height: 700px; }
.wide { width: 1280px; height: 720px; }
h2 { margin: 0 0 20px; font-size: 1.6em; line-height: 1.2; }`;

/** The tags of compact figures that have to fit: with their usual state, and where another is higher. */
const ON_SLIDES = [...FIGURES.map((name) => `attn-${name}`), 'attn-flow cross=yes'];

/** Puts a compact figure on each kind of slide, below a heading. @param {string} tag with an attribute or none */
function addSlides(tag) {
  const [tagName, name, value] = tag.split(/[ =]/);
  for (const kind of ['usual', 'wide']) {
    const [slide, heading, box, figure] = ['section', 'h2', 'div', tagName].map((each) =>
      document.createElement(each),
    );
    if (name) figure.setAttribute(name, value);
    slide.className = kind;
    heading.textContent = 'softmax';
    figure.toggleAttribute('compact', true);
    box.append(figure);
    slide.append(heading, box);
    document.querySelector('main')?.append(slide);
  }
}

/**
 * Measures slides in the page: how far the figure reaches over the end, what scrolls in it, and its sizes of text.
 * @param {Element[]} slides
 */
const measureSlide = (slides) =>
  slides.map((slide) => {
    const root = /** @type {ShadowRoot} */ (slide.querySelector('div > *')?.shadowRoot);
    const [frame, plot] = ['figure', '.plot > svg'].map(
      (each) => /** @type {SVGSVGElement} */ (root.querySelector(each)),
    );
    const hasMore = (
      /** @type {Element} */ { scrollWidth, clientWidth, scrollHeight, clientHeight },
    ) => scrollWidth > clientWidth + 1 || scrollHeight > clientHeight + 1;
    const scrolling = [frame, ...root.querySelectorAll('figure *')].filter(
      (each) => /auto|scroll/.test(getComputedStyle(each).overflow) && hasMore(each),
    );
    return {
      kind: slide.className,
      over: frame.getBoundingClientRect().bottom - slide.getBoundingClientRect().bottom,
      scrolling: scrolling.map(({ className }) => className),
      text: parseFloat(getComputedStyle(frame).fontSize),
      label: (12 * plot.getBoundingClientRect().width) / plot.viewBox.baseVal.width,
    };
  });

describe('a compact figure', () => {
  for (const name of FIGURES) {
    it(`fits a slide of 960 × 700: attn-${name}`, async () => {
      const tag = `attn-${name}`;
      const tab = await bench.open(`<${tag} compact></${tag}>`, { width: 976 });
      await until(tab, "root?.querySelector('.plot > svg text')", tag);
      assert.equal((await panelTitles(tab, tag)).length, 1);
      assert.equal((await labels(tab, tag)).length, 1);
      const height = await tab.locator(tag).evaluate((it) => it.getBoundingClientRect().height);
      assert.ok(height <= 700, `${height} px`);
    });
  }

  for (const example of ON_SLIDES) {
    for (const lang of LANGUAGE_KEYS) {
      it(`fits slides under a heading, in half of their text: ${example}, ${lang}`, async () => {
        const [tag] = example.split(' ');
        const tab = await bench.open('', { lang, width: 1300 });
        await tab.evaluate(addStyle, SLIDE_STYLE);
        await tab.evaluate(addSlides, example);
        await until(tab, "root?.querySelector('.plot > svg text')", `.wide ${tag}`);
        await until(tab, "root?.querySelector('.plot > svg text')", `.usual ${tag}`);
        for (const family of FAMILIES) {
          await setFont(tab, family);
          for (const slide of await tab.locator('section').evaluateAll(measureSlide)) {
            const { kind, over, scrolling, text, label } = slide;
            const seen = `${family}, ${kind} slide`;
            assert.ok(over <= 0, `${seen}: ${over} px too high`);
            assert.deepEqual(scrolling, [], seen);
            assert.ok(Math.abs(text / (15 / 16) - SLIDE_TEXT / 2) < 0.1, `${seen}: ${text} px`);
            assert.ok(Math.abs(label / (12 / 16) - SLIDE_TEXT / 2) < 0.2, `${seen}: ${label} px`);
          }
          assert.deepEqual(await meetingTexts(tab, tag), []);
        }
      });
    }
  }

  it('takes another size of its slide’s text where the page sets the attribute once more', async () => {
    const tab = await bench.open('<attn-saturation compact></attn-saturation>');
    await drawn(tab);
    await tab.locator('attn-saturation').evaluate((figure) => {
      const { parentElement } = figure;
      if (parentElement) parentElement.style.setProperty('font-size', '64px');
      figure.setAttribute('compact', '');
    });
    await until(tab, 'figure.textScale === 2 && !figure.isUpdatePending');
  });

  it('is cut further by panels and controls, and whole again without the attribute', async () => {
    const tab = await bench.open(
      '<attn-saturation compact panels="entropy" controls="keys"></attn-saturation>',
    );
    await drawn(tab);
    assert.deepEqual(await panelTitles(tab), ['Mean entropy / ln n']);
    assert.deepEqual(await labels(tab), ['keys n']);
    assert.equal(Object.keys(await readout(tab)).length, 2);
    await tab.evaluate(() => {
      const figure = /** @type {any} */ (document.querySelector('attn-saturation'));
      Object.assign(figure, { compact: false, panels: null, controls: null });
    });
    await until(tab, "root.querySelectorAll('.plot > svg > title').length === 4");
    assert.equal((await labels(tab)).length, 8);
  });

  it('is embedded as it is', async () => {
    const tab = await bench.open(
      '<meta name="attention-lab" content="https://site.example/">' +
        '<attn-saturation compact panels="entropy" controls="keys"></attn-saturation>',
    );
    await drawn(tab);
    await tab.locator('attn-saturation [part~=embed]').click();
    const codes = tab.locator('attn-saturation textarea');
    await codes.nth(1).waitFor();
    assert.match(await codes.nth(0).inputValue(), / controls="keys" panels="entropy" compact>/);
    assert.match(
      await codes.nth(1).inputValue(),
      /controls=keys&amp;panels=entropy&amp;compact=&amp;/,
    );
  });
});

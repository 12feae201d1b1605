// A figure in the page of somebody else: its styles, its markup, its keys and its translator.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawn, useBench, until } from '../../bench.js';

const bench = useBench();

const FIGURE = '<attn-saturation></attn-saturation>';

/** Gives a page a further style sheet. @param {import('playwright-core').Page} tab @param {string} css */
const dress = (tab, css) =>
  tab.evaluate((text) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    document.adoptedStyleSheets = [sheet];
  }, css);

test('two figures in plain boxes keep apart, by a margin that the page can change', async () => {
  const tab = await bench.open(`<div>${FIGURE}</div><div>${FIGURE}</div>`);
  await drawn(tab);
  const distance = () =>
    tab.locator('attn-saturation').evaluateAll((figures) => {
      const [first, second] = figures.map((figure) => figure.getBoundingClientRect());
      return second.top - first.bottom;
    });
  assert.equal(await distance(), 24);
  await dress(tab, 'attn-saturation { --attn-margin: 5px }');
  assert.equal(await distance(), 5);
});

test('the page hides a figure, or takes its pointer away, with the content around it', async () => {
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
});

test('figures in a box that scrolls give the page no room to scroll through', async () => {
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
});

test('what a page keeps in front lies over the control of a figure that stays in view', async () => {
  const tab = await bench.open('<p>front</p><attn-saturation></attn-saturation>', { width: 390 });
  await dress(tab, 'p { position: fixed; inset: 0 0 auto; height: 60px; margin: 0; z-index: 1 }');
  await drawn(tab);
  const stays = tab.locator('attn-saturation .stays');
  await stays.evaluate((control) => scrollTo(0, control.getBoundingClientRect().top + 200));
  const { x = NaN, y = NaN } = (await stays.boundingBox()) ?? {};
  assert.ok(y < 60, `it stays at the top, ${y}`);
  const hit = await tab.evaluate(
    ([left, top]) => document.elementFromPoint(left, top)?.localName,
    [x + 10, y + 10],
  );
  assert.equal(hit, 'p');
});

for (const css of ['zoom: 1.5', 'transform: scale(0.5); transform-origin: 0 0']) {
  test(`a figure shown larger or smaller, by ${css}, has its marks under the pointer`, async () => {
    const tab = await bench.open(
      '<div><attn-scale></attn-scale><attn-asymmetry></attn-asymmetry></div>',
    );
    await dress(tab, `div { width: 600px; ${css} }`);
    await until(
      tab,
      "root.querySelector('.plot > svg') && figure.figureWidth === 600",
      'attn-scale',
    );
    // Six ninths of the way from 2 to 1024.
    const map = await tab.locator('attn-scale svg rect[cursor]').first().boundingBox();
    assert.ok(map);
    await tab.mouse.click(map.x + (map.width * 6) / 9, map.y + 10);
    const aPixel = 9 / map.width; // in octaves
    await until(
      tab,
      `Math.abs(Math.log2(figure.getAttribute('d-k')) - 7) < ${aPixel}`,
      'attn-scale',
    );
    await tab.locator('attn-asymmetry').scrollIntoViewIfNeeded(); // it is drawn when it is near
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
    // While the mouse rests on its way, its place there may be written already.
    await until(tab, "figure.getAttribute('keys') === figure.keys", 'attn-asymmetry');
    const to = await centre();
    // A vector has two decimals, which are less than a pixel.
    assert.ok(
      Math.hypot(to.x - (from.x - 30), to.y - (from.y + 12)) < 1.5,
      JSON.stringify([from, to]),
    );
  });
}

test('a picture is put away once the figure is live, whatever a theme has wrapped round it', async () => {
  const picture = '<img alt="still" width="100" height="50">';
  for (const inside of [
    picture,
    `<a href="#x">${picture}</a><span class="caption">still</span>`,
    `<figure>${picture}<figcaption>still</figcaption></figure>`,
    `<p><a href="#x">${picture}</a></p>`,
  ]) {
    const tab = await bench.open(`<attn-saturation>${inside}</attn-saturation>`);
    await drawn(tab);
    const shown = await tab
      .locator('attn-saturation')
      .evaluate(({ children }) => [...children].filter((each) => each.checkVisibility()).length);
    assert.equal(shown, 0, inside);
    assert.equal(await tab.locator('attn-saturation .rest:visible').count(), 0, inside);
  }
});

test('an attribute that is misspelt is named with the one that is meant, a value with its choices', async () => {
  const notices = {
    'dk="9"': 'dk is no attribute: d-k?',
    'key="9" data-x="1" class="scale"': 'key is no attribute: keys?',
    'scale="sqroot"':
      'Not understood and left at a usable value: scale (sqrt | none | half-sqrt | linear).',
  };
  for (const [attributes, notice] of Object.entries(notices)) {
    const tab = await bench.open(`<attn-saturation ${attributes}></attn-saturation>`);
    await drawn(tab);
    const told = await tab.locator('attn-saturation [part~=notice]').textContent();
    assert.equal(told?.trim(), notice);
  }
});

test('a dark page is readable on paper, with its background and without color-scheme', async () => {
  const tab = await bench.open(FIGURE);
  await drawn(tab);
  await tab.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('body { background: #111; color: #eee }');
    document.adoptedStyleSheets = [sheet];
  });
  await tab.emulateMedia({ media: 'print' });
  const [ink, paper] = await tab.locator('attn-saturation').evaluate(({ shadowRoot }) => {
    const { color, backgroundColor } = getComputedStyle(
      /** @type {Element} */ (shadowRoot?.querySelector('figure')),
    );
    return [color, backgroundColor];
  });
  assert.deepEqual([ink, paper], ['rgb(28, 28, 30)', 'rgb(255, 255, 255)']);
});

test('an element whose tag is not closed keeps the rest of the article in view, and names the mistake', async () => {
  const tab = await bench.open('<attn-saturation d-k="64" /><img alt="still"><p>rest</p>');
  const warnings = /** @type {string[]} */ ([]);
  tab.on('console', (message) => warnings.push(message.text()));
  await drawn(tab);
  const rest = tab.locator('attn-saturation > p');
  await until(tab, "figure.querySelector('p').getBoundingClientRect().height > 0");
  const plot = await tab.locator('attn-saturation .plot').boundingBox();
  const place = await rest.boundingBox();
  assert.ok(plot && place && place.y > plot.y + plot.height);
  assert.equal(await tab.locator('attn-saturation > img').isVisible(), false);
  assert.deepEqual(
    warnings.filter((text) => text.includes('Close the element by </attn-saturation>')).length,
    1,
  );
  await rest.evaluate((element) => element.remove());
  await until(tab, "root.querySelector('.rest').hidden");
});

test('the page sees no key that a control takes, but those with a modifier, Escape and Tab', async () => {
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
  await tab.locator('#own').press('b'); // the page may change its slotted content
  assert.deepEqual(await seen(), ['keydown b', 'keypress b', 'keyup b']);
});

test('a figure opts out of translation, and works where it is translated all the same', async () => {
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
  await tab.locator('attn-saturation').evaluate((figure) => {
    // As Google's does.
    for (const part of figure.shadowRoot?.querySelectorAll('.title, .readout td') ?? []) {
      const walker = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
      const texts = [];
      while (walker.nextNode()) texts.push(/** @type {Text} */ (walker.currentNode));
      for (const text of texts) {
        const font = document.createElement('font');
        text.replaceWith(font);
        font.append(text);
      }
    }
    Reflect.set(figure, 'dK', 300);
  });
  await until(tab, "/= 300/.test(root.querySelector('.title').textContent)");
  assert.equal(await tab.locator('attn-saturation font').count(), 0);
});

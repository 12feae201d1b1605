// Other ways to read the article: by keyboard alone, in dark, with forced colours, in print.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { CHAPTERS, FIGURES_OF } from './chapters.js';
import { allDrawn, drawn, figuresOn, newPage, useSite } from './site.js';

const site = useSite();

/**
 * @param {import('playwright-core').BrowserContextOptions} options
 * @param {string} [path]
 */
async function open(options, path = '/en/') {
  const opened = await newPage(site, options);
  await opened.page.goto(site.url + path);
  return opened;
}

/** Returns, in the page, an arrow key that changes a slider or a list. @param {Element} control */
const arrowFor = (control) =>
  control instanceof HTMLSelectElement
    ? control.selectedIndex === control.length - 1
      ? 'ArrowUp'
      : 'ArrowDown'
    : 'ArrowLeft';

/** Returns the mean brightness of a picture, 0 … 255. @param {import('playwright-core').Page} page @param {Buffer} png */
const brightness = (page, png) =>
  page.evaluate(async (text) => {
    const image = new Image();
    image.src = `data:image/png;base64,${text}`;
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height);
    const context = /** @type {OffscreenCanvasRenderingContext2D} */ (canvas.getContext('2d'));
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, image.width, image.height);
    return (
      data.reduce((sum, value, i) => (i % 4 === 3 ? sum : sum + value), 0) / (0.75 * data.length)
    );
  }, png.toString('base64'));

for (const path of CHAPTERS)
  describe(`one reading of /en/${path}, by keyboard alone, then printed`, () => {
    const figures = FIGURES_OF[path]
      .filter((name) => name !== 'claims')
      .map((name) => `attn-${name}`);
    /** @type {Awaited<ReturnType<typeof open>>} */
    let opened;
    before(async () => {
      opened = await open({}, `/en/${path}`);
    });
    after(() => opened.close());

    for (const name of figures) {
      test(`${name} is changed by an arrow key`, async () => {
        const { page, complaints } = opened;
        const figure = await drawn(page, name);
        await figure.evaluate((element) => {
          element.addEventListener('attn-change', () =>
            element.toggleAttribute('data-changed', true),
          );
        });
        const control = figure.locator('[part=controls] :is(input[type=range], select)').first();
        await control.press(await control.evaluate(arrowFor));
        await page.locator(`${name}[data-changed]`).waitFor({ state: 'attached' });
        assert.deepEqual(complaints, []);
      });
    }

    test('print has the figures and the answers, and nothing to press', async () => {
      const { page } = opened;
      await allDrawn(page);
      await page.emulateMedia({ media: 'print' });
      for (const name of figures) {
        const figure = page.locator(name);
        assert.ok(await figure.locator('[part=plot] > svg').first().isVisible(), name);
        assert.ok(await figure.locator('[part=readout]').isVisible(), name);
        assert.equal(
          await figure.locator(':is(.controls, .actions, .run):visible').count(),
          0,
          name,
        );
      }
      for (const text of await page.locator('.note:visible, figcaption:visible').allInnerTexts()) {
        assert.doesNotMatch(text, /\bbutton\b|\bPress\b/, path);
      }
      for (const answer of await page.locator('main > details p').all()) {
        assert.ok((await answer.boundingBox())?.height, String(await answer.textContent()));
      }
      assert.ok(!(await page.locator('body > header').isVisible()));
    });
  });

test('dark reaches the figures: live, and as pictures without JavaScript', async () => {
  const bench = await open({}, '/robots.txt');
  for (const javaScriptEnabled of [true, false]) {
    for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
      const { page, close } = await open({ colorScheme, javaScriptEnabled });
      for (const name of ['attn-saturation', 'attn-gradient', 'attn-precision']) {
        const figure = javaScriptEnabled ? await drawn(page, name) : page.locator(name);
        const place = figure.locator('[part=plot]');
        await place.scrollIntoViewIfNeeded();
        if (!javaScriptEnabled && name !== 'attn-saturation') {
          await figure
            .locator('img[data-still=wide]')
            .evaluate((image) => /** @type {HTMLImageElement} */ (image).decode());
        }
        const mean = await brightness(bench.page, await place.screenshot());
        const told = `${name}, ${colorScheme}, script: ${javaScriptEnabled}: ${mean}`;
        assert.ok(colorScheme === 'dark' ? mean < 90 : mean > 190, told);
        await figure.evaluate((element) => element.scrollIntoView());
      }
      await close();
    }
  }
});

test('forced colours leave every mark visible on the reader’s own background, light and dark', async () => {
  for (const path of CHAPTERS) {
    const { page, close } = await open({ forcedColors: 'active' }, `/en/${path}`);
    await allDrawn(page);
    for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
      await page.emulateMedia({ forcedColors: 'active', colorScheme });
      for (const name of await figuresOn(page)) {
        const hidden = await page.locator(name).evaluate((element) => {
          const canvas = getComputedStyle(document.documentElement).backgroundColor;
          const marks = [
            ...(element.shadowRoot?.querySelectorAll('.plot > svg :is(path, line, text)') ?? []),
          ];
          return marks
            .filter((mark) => {
              const { fill, stroke } = getComputedStyle(mark);
              return [fill, stroke].every((colour) => colour === 'none' || colour === canvas);
            })
            .map((mark) => `${mark.localName} ${mark.getAttribute('data-series')}`);
        });
        assert.deepEqual(hidden, [], `${name}, ${colorScheme}`);
        const [scaled, unscaled] = await page.locator(name).evaluate((element) =>
          ['scaled', 'unscaled'].map((key) => {
            const probe = document.createElement('i');
            Object.assign(probe.style, { color: `var(--attn-${key})`, forcedColorAdjust: 'none' });
            element.shadowRoot?.querySelector('figure')?.append(probe);
            const { color } = getComputedStyle(probe);
            probe.remove();
            return color;
          }),
        );
        assert.notEqual(scaled, unscaled);
      }
    }
    await close();
  }
});

test('forced colours are stronger than those of a page, and set a claim apart from the grid', async () => {
  const { page } = await open({ forcedColors: 'active' });
  const figure = await drawn(page, 'attn-saturation');
  const [before, after, grid] = await figure.evaluate((element) => {
    const strokes = () =>
      ['[data-series=folk]', '[data-series=scaled]', 'g > path'].map((mark) => {
        const drawn = element.shadowRoot?.querySelector(`.plot > svg ${mark}[stroke]`);
        return drawn && getComputedStyle(drawn).stroke;
      });
    const [claim, scaled, lines] = strokes();
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('attn-saturation { --attn-folk: #123; --attn-scaled: #00695c }');
    document.adoptedStyleSheets = [sheet];
    return [[claim, scaled], strokes().slice(0, 2), lines];
  });
  assert.deepEqual(after, before);
  assert.ok(before?.[0] && grid && before[0] !== grid, `${before} ${grid}`);
});

test('headings and questions are named with their formulas', async () => {
  for (const path of ['/en/', '/zh/']) {
    const { page, close } = await open({}, path);
    const session = await page.context().newCDPSession(page);
    const { nodes } = await session.send('Accessibility.getFullAXTree');
    const names = nodes.flatMap(({ role, name }) =>
      /^(heading|DisclosureTriangle)$/.test(role?.value) ? [name?.value] : [],
    );
    const gradient =
      path === '/en/' ? /from dk=64 to dk=1024 ?, / : /dk ?从 64 增加到 1024，损失的梯度 ?∂L\/∂q/;
    for (const name of [/√dk ?[?？]( |$)/, gradient]) {
      assert.ok(
        names.some((each) => name.test(each)),
        `${name} in ${names.join('\n')}`,
      );
    }
    await close();
  }
});

test('English sources keep a Latin apostrophe on the Chinese page, whose own is as wide as a character', async () => {
  const { page, complaints } = await open({}, '/zh/');
  const [body, sources] = await page.evaluate(() =>
    ['body', '.sources'].map((selector) => {
      const element = /** @type {Element} */ (document.querySelector(selector));
      return getComputedStyle(element).fontFamily;
    }),
  );
  assert.match(body, /wide punctuation/);
  assert.doesNotMatch(sources, /wide punctuation/);
  assert.deepEqual(complaints, []);
});

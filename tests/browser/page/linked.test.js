// Formulas of the text and the figures that they name light each other up.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawn, inView, newPage, useSite } from './site.js';
import { messages as kit } from '../../../web/figures/kit/state/generated/words.js';
import { messages } from '../../../web/figures/saturation/generated/words.js';
import { LANGUAGE_KEYS } from '../../../web/shared/languages.js';

const site = useSite();

/**
 * Returns the series that are dimmed in the chart and in the read-out of a figure.
 * @param {import('playwright-core').Locator} figure
 */
const dimmed = (figure) =>
  figure.evaluate(({ shadowRoot }) =>
    ['.plot > svg', '.readout'].map((place) => {
      const parts = shadowRoot?.querySelectorAll(`${place} .dim`) ?? [];
      return [...new Set([...parts].map((part) => part.getAttribute('data-series')))].join();
    }),
  );

for (const lang of LANGUAGE_KEYS) {
  test(`/${lang}/: a formula lights up its series by the pointer, the focus and a press`, async () => {
    const { page, complaints } = await newPage(site);
    await page.goto(`${site.url}/${lang}/`);
    const figure = await drawn(page, 'attn-saturation');
    const formula = page.locator('[data-linked="saturation:scaled"]');
    const others = ['unscaled,uniform,folk', 'unscaled'];

    await formula.hover();
    assert.deepEqual(await dimmed(figure), others);
    await page.mouse.move(0, 0);
    assert.deepEqual(await dimmed(figure), ['', '']);

    await formula.focus();
    assert.deepEqual(await dimmed(figure), others);
    const { scaled, name } = messages[lang];
    const label = kit[lang].linked('1/√d_k', scaled, name).replaceAll('d_k', 'dk');
    assert.equal(await formula.getAttribute('aria-label'), label);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    assert.deepEqual(await dimmed(figure), others);
    assert.equal(await formula.getAttribute('aria-pressed'), 'true');

    await formula.focus();
    await page.keyboard.press('Space');
    assert.equal(await formula.getAttribute('aria-pressed'), 'false');
    assert.deepEqual(complaints, []);
  });

  test(`/${lang}/: a highlight that a press keeps ends with Escape, or a click elsewhere on the page`, async () => {
    const { page } = await newPage(site);
    await page.goto(`${site.url}/${lang}/`);
    const figure = await drawn(page, 'attn-saturation');
    const formula = page.locator('[data-linked="saturation:scaled"]');
    const isPressed = () => formula.getAttribute('aria-pressed');
    const leave = () => page.mouse.move(0, 0);

    await formula.click();
    await figure.locator('input[type=range]').first().click();
    await leave();
    assert.equal(await isPressed(), 'true', 'the figure may be worked');
    await page.locator('h1').click({ position: { x: 2, y: 2 } });
    await leave();
    assert.equal(await isPressed(), 'false');
    assert.deepEqual(await dimmed(figure), ['', '']);

    await formula.click();
    await leave();
    assert.equal(await isPressed(), 'true');
    await page.keyboard.press('Escape');
    assert.equal(await isPressed(), 'false');
  });

  test(`/${lang}/: the chart and the read-out light up the formulas`, async () => {
    const { page } = await newPage(site);
    await page.goto(`${site.url}/${lang}/`);
    const figure = await drawn(page, 'attn-saturation');
    const lit = () =>
      page
        .locator('.lit')
        .evaluateAll((all) => all.map((each) => each.getAttribute('data-linked')));
    assert.deepEqual(await lit(), []);
    await figure.locator('.readout [data-series=unscaled] td.measured').first().hover();
    assert.deepEqual(await lit(), ['saturation:unscaled']);
    await figure.locator('button.series[data-series=scaled]').focus();
    assert.deepEqual(await lit(), ['saturation:scaled']);
  });

  test(`/${lang}/: a press brings the figure of a formula into view; each formula has its own name`, async () => {
    const { page } = await newPage(site, { viewport: { width: 390, height: 844 } });
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.goto(`${site.url}/${lang}/`);
    await drawn(page, 'attn-gradient');
    const formula = page.locator('[data-linked="gradient:sqrt"]').first();
    await formula.evaluate((it) => it.scrollIntoView({ block: 'end' }));
    await formula.focus();
    await page
      .locator('attn-gradient')
      .evaluate((it) => scrollBy(0, it.getBoundingClientRect().top - innerHeight));
    assert.ok((await inView(page, 'gradient')) < 100);
    await formula.dispatchEvent('click');
    assert.ok((await inView(page, 'gradient')) > 400);
    const names = await page
      .locator('[data-linked][role]') // parts of a displayed formula have no names
      .evaluateAll((all) =>
        all.map((each) => `${each.getAttribute('aria-label')} ${each.getAttribute('data-linked')}`),
      );
    const kinds = new Set(names.map((name) => name.split(' ').at(-1)));
    const labels = new Set(names.map((name) => name.slice(0, name.lastIndexOf(' '))));
    assert.ok(labels.size >= kinds.size, names.join('\n'));
  });

  test(`/${lang}/: each linked formula names a series that its figure draws`, async () => {
    const { page } = await newPage(site);
    await page.goto(`${site.url}/${lang}/`);
    const formulas = await page.locator('[data-linked]').all();
    const named = new Set();
    for (const formula of formulas) {
      const [name, series] = String(await formula.getAttribute('data-linked')).split(':');
      const figure = await drawn(page, `attn-${name}`);
      assert.ok(await figure.locator(`.plot > svg [data-series=${series}]`).count(), series);
      assert.ok(
        await formula.evaluate((it) => it.closest('math') ?? it.querySelector('math')),
        `${name}: a formula`,
      );
      named.add(name);
    }
    assert.deepEqual([...named].sort(), ['gradient', 'precision', 'saturation', 'scale', 'walk']);
  });

  test(`/${lang}/: without JavaScript a linked formula is a formula`, async () => {
    const { page } = await newPage(site, { javaScriptEnabled: false });
    await page.goto(`${site.url}/${lang}/`);
    assert.equal(
      await page
        .locator('[data-linked].live, [data-linked][role], [data-linked][tabindex]')
        .count(),
      0,
    );
    assert.match(`${await page.locator('[data-set]').first().getAttribute('href')}`, /^#figure-/);
  });
}

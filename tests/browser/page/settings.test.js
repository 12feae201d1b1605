// Words of the text that set a figure: links and names of panels.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawn, inView, newPage, useSite } from './site.js';
import { waitUntil } from '../../wait.js';
import { LANGUAGE_KEYS } from '../../../web/shared/languages.js';

const site = useSite();
const PHONE = { viewport: { width: 390, height: 844 } };

for (const lang of LANGUAGE_KEYS) {
  test(`/${lang}/: a link of the text sets the keys and shows the figure, and Back undoes the jump`, async () => {
    const { page } = await newPage(site, PHONE);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.goto(`${site.url}/${lang}/`);
    const figure = await drawn(page, 'attn-saturation');
    const link = page.locator('[data-set="keys=512"]');
    await link.evaluate((it) => {
      it.closest('details')?.setAttribute('open', '');
      it.scrollIntoView({ block: 'end' });
    });
    assert.match((await link.textContent()) ?? '', /512/);
    const top = () => page.evaluate(() => scrollY);
    const before = await top();
    await link.click();
    assert.equal(await figure.getAttribute('keys'), '512');
    assert.ok((await inView(page, 'saturation')) > 400);
    await waitUntil(async () => (await top()) < before - 400);
    await page.goBack();
    await waitUntil(async () => Math.abs((await top()) - before) < 50);
    assert.equal(page.url(), `${site.url}/${lang}/`);
  });

  test(`/${lang}/: words of another page may set several fields`, async () => {
    const { page } = await newPage(site);
    await page.goto(`${site.url}/${lang}/today/`);
    await page.locator('a[href$="&scales=today&task=retrieve"]').click();
    const figure = await drawn(page, 'attn-training');
    assert.equal(await figure.getAttribute('scales'), 'today');
    assert.equal(await figure.getAttribute('task'), 'retrieve');
  });
}

test('words that name a panel open it where a figure shows one at a time', async () => {
  const { page } = await newPage(site, PHONE);
  await page.goto(`${site.url}/en/`);
  const figure = await drawn(page, 'attn-scale');
  const pressed = () => figure.locator('[part=turns] [aria-pressed=true]').innerText();
  const [map, aligned] = [await pressed(), 'one aligned key'];
  await page.locator('a[data-panel=alignment]').click();
  await figure.locator('[part=turns] [aria-pressed=true]', { hasText: aligned }).waitFor();
  await page.locator('a[data-panel=map]').click();
  await figure.locator('[part=turns] [aria-pressed=true]', { hasText: map }).waitFor();
});

test('words that name a panel and a field show the panel with the field set', async () => {
  const { page } = await newPage(site, PHONE);
  await page.goto(`${site.url}/en/today/`);
  const figure = await drawn(page, 'attn-scales');
  await page.locator('a[data-panel=growth][data-set="head=1.2"]').click();
  assert.equal(await figure.getAttribute('head'), '1.2');
  await waitUntil(async () => /ln² n/.test((await figure.locator('.plot').textContent()) ?? ''));
});

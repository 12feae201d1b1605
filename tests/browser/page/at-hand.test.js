// Things at a reader's hand: contents that follow, words that open in place, marks where one may stop.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newPage, useSite } from './site.js';
import { waitUntil } from '../../wait.js';
import { LANGUAGE_KEYS } from '../../../web/shared/languages.js';

const site = useSite();
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

for (const lang of LANGUAGE_KEYS) {
  test(`/${lang}/ lists its sections with minutes of reading, and says where one may stop`, async () => {
    const { page } = await newPage(site, { javaScriptEnabled: false });
    await page.goto(`${site.url}/${lang}/`);
    const sections = await page.locator('main h2').count();
    const items = await page.locator('.contents li').allInnerTexts();
    assert.equal(items.length, sections);
    const minutes = items.map((text) => Number(/(\d+) (min|分钟)$/.exec(text)?.[1] ?? 0));
    assert.ok(
      minutes.slice(0, -2).every((each) => each >= 1 && each <= 6),
      items.join(),
    );
    assert.deepEqual(
      minutes.slice(-2),
      [0, 0],
      'nobody reads the glossary and the sources through',
    );
    const sum = minutes.reduce((a, b) => a + b);
    const [total] = (await page.locator('.contents p').innerText()).match(/\d+/) ?? [];
    assert.ok(Math.abs(Number(total) - sum) <= 5, `${total} of ${sum}`);
    assert.equal(await page.locator('.stop').count(), 1);
  });

  test(`/${lang}/ keeps its contents at hand on a phone for a reader who turns, from the first screen to the last`, async () => {
    const { page, complaints } = await newPage(site, PHONE);
    await page.goto(`${site.url}/${lang}/`);
    const summary = page.locator('.at-hand summary');
    const place = async () => {
      const box = await summary.boundingBox();
      assert.ok(box && box.height >= 40);
      return box.y > 844 ? 'away' : box.y > 600 && box.y + box.height <= 844 ? 'corner' : box;
    };
    for (const id of ['training', 'sources']) {
      await page.locator(`main h2#${id}`).evaluate((heading) => heading.scrollIntoView());
      await waitUntil(async () => (await place()) === 'away');
      // A reader goes on turning, also where a figure that becomes live moves the page meanwhile.
      await waitUntil(async () => {
        await page.evaluate(() => scrollBy(0, -30));
        return (await place()) === 'corner';
      });
    }
    await page.locator('#training').evaluate((heading) => heading.scrollIntoView());
    await summary.click();
    await page.locator('.at-hand [aria-current][href="#training"]').waitFor();
    await page.locator('.at-hand a[href="#gradient"]').click();
    await page.locator('.at-hand[open]').waitFor({ state: 'detached' });
    const top = await page
      .locator('#gradient')
      .evaluate((head) => head.getBoundingClientRect().top);
    assert.ok(top >= 0 && top < 120, `${top}`);
    await summary.click();
    await page.keyboard.press('Escape');
    assert.equal(await page.locator('.at-hand[open]').count(), 0);
    assert.deepEqual(complaints, []);
  });

  test(`/${lang}/ explains words where they stand, by pointer and keyboard`, async () => {
    const { page, complaints } = await newPage(site);
    await page.goto(`${site.url}/${lang}/`);
    const terms = page.locator('a.term');
    const hashes = await terms.evaluateAll((links) =>
      links.map((link) => /** @type {HTMLAnchorElement} */ (link).hash.slice(1)),
    );
    for (const hash of hashes) assert.equal(await page.locator(`li#${hash}`).count(), 1, hash);
    const word = page.locator('a.term[href="#term-jacobian"]');
    await word.click();
    const meaning = page.locator('a.term + .meaning');
    const entry = await page.locator('li#term-jacobian').textContent();
    assert.equal(await meaning.textContent(), entry);
    assert.ok(entry?.includes('tr'), 'of its trace');
    assert.equal(await word.getAttribute('aria-expanded'), 'true');
    assert.equal(new URL(page.url()).hash, '', 'the reader stays at the place');
    await page.keyboard.press('Space');
    assert.equal(await meaning.count(), 0);
    await page.keyboard.press('Enter');
    assert.equal(await meaning.count(), 1);
    assert.deepEqual(complaints, []);
  });
}

test('without JavaScript a word is a link to the glossary', async () => {
  const { page } = await newPage(site, { javaScriptEnabled: false });
  await page.goto(`${site.url}/en/`);
  await page.locator('a.term[href="#term-softmax"]').click();
  assert.equal(new URL(page.url()).hash, '#term-softmax');
});

// What a reader gets who copies a formula: from the text of a page, and from the words of a figure.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawn, newPage, useSite } from './site.js';

/** @import { Page } from 'playwright-core' */

const site = useSite();
const permissions = ['clipboard-read', 'clipboard-write'];

/** Copies with the keyboard, and returns what the clipboard has. @param {Page} page */
async function copied(page) {
  await page.keyboard.press('Control+C');
  return page.evaluate(async () => {
    const [item] = await navigator.clipboard.read();
    const textOf = async (/** @type {string} */ type) => (await item.getType(type)).text();
    return { plain: await textOf('text/plain'), html: await textOf('text/html') };
  });
}

/**
 * Selects what elements contain, from the first to the last.
 * @param {Page} page
 * @param {string} first
 * @param {string} [last]
 */
const select = (page, first, last = first) =>
  page.evaluate(
    ([from, to]) => {
      const [start, end] = [from, to].map((each) => document.querySelector(each));
      if (start && end) getSelection()?.setBaseAndExtent(start, 0, end, end.childNodes.length);
    },
    [first, last],
  );

test('a formula of the text is copied on its line, as text and as MathML', async () => {
  const { page, complaints } = await newPage(site, { permissions });
  await page.goto(`${site.url}/zh/`);
  await select(page, 'h1');
  const heading = await copied(page);
  assert.equal(heading.plain.trim(), '为什么要除以 √d_k？');
  assert.match(heading.html, /<math[^>]*>.*<msqrt><msub>/);
  await select(page, '#question-why-the-root summary', '#question-not-d summary');
  const { plain } = await copied(page);
  assert.match(plain, /为什么要除以 √d_k？ 分数是 d_k 个随机乘积之和，大小约为 √d_k：/);
  assert.equal(plain.trim().split(/\n+/).length, 2);
  assert.deepEqual(complaints, []);
});

test('half a selected formula is copied whole, and text without one as ever', async () => {
  const { page } = await newPage(site, { permissions });
  await page.goto(`${site.url}/en/`);
  await select(page, 'h1 mi');
  assert.equal((await copied(page)).plain.trim(), '√d_k');
  await select(page, 'nav a');
  assert.equal((await copied(page)).plain.trim(), 'attention-lab');
});

test('the words of a figure are copied with their symbols, in any page', async () => {
  const { page } = await newPage(site, { permissions });
  await page.goto(`${site.url}/en/`);
  const figure = await drawn(page, 'attn-saturation');
  const title = await figure.evaluate(({ shadowRoot }) => {
    const element = /** @type {Element} */ (shadowRoot?.querySelector('.title'));
    getSelection()?.selectAllChildren(element);
    return element.textContent;
  });
  const { plain } = await copied(page);
  assert.match(plain, /^[^\n]*√d_k[^\n]*$/);
  assert.equal(plain.trim(), title?.replace(/\s+/g, ' ').trim());
});

// The backgrounds of frames, as the pixels of their corner on pages of other colours.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cornerOf, drawn, frameOf, freshPage, newPage, useSite } from './site.js';

const site = useSite();

const WHITE = [255, 255, 255];
const NIGHT = [0x1b, 0x1e, 0x23];
const CREAM = [0xf4, 0xec, 0xd8];
const rgb = (/** @type {number[]} */ colour) => `rgb(${colour.join(' ')})`;

for (const [theme, page] of /** @type {const} */ ([
  ['dark', NIGHT],
  ['light', CREAM],
])) {
  test(`the page shows through a frame with theme=${theme} and its color-scheme`, async () => {
    // A theme may say what the page is, or only paint it.
    for (const scheme of ['normal', 'light', 'dark']) {
      const opened = await freshPage(site);
      await opened.page.setContent(
        `<html style="color-scheme: ${scheme}"><body style="background: ${rgb(page)}">
         <iframe src="${site.url}/embed/heads.html?theme=${theme}" style="border: 0; color-scheme: ${theme}"
           width="390" height="700" sandbox="allow-scripts"></iframe>`,
      );
      const frame = await frameOf(opened.page, /heads/);
      const figure = await drawn(frame, 'attn-heads');
      assert.deepEqual(await cornerOf(opened.page), page, scheme);
      // No control stays over the panels, since it could have no background.
      assert.equal(await figure.locator('.stays').count(), 0);
      await opened.close();
    }
  });
}

test('a frame that no page has adapted to stays readable on a background of its own', async () => {
  const opened = await freshPage(site);
  for (const [query, corner] of /** @type {const} */ ([
    ['', WHITE],
    ['?theme=dark', [0x12, 0x12, 0x12]],
  ])) {
    await opened.page.setContent(
      `<body style="background: ${rgb(query ? CREAM : NIGHT)}"><iframe src="${site.url}/embed/heads.html${query}"
         style="border: 0" width="700" height="700" sandbox="allow-scripts"></iframe>`,
    );
    await drawn(await frameOf(opened.page, /heads/), 'attn-heads');
    assert.deepEqual(await cornerOf(opened.page), corner);
  }
});

test('the code that the embed button copies has the theme of the figure', async () => {
  const { page } = await newPage(site);
  await page.goto(`${site.url}/en/roles/`);
  const figure = await drawn(page, 'attn-heads');
  await figure.evaluate((element) => element.setAttribute('theme', 'dark'));
  await figure.locator('[part=embed]').click();
  await figure.locator('textarea').nth(1).waitFor();
  const [script, code] = await figure
    .locator('textarea')
    .evaluateAll((boxes) => boxes.map((box) => Reflect.get(box, 'value')));
  assert.match(script, /<attn-heads [^>]*theme="dark"/);
  const other = await freshPage(site);
  await other.page.setContent(`<body style="background: ${rgb(NIGHT)}">${code}`);
  await drawn(await frameOf(other.page, /heads/), 'attn-heads');
  const [red, green, blue] = await cornerOf(other.page); // a page that declares no scheme shows through no dark frame
  assert.ok(Math.max(red, green, blue) < 32, `${red} ${green} ${blue}`);
  await other.close();
});

// Page and embeds where the engine has no WebAssembly SIMD: the kernel compiled to JavaScript comes
// as one more file, a module for pages and a classic script for sandboxed frames.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawn, frameOf, freshPage, newPage, useSite } from './site.js';

const site = useSite(['--js-flags=--no-enable-sse4-1']);

test('the article computes the same numbers with the js backend', async () => {
  const { page, requests, complaints } = await newPage(site);
  await page.goto(`${site.url}/en/`);
  const built = await page.locator('[data-live]').allTextContents();
  await page.locator('[data-live].computed').first().waitFor();
  await drawn(page, 'attn-saturation');
  assert.deepEqual(await page.locator('[data-live]').allTextContents(), built);
  assert.ok(requests.some((url) => /\/assets\/kernel-fallback-[\w-]+\.js$/.test(url)));
  assert.deepEqual(complaints, []);
});

test('a sandboxed embed draws with the js backend', async () => {
  const { page, requests, complaints } = await freshPage(site);
  const address = `${site.url}/embed/saturation.html`;
  await page.setContent(`<iframe src="${address}" sandbox="allow-scripts"></iframe>`);
  const frame = await frameOf(page, address);
  await drawn(frame, 'attn-saturation');
  assert.deepEqual(requests, [address, `${site.url}/kernel-fallback.classic.js`]);
  assert.deepEqual(complaints, []);
});

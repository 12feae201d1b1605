// A figure as files, and as a table.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawn, useBench, until } from '../../bench.js';

const bench = useBench();

const FIGURE = '<attn-saturation></attn-saturation>';

/** @param {import('playwright-core').Page} tab  @param {string} kind */
async function download(tab, kind) {
  const waiting = tab.waitForEvent('download');
  await tab.locator(`attn-saturation [part~=download-${kind}]`).click();
  const stream = await (await waiting).createReadStream();
  const chunks = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

test('the CSV file has a header row and one row a number', async () => {
  const tab = await bench.open(FIGURE);
  await drawn(tab);
  const [header, ...lines] = String(await download(tab, 'csv'))
    .trimEnd()
    .split('\r\n');
  assert.equal(header, '\uFEFFpanel,series,x,measured,low,high,theory');
  // Of both series, the last of them the smallest weight, and the uniform weight at both ends of its line.
  assert.equal(lines.length, 2 * (10 + 10 + 16 + 121 + 1) + 2);
  assert.match(lines[0], /^Mean largest weight,unscaled,1,0\.\d+,/);
  // The exact density has its peak at 0: a point of the curve is there.
  const density = lines
    .map((row) => row.split(','))
    .filter(([panel, series]) => panel === 'Density of the scores' && series === 'scaled')
    .map(([, , x, , , , theory]) => ({ x: Number(x), theory: Number(theory) }));
  const peak = density.reduce((a, b) => (b.theory > a.theory ? b : a));
  assert.ok(Math.abs(peak.x) < 1e-9, JSON.stringify(peak));
});

test('the SVG file is self-contained, and the PNG file has twice its size', async () => {
  const tab = await bench.open(FIGURE, { scheme: 'dark' });
  await drawn(tab);
  // Files are let go once they are saved: later, for which there is no time here.
  await tab.evaluate(() => {
    const held = Object.assign(globalThis, { held: new Set() }).held;
    const { createObjectURL: make, revokeObjectURL: drop } = URL;
    const wait = /** @type {any} */ (setTimeout);
    URL.createObjectURL = (/** @type {Blob} */ blob) => {
      const address = make.call(URL, blob);
      held.add(address);
      return address;
    };
    URL.revokeObjectURL = (address) => {
      held.delete(address);
      drop.call(URL, address);
    };
    Object.assign(globalThis, {
      setTimeout: (/** @type {unknown} */ work, /** @type {number} */ after) =>
        wait(work, after > 1000 ? 50 : after),
    });
  });
  const svg = String(await download(tab, 'svg'));
  assert.match(svg, /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
  assert.doesNotMatch(svg, /var\(|light-dark|href|<script|NaN/);
  const png = await download(tab, 'png');
  assert.equal(png.readUInt32BE(16), 1920);
  const corner = await tab.evaluate(
    async (bytes) => {
      const bitmap = await createImageBitmap(new Blob([Uint8Array.from(bytes)]));
      const context = new OffscreenCanvas(1, 1).getContext('2d');
      context?.drawImage(bitmap, 0, 0);
      return [...(context?.getImageData(0, 0, 1, 1).data ?? [])];
    },
    [...png],
  );
  assert.deepEqual(corner, [255, 255, 255, 255]);
  await until(tab, 'held.size === 0');
});

test('the reason is shown where no file can be made', async () => {
  const tab = await bench.open(FIGURE);
  await drawn(tab);
  await tab.evaluate(() => {
    URL.createObjectURL = () => {
      throw new Error('no room');
    };
  });
  await tab.locator('attn-saturation [part~=download-csv]').click();
  await until(
    tab,
    "root.querySelector('[part~=notice]')?.textContent.includes('could not be made: no room')",
  );
});

test('a picture is not saved where the browser gives noise for it', async () => {
  const tab = await bench.open(FIGURE);
  await drawn(tab);
  await tab.evaluate(() => {
    CanvasRenderingContext2D.prototype.getImageData = () =>
      new ImageData(new Uint8ClampedArray([17, 204, 90, 255]), 1, 1);
  });
  await tab.locator('attn-saturation [part=download-png]').click();
  const notice = tab.locator('attn-saturation [part~=notice]');
  await notice.filter({ hasText: 'the canvas gave no image' }).waitFor();
});

test('the data are shown as a table with headers, and printed whole', async () => {
  const tab = await bench.open(FIGURE);
  await drawn(tab);
  await tab.locator('attn-saturation [part~=table]').click();
  await until(tab, "root.querySelectorAll('.data table').length === 5");
  assert.ok((await tab.locator('attn-saturation .data th').count()) > 20);
  const heads = await tab.locator('attn-saturation .data table').first().locator('thead th');
  const names = ['series', 'd_k', 'measured', '10% or least', '90% or most', 'theory'];
  assert.deepEqual(await heads.allTextContents(), names);
  const hidden = () =>
    tab
      .locator('attn-saturation .data')
      .evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight);
  assert.ok((await hidden()) > 100);
  await tab.emulateMedia({ media: 'print' });
  assert.equal(await hidden(), 0);
});

// A figure as files, as a table, as a link and as code for other pages.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { drawn, useBench, until } from '../../bench.js';

const bench = useBench();

const FIGURE = '<attn-saturation></attn-saturation>';

describe('taking a figure away', () => {
  /** @param {import('playwright-core').Page} tab  @param {string} kind */
  async function download(tab, kind) {
    const waiting = tab.waitForEvent('download');
    await tab.locator(`attn-saturation [part~=download-${kind}]`).click();
    const stream = await (await waiting).createReadStream();
    const chunks = [];
    for await (const chunk of stream) chunks.push(chunk);
    return Buffer.concat(chunks);
  }

  it('gives CSV with a header row and one row a number', async () => {
    const tab = await bench.open(FIGURE);
    await drawn(tab);
    const [header, ...rows] = String(await download(tab, 'csv'))
      .trimEnd()
      .split('\r\n');
    assert.equal(header, 'panel,series,x,measured,low,high,theory');
    // Of both series, and the uniform weight at both ends of its line.
    assert.equal(rows.length, 2 * (10 + 10 + 16 + 121) + 2);
    assert.match(rows[0], /^Mean largest weight,unscaled,1,0\.\d+,/);
    // The exact density has its peak at 0: a point of the curve is there.
    const density = rows
      .map((row) => row.split(','))
      .filter(([panel, series]) => panel === 'Density of the scores' && series === 'scaled')
      .map(([, , x, , , , theory]) => ({ x: Number(x), theory: Number(theory) }));
    const peak = density.reduce((a, b) => (b.theory > a.theory ? b : a));
    assert.ok(Math.abs(peak.x) < 1e-9, JSON.stringify(peak));
  });

  it('gives self-contained SVG and a PNG of twice its size', async () => {
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
    await until(tab, 'held.size === 0');
  });

  it('shows the reason where no file can be made', async () => {
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

  it('shows the data as a table with headers', async () => {
    const tab = await bench.open(FIGURE);
    await drawn(tab);
    await tab.locator('attn-saturation [part~=table]').click();
    await until(tab, "root.querySelectorAll('.data table').length === 4");
    assert.ok((await tab.locator('attn-saturation .data th').count()) > 20);
    const heads = await tab.locator('attn-saturation .data table').first().locator('thead th');
    const names = ['series', 'dk', 'measured', '10% or least', '90% or most', 'theory'];
    assert.deepEqual(await heads.allTextContents(), names);
  });

  it('shares a link that restores every setting, for this figure alone', async () => {
    const tab = await bench.open(
      '<attn-saturation d-k="100" keys="32" seed="7"></attn-saturation>' + FIGURE,
    );
    await drawn(tab);
    await tab.evaluate(() => history.replaceState({ page: 3 }, '')); // as a router does
    await tab.locator('attn-saturation [part~=share]').first().click();
    await until(tab, "location.hash.startsWith('#attn=1')");
    assert.deepEqual(await tab.evaluate(() => history.state), { page: 3 });
    const link = await tab.evaluate(() => navigator.clipboard.readText());
    assert.equal(link, tab.url());
    const { hash } = new URL(link);
    const again = await bench.open(FIGURE + FIGURE, { hash });
    const states = await again
      .locator('attn-saturation')
      .evaluateAll((figures) => figures.map((figure) => Reflect.get(figure, 'state')));
    assert.deepEqual(states[0], {
      dK: 100,
      keys: 32,
      scale: 'sqrt',
      entrySize: 1,
      lower: 'entropy',
      head: 'none',
      queries: 256,
      seed: 7,
    });
    assert.equal(states[1].dK, 64);
    // The link and its notice disappear with their state.
    const said = tab.locator('attn-saturation').first().locator('.shared, [part~=notice]');
    assert.equal(await said.count(), 2);
    await tab.evaluate(() => document.querySelector('attn-saturation')?.setAttribute('d-k', '99'));
    await until(tab, "root.querySelector('.title').textContent.includes('= 99')");
    assert.equal(await said.count(), 0);
    await tab.close();
    await again.close();
  });

  it('shows and puts into the address no link to a state that is left before it is copied', async () => {
    const tab = await bench.open(FIGURE);
    await drawn(tab);
    await tab.evaluate(() => {
      const written = new Promise((resolve) => Object.assign(globalThis, { write: resolve }));
      Object.assign(navigator.clipboard, { writeText: () => written });
    });
    const address = tab.url();
    for (const part of ['share', 'embed']) {
      await tab.locator(`attn-saturation [part~=${part}]`).click();
    }
    await tab.evaluate(() => {
      Reflect.set(document.querySelector('attn-saturation') ?? {}, 'dK', 100);
      Reflect.get(globalThis, 'write')();
    });
    await until(tab, "root.querySelector('.title').textContent.includes('= 100')");
    assert.equal(tab.url(), address);
    assert.equal(await tab.locator('attn-saturation [part~=notice]').count(), 0);
    assert.equal(await tab.locator('attn-saturation .shared').count(), 0);
  });

  it('copies code that embeds the shown state', async () => {
    const tab = await bench.open('<attn-saturation d-k="100" lang="zh"></attn-saturation>');
    await drawn(tab);
    await tab.locator('attn-saturation [part~=embed]').click();
    await until(tab, "root.querySelectorAll('.shared textarea').length === 2");
    const code = await tab.evaluate(() => navigator.clipboard.readText());
    assert.match(code, /<script type="module" src="http.*figures\.min\.js"><\/script>/);
    assert.match(code, /<attn-saturation lang="zh" d-k="100"><\/attn-saturation>/);
    const frame = await tab.locator('attn-saturation .shared textarea').last().inputValue();
    assert.match(frame, /\.html\?d-k=100&amp;lang=zh"/);
  });

  it('shows the link and the code to copy by hand where the page may not copy or change its address', async () => {
    const tab = await bench.open(`<meta name="attention-lab" content="http://[">${FIGURE}`);
    await drawn(tab);
    await tab.evaluate(() => {
      const refuse = () => {
        throw new DOMException('not allowed', 'SecurityError');
      };
      Object.assign(navigator.clipboard, { writeText: refuse });
      history.replaceState = refuse;
    });
    const address = tab.url();
    const notice = tab.locator('attn-saturation [part~=notice]');
    const texts = tab.locator('attn-saturation .shared textarea');
    await tab.locator('attn-saturation [part~=share]').click();
    await notice.filter({ hasText: 'Copy this link' }).waitFor();
    assert.match(await texts.inputValue(), /#attn=1&figure=saturation/);
    assert.equal(tab.url(), address);
    await tab.locator('attn-saturation [part~=embed]').click();
    await notice.filter({ hasText: 'Copy one of these' }).waitFor();
    // The page gives a site of figures that is no address.
    const root = new URL('../', address).href;
    assert.ok((await texts.first().inputValue()).includes(`src="${root}figures.min.js"`));
  });
});

// The picture of <attn-view>, its diagnosis and its saved page, in Chromium.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { choose, rowsAre, useView } from './bench.js';
import { savedPage } from './saved-page.js';

const { open } = useView();

it('sorts the diagnosis, and shows the head of a row or a thumbnail', async () => {
  const { tab, element, find, until, shows } = await open();
  await choose(tab, 'float32.safetensors');
  await until(rowsAre(8));
  const order = () =>
    element.evaluate((figure) =>
      [...(figure.shadowRoot?.querySelectorAll('[part=head] td:nth-child(3)') ?? [])].map((cell) =>
        Number(cell.textContent),
      ),
    );
  await find('.heads thead button').nth(2).click();
  const rising = await order();
  assert.deepEqual(
    rising,
    [...rising].sort((a, b) => a - b),
  );
  await find('.heads tbody button').filter({ hasText: 'Layer 2, head 3' }).click();
  await shows('[role=status]', 'Layer 2, head 3');
  await find('.thumbs button').nth(1).focus();
  await tab.keyboard.press('Enter');
  await shows('[role=status]', 'Layer 1, head 2');
});

it('gives the exact number under the pointer, also as a difference and as lines', async () => {
  const { tab, until, shows, set, boxOf } = await open();
  const weights = [[[0.125, 0.875], [0.5, 0.5]], [[0.75, 0.25], [0.5, 0.5]]]; // prettier-ignore
  await set({ weights });
  await until(rowsAre(2));
  const box = await boxOf('.plot rect');
  await tab.mouse.move(box.x + 20, box.y + 20);
  await shows('.readout', '0.1250');
  await set({ minus: '1.2' });
  await shows('.readout', '−0.6250');
  await set({ show: 'lines', minus: '' });
  await until(`root.querySelectorAll('.plot line').length === 4`);
});

it('shows 2048 tokens on a canvas, and follows the pointer', async () => {
  const { tab, element, find, until, boxOf } = await open();
  await element.evaluate((figure) => {
    const n = 2048;
    const data = new Float32Array(n * n);
    for (let i = 0; i < n; i++) data[i * n + i] = 1;
    Object.assign(figure, { weights: { data, shape: [n, n] } });
  });
  await until(`root?.querySelector('canvas.cells')?.width > 100`);
  const inked = await find('canvas').evaluate((canvas) => {
    const { width, height } = /** @type {HTMLCanvasElement} */ (canvas);
    const context = /** @type {HTMLCanvasElement} */ (canvas).getContext('2d');
    const pixels = context?.getImageData(0, 0, width, height).data ?? [];
    const alphaAt = (/** @type {number} */ x, /** @type {number} */ y) =>
      pixels[4 * (y * width + x) + 3];
    return [alphaAt(50, 50), alphaAt(width - 1, height - 1), alphaAt(10, 90)];
  });
  assert.deepEqual(inked, [255, 255, 0]);
  const box = await boxOf('canvas');
  await tab.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await until(`figure.row > 1000 && figure.row < 1050`);
});

it('gives the cells of a canvas the colours of a page that turns dark', async () => {
  const { tab, element, find, until } = await open();
  await element.evaluate((figure) => {
    const shape = [256, 256];
    Object.assign(figure, { weights: { data: new Float32Array(2 ** 16).fill(1 / 256), shape } });
  });
  await until(`root?.querySelector('canvas.cells')?.width > 100`);
  const cell = () =>
    find('canvas').evaluate((canvas) => {
      const context = /** @type {HTMLCanvasElement} */ (canvas).getContext('2d');
      return [...(context?.getImageData(0, 0, 1, 1).data ?? [])];
    });
  assert.deepEqual(await cell(), [8, 119, 189, 255]);
  await tab.evaluate(() => (document.body.style.background = '#14161a'));
  await until("getComputedStyle(root.querySelector('canvas')).color !== 'rgb(8, 119, 189)'");
  assert.deepEqual(await cell(), [59, 159, 224, 255]);
});

it('becomes one HTML file with figure and data, which makes no request and can be saved again', async () => {
  const { tab, element, until, set } = await open('lang="zh"');
  await choose(tab, 'pair.npz');
  await until(rowsAre(8));
  await set({ factor: 2, row: 3 });
  await until(`figure.data.query === 2`);
  const saved = await savedPage(tab);
  /** @type {string[]} */
  const requests = [];
  tab.on('request', (request) => requests.push(request.url().slice(0, 5)));
  await tab.goto(pathToFileURL(saved).href);
  await until(rowsAre(8));
  assert.deepEqual(
    await element.evaluate((figure) => {
      const { lang, data } = /** @type {any} */ (figure);
      return [lang, figure.getAttribute('factor'), data.query, data.attention.query.shape];
    }),
    ['zh', '2', 2, [2, 4, 5, 8]],
  );
  const again = await savedPage(tab);
  assert.equal(readFileSync(again, 'utf8'), readFileSync(saved, 'utf8'));
  assert.deepEqual(requests, ['file:']);
});

it('uses the scale of each layer that a file tells, also in a saved page', async () => {
  const { tab, element, until } = await open();
  const layers = [[[[3, 0], [0, 1]]], [[[3, 0], [0, 1]]]]; // prettier-ignore
  const given = { query: layers, key: layers, scale: [0.5, 2] };
  await choose(tab, 'scales.json', Buffer.from(JSON.stringify(given)));
  await until(rowsAre(2));
  const scales = () =>
    element.evaluate((figure) => Reflect.get(figure, 'data').attention.layerScales);
  assert.deepEqual(await scales(), [0.5, 2]);
  await tab.goto(pathToFileURL(await savedPage(tab)).href);
  await until(rowsAre(2));
  assert.deepEqual(await scales(), [0.5, 2]);
});

it('prints the diagnosis of 144 heads whole, and no inputs', async () => {
  const { tab, element, until } = await open();
  await element.evaluate((figure) => {
    const shape = [12, 12, 4, 4];
    Object.assign(figure, { weights: { data: new Float32Array(2304).fill(0.25), shape } });
  });
  await until(rowsAre(144));
  await tab.emulateMedia({ media: 'print' });
  const found = await element.evaluate((figure) => {
    const root = /** @type {ShadowRoot} */ (figure.shadowRoot);
    const heads = /** @type {HTMLElement} */ (root.querySelector('.heads'));
    const inputs = [...root.querySelectorAll('input, textarea, select')];
    return {
      hidden: heads.scrollHeight - heads.clientHeight,
      inputs: inputs.filter((input) => input.checkVisibility()).length,
      overflow: getComputedStyle(heads).overflowY,
    };
  });
  assert.deepEqual(found, { hidden: 0, inputs: 0, overflow: 'visible' });
});

it('shows tokens that are anything as text, also in files', async () => {
  const { tab, element, find, shows, allText } = await open();
  const tokens = ['x_i', '\x1b', 'שלום', '👨‍👩‍👧‍👦'];
  await element.evaluate((figure, given) => {
    const weights = [0, 1, 2, 3].map((i) => [0, 1, 2, 3].map((j) => Number(i === j)));
    Object.assign(figure, { weights, tokens: given, row: 3 });
  }, tokens);
  await shows('[role=status]', '“\u2068שלום\u2069” gives “\u2068שלום\u2069” 100%');
  assert.match(await allText(), /␛/);
  for (const kind of ['svg', 'png', 'csv']) {
    const [file] = await Promise.all([
      tab.waitForEvent('download'),
      find(`[part~=download-${kind}]`).click(),
    ]);
    assert.ok(await file.path(), kind);
  }
});

it('looks into 16 384 tokens without their matrix, follows the pointer and zooms', async () => {
  const { tab, element, find, until, shows, get, boxOf } = await open();
  await element.evaluate((figure) => {
    const n = 16_384;
    const data = new Float32Array(n * 8).map((_, i) => Math.sin(i * i));
    const tensor = { data, shape: [n, 8] };
    Object.assign(figure, { query: tensor, key: tensor, options: { causal: true }, row: 16_384 });
  });
  await shows('[role=status]', '“16384” gives');
  await shows('.note', 'would take 1,074 MB');
  const box = await boxOf('canvas');
  await tab.mouse.move(box.x + box.width / 4, box.y + box.height / 2);
  await until(`figure.row > 8100 && figure.row < 8300`);
  await find('.zoom button').first().click();
  await until(`figure.region.endsWith('.4')`);
  await until(rowsAre(1)); // measured
  const zoomed = await get('region');
  assert.match(zoomed, /^6\d{3}\.\d+\.4$/);
  const width = await find('canvas').evaluate(
    (canvas) => /** @type {HTMLCanvasElement} */ (canvas).width,
  );
  assert.ok(width > 100);
});

it('says why a key is looked at, and what is without a direction', async () => {
  const { find, until, shows } = await open();
  await until(rowsAre(4));
  await find('.why summary').click();
  await until(`root.querySelectorAll('.why tbody input').length === 6`);
  await find('.why tbody input').first().uncheck();
  await shows('[role=status]', 'without direction 1');
  await find('.why tbody input').first().check();
  await shows('[role=status]', 'of its attention');
});

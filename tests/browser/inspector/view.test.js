// <attn-view> in Chromium: attention by properties, a file, an address and pasted text; what cannot be read
// says why and leaves what was shown.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { STRICT_POLICY } from '../serve.js';
import { drawn, figureOn, useBench } from '../figures/bench.js';
import { savedPage } from './saved-page.js';
import { waitUntil } from '../../wait.js';

/** @import { Page, Route } from 'playwright-core' */

const NAME = 'attn-view';
const GOLDEN = new URL('../../golden/view/', import.meta.url);
const bench = useBench();

/** @param {string} [attributes] @param {Parameters<ReturnType<typeof useBench>['open']>[1]} [options] */
async function open(attributes = '', options = {}) {
  const tab = await bench.open(`<${NAME} ${attributes}></${NAME}>`, options);
  await tab.evaluate((name) => {
    const errors = /** @type {object[]} */ ([]);
    Object.assign(globalThis, { errors });
    document.addEventListener('attn-error', (event) =>
      errors.push(/** @type {CustomEvent} */ (event).detail),
    );
    return customElements.whenDefined(name).then(() => {});
  }, NAME);
  return figureOn(tab, NAME);
}

/** @typedef {Awaited<ReturnType<typeof open>>} Opened */

const rowsAre = (/** @type {number} */ count) =>
  `root?.querySelectorAll('[part=head]').length === ${count}`;

/** Chooses a file. @param {Page} tab @param {string} name @param {Buffer} [buffer] */
const choose = (tab, name, buffer = readFileSync(new URL(name, GOLDEN))) =>
  tab.locator(`${NAME} input[type=file]`).setInputFiles({ name, mimeType: '', buffer });

it('shows the weights that a page sets, and loads no model for it', async () => {
  const tab = await bench.open(`<p></p>`);
  const { until, shows } = figureOn(tab, NAME);
  /** @type {string[]} */
  const requests = [];
  tab.on('request', (request) => requests.push(request.url()));
  await tab.evaluate((name) => {
    const figure = document.createElement(name);
    const data = Float32Array.of(1, 0, 0.25, 0.75, 0.5, 0.5, 0.9, 0.1);
    Object.assign(figure, {
      weights: { data, dims: [2, 2, 2] },
      tokens: ['deep', 'sea'],
      head: 2,
      row: 2,
    });
    document.querySelector('main')?.append(figure);
  }, NAME);
  await shows('[role=status]', 'Layer 1, head 2 is');
  await shows('[role=status]', '“sea” gives “deep” 90% of its attention');
  await until(rowsAre(2));
  assert.deepEqual(requests, []);
});

it('shows a model that many use as an example, and goes back to its own', async () => {
  const { find, until, shows, allText } = await open('layer="4" head="2" row="10"');
  await until(rowsAre(4));
  await find('summary').first().click();
  await find('#field-example').selectOption('minilm-tired');
  await shows('[role=status]', '“it” gives “animal” 69% of its attention');
  await until(rowsAre(72));
  assert.match(await allText(), /Queries and keys of all-MiniLM-L6-v2 \(Apache-2\.0\)/);
  await find('#field-example').selectOption('words');
  await until(rowsAre(4));
});

it('shows what a page sets while an example is on its way', async () => {
  const { tab, until, set } = await open();
  /** @type {(route: Route) => void} */
  let ask = () => {};
  const asked = new Promise((/** @type {typeof ask} */ resolve) => (ask = resolve));
  await tab.route(/minilm-tired/, (route) => ask(route));
  await set({ example: 'minilm-tired' });
  const request = await asked;
  await set({ weights: [[[1, 0], [0, 1]], [[0, 1], [1, 0]]] }); // prettier-ignore
  await request.continue();
  await until(rowsAre(2));
});

it('opens what a reader brings at the head that stands out, without the factor of what was there before', async () => {
  const opened = 'example="minilm-tired" layer="4" head="2" row="10" factor="5.65" minus="1.1"';
  const { tab, element, until, shows, allText } = await open(opened);
  await shows('[role=status]', 'Layer 4, head 2 minus Layer 1, head 1');
  const weights = [[[1, 0], [0.5, 0.5]], [[1, 0], [0.5, 0.5]], [[1, 0], [0.01, 0.99]]]; // prettier-ignore
  await choose(tab, 'narrow_third.json', Buffer.from(JSON.stringify(weights)));
  await until(rowsAre(3));
  await shows('[role=status]', 'Layer 1, head 3 is');
  await shows('[role=status]', '“2” gives “2” 99%');
  assert.match(await allText(), /File: narrow\u2060_third\.json\./);
  const state = await element.evaluate((figure) =>
    ['factor', 'minus', 'row'].map((name) => Reflect.get(figure, name)),
  );
  assert.deepEqual(state, [1, '', 11]);
});

it('takes properties back, and sets them in any order', async () => {
  const { until, shows, set } = await open();
  await until(rowsAre(4));
  const [query, key] = [[[3, 0], [0, 3]], [[3, 0], [0, 3], [1, 1]]]; // prettier-ignore
  await set({ keyTokens: ['a', 'b', 'c'] });
  await set({ key });
  await set({ query, tokens: ['x', 'y'], scale: 1 });
  await until(rowsAre(1));
  await shows('[role=status]', '“y” gives “b” 99.7%');
  await set({ query: null, key: null, tokens: null, keyTokens: null, scale: null });
  await until(rowsAre(4));
});

it('reads a file that the reader chooses, and one that is dropped', async () => {
  const { tab, element, until, shows, allText } = await open();
  await drawn(tab, NAME);
  await choose(tab, 'deflated.npz');
  await until(rowsAre(8));
  await shows('[role=status]', '“🌊”');
  const bytes = [...readFileSync(new URL('one-head.npy', GOLDEN))];
  await element.evaluate((figure, given) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([Uint8Array.from(given)], 'one-head.npy'));
    figure.dispatchEvent(new DragEvent('drop', { dataTransfer, cancelable: true }));
  }, bytes);
  await until(rowsAre(1));
  assert.doesNotMatch(await allText(), /NaN|undefined/);
});

it("shows the model's own weights of recorded queries and keys: causal, padded, with a bias", async () => {
  const { tab, element } = await open();
  await drawn(tab, NAME);
  const models = new URL('models/', GOLDEN);
  const { weights } = JSON.parse(readFileSync(new URL('expected-models.json', GOLDEN), 'utf8'));
  for (const name of [
    'gpt2-pair.npz',
    'llama-pair.npz',
    'bert-padded-pair.npz',
    't5-encoder-pair.npz',
  ]) {
    await choose(tab, name, readFileSync(new URL(name, models)));
    const { shape, float32 } = weights[name];
    const truth = new Float32Array(Uint8Array.from(Buffer.from(float32, 'base64')).buffer);
    const isShown = () =>
      element.evaluate(
        (figure, { all, heads }) => {
          const { matrix, layer, head } = /** @type {any} */ (figure).view().data;
          const first = (layer * heads + head) * matrix.data.length;
          const expected = all.slice(first, first + matrix.data.length);
          return (
            expected.length > 0 && expected.every((x, i) => Math.abs(x - matrix.data[i]) < 1e-5)
          );
        },
        { all: [...truth], heads: shape[1] },
      );
    await waitUntil(isShown, `the weights of ${name}`);
  }
});

it('says why a file cannot be read, keeps what was shown, and tries again', async () => {
  const { tab, find, until, shows } = await open();
  await choose(tab, 'pair.npz');
  await until(rowsAre(8));
  await choose(tab, '<b>bad</b>.npy', Buffer.from('no array'));
  await shows('[role=status]', 'This could not be read (<b>bad</b>.npy): the file has 8 bytes');
  await until(rowsAre(8));
  await find('[part=retry]').click();
  await until('errors.length === 2');
  await shows('[role=status]', '<b>bad</b>.npy');
  const errors = await tab.evaluate(() => Reflect.get(globalThis, 'errors'));
  const { figure, source, code } = errors[0];
  assert.deepEqual(
    { figure, source, code },
    { figure: 'view', source: '<b>bad</b>.npy', code: 'ATTN_DTYPE' },
  );
  // A control still works on what is shown.
  await find('input[type=range]').first().press('ArrowRight');
  await until(`!root.querySelector('[part=failure]')`);
  await until(rowsAre(8));
});

it('reads the bytes of a file that a page sets', async () => {
  const { element, until, set } = await open();
  const bytes = [...readFileSync(new URL('stored.npz', GOLDEN))];
  await element.evaluate((figure, given) => {
    Object.assign(figure, { file: new DataView(Uint8Array.from(given).buffer) });
  }, bytes);
  await until(rowsAre(8));
  await set({ file: undefined });
  await until(rowsAre(4));
});

it('reads pasted JSON', async () => {
  const { tab, find, shows } = await open();
  await drawn(tab, NAME);
  await find('.bring summary').click();
  await find('.bring textarea').fill('{"weights": [[1, 0], [0.2, 0.8]], "tokens": ["up", "down"]}');
  await find('.bring button').click();
  await shows('[role=status]', '“down” gives “down” 80%');
});

it('reads the file at an address, says where there is none, and shares it in links', async () => {
  const policy = STRICT_POLICY.replace(
    "default-src 'none'",
    "default-src 'none'; connect-src 'self'",
  );
  const tab = await bench.open(`<p></p>`, { policy });
  const { element, find, until, shows } = figureOn(tab, NAME);
  await tab.route('**/*.safetensors', (route) =>
    route.request().url().includes('missing')
      ? route.fulfill({ status: 404 })
      : route.fulfill({ body: readFileSync(new URL('float32.safetensors', GOLDEN)) }),
  );
  await tab.evaluate((name) => {
    const figure = document.createElement(name);
    figure.setAttribute('src', 'missing.safetensors');
    document.querySelector('main')?.append(figure);
  }, NAME);
  await shows('[role=status]', 'missing.safetensors): the server answers 404');
  await element.evaluate((figure) => figure.setAttribute('src', 'found.safetensors'));
  await until(rowsAre(8));
  await find('[part=share]').click();
  await until(`root.querySelector('.shared textarea')?.value.includes('src=found.safetensors')`);
});

it('shows the newest source at once while the server of an older one never answers, and asks it no more', async () => {
  const policy = STRICT_POLICY.replace(
    "default-src 'none'",
    "default-src 'none'; connect-src 'self'",
  );
  const found = readFileSync(new URL('float32.safetensors', GOLDEN));
  /** @type {[string, (parts: Opened) => Promise<unknown>, number][]} */
  const newer = [
    ['a file', ({ tab }) => choose(tab, 'one-head.npy'), 1],
    ['properties', ({ set }) => set({ weights: [[[1, 0], [0, 1]], [[0, 1], [1, 0]]] }), 2], // prettier-ignore
    ['another address', ({ set }) => set({ src: 'found.safetensors' }), 8],
    [
      'pasted JSON',
      async ({ find }) => {
        await find('.bring summary').click();
        await find('.bring textarea').fill('[[1, 0], [0.2, 0.8]]');
        await find('.bring button').click();
      },
      1,
    ],
    ['none, which is the example', ({ set }) => set({ src: '' }), 4],
  ];
  for (const [what, bringNewer, count] of newer) {
    const opened = await open('', { policy });
    const { tab, until, set } = opened;
    await until(rowsAre(4));
    await tab.route('**/found.safetensors', (route) => route.fulfill({ body: found }));
    await tab.route('**/silent.npz', () => {}); // which is never answered
    const asked = tab.waitForRequest('**/silent.npz');
    const ended = tab.waitForEvent('requestfailed');
    await set({ src: 'silent.npz' });
    await asked;
    await bringNewer(opened);
    await until(rowsAre(count));
    assert.match((await ended).url(), /silent\.npz$/, what);
    const errors = await tab.evaluate(() => Reflect.get(globalThis, 'errors'));
    assert.deepEqual(errors, [], what);
  }
});

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

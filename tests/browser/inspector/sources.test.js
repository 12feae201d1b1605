// What <attn-view> is given, in Chromium: properties, a file, an address, pasted text. What cannot be read says why and
// leaves what was shown; the newest wins.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { it } from 'node:test';
import { STRICT_POLICY } from '../serve.js';
import { drawn, figureOn } from '../figures/bench.js';
import { choose, GOLDEN, NAME, rowsAre, useView } from './bench.js';
import { waitUntil } from '../../wait.js';

/** @import { Route } from 'playwright-core' */

const { bench, open } = useView();

/** @typedef {Awaited<ReturnType<typeof open>>} Opened */

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
  // A file of the reader is not what is at the address, which can be asked for again.
  await choose(tab, 'one-head.npy');
  await until(rowsAre(1));
  await until(`!root.querySelector('.shared')`);
  await find('[part=share]').click();
  await until(`root.querySelector('.shared textarea')?.value.includes('src=found') === false`);
  await element.evaluate((figure) => figure.setAttribute('src', 'found.safetensors'));
  await until(rowsAre(8));
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

it('offers the texts of a batch, where a file has several, from the first on', async () => {
  const { tab, element, find, until } = await open('text="2"');
  const tokens = [['a', 'b'], ['c', 'd'], ['e', 'f']]; // prettier-ignore
  const texts = [1, 0.75, 0.5].map((p) => [[[1, 0], [1 - p, p]]]); // prettier-ignore
  const batch = Buffer.from(JSON.stringify({ weights: [texts], tokens }));
  await until(rowsAre(4));
  assert.equal(await find('#batch-text').count(), 0);
  await choose(tab, 'batch.json', batch);
  await until(rowsAre(1));
  await until(`figure.data.labels.join('') === 'ab' && figure.data.largest === 1`);
  await find('#batch-text').fill('3');
  await find('#batch-text').press('Enter');
  await until(`figure.data.labels.join('') === 'ef' && figure.data.matrix.data[3] === 0.5`);
  assert.equal(await element.getAttribute('text'), '3');
  assert.match(await find('.field.text').innerText(), /text\s*of 3/);
  // Another file begins with its first text; one without a batch has no choice.
  await choose(tab, 'again.json', batch);
  await until(`figure.data.labels.join('') === 'ab'`);
  await choose(tab, 'one-head.npy');
  await until(`!root.querySelector('#batch-text')`);
});

it('shows the text of a batch that a page gives', async () => {
  const { until, set } = await open('lang="zh"');
  const weights = { data: Float32Array.of(1, 0, 0, 1, 1, 0, 0.5, 0.5), shape: [1, 2, 1, 2, 2] };
  await set({ weights, tokens: [['甲', '乙'], ['丙', '丁']], text: 2 }); // prettier-ignore
  await until(`figure.data?.labels.join('') === '丙丁'`);
  await until(`root.querySelector('.field.text').textContent.includes('共 2 段')`);
});

// A figure as a link, and as code for other pages.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { drawn, useBench, until } from '../../bench.js';

const bench = useBench();

const FIGURE = '<attn-saturation></attn-saturation>';

test('a link restores every setting, for its figure alone', async () => {
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
    start: 'unit',
    entrySize: 1,
    mean: 0,
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

test('no link is shown, or put into the address, to a state that is left before it is copied', async () => {
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

test('a link has the address of the page itself where relative ones go elsewhere, and that of the page around a frame without one', async () => {
  const tab = await bench.open(`<base href="/app/">${FIGURE}<iframe></iframe>`);
  await drawn(tab);
  const address = tab.url();
  await tab.locator('attn-saturation [part=share]').click();
  const link = tab.locator('attn-saturation .shared textarea');
  await link.waitFor();
  assert.equal((await link.inputValue()).replace(/#.*/, ''), address);
  assert.equal(tab.url(), await link.inputValue());
  await tab.locator('iframe').evaluate((frame) => {
    frame.setAttribute(
      'srcdoc',
      '<!doctype html><script type="module" src="/figures.js"></script><attn-saturation></attn-saturation>',
    );
  });
  const inside = tab.frameLocator('iframe').locator('attn-saturation');
  await inside.locator('[part=fold]').click(); // a frame is 300 pixels wide
  await inside.locator('[part=share]').click();
  const other = await inside.locator('.shared textarea').inputValue();
  assert.equal(other.replace(/#.*/, ''), new URL('/app/', address).href);
});

test('code that is copied embeds the shown state, with a picture for readers without scripts', async () => {
  const site = '<meta name="attention-lab" content="https://site.example/lab/">';
  const tab = await bench.open(`${site}<attn-saturation d-k="100" lang="zh"></attn-saturation>`);
  await drawn(tab);
  await tab.locator('attn-saturation [part~=embed]').click();
  await until(tab, "root.querySelectorAll('.shared textarea').length === 2");
  const code = await tab.evaluate(() => navigator.clipboard.readText());
  const root = 'https://site.example/lab/';
  const style = `<link rel="stylesheet" href="${root}figures.min.css">\n`;
  assert.ok(
    code.startsWith(`${style}<script type="module" src="${root}figures.min.js"></script>\n`),
  );
  assert.doesNotMatch(code, /style=/);
  const picture = `<img src="${root}pictures/saturation-zh-light.svg" alt="softmax 饱和程度与 d_k 的关系">`;
  assert.ok(
    code.includes(`<attn-saturation lang="zh" d-k="100">${picture}</attn-saturation>`),
    code,
  );
  const frame = await tab.locator('attn-saturation .shared textarea').last().inputValue();
  assert.ok(frame.startsWith(`<iframe src="${root}embed/saturation.html?d-k=100&amp;lang=zh"`));
  assert.doesNotMatch(frame, / style="/);
  // The lines that give it the height of the figure are those of the recipe.
  const lines = readFileSync('web/site/recipes/frame-height.html', 'utf8');
  assert.ok(frame.endsWith(`</iframe>\n${lines}`), frame);
});

test('where no site and no script is known, the code is the element alone', async () => {
  const tab = await bench.open('<attn-saturation d-k="9" lang="en"></attn-saturation>');
  await drawn(tab);
  await tab.locator('attn-saturation [part~=embed]').click();
  const texts = tab.locator('attn-saturation .shared textarea');
  await texts.waitFor();
  assert.match(
    await texts.inputValue(),
    /^<div><attn-saturation lang="en" d-k="9"><\/attn-saturation><\/div>$/,
  );
});

test('the link and the code are shown to copy by hand where the page may not copy or change its address', async () => {
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
  await notice.filter({ hasText: 'Copy this code' }).waitFor();
  // The page gives a site of figures that is no address.
  assert.doesNotMatch(await texts.inputValue(), /src=/);
});

// The bundle of each figure as other people's pages load it, and the addresses that the Embed button hands out there.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { ASSETS } from '../../../web/build/assets.js';
import { classNameOf, ELEMENTS, FIGURES, SITE } from '../../../web/build/paths.js';
import { filesOf } from '../../../web/site/generator/files.js';
import { neededInEnglish } from '../needed-files.js';
import { drawn, newPage, useSite } from './site.js';

const site = useSite();

/**
 * Opens another page of the same origin, which loads one bundle.
 * @param {string} file
 * @param {string} body
 */
const withScript = async (file, body) => {
  const opened = await newPage(site);
  const host = `${site.url}/host.html`;
  const script = `<script type="module" src="${site.url}/${file}"></script>`;
  await opened.page.route(host, (route) =>
    route.fulfill({ contentType: 'text/html', body: `<!doctype html>${script}${body}` }),
  );
  await opened.page.goto(host);
  opened.requests.shift();
  return opened;
};

for (const file of ['figures.min.js', 'figures/saturation.min.js']) {
  test(`a figure of ${file} is hidden by its own style, as scripts and as authors write it`, async () => {
    for (const style of ['', 'display: none;', 'display:none']) {
      const figure = `<attn-saturation style="${style}"></attn-saturation>`;
      const { page, close } = await withScript(file, figure);
      await page.locator('attn-saturation figure').waitFor({ state: 'attached' });
      assert.equal(await page.locator('attn-saturation').isVisible(), style === '', style);
      await close();
    }
  });
}

for (const name of ELEMENTS) {
  test(`figures/${name}.min.js names the files that the recipes say, and the kernels`, async () => {
    const further = filesOf(name).filter((file) => file === 'model-trainer'); // loads kernels of its own
    const text = [`figures/${name}`, ...further]
      .map((file) => readFileSync(`${SITE}/${file}.min.js`, 'utf8'))
      .join();
    const named = Object.keys(ASSETS).filter((file) =>
      new RegExp(`${file}(\\.min\\.js)?["'\`]`).test(text),
    );
    const files = ['kernel-fallback', 'kernel-relaxed', ...filesOf(name)];
    assert.deepEqual(named.sort(), files.sort());
  });
}

for (const name of FIGURES) {
  test(`figures/${name}.min.js is one request, and its model, that defines its figure alone and exports its class`, async () => {
    const file = `figures/${name}.min.js`;
    const { page, requests } = await withScript(file, `<attn-${name}></attn-${name}>`);
    await drawn(page, `attn-${name}`);
    const names = [`figures/${name}`, ...neededInEnglish(name)];
    assert.deepEqual(requests.sort(), names.map((each) => `${site.url}/${each}.min.js`).sort());
    const defined = await page.evaluate(
      (names) => names.filter((each) => customElements.get(`attn-${each}`)),
      FIGURES,
    );
    assert.deepEqual(defined, [name]);
    const exported = await page.evaluate(
      async ([url, tag]) =>
        Object.entries(await import(url)).map(([key, value]) => [
          key,
          value === customElements.get(tag),
        ]),
      [`${site.url}/${file}`, `attn-${name}`],
    );
    assert.deepEqual(exported, [[classNameOf(name), true]]);
  });
}

/**
 * Returns the first address in each code of the Embed button.
 * @param {import('playwright-core').Page} page
 */
const embedded = async (page) => {
  const figure = await drawn(page, 'attn-saturation');
  await figure.locator('[part=embed]').click();
  await figure.locator('.shared textarea').first().waitFor();
  return figure
    .locator('.shared textarea')
    .evaluateAll((boxes) =>
      boxes.map((box) => /src="([^"?]*)/.exec(Reflect.get(box, 'value'))?.[1]),
    );
};

test('the Embed button names the script that runs, and no frame, however a page loads it', async () => {
  const element = '<attn-saturation></attn-saturation>';
  // Of the page itself, and with 'figures/' in its address.
  const other = '<script src="/js/figures/zoom.js"></script>';
  const asked = `<script type="module">await import('${site.url}/figures.min.js?ver=6.5')</script>`;
  for (const [file, body] of [
    ['figures.min.js?ver=6.5', element],
    ['figures/saturation.min.js#1', other + element],
    ['js/none.js', asked + element],
  ]) {
    const { page, close } = await withScript(file, body);
    const address = file.startsWith('js') ? 'figures.min.js' : file.replace(/\?.*/, '');
    assert.deepEqual(await embedded(page), [`${site.url}/${address}`], file);
    await close();
  }
});

test('the Embed button names the site on its own pages, and first of all the site that a page names', async () => {
  for (const path of ['en/', 'zh/recipes/', 'embed/saturation.html']) {
    const { page, close } = await newPage(site);
    await page.goto(`${site.url}/${path}`);
    const expected = ['figures.min.js', 'embed/saturation.html'];
    assert.deepEqual(
      await embedded(page),
      expected.map((file) => `${site.url}/${file}`),
      path,
    );
    await close();
  }
  const meta = '<meta name="attention-lab" content="https://blog.example/a/">';
  const { page } = await withScript('figures.min.js', `${meta}<attn-saturation></attn-saturation>`);
  assert.deepEqual(await embedded(page), [
    'https://blog.example/a/figures.min.js',
    'https://blog.example/a/embed/saturation.html',
  ]);
});

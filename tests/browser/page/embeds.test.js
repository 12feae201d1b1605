// The embeds, used as other people's pages use them.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { FIGURES } from '../../../web/build/paths.js';
import { neededInEnglish } from '../needed-files.js';
import { mainControl } from './main-control.js';
import { drawn, frameOf, freshPage, newPage, useSite } from './site.js';
import { waitUntil } from '../../wait.js';

const site = useSite();

/**
 * Opens a page elsewhere with one frame, and collects its messages.
 * @param {string} address
 * @param {string} [script]
 */
async function framed(address, script = '') {
  const opened = await freshPage(site);
  await opened.page.setContent(
    `<script>messages = []; addEventListener('message', ({ data }) => messages.push(data));</script>
     ${script}<iframe src="${address}" sandbox="allow-scripts" width="700"></iframe>`,
  );
  const frame = await frameOf(opened.page, address);
  return { ...opened, frame };
}

/** @type {Promise<string> | undefined} */
let snippet;

/** Returns the script of the gallery that gives frames their height. */
async function readSnippet() {
  const { page, close } = await newPage(site, { javaScriptEnabled: false });
  await page.goto(`${site.url}/en/figures/`);
  const text = await page.locator('#frame-height').innerText();
  await close();
  return text;
}

for (const name of FIGURES) {
  describe(`embed/${name}.html`, () => {
    test('draws in a sandboxed frame, from one request and the model it may need, without complaint, and scrolls in it', async () => {
      const address = `${site.url}/embed/${name}.html?lang=en`;
      const { frame, requests, complaints } = await framed(address);
      const figure = await drawn(frame, `attn-${name}`);
      assert.match(await figure.locator('[part=readout]').innerText(), /\d\.\d/);
      assert.match(await frame.title(), /^[A-Z][\w-]* [ -~]+$/);
      const files = neededInEnglish(name).map((file) => `${site.url}/${file}.classic.js`);
      assert.deepEqual(
        requests.filter((url) => url.startsWith('http')).sort(),
        [address, ...files].sort(),
      );
      assert.deepEqual(complaints, []);
      const caption = figure.locator('figcaption');
      // A figure that is not settled yet may grow once more, and the caption moves on.
      await waitUntil(async () => {
        await caption.scrollIntoViewIfNeeded();
        return caption.evaluate(
          (element) => scrollY > 0 && element.getBoundingClientRect().bottom <= innerHeight + 1,
        );
      });
    });

    test('sends its height, which the snippet of the article gives the frame', async () => {
      const address = `${site.url}/embed/${name}.html?id=seven`;
      const { page, frame } = await framed(address, await (snippet ??= readSnippet()));
      await drawn(frame, `attn-${name}`);
      const measure = () => ({
        height: Math.ceil(document.body.getBoundingClientRect().height),
        scrolls: document.documentElement.scrollHeight > innerHeight,
        wide: document.documentElement.scrollWidth > innerWidth,
      });
      // A figure that is not settled yet may grow once more and then sends that height, too.
      await waitUntil(async () => {
        const { height, scrolls, wide } = await frame.evaluate(measure);
        const messages = await page.evaluate(() => Reflect.get(window, 'messages'));
        const given = await page
          .locator('iframe')
          .evaluate((each) => /** @type {HTMLElement} */ (each).style.height);
        const told = isDeepStrictEqual(messages.at(-1), {
          type: 'attn:height',
          v: 1,
          id: 'seven',
          height,
        });
        return told && given === `${height}px` && !scrolls && !wide;
      });
    });

    test('takes language, theme and state from its address, and nothing else', async () => {
      const { key, attribute, value } = await mainControl(name);
      const query = `lang=zh_CN&theme=dark&${attribute}=${value}&onclick=alert(1)&style=x&__proto__=1&class=c`;
      const { frame, complaints } = await framed(`${site.url}/embed/${name}.html?${query}`);
      const figure = await drawn(frame, `attn-${name}`);
      assert.match(await figure.locator('figcaption').innerText(), /\p{Script=Han}/u);
      assert.match(await frame.title(), /\p{Script=Han}/u);
      assert.equal(await figure.getAttribute(attribute), String(value));
      assert.equal(
        await figure.evaluate((element, property) => Reflect.get(element, property), key),
        value,
      );
      const others = await figure.evaluate((element) =>
        ['onclick', 'style', 'class'].filter((attribute) => element.hasAttribute(attribute)),
      );
      assert.deepEqual(others, []);
      const scheme = await frame.evaluate(
        () => getComputedStyle(document.documentElement).colorScheme,
      );
      assert.equal(scheme, 'dark');
      assert.deepEqual(complaints, []);
    });

    test('shows its picture without JavaScript', async () => {
      const { page } = await newPage(site, { javaScriptEnabled: false });
      await page.goto(`${site.url}/embed/${name}.html`);
      assert.ok(await page.locator(`attn-${name} > svg`).isVisible());
    });
  });
}

test('a frame far below the fold, of which Chromium calls no observer, sends a height once it has loaded', async () => {
  const { page } = await freshPage(site);
  const address = `${site.url}/embed/cost.html?id=below`;
  await page.setContent(
    `<script>messages = []; addEventListener('message', ({ data }) => messages.push(data));</script>
     <div style="height: 9000px"></div><iframe src="${address}" sandbox="allow-scripts" width="700"></iframe>`,
  );
  const messages = () => page.evaluate(() => Reflect.get(window, 'messages'));
  await waitUntil(async () => (await messages()).length > 0);
  const [{ type, id, height }] = await messages();
  assert.deepEqual({ type, id }, { type: 'attn:height', id: 'below' });
  assert.ok(height > 300, `${height}`);
});

test('a link shared from an embed restores the shared state, and the rest of its address', async () => {
  const { page } = await newPage(site);
  await page.goto(`${site.url}/embed/saturation.html?d-k=9&keys=128&controls=keys&lang=en`);
  const figure = await drawn(page, 'attn-saturation');
  await figure.evaluate((element) => Object.assign(element, { dK: 100 }));
  await figure.locator('[part=title]', { hasText: '= 100' }).waitFor();
  await figure.locator('[part=share]').click();
  const link = await figure.locator('.shared textarea').inputValue();
  assert.match(link, /\?d-k=9&.*#attn=1&figure=saturation&d-k=100&keys=128&/);
  await page.goto('about:blank');
  await page.goto(link);
  const again = await drawn(page, 'attn-saturation');
  const seen = await again.evaluate((element) => {
    const { dK, keys, controls } = /** @type {any} */ (element);
    return { dK, keys, controls };
  });
  assert.deepEqual(seen, { dK: 100, keys: 128, controls: 'keys' });
  // Fields that a hash does not name come from the address.
  await page.goto('about:blank');
  await page.goto(link.replace(/&keys=128&scale.*/, ''));
  const short = await drawn(page, 'attn-saturation');
  assert.deepEqual(
    await short.evaluate((element) => [Reflect.get(element, 'dK'), Reflect.get(element, 'keys')]),
    [100, 128],
  );
});

test('the code that the embed button copies shows the figure as it was, by script and by frame', async () => {
  const { page } = await newPage(site, {
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  await page.goto(`${site.url}/zh/`);
  const figure = await drawn(page, 'attn-saturation');
  await figure.evaluate((element) => Object.assign(element, { dK: 9, scale: 'none' }));
  await figure.locator('[part=embed]').click();
  await figure.locator('textarea').nth(1).waitFor(); // shown once it is copied
  const script = await page.evaluate(() => navigator.clipboard.readText());
  const width = await figure.evaluate((element) => element.getBoundingClientRect().width);
  const [first, frame] = await figure
    .locator('textarea')
    .evaluateAll((boxes) => boxes.map((box) => Reflect.get(box, 'value')));
  assert.equal(first, script);
  assert.match(frame, /^<iframe [^>]* title="[^"]+" [^>]*height="\d{3,4}"/);
  for (const code of [script, frame]) {
    const other = await freshPage(site, { viewport: { width: width + 32, height: 900 } });
    await other.page.setContent(code);
    const inside = code === frame ? other.page.frameLocator('iframe') : other.page;
    const copy = inside.locator('attn-saturation');
    await copy.locator('.plot > svg text').first().waitFor();
    assert.deepEqual(await copy.evaluate((element) => Reflect.get(element, 'state')), {
      dK: 9,
      keys: 64,
      scale: 'none',
      start: 'unit',
      entrySize: 1,
      mean: 0,
      queries: 256,
      seed: 5,
    });
    assert.match(await copy.locator('figcaption').innerText(), /\p{Script=Han}/u);
    if (code === frame) {
      await waitUntil(() =>
        copy.evaluate(() => {
          const spare = innerHeight - document.documentElement.scrollHeight;
          return spare >= -80 && spare < 120;
        }),
      );
    }
    await other.close();
  }
});

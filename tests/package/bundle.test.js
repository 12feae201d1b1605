// The bundles in a browser, as a CDN would give them: their requests, their exports, and their
// behaviour beside other copies of themselves; and the same modules unbundled.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';
import * as attentionLab from '../../web/attention/index.js';
import { ELEMENTS, FIGURES, SITE } from '../../web/build/paths.js';
import { neededInEnglish } from '../browser/needed-files.js';
import { launch } from '../browser/serve.js';
import { assertAnswer, assertFigure, FIGURE, PROGRAM } from './answer.js';
import { installPackage, serveFolder } from './packed.js';
import { waitUntil } from '../wait.js';

/** @import { Browser, Page } from 'playwright-core' */

const installed = await installPackage();
const root = join(installed.folder, 'node_modules/attention-lab');
const TAGS = ELEMENTS.map((name) => `attn-${name}`);

/** @type {Browser} */
let browser;
/** What a test has opened closes with it. @type {{ close: () => Promise<void> }[]} */
const opened = [];
before(async () => {
  browser = await launch();
});
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close();
});
after(async () => {
  await browser?.close();
  installed.remove();
});

/** Returns PROGRAM as a module that imports the package from elsewhere. @param {string} from */
const programFrom = (from) => PROGRAM.replace("'attention-lab'", `'${from}'`);

/**
 * Opens a page beside the files of a folder; errors of its scripts fail the test.
 * @param {string} body
 * @param {Record<string, string>} [files] further ones, by path
 * @param {string} [folder]
 */
async function open(body, files = {}, folder = root) {
  const html = `<!doctype html><html lang="en"><title>test</title><link rel="icon" href="data:,">${body}`;
  const server = await serveFolder(folder, { '/': html, ...files });
  const tab = await browser.newPage();
  opened.push(tab, server);
  /** @type {string[]} */
  const errors = [];
  tab.on('pageerror', (error) => errors.push(String(error)));
  await tab.goto(server.origin);
  return { tab, errors, ...server };
}

/** The answer of a module of the page's origin. @param {Page} tab */
const answerOf = (tab, path = '/answer.js') =>
  tab.evaluate(async (url) => (await import(url)).answer(), path);

/** @param {Page} tab */
const registered = (tab) =>
  tab.evaluate((tags) => tags.filter((tag) => customElements.get(tag)), TAGS);

describe('figures.min.js', () => {
  const script = '<script type="module" src="/figures.min.js"></script>';

  it('is the file of the site', () => {
    const [own, built] = [root, SITE].map((folder) => readFileSync(join(folder, 'figures.min.js')));
    assert.ok(own.equals(built));
  });

  it('brings every element and the kernel with one request', async () => {
    const { tab, errors, requests } = await open(script + FIGURE);
    await assertFigure(tab);
    assert.deepEqual(await registered(tab), TAGS);
    assert.deepEqual(requests, ['/', '/figures.min.js']);
    assert.deepEqual(errors, []);
  });

  it('says in every language what the sources say', async () => {
    const { tab } = await open(script);
    for (const name of FIGURES) {
      const { spec } = await import(`../../web/figures/${name}/element.js`);
      const bundled = await tab.evaluate(
        (tag) => JSON.stringify(Reflect.get(customElements.get(tag) ?? {}, 'spec').messages),
        `attn-${name}`,
      );
      assert.deepEqual(JSON.parse(bundled), JSON.parse(JSON.stringify(spec.messages)), name);
    }
  });

  it('draws every figure and decides every claim, with a request for models and those that figures need', async () => {
    const elements = TAGS.map((tag) => `<${tag}></${tag}>`).join('');
    const { tab, errors, requests } = await open(script + elements);
    for (const name of FIGURES) {
      const figure = tab.locator(`attn-${name}`);
      await figure.scrollIntoViewIfNeeded();
      await figure.locator('[part~="plot"] > :is(svg, div)').first().waitFor();
      await figure.locator('[part~="readout"]', { hasText: /\d/ }).waitFor();
      assert.equal(await figure.locator('[part~="failure"]').count(), 0, name);
    }
    const parts = ['figures', 'figures-models', 'figures-trainer'];
    const names = [...parts, ...new Set(FIGURES.flatMap(neededInEnglish))];
    await tab.locator('attn-claims').scrollIntoViewIfNeeded();
    const claimed = tab.locator('attn-claims [part~="claim"] output');
    await waitUntil(async () => {
      const numbers = await claimed.allTextContents();
      return numbers.length > 0 && numbers.every((text) => /\d/.test(text));
    }, 'a number for every claim');
    assert.deepEqual(requests.sort(), ['/', ...names.map((name) => `/${name}.min.js`)].sort());
    assert.deepEqual(errors, []);
  });

  it('exports all that the package exports', async () => {
    const { tab } = await open('', { '/answer.js': programFrom('/figures.min.js') });
    const names = await tab.evaluate(
      async (url) => Object.keys(await import(url)),
      '/figures.min.js',
    );
    const missing = Object.keys(attentionLab).filter((name) => !names.includes(name));
    assert.deepEqual(missing, []);
    assertAnswer(await answerOf(tab));
  });

  it('asks for another kernel only where that is to be used', async () => {
    const { tab, requests } = await open('', { '/answer.js': programFrom('/figures.min.js') });
    const loaded = ['/', '/answer.js', '/figures.min.js'];
    for (const [backend, file] of [
      ['simd', ''],
      ['relaxed', '/kernel-relaxed.min.js'],
      ['js', '/kernel-fallback.min.js'],
    ]) {
      const started = await tab.evaluate(
        async ([url, program, name]) => {
          const { init } = await import(url);
          await import(program);
          return init({ backend: name });
        },
        ['/figures.min.js', '/answer.js', backend],
      );
      if (file) loaded.push(file);
      assert.equal(started, backend);
      assert.deepEqual([...requests].sort(), [...loaded].sort());
      assertAnswer(await answerOf(tab));
    }
  });

  it('comes from another origin, as from a CDN', async () => {
    const cdn = await serveFolder(root);
    opened.push(cdn);
    const url = `${cdn.origin}/figures.min.js`;
    const { tab, requests, errors } = await open(
      `<script type="module" src="${url}"></script>${FIGURE}`,
      { '/answer.js': programFrom(url) },
    );
    await assertFigure(tab);
    assertAnswer(await answerOf(tab));
    assert.deepEqual(requests, ['/', '/answer.js']);
    assert.deepEqual(cdn.requests, ['/figures.min.js']);
    assert.deepEqual(errors, []);
  });

  it('may be on a page twice: the first copy keeps the elements, both compute', async () => {
    const bundle = readFileSync(join(root, 'figures.min.js'), 'utf8');
    const copies = { '/a/figures.min.js': bundle, '/b/figures.min.js': bundle };
    const { tab, errors } = await open(
      `${Object.keys(copies).map((path) => `<script type="module" src="${path}"></script>`)}${FIGURE}`,
      {
        ...copies,
        '/a.js': programFrom('/a/figures.min.js'),
        '/b.js': programFrom('/b/figures.min.js'),
      },
    );
    await assertFigure(tab);
    const isFirst = await tab.evaluate(async (url) => {
      const { AttnSaturation } = await import(url);
      return customElements.get('attn-saturation') === AttnSaturation;
    }, '/a/figures.min.js');
    assert.equal(isFirst, true);
    assertAnswer(await answerOf(tab, '/a.js'));
    assertAnswer(await answerOf(tab, '/b.js'));
    assert.deepEqual(errors, []);
  });

  it('leaves the elements of an older version alone, and adds those that it lacks', async () => {
    const older = `customElements.define('attn-saturation', class extends HTMLElement {
      connectedCallback() { this.textContent = 'drawn by version 0.0.1'; } });`;
    const { tab, errors } = await open(
      `<script type="module" src="/older.js"></script>${script}
       ${FIGURE}<attn-scale></attn-scale>`,
      { '/older.js': older, '/answer.js': programFrom('/figures.min.js') },
    );
    await tab.locator('attn-scale [part~="plot"] > svg').first().waitFor();
    assert.equal(await tab.locator('attn-saturation').textContent(), 'drawn by version 0.0.1');
    assert.deepEqual(await registered(tab), TAGS);
    assertAnswer(await answerOf(tab));
    assert.deepEqual(errors, []);
  });
});

describe('unbundled, by an import map', () => {
  const at = '/node_modules/';
  const imports = {
    'attention-lab': `${at}attention-lab/attention/index.js`,
    'attention-lab/define': `${at}attention-lab/figures/define.js`,
    'attention-lab/figures/': `${at}attention-lab/figures/`,
    lit: `${at}lit/index.js`,
    'lit-element/': `${at}lit-element/`,
    '@lit/reactive-element': `${at}@lit/reactive-element/reactive-element.js`,
    'lit-html': `${at}lit-html/lit-html.js`,
    'lit-html/': `${at}lit-html/`,
  };
  const map = `<script type="importmap">${JSON.stringify({ imports })}</script>`;

  it('the package computes and asks for nothing but its modules', async () => {
    const { tab, errors, requests } = await open(map, { '/answer.js': PROGRAM }, installed.folder);
    assertAnswer(await answerOf(tab));
    const modules = /^\/node_modules\/attention-lab\/(attention|diagnosis)\//;
    const others = requests.filter((path) => !modules.test(path));
    assert.deepEqual(others, ['/', '/answer.js']);
    assert.deepEqual(errors, []);
  });

  it('the elements draw', async () => {
    const { tab, errors } = await open(
      `${map}<script type="module" src="/define.js"></script>${FIGURE}`,
      { '/define.js': "import 'attention-lab/define';" },
      installed.folder,
    );
    await assertFigure(tab);
    assert.deepEqual(errors, []);
  });

  it('the class of a figure registers nothing, and may be registered by another name', async () => {
    const own = `import { AttnSaturation } from 'attention-lab/figures/saturation.js';
      customElements.define('my-figure', AttnSaturation);`;
    const { tab, errors } = await open(
      `${map}<script type="module" src="/own.js"></script>${FIGURE.replaceAll('attn-saturation', 'my-figure')}`,
      { '/own.js': own },
      installed.folder,
    );
    await assertFigure(tab, 'my-figure');
    assert.deepEqual(await registered(tab), []);
    assert.deepEqual(errors, []);
  });
});

describe('figures.min.js as a widget of anywidget', () => {
  it('shows a figure whose attributes and the traits of a model follow each other', async () => {
    const { tab, errors, requests } = await open('<div></div>');
    const title = tab.locator('attn-saturation [part=title]');
    await tab.evaluate(async () => {
      const url = '/figures.min.js';
      const { default: widget } = await import(url);
      const traits = new Map(
        Object.entries({ figure: 'saturation', d_k: 9, keys_: 65, lang: 'zh', controls: null }),
      );
      const events = new EventTarget();
      /** @type {unknown[]} */
      const saved = [];
      const model = {
        get: traits.get.bind(traits),
        set: traits.set.bind(traits),
        save_changes: () => saved.push(traits.get('d_k')),
        on: events.addEventListener.bind(events),
        off: events.removeEventListener.bind(events),
      };
      const end = widget.render({ model, el: document.querySelector('div') });
      const change = (/** @type {string} */ name, /** @type {unknown} */ value) => {
        model.set(name, /** @type {any} */ (value));
        events.dispatchEvent(new Event(`change:${name}`));
      };
      Object.assign(window, { saved, change, end });
    });
    const figure = tab.locator('attn-saturation');
    await title.filter({ hasText: '= 9' }).waitFor();
    assert.match(await title.innerText(), /\p{Script=Han}/u);
    await tab.evaluate(() => {
      const { change } = /** @type {any} */ (window);
      change('d_k', 12);
      change('controls', ['d-k', 'keys']);
    });
    await title.filter({ hasText: '= 12' }).waitFor();
    assert.equal(await figure.getAttribute('controls'), 'd-k keys');
    assert.equal(await figure.getAttribute('keys'), '65'); // `keys` is Python's
    assert.equal(await figure.getAttribute('data-lm-suppress-shortcuts'), ''); // keys are the figure's
    await figure.evaluate((element) => Reflect.set(element, 'dK', 13));
    const saved = () => tab.evaluate(() => String(Reflect.get(window, 'saved')));
    await waitUntil(async () => (await saved()) === '13', 'd_k = 13 in the notebook');
    await tab.evaluate(() => Reflect.get(window, 'end')());
    assert.equal(await figure.count(), 0);
    assert.deepEqual(requests, ['/', '/figures.min.js']);
    assert.deepEqual(errors, []);
  });

  it('shows the steps of training that a program sends, and again one that is sent again', async () => {
    const { tab, errors } = await open('<div></div>');
    await tab.evaluate(async () => {
      const url = '/figures.min.js';
      const { default: widget } = await import(url);
      /** @type {(content: object, buffers: DataView[]) => void} */
      let onMessage = () => {};
      const on = (/** @type {string} */ name, /** @type {typeof onMessage} */ callback) => {
        if (name === 'msg:custom') onMessage = callback;
      };
      const get = (/** @type {string} */ trait) => (trait === 'figure' ? 'view' : undefined);
      /** @type {object[]} */
      const asked = [];
      const ask = (/** @type {object} */ content) => void asked.push(content);
      widget.render({ model: { get, on, off() {}, send: ask }, el: document.querySelector('div') });
      const send = (/** @type {number} */ step, /** @type {number} */ p, again = false) => {
        const text = `  ${JSON.stringify([[p, 1 - p], [0.5, 0.5]])}`; // prettier-ignore
        const bytes = new TextEncoder().encode(text);
        onMessage({ step, ...(again && { again }) }, [new DataView(bytes.buffer, 1)]);
      };
      Object.assign(window, { send, asked });
    });
    const send = (/** @type {[step: number, p: number, again?: boolean]} */ ...step) =>
      tab.evaluate((given) => Reflect.get(window, 'send')(...given), step);
    assert.deepEqual(await tab.evaluate(() => Reflect.get(window, 'asked')), [{ ask: 'steps' }]);
    const title = (/** @type {string} */ text) =>
      tab.locator('attn-view [part=title]').filter({ hasText: text }).waitFor();
    await send(100, 0.75);
    await title('since step 100: at step 100');
    await send(200, 0.8);
    await title('since step 100: at step 200');
    await send(200, 1);
    await tab.locator('attn-view').evaluate((figure) => Reflect.set(figure, 'row', 1));
    await title('“1” gives “1” 100%');
    await send(50, 0.7, true); // from before the figure was shown
    await send(200, 0.6, true); // which it has
    await tab.locator('attn-view output', { hasText: '200 (3 of 3)' }).waitFor();
    await tab.locator('attn-view #course-step').press('Home');
    await title('since step 50: at step 50');
    await tab.locator('attn-view #course-step').press('End');
    await title('at step 200 “1” gives “1” 100%');
    assert.deepEqual(errors, []);
  });
});

// The recipes for hosts that run in the browser, each with the host itself: slides, notebooks, swapped
// pages, themes, workers; and Pandoc, on which Quarto is built.
//   ./build.sh examples
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { assertAnswer, PROGRAM } from '../package/answer.js';
import { waitUntil } from '../wait.js';
import { assertDrawn, INSTALLED, useRecipes, viteBuild } from './recipe-projects.js';

/** @import { Page } from 'playwright-core' */

const { recipe, project, withPage, assertFigure } = useRecipes('hosts');

/** Copies an installed package into a project. @param {string} name @param {string} to */
const copy = (name, to) =>
  cpSync(join(INSTALLED, 'node_modules', name), to, { recursive: true, dereference: true });

const page = (/** @type {string} */ body, head = '') =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>page</title>${head}<body>${body}</html>`;

/** Returns the contrast of the title with the page below it. @param {Page} tab */
const contrastOfTitle = (tab) =>
  tab.locator('attn-saturation').evaluate((figure) => {
    const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
    /** Returns the luminance of a colour. @param {string} colour */
    const luminance = (colour) => {
      if (!context) return 0;
      context.fillStyle = colour;
      context.fillRect(0, 0, 1, 1);
      const [r, g, b] = [...context.getImageData(0, 0, 1, 1).data].map((byte) =>
        byte <= 10 ? byte / 255 / 12.92 : ((byte / 255 + 0.055) / 1.055) ** 2.4,
      );
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const title = /** @type {Element} */ (figure.shadowRoot?.querySelector('[part=title]'));
    const opaque = [document.body, document.documentElement]
      .map((element) => getComputedStyle(element).backgroundColor)
      .find((colour) => !/, 0\)$|transparent/.test(colour));
    const both = [getComputedStyle(title).color, opaque ?? 'white'].map(luminance);
    return (Math.max(...both) + 0.05) / (Math.min(...both) + 0.05);
  });

test('reveal.js: a figure under the heading of a slide that was hidden, on a black deck', async () => {
  const { folder } = project('reveal', { 'index.html': page(recipe('reveal/deck.html')) });
  copy('reveal.js/dist', join(folder, 'reveal.js/dist'));
  await withPage(folder, '/', async (tab) => {
    const isReady = () => tab.evaluate(() => Reflect.get(window, 'Reveal')?.isReady());
    await waitUntil(isReady, 'reveal.js is ready');
    const shown = tab.locator('section.present attn-saturation');
    assert.equal(await shown.count(), 0);
    await tab.keyboard.press('ArrowRight');
    await shown.waitFor();
    await assertDrawn(tab);
    assert.ok((await contrastOfTitle(tab)) >= 4.5);
    const [deck, figure] = await Promise.all(
      ['.slides', 'attn-saturation'].map((each) => tab.locator(each).boundingBox()),
    );
    assert.ok(deck && figure && figure.y + figure.height <= deck.y + deck.height);
    await tab.locator('attn-saturation input[type=range]').first().press('ArrowLeft');
    await tab.locator('attn-saturation:not([d-k="9"])').waitFor();
    assert.equal(await shown.count(), 1); // the slider kept the key
  });
});

test('a theme with a dark class, switched on later', async () => {
  const { folder } = project('dark', { 'index.html': page(recipe('dark.html')) });
  await assertFigure(folder, '/', async (tab) => {
    assert.ok((await contrastOfTitle(tab)) >= 4.5);
    await tab.evaluate(() => document.documentElement.classList.add('dark'));
    await tab.waitForTimeout(500);
    assert.ok((await contrastOfTitle(tab)) >= 4.5);
  });
});

test('Turbo: from one page to the next, and back', async () => {
  const head = recipe('swaps/turbo.html');
  const { folder } = project('turbo', {
    'index.html': page('', head),
    'post.html': page(recipe('swaps/figure.html'), head),
  });
  copy('@hotwired/turbo/dist', join(folder, 'turbo/dist'));
  await withPage(folder, '/', async (tab) => {
    await tab.evaluate(() => Object.assign(window, { isFirst: true }));
    await tab.locator('a').click();
    await assertDrawn(tab);
    await tab.goBack();
    await tab.locator('attn-saturation').waitFor({ state: 'detached' });
    await tab.goForward();
    await assertDrawn(tab);
    assert.equal(await tab.evaluate(() => Reflect.get(window, 'isFirst')), true);
  });
});

test('htmx: a fragment with a figure, taken in and taken out', async () => {
  const { folder } = project('htmx', {
    'index.html': page(recipe('swaps/htmx.html')),
    'figure.html': recipe('swaps/figure.html'),
  });
  copy('htmx.org/dist', join(folder, 'htmx.org/dist'));
  await withPage(folder, '/', async (tab) => {
    for (let turn = 0; turn < 2; turn++) {
      await tab.locator('button').first().click();
      await assertDrawn(tab);
    }
    assert.equal(await tab.locator('attn-saturation').count(), 1);
  });
});

test('a worker computes, and its errors arrive whole', async () => {
  const built = await viteBuild(
    project('worker', {
      'worker.js': recipe('worker/worker.js'),
      'page.js': recipe('worker/page.js'),
      'answer.js': PROGRAM,
      'main.js': `import { ShapeError } from 'attention-lab';
        import { key, query, value } from './answer.js';
        import { attentionInWorker } from './page.js';
        window.seen = (async () => [
          (await attentionInWorker(query, key, value)).data.join(' '),
          await attentionInWorker(query, [[1]], value).catch((error) => error instanceof ShapeError),
        ])();`,
    }),
  );
  await withPage(built, '/', async (tab) => {
    const [answer, isShapeError] = await tab.evaluate(() => Reflect.get(window, 'seen'));
    assertAnswer(answer);
    assert.equal(isShapeError, true);
  });
});

test('Pandoc: a post of Quarto, whose figure is raw HTML', async () => {
  const { folder } = project('quarto', { 'post.qmd': recipe('quarto/post.qmd') });
  const args = ['--from=markdown', '--standalone', '--output=post.html', 'post.qmd'];
  execFileSync('pandoc', args, { cwd: folder, stdio: 'pipe' });
  await assertFigure(folder, '/post.html');
});

/** The traits that the class in the recipe declares, with the values of the widget that it shows. */
function traitsOfRecipe() {
  const program = recipe('anywidget/figure.py');
  const declared = [...program.matchAll(/^ {4}(\w+) = traitlets\.\w+\((.*?)\)\.tag/gm)];
  const [, esm] = program.match(/_esm = "(.*)"/) ?? [];
  const given = [...program.matchAll(/Saturation\((\w+)=(\d+)\)/g)];
  const values = [...declared, ...given].map(([, name, value]) => [name, JSON.parse(value)]);
  return { _esm: esm, ...Object.fromEntries(values) };
}

for (const [how, esm] of [
  ['its address', ''],
  ['its text', readFileSync('dist/site/figures.min.js', 'utf8')],
]) {
  test(`Jupyter's widgets, by the runtime of anywidget, from ${how}: both ways, and away`, async () => {
    const { folder } = project('anywidget', {
      'index.html': page(`<div id="cell"></div><script src="/requirejs/require.js"></script>
        <script src="/html-manager/dist/embed-amd.js"></script>`),
    });
    for (const name of ['requirejs', 'anywidget']) copy(name, join(folder, name));
    copy('@jupyter-widgets/html-manager/dist', join(folder, 'html-manager/dist'));
    const traits = { ...traitsOfRecipe(), ...(esm && { _esm: esm }) };
    assert.equal(traits.d_k, 128);
    await withPage(folder, '/', async (tab) => {
      await tab.evaluate(showWidget, traits);
      const figure = tab.locator('#cell attn-saturation');
      const title = figure.locator('[part=title]');
      await title.filter({ hasText: '= 128' }).waitFor();
      await tab.evaluate(() => Reflect.get(window, 'widget').set('d_k', 32));
      await title.filter({ hasText: '= 32' }).waitFor();
      await figure.locator('input[type=number]').first().fill('33');
      const sent = '{"method":"update","state":{"d_k":33},"buffer_paths":[]}';
      const isSent = () => tab.evaluate((text) => Reflect.get(window, 'sent').includes(text), sent);
      await waitUntil(isSent, `a message to Python: ${sent}`);
      await tab.evaluate(() => Reflect.get(window, 'view').remove());
      await figure.waitFor({ state: 'detached' });
    });
  });
}

/**
 * Shows a widget as a notebook does; runs in the page. Its messages to Python are kept in `sent`.
 * @param {Record<string, unknown>} traits
 */
async function showWidget(traits) {
  const { requirejs } = /** @type {any} */ (window);
  requirejs.config({ paths: { anywidget: '/anywidget/dist/index' } });
  const load = (/** @type {string} */ name) =>
    new Promise((resolve, reject) => requirejs([name], resolve, reject));
  const { HTMLManager } = /** @type {any} */ (await load('@jupyter-widgets/html-manager'));
  const manager = new HTMLManager({ loader: load });
  /** @type {string[]} */
  const sent = [];
  const comm = {
    on_msg() {},
    on_close() {},
    close() {},
    send: (/** @type {unknown} */ data) => void sent.push(JSON.stringify(data)),
  };
  const names = {
    model_module: 'anywidget',
    model_name: 'AnyModel',
    model_module_version: '~0.11.*',
    view_module: 'anywidget',
    view_name: 'AnyView',
    view_module_version: '~0.11.*',
  };
  const state = Object.entries(names).map(([name, value]) => [`_${name}`, value]);
  const widget = await manager.new_model(
    { ...names, model_id: 'one', comm },
    { ...Object.fromEntries(state), _anywidget_id: 'recipe.Saturation', ...traits },
  );
  const view = await manager.create_view(widget);
  await manager.display_view(view, document.querySelector('#cell'));
  Object.assign(window, { widget, view, sent });
}

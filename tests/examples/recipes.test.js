// The recipes for site generators and frameworks, each built by its own tool from the very files that
// the page of recipes shows, and opened in Chromium beside the built site.
//   ./build.sh examples
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { createRequire } from 'node:module';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { serve } from '../../web/build/serve.js';
import { launch } from '../browser/serve.js';
import { newPage } from '../browser/page/site.js';

const INSTALLED = resolve('build/examples');
const WORK = join(INSTALLED, 'recipes');
const RECIPES = resolve('web/site/recipes');
const POST = '---\ntitle: A post\ndate: 2024-01-02\n---\n\n';

/** @type {Awaited<ReturnType<typeof serve>>} */
let site;
/** @type {import('playwright-core').Browser} */
let browser;
before(async () => {
  rmSync(WORK, { recursive: true, force: true });
  site = await serve();
  browser = await launch();
});
after(async () => {
  await browser.close();
  site.close();
});

/** Returns a recipe with the address of the site under test. @param {string} file */
const recipe = (file) =>
  readFileSync(join(RECIPES, file), 'utf8').replaceAll('https://example.org/', `${site.url}/`);

/**
 * Returns a separate project, below the folder where everything is installed.
 * @param {string} name
 * @param {Record<string, string>} files
 */
function project(name, files) {
  const folder = join(WORK, name);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return {
    folder,
    run: (/** @type {string} */ command, /** @type {string[]} */ ...args) =>
      execFileSync(command, args, {
        cwd: folder,
        encoding: 'utf8',
        stdio: 'pipe',
        env: { ...process.env, ASTRO_TELEMETRY_DISABLED: '1', NO_COLOR: '1' },
      }),
  };
}

const bin = (/** @type {string} */ name) => join(INSTALLED, 'node_modules/.bin', name);

/**
 * Opens the built page: the figure of the post is there, in the state and language that it says.
 * @param {string} folder
 * @param {string} path of the page in it
 * @param {(page: import('playwright-core').Page) => Promise<void>} [more]
 */
async function assertFigure(folder, path, more) {
  const built = await serve({ site: folder });
  const { page, complaints, close } = await newPage({ url: built.url, browser });
  try {
    await page.goto(built.url + path);
    const figure = page.locator('attn-saturation');
    await figure.locator('[part=plot] > svg text').first().waitFor();
    assert.equal(await figure.evaluate((element) => Reflect.get(element, 'dK')), 9);
    assert.match(await figure.locator('[part=title]').innerText(), /= 9/);
    await more?.(page);
    assert.deepEqual(
      complaints.filter((each) => !/favicon|404/.test(each)),
      [],
    );
  } finally {
    await close();
    built.close();
  }
}

/**
 * Checks that the figure sends the page the reader's changes.
 * @param {import('playwright-core').Page} page
 */
async function assertEvents(page) {
  await page.locator('attn-saturation input[type=range]').first().press('ArrowRight');
  await page.locator('body output', { hasText: /^10$/ }).waitFor();
  assert.equal(await page.locator('attn-saturation').getAttribute('d-k'), '10');
}

test('Hugo, by its own program', async () => {
  const { folder, run } = project('hugo', {
    'config.toml': 'baseURL = "/"\ntitle = "blog"\n',
    'layouts/_default/single.html': '<!doctype html><title>{{ .Title }}</title>{{ .Content }}',
    'layouts/shortcodes/attn.html': recipe('hugo/attn.html'),
    'content/post.md': POST + recipe('hugo/post.md'),
  });
  run('hugo');
  await assertFigure(join(folder, 'public'), '/post/');
});

test('Jekyll, by its own program', async () => {
  const { folder, run } = project('jekyll', {
    '_config.yml': 'title: blog\n',
    '_includes/attn.html': recipe('jekyll/attn.html'),
    'post.md': POST + recipe('jekyll/post.md'),
  });
  run('jekyll', 'build', '--disable-disk-cache');
  await assertFigure(join(folder, '_site'), '/post.html');
});

test('Hexo, by its own program', async () => {
  const { folder, run } = project('hexo', {
    'package.json': JSON.stringify({
      name: 'blog',
      private: true,
      hexo: { version: '' },
      dependencies: { 'hexo-renderer-marked': '*' },
    }),
    '_config.yml': 'title: blog\nurl: http://localhost\ntheme: plain\npermalink: :title/\n',
    'themes/plain/layout/post.ejs': '',
    'themes/plain/layout/post.njk':
      '<!doctype html><title>{{ page.title }}</title>{{ page.content | safe }}',
    'scripts/attn.js': recipe('hexo/attn.js'),
    'source/_posts/post.md': POST + recipe('hexo/post.md'),
  });
  rmSync(join(folder, 'themes/plain/layout/post.ejs'));
  run(bin('hexo'), 'generate');
  await assertFigure(join(folder, 'public'), '/post/');
});

test('Astro with MDX, by its own program', async () => {
  const { folder, run } = project('astro', {
    'package.json': '{ "name": "blog", "private": true, "type": "module" }',
    'astro.config.mjs': `import mdx from '@astrojs/mdx'; export default { integrations: [mdx()] };`,
    'src/components/Figure.astro': recipe('astro/Figure.astro'),
    'src/pages/post.mdx': recipe('astro/post.mdx'),
  });
  run(bin('astro'), 'build');
  await assertFigure(join(folder, 'dist'), '/post/');
});

/**
 * Builds a page around a component by Vite.
 * @param {string} name of the project
 * @param {Record<string, string>} files
 * @param {Record<string, unknown>} [config]
 */
async function viteBuild(name, files, config = {}) {
  const { folder } = project(name, {
    'index.html': `<!doctype html><title>app</title><link rel="icon" href="data:,"><div id="app"></div>
      <script type="module" src="/main.js"></script>`,
    ...files,
  });
  const path = createRequire(join(INSTALLED, 'package.json')).resolve('vite');
  const { build } = await import(pathToFileURL(path).href);
  await build({ root: folder, configFile: false, logLevel: 'error', ...config });
  return join(folder, 'dist');
}

for (const version of ['18', '19']) {
  test(`React ${version}, built by Vite`, async () => {
    const aliased = (/** @type {string} */ name) => ({
      find: new RegExp(`^${name}(?=$|/)`),
      replacement: version === '18' ? `${name}-18` : name,
    });
    const built = await viteBuild(
      `react-${version}`,
      {
        'Figure.jsx': recipe('react/Figure.jsx'),
        'main.js': `import { createElement, version } from 'react';
          import { createRoot } from 'react-dom/client';
          import { Figure } from './Figure.jsx';
          document.documentElement.dataset.version = version;
          createRoot(document.querySelector('#app')).render(createElement(Figure));`,
      },
      { resolve: { alias: ['react', 'react-dom'].map(aliased) } },
    );
    await assertFigure(built, '/', async (page) => {
      const found = await page.evaluate(() => document.documentElement.dataset.version);
      assert.ok(found?.startsWith(`${version}.`), found);
      await assertEvents(page);
    });
  });
}

test('Vue, built by Vite with the configuration of the recipe', async () => {
  const { folder } = project('vue', { 'vite.config.js': recipe('vue/vite.config.js') });
  const { default: config } = await import(pathToFileURL(join(folder, 'vite.config.js')).href);
  const built = await viteBuild(
    'vue',
    {
      'Figure.vue': recipe('vue/Figure.vue'),
      'main.js': `import { createApp } from 'vue';
        import Figure from './Figure.vue';
        createApp(Figure).mount('#app');`,
    },
    config,
  );
  await assertFigure(built, '/', assertEvents);
});

test('Svelte, built by Vite', async () => {
  const resolve = createRequire(join(INSTALLED, 'package.json')).resolve;
  const plugin = join(INSTALLED, 'node_modules/@sveltejs/vite-plugin-svelte/src/index.js');
  assert.ok(existsSync(plugin) && resolve('svelte/package.json'));
  const { svelte } = await import(pathToFileURL(plugin).href);
  const built = await viteBuild(
    'svelte',
    {
      'Figure.svelte': recipe('svelte/Figure.svelte'),
      'main.js': `import { mount } from 'svelte';
        import Figure from './Figure.svelte';
        mount(Figure, { target: document.querySelector('#app') });`,
    },
    { plugins: [svelte({ configFile: false })] },
  );
  await assertFigure(built, '/', assertEvents);
});

test('Observable, with its html function and a stand-in for display', async () => {
  const { folder } = project('observable', {
    'index.html': `<!doctype html><title>notebook</title><link rel="icon" href="data:,">
      <script type="module">
        import { html } from './htl.js';
        const display = (element) => document.body.append(element);
        ${recipe('observable.js')}
      </script>`,
  });
  cpSync(join(INSTALLED, 'node_modules/htl/dist/index.js'), join(folder, 'htl.js'));
  await assertFigure(folder, '/');
});

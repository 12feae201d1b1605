// The recipes for site generators and frameworks, each built by its own tool from the very files that
// the page of recipes shows, and opened in Chromium beside the built site.
//   ./build.sh examples
import assert from 'node:assert/strict';
import { cpSync, existsSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { bin, INSTALLED, useRecipes, viteBuild } from './recipe-projects.js';

const POST = '---\ntitle: A post\ndate: 2024-01-02\n---\n\n';

const { recipe, project, assertFigure } = useRecipes('recipes');

/**
 * Checks that the figure sends the page the reader's changes.
 * @param {import('playwright-core').Page} page
 */
async function assertEvents(page) {
  await assertPicture(page);
  await page.locator('attn-saturation input[type=range]').first().press('ArrowRight');
  await page.locator('body output', { hasText: /^10$/ }).waitFor();
  assert.equal(await page.locator('attn-saturation').getAttribute('d-k'), '10');
}

/** Checks that readers without scripts see a picture in the element. @param {import('playwright-core').Page} page */
async function assertPicture(page) {
  const picture = page.locator('attn-saturation > img');
  await picture.evaluate((/** @type {HTMLImageElement} */ image) => image.decode());
  assert.match((await picture.getAttribute('src')) ?? '', /\/pictures\/saturation-en-light\.svg$/);
}

test('Hugo, by its own program', async () => {
  const { folder, run } = project('hugo', {
    'config.toml': 'baseURL = "/"\ntitle = "blog"\n',
    'layouts/_default/single.html': '<!doctype html><title>{{ .Title }}</title>{{ .Content }}',
    'layouts/shortcodes/attn.html': recipe('hugo/attn.html'),
    'content/post.md': POST + recipe('hugo/post.md'),
  });
  run('hugo');
  await assertFigure(join(folder, 'public'), '/post/', assertPicture);
});

test('Jekyll, by its own program', async () => {
  const { folder, run } = project('jekyll', {
    '_config.yml': 'title: blog\n',
    '_includes/attn.html': recipe('jekyll/attn.html'),
    'post.md': POST + recipe('jekyll/post.md'),
  });
  run('jekyll', 'build', '--disable-disk-cache');
  await assertFigure(join(folder, '_site'), '/post.html', assertPicture);
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
  await assertFigure(join(folder, 'public'), '/post/', assertPicture);
});

test('Astro with MDX, by its own program', async () => {
  const { folder, run } = project('astro', {
    'package.json': '{ "name": "blog", "private": true, "type": "module" }',
    'astro.config.mjs': `import mdx from '@astrojs/mdx'; export default { integrations: [mdx()] };`,
    'src/components/Figure.astro': recipe('astro/Figure.astro'),
    'src/pages/post.mdx': recipe('astro/post.mdx'),
  });
  run(bin('astro'), 'build');
  await assertFigure(join(folder, 'dist'), '/post/', assertPicture);
});

test('One figure, bundled by Vite without what only others load', async () => {
  const built = await viteBuild(
    project('one-figure', {
      'main.js': `${recipe('one-figure.js')}
        const figure = document.createElement('attn-saturation');
        document.body.append(Object.assign(figure, { dK: 9, lang: 'en' }));`,
    }),
  );
  await assertFigure(built, '/');
  const files = readdirSync(join(built, 'assets'));
  const others = files.filter((name) => !/^(index-|kernel-(fallback|relaxed))/.test(name));
  assert.deepEqual(others, [], 'besides the script and the kernels for other engines');
});

for (const version of ['18', '19']) {
  test(`React ${version}, built by Vite`, async () => {
    const aliased = (/** @type {string} */ name) => ({
      find: new RegExp(`^${name}(?=$|/)`),
      replacement: version === '18' ? `${name}-18` : name,
    });
    const built = await viteBuild(
      project(`react-${version}`, {
        'Figure.jsx': recipe('react/Figure.jsx'),
        'main.js': `import { createElement, version } from 'react';
          import { createRoot } from 'react-dom/client';
          import { Figure } from './Figure.jsx';
          document.documentElement.dataset.version = version;
          createRoot(document.querySelector('#app')).render(createElement(Figure));`,
      }),
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
    project('vue', {
      'Figure.vue': recipe('vue/Figure.vue'),
      'main.js': `import { createApp } from 'vue';
        import Figure from './Figure.vue';
        createApp(Figure).mount('#app');`,
    }),
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
    project('svelte', {
      'Figure.svelte': recipe('svelte/Figure.svelte'),
      'main.js': `import { mount } from 'svelte';
        import Figure from './Figure.svelte';
        mount(Figure, { target: document.querySelector('#app') });`,
    }),
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

// The parts that tests of recipes share: the site, projects that tools build, and a browser to open them.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { createRequire } from 'node:module';
import { after, before } from 'node:test';
import { pathToFileURL } from 'node:url';
import { serve } from '../../web/build/serve.js';
import { newPage } from '../browser/page/site.js';
import { launch } from '../browser/serve.js';

/** @import { Page } from 'playwright-core' */

/** The folder where everything that recipes are tried with is installed. */
export const INSTALLED = resolve('build/examples');
const RECIPES = resolve('web/site/recipes');

export const bin = (/** @type {string} */ name) => join(INSTALLED, 'node_modules/.bin', name);

/** Prepares the tests of a file. @param {string} name of the folder of its projects */
export function useRecipes(name) {
  const work = join(INSTALLED, name);
  /** @type {Awaited<ReturnType<typeof serve>>} */
  let site;
  /** @type {import('playwright-core').Browser} */
  let browser;
  before(async () => {
    rmSync(work, { recursive: true, force: true });
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
    const folder = join(work, name);
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

  /**
   * Opens a built page, which may complain of nothing.
   * @param {string} folder
   * @param {string} path of the page in it
   * @param {(page: Page) => Promise<void>} work
   */
  async function withPage(folder, path, work) {
    const built = await serve({ site: folder });
    const { page, complaints, close } = await newPage({ url: built.url, browser });
    try {
      await page.goto(built.url + path);
      await work(page);
      assert.deepEqual(
        complaints.filter((each) => !/favicon|404|allowUnionTypes/.test(each)), // the last is of Jupyter's
        [],
      );
    } finally {
      await close();
      built.close();
    }
  }

  /**
   * Opens the built page: the figure of the post is there, in the state and language that it says.
   * @param {string} folder
   * @param {string} path of the page in it
   * @param {(page: Page) => Promise<void>} [more]
   */
  const assertFigure = (folder, path, more) =>
    withPage(folder, path, async (page) => {
      await assertDrawn(page);
      await more?.(page);
    });

  return { recipe, project, withPage, assertFigure };
}

/** Checks that the figure shows the state and language of the recipe. @param {Page} page */
export async function assertDrawn(page) {
  const figure = page.locator('attn-saturation');
  await figure.locator('[part=plot] svg text').first().waitFor();
  assert.equal(await figure.evaluate((element) => Reflect.get(element, 'dK')), 9);
  // Awaited, since a page may put a second figure in the place of the first meanwhile.
  await figure.locator('[part=title]', { hasText: '= 9' }).waitFor();
}

/**
 * Builds a page around a component by Vite.
 * @param {{ folder: string }} project with main.js
 * @param {Record<string, unknown>} [config]
 * @returns {Promise<string>} the folder of the result
 */
export async function viteBuild({ folder }, config = {}) {
  writeFileSync(
    join(folder, 'index.html'),
    `<!doctype html><title>app</title><link rel="icon" href="data:,"><div id="app"></div>
      <script type="module" src="/main.js"></script>`,
  );
  const path = createRequire(join(INSTALLED, 'package.json')).resolve('vite');
  const { build } = await import(pathToFileURL(path).href);
  await build({ root: folder, configFile: false, logLevel: 'error', ...config });
  return join(folder, 'dist');
}

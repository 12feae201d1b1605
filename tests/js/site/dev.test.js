// @slow
// npm run dev shows pages and single figures from their sources, and leaves the built site alone.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, statSync, utimesSync } from 'node:fs';
import { after, before, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { waitUntil } from '../../wait.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const ARTICLE = `${ROOT}web/site/en/index.md`;
const BUILT = `${ROOT}dist/site/en/index.html`;

const server = spawn(process.execPath, ['web/site/generator/dev.js'], {
  cwd: ROOT,
  env: { ...process.env, PORT: '0' },
  stdio: ['ignore', 'pipe', 'inherit'],
});
after(() => server.kill());
let printed = '';
server.stdout.on('data', (text) => (printed += text));

/** Waits for a line of the server, and returns what it matches. @param {RegExp} pattern */
const line = (pattern) =>
  waitUntil(() => {
    assert.equal(server.exitCode, null, printed);
    return printed.match(pattern);
  }, `a line ${pattern} of the server`);

let address = '';
before(async () => {
  [, address] = await line(/^(http:\S*\/)figure\//m);
});

/** @param {string} path */
const read = async (path) => (await fetch(address + path)).text();

it('shows the article from the sources of its script and styles', async () => {
  const page = await read('en/');
  assert.match(page, /<h1[^>]*>Why divide by/);
  assert.match(page, /src="\.\.\/site\/scripts\/article\.js"/);
  assert.match(page, /href="\.\.\/site\/styles\/page\.css"/);
  assert.match(page, /<attn-saturation\b[^>]*><\/attn-saturation>/);
  assert.match(await read('site/scripts/article.js'), /startPage/);
});

it('shows one figure by its name, and no other', async () => {
  assert.match(
    await read('figure/saturation?lang=zh&d-k=64'),
    /<attn-saturation><\/attn-saturation>/,
  );
  assert.match(await read('figures/saturation/element.js'), /class AttnSaturation/);
  assert.equal((await fetch(`${address}figure/none`)).status, 404);
});

it('renders a page that has been saved, and writes nothing into the built site', async (t) => {
  const built = existsSync(BUILT) && statSync(BUILT).mtimeMs;
  const { atime, mtime } = statSync(ARTICLE);
  t.after(() => utimesSync(ARTICLE, atime, mtime)); // else all tests and the site would count as out of date
  utimesSync(ARTICLE, new Date(), new Date());
  await line(/File changed: \S*en\/index\.md[^]*Wrote 1 file/);
  assert.equal(existsSync(BUILT) && statSync(BUILT).mtimeMs, built);
});

// Every fault of package-cases.js, in a process of Node and in a page of each browser.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { STRICT_POLICY, serve } from '../browser/serve.js';
import { CASES } from './package-cases.js';
import { inEveryBrowser, look } from './browsers.js';

const RUNNER = fileURLToPath(new URL('run-case.js', import.meta.url));
const PACKAGE = new URL('../../web/attention/', import.meta.url);

const CASE_SCRIPT = `
  import { CASES } from '/package-cases.js';
  const load = {
    index: () => import('/attention/index.js'),
    active: () => import('/attention/kernel/active.js'),
  };
  const title = decodeURIComponent(location.search.slice(1));
  window.seen = CASES[title].run(load).catch((error) => 'failed: ' + error.stack);`;

/** What a browser asks for. */
function files() {
  /** @type {Record<string, string>} */
  const texts = {
    '/case.html': '<!doctype html><body><script type="module" src="/case.js"></script>',
    '/case.js': CASE_SCRIPT,
    '/package-cases.js': readFileSync(new URL('package-cases.js', import.meta.url), 'utf8'),
  };
  const names = readdirSync(PACKAGE, { recursive: true, encoding: 'utf8' });
  for (const name of names.filter((file) => file.endsWith('.js'))) {
    texts[`/attention/${name}`] = readFileSync(new URL(name, PACKAGE), 'utf8');
  }
  return texts;
}

describe('in Node', () => {
  for (const [title, { seen }] of Object.entries(CASES)) {
    it(title, async () => {
      const { stdout } = await promisify(execFile)(process.execPath, [RUNNER, title]);
      assert.deepEqual(JSON.parse(stdout), seen);
    });
  }
});

inEveryBrowser((open) => {
  /** @type {Awaited<ReturnType<typeof serve>>} */
  let server;
  before(async () => {
    server = await serve(files(), { '/case.html': STRICT_POLICY });
  });
  after(() => server.close());

  for (const [title, { seen }] of Object.entries(CASES)) {
    it(title, async () => {
      const page = await open(`${server.origin}/case.html?${encodeURIComponent(title)}`);
      assert.deepEqual(await look(page, 'window.seen'), seen);
    });
  }
});

// Every case of package/, each in a page.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { describe, it } from 'node:test';
import { STRICT_POLICY, serve } from '../browser/serve.js';
import { use } from '../fixture.js';
import { look } from './look-into-page.js';
import { PARTS } from './package/cases.js';

/** @import { Open } from './tests-of-engine.js' */

/** The folders that a page imports modules from, by their addresses. */
const FOLDERS = {
  assets: new URL('../../web/assets/', import.meta.url),
  attention: new URL('../../web/attention/', import.meta.url),
  diagnosis: new URL('../../web/diagnosis/', import.meta.url),
  language: new URL('../../web/language/', import.meta.url),
  parallel: new URL('../../web/parallel/', import.meta.url),
  shared: new URL('../../web/shared/', import.meta.url),
  cases: new URL('package/', import.meta.url),
};

const CASE_SCRIPT = `
  import { caseOf } from '/cases/cases.js';
  const load = {
    index: () => import('/attention/index.js'),
    active: () => import('/attention/kernel/active.js'),
    language: () => import('/language/index.js'),
  };
  const title = decodeURIComponent(location.search.slice(1));
  window.seen = caseOf(title).run(load).catch((error) => 'failed: ' + error.stack);`;

/** Returns the page of a case and all that it imports, by their addresses. */
function files() {
  /** @type {Record<string, string>} */
  const texts = {
    '/case.html': '<!doctype html><body><script type="module" src="/case.js"></script>',
    '/case.js': CASE_SCRIPT,
  };
  for (const [address, folder] of Object.entries(FOLDERS)) {
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      if (name.endsWith('.js')) {
        texts[`/${address}/${name}`] = readFileSync(new URL(name, folder), 'utf8');
      }
    }
  }
  return texts;
}

/**
 * Declares a test of every case.
 * @param {(title: string) => Promise<unknown>} see returns the result that a caller sees
 */
export function testEveryCase(see) {
  for (const [part, cases] of Object.entries(PARTS)) {
    describe(part, () => {
      for (const [title, { seen }] of Object.entries(cases)) {
        it(title, async () => assert.deepEqual(await see(title), seen));
      }
    });
  }
}

/** Tests every case in an engine. @param {Open} open */
export function testPackage(open) {
  const server = use(() => serve(files(), { '/case.html': STRICT_POLICY }));

  testEveryCase(async (title) => {
    const page = await open(`${server.origin}/case.html?${encodeURIComponent(title)}`);
    return look(page, 'window.seen');
  });
}

// Every page of the site and every embed has a policy that trusts nothing but the named sources,
// sends no request elsewhere, and stores nothing about its reader.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { describe, it } from 'node:test';
import { SITE } from '../../web/build/paths.js';
import { newPage, useSite } from '../browser/page/site.js';

const PAGES = readdirSync(SITE, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.html'))
  .sort();

/** Reads the policy in a page. @param {string} file */
function policyOf(file) {
  const html = readFileSync(`${SITE}/${file}`, 'utf8');
  const [, head] = html.split(/<head[^>]*>/);
  const first = head.trim().replace(/^(<meta charset[^>]*>\s*)/, '');
  const [, policy] =
    first.match(/^<meta http-equiv="Content-Security-Policy" content="([^"]+)"/) ?? [];
  return policy?.replaceAll('&#39;', "'") ?? '';
}

it('there are pages to look at', () => assert.ok(PAGES.length >= 15, `${PAGES}`));

describe('a policy', () => {
  for (const file of PAGES) {
    it(`of ${file} comes before all else and allows neither inline code nor other servers`, () => {
      const policy = policyOf(file);
      assert.match(
        policy,
        /^default-src 'none'; script-src ('(self|sha256-[\w+/=]+)' ){1,2}('strict-dynamic' )?'wasm-unsafe-eval';/,
      );
      assert.match(policy, /base-uri 'none'/);
      assert.match(policy, /form-action 'none'/);
      assert.match(policy, /require-trusted-types-for 'script'; trusted-types lit-html/);
      assert.doesNotMatch(policy, /'unsafe-inline'|'unsafe-eval'|https?:|\*/);
    });
  }
});

describe('in Chromium', () => {
  describe('a reader', () => {
    const site = useSite();

    for (const file of PAGES) {
      it(`of ${file} is known to this server alone, and nothing is kept`, async () => {
        const { page, requests } = await newPage(site);
        await page.goto(`${site.url}/${file}`);
        if (file === 'index.html') await page.waitForURL(`${site.url}/en/`); // the front door leads on
        for (let part = 0; part <= 4; part++) {
          await page.evaluate((at) => scrollTo(0, (at / 4) * document.body.scrollHeight), part);
          await page.waitForTimeout(100);
        }
        const written = await page.evaluate(() => {
          try {
            Reflect.set(document.body, 'innerHTML', '<p>markup</p>');
            return 'text became markup';
          } catch (error) {
            return Reflect.get(/** @type {object} */ (error), 'name');
          }
        });
        assert.equal(written, 'TypeError');
        const elsewhere = requests.filter(
          (address) => !/^(data|blob):/.test(address) && new URL(address).origin !== site.url,
        );
        assert.deepEqual(elsewhere, []);
        assert.deepEqual(await page.context().cookies(), []);
        const kept = await page.evaluate(async () => [
          localStorage.length,
          sessionStorage.length,
          (await indexedDB.databases()).length,
          (await caches.keys()).length,
          (await navigator.serviceWorker.getRegistrations()).length,
        ]);
        assert.deepEqual(kept, [0, 0, 0, 0, 0]);
      });
    }
  });
});

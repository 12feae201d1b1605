// The ledger of claims as the site has it: in the article before any script, framed, and alone.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freshPage, newPage, useSite } from './site.js';
import { CLAIMS, numberOf } from '../../../web/experiments/claims.js';
import { messages } from '../../../web/figures/claims/generated/words.js';
import { aboutLanguage, LANGUAGE_KEYS } from '../../../web/shared/languages.js';

const site = useSite();
const NAME = 'attn-claims';

for (const lang of LANGUAGE_KEYS) {
  test(`/${lang}/ has every claim, verdict and number of the build without JavaScript`, async () => {
    const { page } = await newPage(site, { javaScriptEnabled: false });
    await page.goto(`${site.url}/${lang}/today/`);
    const claims = page.locator(`${NAME} [part=claim]`);
    assert.equal(await claims.count(), CLAIMS.length);
    const [first] = await claims.allInnerTexts();
    const { verdicts, timed } = messages[lang];
    assert.ok(first.includes(verdicts.true + aboutLanguage(lang).colon.trim()), first);
    assert.match(first, /±67\.7[;；]/);
    const outputs = await page.locator(`${NAME} output`).allInnerTexts();
    assert.equal(outputs.filter((text) => text.trim()).length, CLAIMS.length);
    assert.equal(outputs[numberOf('speed') - 1].trim(), timed);
    const source = await (await fetch(`${site.url}/${lang}/today/`)).text();
    const [rows] = /<ol>.*<\/ol>/s.exec(source.slice(source.indexOf(`<${NAME}`))) ?? [''];
    assert.equal(rows.replace(/<[^>]*>/g, '').match(/…|0\.0123|1,000,000/), null, 'no stand-ins');
    assert.ok(!(await page.locator(`${NAME} [part=controls]`).isVisible()));
  });
}

test('embed/claims.html measures in a sandboxed frame, from one request and one for its worker', async () => {
  const address = `${site.url}/embed/claims.html?lang=zh`;
  const { page, requests, complaints } = await freshPage(site);
  await page.setContent(`<iframe src="${address}" sandbox="allow-scripts" width="700"></iframe>`);
  const output = page.frameLocator('iframe').locator(`${NAME} [part=claim] output`).first();
  await output.filter({ hasText: '±' }).waitFor();
  assert.match(await output.innerText(), /超额峰度/);
  assert.deepEqual(
    requests.filter((url) => url.startsWith('http')),
    [address, `${site.url}/experiments-worker.classic.js`],
  );
  assert.deepEqual(complaints, []);
});

test('figures/claims.min.js is one request that defines the ledger, and one for its worker', async () => {
  const { page, requests } = await newPage(site);
  const file = `${site.url}/figures/claims.min.js`;
  const host = `${site.url}/host.html`;
  const body = `<!doctype html><script type="module" src="${file}"></script><attn-claims></attn-claims>`;
  await page.route(host, (route) => route.fulfill({ contentType: 'text/html', body }));
  await page.goto(host);
  await page.locator(`${NAME} output`).first().filter({ hasText: '±' }).waitFor();
  const fetched = requests.filter((url) => url.startsWith('http'));
  assert.deepEqual(fetched, [host, file, `${site.url}/experiments-worker.min.js`]);
});

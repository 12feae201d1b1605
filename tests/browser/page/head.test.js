// What every page says at its beginning, to browsers, to search engines and to those who link to it.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { ADDRESS, SITE } from '../../../web/build/vite.config.js';

const PAGES = readdirSync(SITE, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('index.html'))
  .sort();

test('there are pages to look at', () => assert.equal(PAGES.length, 7, `${PAGES}`));

for (const file of PAGES) {
  const html = readFileSync(`${SITE}/${file}`, 'utf8');
  /** Where the page would lie, in a folder of its host. */
  const here = new URL(file.replace('index.html', ''), 'https://host.example/x/y/').href;
  const found = (/** @type {RegExp} */ pattern) =>
    [...html.matchAll(pattern)].map(([, address]) => new URL(address, here).href);

  describe(file, () => {
    test('says how it is encoded in its first 1024 bytes, where browsers look for it', () => {
      assert.ok(Buffer.from(html).indexOf('<meta charset="utf-8"') < 1024);
    });

    test('has no markup that HTML does not know', () => assert.ok(!html.includes('<?')));

    test('names itself and its translations by the addresses of the site', () => {
      const root = process.env.SITE_URL ? ADDRESS : 'https://host.example/x/y/';
      const self = new URL(file.replace('index.html', ''), root).href;
      assert.deepEqual(found(/<link rel="canonical" href="([^"]+)"/g), [self]);
      assert.deepEqual(found(/<meta property="og:url" content="([^"]+)"/g), [self]);
      const below = file.replace(/^(en|zh)\//, '').replace('index.html', '');
      assert.deepEqual(
        found(/<link rel="alternate" hreflang="(?:en|zh-Hans)" href="([^"]+)"/g),
        ['en', 'zh'].map((lang) => `${root}${lang}/${below}`),
      );
    });
  });
}

test('scripts and styles have what they hold in their names, so that no cache mixes two versions', () => {
  const files = readdirSync(`${SITE}/assets`).filter((file) => !file.endsWith('-OFL.txt'));
  assert.ok(files.length > 10);
  for (const file of files) assert.match(file, /-[\w-]{8}\.(js|css|woff2)$/);
});

test('a site that knows its address says it whole, as search engines and previews of links want it', () => {
  const program = `const { fill, headTags } = await import('./web/build/pages.js');
    const html = '<title>t</title><meta name="description" content="d">';
    const tags = headTags(html, 'zh', 'zh/api/').map(({ attrs }) => attrs);
    const text = await fill('https://example.org/embed/', 'zh', {}, new Map());
    console.log(JSON.stringify([tags, text]));`;
  const [tags, text] = JSON.parse(
    execFileSync(process.execPath, ['--input-type=module', '-e', program], {
      env: { ...process.env, SITE_URL: 'https://blog.example/attention' },
      encoding: 'utf8',
    }),
  );
  const root = 'https://blog.example/attention/';
  assert.equal(text, `${root}embed/`, 'in the code that the article shows, too');
  assert.deepEqual(
    tags.flatMap((/** @type {any} */ { rel, hreflang, href }) =>
      rel ? [[rel, hreflang, href]] : [],
    ),
    [
      ['canonical', undefined, `${root}zh/api/`],
      ['alternate', 'en', `${root}en/api/`],
      ['alternate', 'zh-Hans', `${root}zh/api/`],
      ['alternate', 'x-default', `${root}en/api/`],
    ],
  );
  const said = Object.fromEntries(
    tags.map((/** @type {any} */ tag) => [tag.property, tag.content]),
  );
  assert.equal(said['og:url'], `${root}zh/api/`);
  assert.equal(said['og:image'], `${root}pictures/card-zh.png`);
});

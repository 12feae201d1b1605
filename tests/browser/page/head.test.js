// The head of every page, for browsers, search engines and previews of links.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { ADDRESS, SITE } from '../../../web/build/paths.js';
import { LANGUAGE_KEYS, LANGUAGES } from '../../../web/shared/languages.js';

const PAGES = readdirSync(SITE, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('index.html'))
  .sort();

test('there are pages to look at', () => assert.equal(PAGES.length, 21, `${PAGES}`));

for (const file of PAGES) {
  const html = readFileSync(`${SITE}/${file}`, 'utf8');
  /** Where the page would lie, in a folder of its host. */
  const here = new URL(file.replace('index.html', ''), 'https://host.example/x/y/').href;
  const found = (/** @type {RegExp} */ pattern) =>
    [...html.matchAll(pattern)].map(([, address]) => new URL(address, here).href);

  describe(file, () => {
    test('names its encoding in its first 1024 bytes, where browsers look for it', () => {
      assert.ok(Buffer.from(html).indexOf('<meta charset="utf-8"') < 1024);
    });

    test('has no markup that HTML does not know', () => assert.ok(!html.includes('<?')));

    test('names itself and its translations by the addresses of the site', () => {
      const root = process.env.SITE_URL ? ADDRESS : 'https://host.example/x/y/';
      const self = new URL(file.replace('index.html', ''), root).href;
      assert.deepEqual(found(/<link rel="canonical" href="([^"]+)"/g), [self]);
      assert.deepEqual(found(/<meta property="og:url" content="([^"]+)"/g), [self]);
      const below = file
        .replace(new RegExp(`^(${LANGUAGE_KEYS.join('|')})/`), '')
        .replace('index.html', '');
      const links = [...html.matchAll(/<link rel="alternate" hreflang="([^"]+)" href="([^"]+)"/g)];
      const written = links.map(([, tag, address]) => [tag, new URL(address, here).href]);
      assert.deepEqual(
        written.filter(([tag]) => tag !== 'x-default'),
        LANGUAGES.map(({ key, tag }) => [tag, `${root}${key}/${below}`]),
      );
      const [own] = LANGUAGES.filter(({ key }) => file.startsWith(`${key}/`));
      if (own) assert.equal(/<html[^>]* lang="([^"]+)"/.exec(html)?.[1], own.tag);
    });
  });
}

for (const lang of LANGUAGE_KEYS) {
  test(`/${lang}/ has a title and a picture for previews of links`, () => {
    const html = readFileSync(`${SITE}/${lang}/index.html`, 'utf8');
    const said = (/** @type {string} */ property) =>
      new RegExp(`<meta property="og:${property}" content="([^"]*)"`).exec(html)?.[1] ?? '';
    assert.equal(said('title'), /<title>([^<]*)</.exec(html)?.[1]);
    const { pathname } = new URL(said('image'), `https://host.example/${lang}/`);
    const picture = readFileSync(SITE + pathname);
    assert.deepEqual([picture.readUInt32BE(16), picture.readUInt32BE(20)], [1200, 630]); // of a PNG's header
  });
}

test('scripts and styles have hashes in their names, so that no cache mixes two versions', () => {
  const files = readdirSync(`${SITE}/assets`).filter((file) => !file.endsWith('-OFL.txt'));
  assert.ok(files.length > 10);
  for (const file of files) assert.match(file, /-[\w-]{8}\.(js|css|woff2)$/);
});

/** Prints the pages of the site at an address, with empty scripts and without figures. */
const PROGRAM = `
  const { readReference } = await import('./web/site/generator/api.js');
  const { default: Eleventy } = await import('@11ty/eleventy');
  const { pageData } = await import('./web/site/generator/page-data.js');
  const { configure, folders } = await import('./web/site/generator/prose.js');
  const { ELEMENTS } = await import('./web/build/paths.js');
  const kinds = ['door', 'article', 'recipes', 'reference'];
  const nothing = { script: '', imports: [], style: '' };
  const scripts = {
    pages: Object.fromEntries(kinds.map((kind) => [kind, nothing])),
    figures: {},
    style: '',
    file: '',
    embeds: Object.fromEntries(ELEMENTS.map((name) => [name, ''])),
  };
  const parts = {
    reference: await readReference(),
    data: await pageData(scripts),
    figure: () => '',
    gallery: () => '',
  };
  const config = (config) => configure(config, parts);
  const pages = await new Eleventy(folders.input, folders.output, { config }).toJSON();
  console.log(JSON.stringify(pages.map(({ url, content }) => [url, content])));`;

test('a site that knows its address gives it whole, for search engines and previews of links', () => {
  const printed = execFileSync('node', ['--input-type=module', '-e', PROGRAM], {
    env: { ...process.env, SITE_URL: 'https://blog.example/attention' },
    encoding: 'utf8',
    maxBuffer: 1e8,
  });
  /** @type {Map<string, string>} */
  const pages = new Map(JSON.parse(printed));
  const root = 'https://blog.example/attention/';
  const reference = pages.get('/zh/api/') ?? '';
  const links = /<link rel="(canonical|alternate)"(?: hreflang="([^"]+)")? href="([^"]+)"/g;
  assert.deepEqual(
    [...reference.matchAll(links)].map(([, ...link]) => link),
    [
      ['canonical', undefined, `${root}zh/api/`],
      ...LANGUAGES.map(({ key, tag }) => ['alternate', tag, `${root}${key}/api/`]),
      ['alternate', 'x-default', `${root}en/api/`],
    ],
  );
  assert.ok(reference.includes(`<meta property="og:url" content="${root}zh/api/"`));
  assert.ok(reference.includes(`<meta property="og:image" content="${root}pictures/card-zh.png"`));
  const code = `<span data-site>${root}</span>embed/`;
  assert.ok(pages.get('/zh/figures/')?.includes(code), 'in the code that the gallery shows, too');
});

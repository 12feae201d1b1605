// The same finite bits in every engine: the package as it ships over 1050 problems, by either
// backend, held to Node 20; and the C of identity.c over thousands of shapes, held to gcc. An
// interpreter without compiler does the first fifth of the problems, and no shapes.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { serve, STRICT_POLICY } from '../browser/serve.js';
import { SHAPES } from '../c/identity-module.js';
import { nativeHashes, readModule } from '../c/identity-native.js';
import { packageBits } from './bits.js';
import { ENGINES, NEWEST_NODE, withPage } from './driver.js';

const ROOT = new URL('../../', import.meta.url);
const MODULE = readModule().toString('base64');

/** The page of the engines: it publishes the functions of bits.js. */
const PAGE = `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,">
  <script type="module" src="/page.js"></script>`;
const PAGE_SCRIPT = `import * as bits from '/tests/engines/bits.js'; window.bits = bits;`;

/** What the page imports, where it is in the repository. */
const SOURCES = [
  ...readdirSync(new URL('web/attention/', ROOT), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.js'))
    .map((name) => `web/attention/${name}`),
  'tests/engines/bits.js',
  'tests/c/identity-module.js',
  'tests/js/attention/computations.js',
  'build/identity/identity-plain.js',
];

/** Of each of eight kinds. */
const PROBLEMS = { all: 150, interpreted: 30 };

const { simd, js } = (await packageBits(PROBLEMS.all)).hashes;
const ofFirst = (await packageBits(PROBLEMS.interpreted)).hashes.simd;
const native = {
  simd: nativeHashes('gcc', SHAPES.simd).hashes,
  plain: nativeHashes('gcc', SHAPES.plain).hashes,
};

/** What an engine with a backend has to compute. @param {'simd' | 'js'} backend */
const expected = (backend) => ({
  package: { backend, hashes: backend === 'simd' ? { simd, js: simd } : { js: simd } },
  identity: backend === 'simd' ? native : { plain: native.plain },
});

test('Node 20: either backend gives the same bits', () => {
  assert.equal(Object.keys(simd).length, 8);
  assert.equal(new Set(Object.values(simd)).size, 8);
  assert.deepEqual(js, simd);
});

const noNode = NEWEST_NODE === '' && 'NOT RUN: the newest Node is not installed';
test('the newest Node gives the bits of Node 20 and gcc', { skip: noNode }, async () => {
  const script = `import * as bits from ${JSON.stringify(new URL('bits.js', import.meta.url).href)};
    const [module] = process.argv.slice(1);
    const seen = { package: await bits.packageBits(${PROBLEMS.all}), identity: await bits.identityBits(module) };
    console.log(JSON.stringify({ version: process.version, seen }));`;
  const args = ['--input-type=module', '--eval', script, MODULE];
  const { stdout } = await promisify(execFile)(NEWEST_NODE, args);
  const { version, seen } = JSON.parse(stdout);
  console.log(`the newest Node: ${version}`);
  assert.deepEqual(seen, expected('simd'));
});

describe('in a browser', () => {
  /** @type {Awaited<ReturnType<typeof serve>>} */
  let server;
  before(async () => {
    const read = (/** @type {string} */ path) => readFileSync(new URL(path, ROOT), 'utf8');
    const files = Object.fromEntries(SOURCES.map((path) => [`/${path}`, read(path)]));
    const policy = STRICT_POLICY.replace('blob:', 'data:');
    server = await serve({ '/': PAGE, '/page.js': PAGE_SCRIPT, ...files }, { '/': policy });
  });
  after(() => server.close());

  for (const engine of ENGINES) {
    const title = `${engine.name} gives the bits of Node 20 and gcc, with the ${engine.backend} backend`;
    test(title, { skip: engine.missing }, () =>
      withPage(engine, server.origin, async (page) => {
        const packageBitsOf = (/** @type {number} */ problems) =>
          page.evaluate((of) => Reflect.get(window, 'bits').packageBits(of), problems);
        if (engine.interpreted) {
          const bits = await packageBitsOf(PROBLEMS.interpreted);
          assert.deepEqual(bits, { backend: engine.backend, hashes: { js: ofFirst } });
        } else {
          const bits = await packageBitsOf(PROBLEMS.all);
          assert.deepEqual(bits, expected(engine.backend).package);
          const identity = await page.evaluate(
            (module) => Reflect.get(window, 'bits').identityBits(module),
            MODULE,
          );
          assert.deepEqual(identity, expected(engine.backend).identity);
        }
        assert.deepEqual(await page.complaints(), []);
      }),
    );
  }
});

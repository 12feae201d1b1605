// Every engine gives the same finite bits: the package over 4800 problems and in a training, by either backend, the
// bits of Node; and the C of identity.c over thousands of shapes, those of gcc. An interpreter without compiler
// does the first fifth of the problems, and no shapes.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { serve, STRICT_POLICY } from '../browser/serve.js';
import { readModule } from '../c/identity-native.js';
import { use } from '../fixture.js';
import { expectedBits, PROBLEMS, STEPS } from './expected-bits.js';

/** @import { Browser, Engine } from './driver.js' */

const ROOT = new URL('../../', import.meta.url);
/** The C of identity.c with SIMD, in base64. */
export const MODULE = readModule().toString('base64');

/** The page publishes the functions of bits.js. */
const PAGE = `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,">
  <script type="module" src="/page.js"></script>`;
const PAGE_SCRIPT = `import * as bits from '/tests/engines/bits.js'; window.bits = bits;`;

/** The modules that the page imports, as paths in the repository. */
const SOURCES = [
  ...['assets', 'attention', 'diagnosis', 'language', 'parallel', 'shared'].flatMap((room) =>
    readdirSync(new URL(`web/${room}/`, ROOT), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.js'))
      .map((name) => `web/${room}/${name}`),
  ),
  'tests/engines/bits.js',
  'tests/c/identity-module.js',
  'tests/js/attention/computations.js',
  'tests/js/attention/functions.js',
  'tests/js/language/computations.js',
  'build/identity/identity-plain.js',
];

/**
 * Tests that an engine gives the bits of Node and of gcc.
 * @param {Engine} engine
 * @param {Browser} browser
 * @param {'all' | 'few'} [which]  the problems
 */
export function testBits(engine, browser, which = engine.interpreted ? 'few' : 'all') {
  const server = use(() => {
    const read = (/** @type {string} */ path) => readFileSync(new URL(path, ROOT), 'utf8');
    const files = Object.fromEntries(SOURCES.map((path) => [`/${path}`, read(path)]));
    const policy = STRICT_POLICY.replace('blob:', 'data:');
    return serve({ '/': PAGE, '/page.js': PAGE_SCRIPT, ...files }, { '/': policy });
  });

  test(`it gives the bits of Node and gcc, with the ${engine.backend} backend`, async () => {
    const page = await browser.newPage();
    await page.goto(server.origin);
    const expected = await expectedBits(which);
    const training = await page.evaluate(
      (of) => Reflect.get(window, 'bits').languageBits(of),
      STEPS[which],
    );
    assert.deepEqual(training, Array(2).fill(expected.training)); // by either backend
    const bits = await page.evaluate(
      (of) => Reflect.get(window, 'bits').packageBits(of),
      PROBLEMS[which],
    );
    const { backend } = engine;
    const js = expected.package;
    assert.deepEqual(bits, { backend, hashes: backend === 'simd' ? { simd: js, js } : { js } });
    if (expected.identity) {
      const identity = await page.evaluate(
        (module) => Reflect.get(window, 'bits').identityBits(module),
        MODULE,
      );
      const { simd, plain } = expected.identity;
      assert.deepEqual(identity, backend === 'simd' ? { simd, plain } : { plain });
    }
    assert.deepEqual(await page.complaints(), []);
    await page.close();
  });
}

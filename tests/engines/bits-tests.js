// Every engine gives the same finite bits: the package over 1200 problems and in a training, by either backend, the
// bits of Node; and the C of identity.c over thousands of shapes, those of gcc. An interpreter without compiler
// does the first fifth of the problems, and no shapes.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { createKernel } from '../../web/attention/index.js';
import * as language from '../../web/language/index.js';
import { serve, STRICT_POLICY } from '../browser/serve.js';
import { SHAPES } from '../c/identity-module.js';
import { nativeHashes, readModule } from '../c/identity-native.js';
import { hashComputations } from '../js/attention/computations.js';
import { hashTraining } from '../js/language/computations.js';

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
  ...['attention', 'language', 'parallel', 'shared'].flatMap((room) =>
    readdirSync(new URL(`web/${room}/`, ROOT), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.js'))
      .map((name) => `web/${room}/${name}`),
  ),
  'tests/engines/bits.js',
  'tests/c/identity-module.js',
  'tests/js/attention/computations.js',
  'tests/js/language/computations.js',
  'build/identity/identity-plain.js',
];

/** The number of problems of each of eight kinds. */
export const PROBLEMS = { all: 150, interpreted: 30 };

/** The number of steps of a training. */
export const STEPS = { all: 40, interpreted: 3 };

/**
 * Returns a function that computes for each number once, since two engines may ask.
 * @template R
 * @param {(count: number) => R} compute
 * @returns {(count: number) => R}
 */
function once(compute) {
  /** @type {Map<number, R>} */
  const known = new Map();
  return (count) => {
    const result = known.has(count) ? /** @type {R} */ (known.get(count)) : compute(count);
    known.set(count, result);
    return result;
  };
}

const inNode = await createKernel({ backend: 'simd' });
const bitsOf = once((problems) => hashComputations(inNode, problems));
const nativeBits = once((shapes) => nativeHashes('gcc', shapes).hashes);

/** Returns the bits of a training of so many steps, twice: by either backend. */
export const expectedTraining = once(async (steps) =>
  Array(2).fill(await hashTraining(language, steps)),
);

/**
 * Returns the bits of the package that an engine with this backend has to compute.
 * @param {'simd' | 'js'} backend
 * @param {number} problems
 */
export function expectedBits(backend, problems) {
  const js = bitsOf(problems);
  return { backend, hashes: backend === 'simd' ? { simd: js, js } : { js } };
}

/** Returns the bits of identity.c that an engine with this backend has to compute. @param {'simd' | 'js'} backend */
export function expectedIdentity(backend) {
  const plain = nativeBits(SHAPES.plain);
  return backend === 'simd' ? { simd: nativeBits(SHAPES.simd), plain } : { plain };
}

/**
 * Tests that an engine gives the bits of Node and of gcc.
 * @param {Engine} engine
 * @param {Browser} browser
 */
export function testBits(engine, browser) {
  /** @type {Awaited<ReturnType<typeof serve>>} */
  let server;
  before(async () => {
    const read = (/** @type {string} */ path) => readFileSync(new URL(path, ROOT), 'utf8');
    const files = Object.fromEntries(SOURCES.map((path) => [`/${path}`, read(path)]));
    const policy = STRICT_POLICY.replace('blob:', 'data:');
    server = await serve({ '/': PAGE, '/page.js': PAGE_SCRIPT, ...files }, { '/': policy });
  });
  after(() => server.close());

  test(`it gives the bits of Node and gcc, with the ${engine.backend} backend`, async () => {
    const page = await browser.newPage();
    await page.goto(server.origin);
    const count = engine.interpreted ? 'interpreted' : 'all';
    const training = await page.evaluate(
      (of) => Reflect.get(window, 'bits').languageBits(of),
      STEPS[count],
    );
    assert.deepEqual(training, await expectedTraining(STEPS[count]));
    const bits = await page.evaluate(
      (of) => Reflect.get(window, 'bits').packageBits(of),
      PROBLEMS[count],
    );
    assert.deepEqual(bits, expectedBits(engine.backend, PROBLEMS[count]));
    if (!engine.interpreted) {
      const identity = await page.evaluate(
        (module) => Reflect.get(window, 'bits').identityBits(module),
        MODULE,
      );
      assert.deepEqual(identity, expectedIdentity(engine.backend));
    }
    assert.deepEqual(await page.complaints(), []);
    await page.close();
  });
}

// The package in Chromium, unbundled: which backend it takes where something is missing or
// forbidden, and that all give the bits that Node gives.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { after, before, it } from 'node:test';
import * as index from '../../../web/attention/index.js';
import { STRICT_POLICY, launch, serve } from '../serve.js';
import { computeBits, computeNumbers } from './computation.js';

const WEB = new URL('../../../web/', import.meta.url);
const NO_WASM_POLICY = "default-src 'none'; script-src 'self'";

/** Calls at once, after init, and in a separate worker; the results as bits. */
const PAGE_SCRIPT = `
  import * as index from '/attention/index.js';
  import { computeBits } from '/computation.js';
  const { backend, init } = index;
  const compute = () => computeBits(index);
  const atOnce = () => {
    try {
      compute();
      return 'works';
    } catch (error) {
      return error.code + ': ' + error.message;
    }
  };
  window.seen = (async () => ({
    atOnce: atOnce(),
    init: await init(),
    backend: backend(),
    bits: compute(),
  }))();`;

/** Of the relaxed backend: its name, and numbers that pass through every kind of product. */
const RELAXED_SCRIPT = `
  import { attention, attentionGradient, init, randomNormal } from '/attention/index.js';
  import { computeNumbers } from '/computation.js';
  window.seen = (async () => ({
    backend: await init({ backend: 'relaxed' }),
    numbers: computeNumbers({ attention, attentionGradient, randomNormal }),
  }))();`;

const WORKER_SCRIPT = `
  import { attention, backend, randomNormal } from '/attention/index.js';
  const x = randomNormal([4, 4], { seed: 1 });
  postMessage([backend(), attention(x, x, x).output.data.length]);`;

/** @type {Awaited<ReturnType<typeof serve>>} */
let server;
before(async () => {
  const html =
    '<!doctype html><meta charset="utf-8"><script type="module" src="/page.js"></script>';
  /** @type {Record<string, string>} */
  const files = {
    '/': html,
    '/no-wasm.html': html,
    '/relaxed.html': html.replace('page.js', 'relaxed.js'),
    '/relaxed.js': RELAXED_SCRIPT,
    '/page.js': PAGE_SCRIPT,
    '/worker.js': WORKER_SCRIPT,
    '/computation.js': readFileSync(new URL('computation.js', import.meta.url), 'utf8'),
  };
  for (const room of ['attention', 'assets']) {
    const names = readdirSync(new URL(room, WEB), { recursive: true, encoding: 'utf8' });
    for (const name of names.filter((file) => file.endsWith('.js'))) {
      files[`/${room}/${name}`] = readFileSync(new URL(`${room}/${name}`, WEB), 'utf8');
    }
  }
  server = await serve(files, {
    '/': `${STRICT_POLICY}; worker-src 'self'`,
    '/no-wasm.html': NO_WASM_POLICY,
  });
});
after(() => server.close());

/**
 * Opens a page in a separate browser and returns the result of its script.
 *
 * @param {string} path
 * @param {string[]} [switches]
 */
async function visit(path, switches) {
  const browser = await launch(switches);
  try {
    const page = await browser.newPage();
    await page.goto(server.origin + path);
    return await page.evaluate('window.seen');
  } finally {
    await browser.close();
  }
}

it('computes at once, under a strict policy, the bits that Node computes', async () => {
  const seen = await visit('/');
  assert.deepEqual(seen, {
    atOnce: 'works',
    init: 'simd',
    backend: 'simd',
    bits: computeBits(index),
  });
});

for (const [what, path, switches] of /** @type {const} */ ([
  ['a policy that forbids WebAssembly', '/no-wasm.html', []],
  ['an engine without WebAssembly', '/', ['--js-flags=--jitless']],
  ['an engine without its SIMD', '/', ['--js-flags=--no-enable-sse4-1']],
])) {
  it(`falls back to JavaScript, with the same bits, under ${what}`, async () => {
    const { atOnce, ...rest } = await visit(path, [...switches]);
    assert.match(atOnce, /^ATTN_BACKEND: randomNormal: .* `await init\(\)` before the first call/);
    assert.deepEqual(rest, { init: 'js', backend: 'js', bits: computeBits(index) });
  });
}

it('computes with fused multiply-add by choice, nearly the numbers of Node', async () => {
  const { backend, numbers } = await visit('/relaxed.html');
  const expected = computeNumbers(index);
  assert.equal(backend, 'relaxed');
  assert.equal(numbers.length, expected.length);
  for (const [i, x] of expected.entries()) {
    assert.ok(
      Math.abs(numbers[i] - x) <= 2 ** -19 * Math.max(1, Math.abs(x)),
      `${numbers[i]} ${x}`,
    );
  }
});

it('works at once in a worker', async () => {
  const browser = await launch();
  try {
    const page = await browser.newPage();
    await page.goto(server.origin);
    const seen = await page.evaluate(
      () =>
        new Promise((resolve, reject) => {
          const worker = new Worker('/worker.js', { type: 'module' });
          worker.onmessage = ({ data }) => resolve(data);
          worker.onerror = ({ message }) => reject(new Error(message));
        }),
    );
    assert.deepEqual(seen, ['simd', 16]);
  } finally {
    await browser.close();
  }
});

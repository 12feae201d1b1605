// @slow
/**
 * Files that were cut off, changed and lied in: each is read, or refused by an error of the package, soon
 * and without taking memory that the file does not vouch for.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { readAttention, readSeries } from '../../../../web/inspector/reading/index.js';
import { runs } from '../../runs.js';

/** @import { Attention } from '../../../../web/inspector/reading/index.js' */

const FOLDER = new URL('../../../golden/view/', import.meta.url);
const FILES = readdirSync(FOLDER, { encoding: 'utf8', recursive: true })
  .filter((name) => /\.(npy|npz|safetensors|json)$/.test(name) && !name.startsWith('expected'))
  .map((name) => ({ name, bytes: new Uint8Array(readFileSync(new URL(name, FOLDER))) }));
/** Deflate gives at most 1032 bytes for one. */
const MOST_UNPACKED = 1032;

/** The largest array that was made since it was last set, in entries. */
let largest = 0;

/** Makes the constructor of an array tell how large its arrays are. @param {'Uint8Array' | 'Float32Array'} name */
function watch(name) {
  const original = globalThis[name];
  const watched = new Proxy(original, {
    construct(target, [first, ...rest], newTarget) {
      if (typeof first === 'number') largest = Math.max(largest, first);
      return Reflect.construct(target, [first, ...rest], newTarget);
    },
  });
  Reflect.set(globalThis, name, watched);
}
watch('Uint8Array');
watch('Float32Array');

/**
 * Expects that bytes are read or refused, as one attention and as a course of training.
 * @param {Uint8Array} bytes
 * @param {string} name
 */
async function survives(bytes, name) {
  await isReadOrRefused(name, bytes, () => readAttention(bytes));
  await isReadOrRefused(name, bytes, async () => {
    const series = await readSeries([{ name: 'attention-1', arrayBuffer: async () => bytes }]);
    assert.ok(series.length > 0);
    let last;
    for (const { read } of series) last = await read();
    return /** @type {Attention} */ (last);
  });
}

/**
 * Expects that reading succeeds, or fails as it may, and takes no memory that the bytes do not vouch for.
 * @param {string} name
 * @param {Uint8Array} bytes
 * @param {() => Promise<Attention>} read
 */
async function isReadOrRefused(name, bytes, read) {
  largest = 0;
  try {
    const { weights, query } = await read();
    assert.equal((weights ?? query)?.shape.length, 4);
  } catch (error) {
    const { code, message } = /** @type {{ code?: string, message: string }} */ (error);
    assert.match(code ?? '', /^ATTN_/, `${name}: ${message}`);
    assert.ok(message.length < 1000, name);
  }
  const most = name.endsWith('.npz') ? MOST_UNPACKED * bytes.length : bytes.length;
  assert.ok(largest <= most, `${name} of ${bytes.length} bytes made an array of ${largest}`);
}

const anyFile = fc.constantFrom(...FILES);

test('cut off anywhere', async () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  await fc.assert(
    fc.asyncProperty(anyFile, share, ({ name, bytes }, at) =>
      survives(bytes.slice(0, Math.floor(at * bytes.length)), name),
    ),
    runs(2000),
  );
});

test('with bytes changed, most of them in the headers', async () => {
  const change = fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(255));
  await fc.assert(
    fc.asyncProperty(
      anyFile,
      fc.array(change, { minLength: 1, maxLength: 8 }),
      fc.boolean(),
      ({ name, bytes }, changes, isHeader) => {
        const changed = bytes.slice();
        const within = isHeader ? Math.min(160, bytes.length - 1) : bytes.length - 1;
        for (const [at, value] of changes) changed[Math.floor(at * within)] = value;
        return survives(changed, name);
      },
    ),
    runs(4000),
  );
});

test('with lengths that lie', async () => {
  const lie = fc.constantFrom(0, 1, 0x7f, 0xffff, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff);
  await fc.assert(
    fc.asyncProperty(anyFile, fc.nat(), lie, fc.boolean(), ({ name, bytes }, at, value, isEnd) => {
      const changed = bytes.slice();
      const place = at % (bytes.length - 4);
      const fromEnd = bytes.length - 4 - (at % Math.min(120, bytes.length - 4));
      new DataView(changed.buffer).setUint32(isEnd ? fromEnd : place, value, true);
      return survives(changed, name);
    }),
    runs(4000),
  );
});

test('with numbers of a text replaced', async () => {
  const texts = FILES.filter(({ name }) => /npy$|safetensors$|json$/.test(name));
  const number = fc.constantFrom(
    '0',
    '-1',
    '1e9',
    '4294967296',
    '9223372036854775808',
    '[]',
    'null',
    '1e999',
  );
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...texts),
      fc.nat(),
      number,
      ({ name, bytes }, which, value) => {
        const text = Buffer.from(bytes).toString('latin1');
        const found = [...text.slice(0, 400).matchAll(/\d+/g)];
        const { 0: old, index } = found[which % found.length];
        const changed = text.slice(0, index) + value + text.slice(index + old.length);
        return survives(new Uint8Array(Buffer.from(changed, 'latin1')), name);
      },
    ),
    runs(2000),
  );
});

test('of anything at all', async () => {
  const start = fc.constantFrom(
    '',
    '\x93NUMPY\x01\0',
    'PK\x03\x04',
    '{"',
    '[[',
    '\x10\0\0\0\0\0\0\0{',
  );
  await fc.assert(
    fc.asyncProperty(start, fc.uint8Array({ maxLength: 300 }), (magic, rest) =>
      survives(new Uint8Array([...Buffer.from(magic, 'latin1'), ...rest]), 'bytes.npz'),
    ),
    runs(2000),
  );
});

/**
 * Files of attention as NumPy and PyTorch wrote them (tests/golden/view/make_view.py), and as they must
 * not be.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { DTypeError, ShapeError } from '../../../web/attention/index.js';
import { readAttention, toAttention } from '../../../web/files/index.js';

const FOLDER = new URL('../../golden/view/', import.meta.url);
const bytesOf = (/** @type {string} */ name) => new Uint8Array(readFileSync(new URL(name, FOLDER)));
const expected = JSON.parse(readFileSync(new URL('expected.json', FOLDER), 'utf8'));
const open = (/** @type {string} */ name) => readAttention(bytesOf(name));
const textBytes = (/** @type {string} */ text) => new TextEncoder().encode(text);
const numbers = (/** @type {{ data: Float32Array } | undefined} */ tensor) => [
  ...(tensor?.data ?? []),
];

describe('weights of all layers and heads', () => {
  for (const [name, as] of [
    ['float32.npy', 'weights'],
    ['float16.npy', 'float16'],
    ['float64.npy', 'weights'],
    ['big-endian.npy', 'weights'],
    ['fortran.npy', 'weights'],
    ['version-2.npy', 'weights'],
    ['version-3.npy', 'weights'],
    ['stored.npz', 'weights'],
    ['deflated.npz', 'weights'],
    ['float32.safetensors', 'weights'],
    ['float16.safetensors', 'float16'],
    ['bfloat16.safetensors', 'bfloat16'],
    ['float64.safetensors', 'weights'],
    ['nested.json', 'weights'],
    ['flat.json', 'weights'],
  ]) {
    test(`come back bit for bit from ${name}`, async () => {
      const { weights } = await open(name);
      assert.deepEqual(weights?.shape, expected.shape);
      assert.deepEqual(numbers(weights), expected[as]);
    });
  }
});

describe('of a file', () => {
  test('tokens come along where the format can hold them', async () => {
    for (const name of ['stored.npz', 'deflated.npz', 'float32.safetensors', 'pair.json']) {
      const { tokens, keyTokens } = await open(name);
      assert.deepEqual(tokens, expected.tokens, name);
      assert.deepEqual(keyTokens, expected.tokens, name);
    }
  });

  test('query and key are found among other arrays, with the scale', async () => {
    for (const name of ['pair.npz', 'pair.safetensors', 'pair.json']) {
      const { weights, query, key, scale } = await open(name);
      assert.equal(weights, undefined);
      assert.deepEqual(query?.shape, [2, 4, 5, 8]);
      assert.deepEqual(key?.shape, [2, 2, 5, 8]);
      assert.deepEqual(numbers(query), expected.query);
      assert.deepEqual(numbers(key), expected.key);
      assert.equal(scale, name.endsWith('safetensors') ? undefined : 0.25);
    }
  });

  test('heads alone are one layer, and a matrix alone is one head', async () => {
    assert.deepEqual((await open('one-head.npy')).weights?.shape, [1, 1, 5, 5]);
    assert.deepEqual((await open('single.npz')).weights?.shape, [1, 4, 5, 5]);
  });

  test('integers and booleans are numbers', async () => {
    const ones = [1, 0, 0, 0, 0, 1, 1, 0, 0, 0, 1, 1, 1, 0, 0, 1, 1, 1, 1, 0, 1, 1, 1, 1, 1];
    for (const name of ['mask.npy', 'int64.npy']) {
      assert.deepEqual(numbers((await open(name)).weights), ones);
    }
  });
});

/** Returns a .safetensors file. @param {object} header @param {number} [length] of the body */
function safetensors(header, length = 100) {
  const text = textBytes(JSON.stringify(header));
  const file = new Uint8Array(8 + text.length + length);
  new DataView(file.buffer).setBigUint64(0, BigInt(text.length), true);
  file.set(text, 8);
  return file;
}

test('a header may have any length, also one that reads like the start of JSON', async () => {
  for (const length of [0x5b, 0x7b]) {
    const entry = { dtype: 'F32', shape: [5, 5], data_offsets: [0, 100] };
    const text = JSON.stringify({ weights: entry, x: '' });
    const file = safetensors({ weights: entry, x: ' '.repeat(length - text.length) });
    assert.equal(file[0], length);
    assert.deepEqual((await readAttention(file)).weights?.shape, [1, 1, 5, 5]);
  }
});

/** Returns a .npy file. @param {string} header @param {number} [length] of the body */
function npy(header, length = 100) {
  const file = new Uint8Array(10 + header.length + length);
  file.set([0x93, ...textBytes('NUMPY'), 1, 0, header.length, 0]);
  file.set(textBytes(header), 10);
  return file;
}

const weights = (/** @type {object} */ changes) =>
  safetensors({ weights: { dtype: 'F32', shape: [5, 5], data_offsets: [0, 100], ...changes } });

/** @type {[what: string, file: Uint8Array, message: RegExp][]} */
const WRONG = [
  ['nothing', new Uint8Array(), /has 0 bytes and begins with none, expected \.safetensors, \.npy/],
  ['a picture', Uint8Array.of(0x89, 0x50, 0x4e, 0x47), /begins with 89 50 4e 47, expected/],
  ['pickled objects', bytesOf('objects.npy'), /has the type '\|O', expected floats/],
  ['arrays without names', bytesOf('nameless.npz'), /has the arrays arr_0, arr_1, expected weights/],
  ['half a header', bytesOf('float32.npy').subarray(0, 50), /announces a header of 118 bytes/],
  ['half the numbers', bytesOf('float32.npy').subarray(0, 500), /takes 800 bytes, but the file has 372/],
  ['half an archive', bytesOf('stored.npz').subarray(0, 600), /no directory at its end: it is cut off/],
  ['a header of 2⁶³ bytes', Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 128, 123), /header of 9223372036854775808 bytes/],
  ['2 GB announced', weights({ shape: [2 ** 15, 2 ** 14] }), /takes 2147483648 bytes, but the file has 100/],
  ['a shape beyond all numbers', weights({ shape: [2 ** 52, 2 ** 52] }), /takes .* bytes, but the file has 100/],
  ['offsets outside', weights({ data_offsets: [0, 101] }), /lies from 0 to 101, expected offsets within/],
  ['offsets that cross', weights({ data_offsets: [9, 5] }), /lies from 9 to 5/],
  ['a negative axis', weights({ shape: [-5, -5] }), /no shape of at most 32 axes/],
  ['8-bit floats', weights({ dtype: 'F8_E4M3' }), /has the type 'F8_E4M3', expected one of F16, BF16/],
  ['a prototype for a type', weights({ dtype: 'constructor' }), /has the type 'constructor'/],
  ['a header that is a list', safetensors([]), /begins with|no object/],
  ['texts without characters', npy("{'descr': '<U0', 'fortran_order': False, 'shape': (4000000000,), }", 0), /texts of 0 characters/],
  ['a type without a name', npy("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (5, 5), }"), /without a plain type/],
  ['a vector', npy("{'descr': '<f4', 'fortran_order': False, 'shape': (25,), }"), /weights is \[25\], expected \[n, n\]/],
  ['JSON that is cut off', textBytes('[[1, 0], [0.5'), /the file is no JSON/],
  ['JSON with NaN', textBytes('[[NaN]]'), /the file is no JSON/],
  ['ragged lists', textBytes('[[1, 0], [0.5]]'), /weights\[1\] has length 1, expected an array of 2/],
  ['texts for numbers', textBytes('[["a"]]'), /weights\[0\]\[0\] is 'a', expected a number/],
  ['a prototype in JSON', textBytes('{"__proto__": 1, "constructor": 2}'), /has the arrays __proto__, constructor/],
  ['lists without end', textBytes('['.repeat(100_000)), /no JSON/],
  ['lists in lists', textBytes('['.repeat(1000) + ']'.repeat(1000)), /too many axes|expected/],
  ['too few tokens', textBytes('{"weights": [[1]], "tokens": []}'), /tokens has length 0, expected 1/],
  ['numbers for tokens', textBytes('{"weights": [[1]], "tokens": [1]}'), /tokens\[0\] is 1, expected a text/],
  ['a scale of a text', textBytes('{"weights": [[1]], "scale": "big"}'), /scale is 'big'/],
  ['keys without queries', textBytes('{"key": [[1]], "tokens": []}'), /weights is \[1, 1\]|tokens/],
]; // prettier-ignore

describe('a sentence says what came and what was expected of', () => {
  for (const [what, file, message] of WRONG) {
    test(what, async () => {
      await assert.rejects(
        readAttention(file),
        (/** @type {Error & { code?: string }} */ error) => {
          assert.match(error.message, message);
          assert.match(error.code ?? '', /^ATTN_/);
          return true;
        },
      );
    });
  }

  test('an archive that was changed', async () => {
    for (const name of ['stored.npz', 'deflated.npz']) {
      const file = bytesOf(name);
      file[300] ^= 1;
      await assert.rejects(readAttention(file), DTypeError);
    }
  });

  test('an archive whose directory announces too much', async () => {
    const file = bytesOf('deflated.npz');
    const view = new DataView(file.buffer);
    const central = file.findIndex((_, at) => view.getUint32(at, true) === 0x02014b50);
    for (const size of [2 ** 31, 2 ** 20, 500, 1]) {
      view.setUint32(central + 24, size, true);
      await assert.rejects(
        readAttention(file),
        /announces 2147483648 bytes|announces 1048576|does not unpack|checksum/,
      );
    }
  });
});

describe('tensors of other libraries', () => {
  const data = Float32Array.of(0.5, 0.5, 1, 0);
  for (const [library, tensor] of Object.entries({
    'ONNX Runtime Web': { data, dims: [2, 2], type: 'float32', location: 'cpu' },
    'TensorFlow.js': { dataSync: () => data, data: async () => data, shape: [2, 2] },
    'this package': { data, shape: [2, 2] },
    lists: [
      [0.5, 0.5],
      [1, 0],
    ],
  })) {
    test(`of ${library} are read`, () => {
      const { weights } = toAttention({ weights: tensor });
      assert.deepEqual(weights?.shape, [1, 1, 2, 2]);
      assert.deepEqual(numbers(weights), [...data]);
    });
  }

  test('are refused by name on a GPU, and where queries do not fit keys', () => {
    const onGpu = { data: undefined, dims: [2, 2], location: 'gpu-buffer' };
    assert.throws(() => toAttention({ weights: onGpu }), /attn-view: weights is on 'gpu-buffer'/);
    const [query, key] = [[[1, 2]], [[1, 2, 3]]];
    assert.throws(() => toAttention({ query, key }), ShapeError);
    assert.throws(() => toAttention({ query }), /expected weights, or query and key/);
  });
});

/**
 * Files of attention as NumPy and PyTorch wrote them (tests/golden/view/make_view.py), as people save that of today's
 * models (make_models.py), and as they must not be.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { attentionScores, DTypeError, ShapeError } from '../../../../web/attention/index.js';
import { readAttention, toAttention } from '../../../../web/inspector/reading/index.js';

const FOLDER = new URL('../../../golden/view/', import.meta.url);
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

describe("attention of today's models", () => {
  const models = JSON.parse(readFileSync(new URL('expected-models.json', FOLDER), 'utf8'));
  /** By how much float32 may differ where it adds in another order, in units of the largest score. */
  const BOUND = 8 * 2 ** -24;

  for (const [name, { shape, float32 }] of Object.entries(models.weights)) {
    const isPair = name.endsWith('-pair.npz');
    test(`${name} gives the weights of its model${isPair ? ', from queries and keys' : ''}`, async () => {
      const truth = new Float32Array(Uint8Array.from(Buffer.from(float32, 'base64')).buffer);
      const { weights, query, key, ...options } = await open(`models/${name}`);
      if (!isPair) {
        assert.deepEqual([weights?.shape, numbers(weights)], [shape, [...truth]]);
        return;
      }
      assert.ok(query && key);
      const { scale, causal, mask } = options;
      const found = attentionScores(query, key, {
        scale,
        mask,
        causal: causal ? 'lower-right' : false,
        returns: ['weights', 'maskedScores'],
      });
      assert.deepEqual(found.weights.shape, shape);
      const largest = Math.max(1, ...found.maskedScores.data.filter(Number.isFinite).map(Math.abs));
      const worst = Math.max(...truth.map((x, i) => Math.abs(x - found.weights.data[i])));
      assert.ok(worst <= BOUND * largest, `${worst} at scores of ${largest}`);
    });
  }

  test('comes with its tokens, also of one query after a cache', async () => {
    const texts = ['The', ' sea', ' and', ' the', ' man'];
    for (const name of ['bert.json', 'llama.safetensors']) {
      assert.deepEqual((await open(`models/${name}`)).tokens, texts, name);
    }
    const cached = await open('models/qwen3-cached.npz');
    assert.deepEqual([cached.tokens, cached.keyTokens], [[' man'], texts]);
    const cross = await open('models/t5-cross.npz');
    assert.deepEqual([cross.tokens, cross.keyTokens], [texts.slice(0, 3), texts]);
    assert.deepEqual(numbers((await open('models/masked-row.json')).weights), [1, 0, NaN, NaN]);
  });

  for (const [what, name, message] of /** @type {const} */ ([
    [
      'without the weights of a fast kernel',
      'no-attentions.npz',
      /has no arrays, expected .*: models of Transformers give their attentions where they are loaded with attn_implementation="eager"/,
    ],
    [
      'of projections, before heads are split',
      'hooks.npz',
      /has the arrays model\.layers\.0\.self_attn\.q_proj, .*: projections have neither heads nor positions yet, record what scaled_dot_product_attention is given/,
    ],
    [
      'of torch.save',
      'llama.pt',
      /is of torch\.save, expected .*: save the arrays by numpy\.savez/,
    ],
    [
      'in bfloat16, which NumPy lacks',
      'keras-bfloat16.npz',
      /has the type '<V2', expected floats, .*: save it as float32/,
    ],
  ])) {
    // prettier-ignore
    test(`${what} is refused with its remedy`, () => assert.rejects(open(`models/${name}`), message));
  }
});

test('a mask is bytes where it is booleans, and belongs to queries and keys', async () => {
  const pair = {
    query: [[[1]], [[1]]],
    key: [
      [[1], [1]],
      [[1], [1]],
    ],
  };
  for (const [mask, shape] of /** @type {const} */ ([
    [[[true, false]], [1, 1, 1, 2]],
    [
      [[[true, false]], [[true, false]]],
      [1, 2, 1, 2],
    ],
  ])) {
    const file = textBytes(JSON.stringify({ ...pair, mask, causal: true }));
    const { mask: found, causal } = await readAttention(file);
    assert.deepEqual(found?.shape, shape);
    assert.deepEqual([...(found?.data ?? [])].slice(0, 2), [1, 0]);
    assert.ok(found?.data instanceof Uint8Array && causal);
  }
  const theirs = textBytes(
    JSON.stringify({ ...pair, attn_mask: [[true, false]], is_causal: true }),
  );
  const { mask, causal } = await readAttention(theirs);
  assert.ok(mask && causal);
  const alone = textBytes('{"weights": [[1]], "mask": [[true, true]], "causal": true}');
  assert.deepEqual(Object.keys(await readAttention(alone)), ['weights']);
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
  ['pickled objects', bytesOf('objects.npy'), /holds objects of Python \(dtype=object\), expected floats.*: save texts as np\.array\(texts, dtype=str\)/],
  ['complex numbers', npy("{'descr': '<c8', 'fortran_order': False, 'shape': (5, 5), }", 200), /has the type '<c8', expected floats.*: save it as float32/],
  ['arrays whose names say nothing', textBytes('{"a": [[1]], "b": [[1]]}'), /has the arrays a, b, expected weights, or query and key, or a single array, or one a layer/],
  ['a pickle', Uint8Array.of(0x80, 2, 0x7d, 0x71), /is a pickle of Python, as of torch\.save, expected .*: save the arrays by numpy\.savez or safetensors/],
  ['an HDF5 file', Uint8Array.of(0x89, 0x48, 0x44, 0x46, 0x0d), /is an HDF5 file, expected .*: save the arrays/],
  ['a cache', textBytes('{"key_0": [[1]], "value_0": [[1]]}'), /has keys without queries, expected both or weights: a cache/],
  ['a batch of texts', textBytes(JSON.stringify([[[[[1]]], [[[1]]]]])), /weights is \[1, 2, 1, 1, 1\], expected .*: of a batch take one text, as weights\[:, 0\]/],
  ['layers of several shapes', textBytes('{"layer_0": {"data": [1], "shape": [1, 1]}, "layer_1": {"data": [1, 1], "shape": [1, 2]}}'), /weights\[1\] is \[1, 2\], expected \[1, 1\] as of the first layer/],
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
  ['JSON with words of no language', textBytes('[[NaN, nan]]'), /the file is no JSON .*, expected what JSON\.stringify or Python's json\.dump writes/],
  ['ragged lists', textBytes('[[1, 0], [0.5]]'), /weights\[1\] has length 1, expected an array of 2/],
  ['texts for numbers', textBytes('[["a"]]'), /weights\[0\]\[0\] is 'a', expected a number/],
  ['a prototype in JSON', textBytes('{"__proto__": [1], "constructor": [2]}'), /has the arrays __proto__, constructor/],
  ['lists without end', textBytes('['.repeat(100_000)), /no JSON/],
  ['lists in lists', textBytes('['.repeat(1000) + ']'.repeat(1000)), /too many axes|expected/],
  ['too few tokens', textBytes('{"weights": [[1]], "tokens": []}'), /tokens has length 0, expected 1/],
  ['one text for all tokens', textBytes('{"weights": [[1]], "tokens": "a"}'), /tokens is 'a', expected an array of texts/],
  ['objects for tokens', textBytes('{"weights": [[1]], "tokens": [{}]}'), /tokens\[0\] is an object, expected a text/],
  ['a scale of a text', textBytes('{"weights": [[1]], "scale": "big"}'), /scale is 'big'/],
  ['a mask of other queries', textBytes('{"q": [[1]], "k": [[1]], "mask": [[true, true]]}'), /mask is \[1, 2\], expected \[1, 1, 1, 1\]; axes before the last may be 1/],
  ['a mask of numbers that are flags', textBytes('{"q": [[1]], "k": [[1], [1]], "mask": [[0, 1]]}'), /mask holds numbers that are all 0 or 1, expected booleans/],
  ['a text for a flag', textBytes('{"q": [[1]], "k": [[1]], "causal": "yes"}'), /causal is 'yes'/],
  ['a number for a flag', textBytes('{"q": [[1]], "k": [[1]], "causal": 2}'), /causal is 2, expected true or false/],
  ['keys alone', textBytes('{"key": [[1]], "tokens": []}'), /keys without queries/],
  ['queries alone', textBytes('{"q": [[1]], "k_cache": [[1]]}'), /queries without keys/],
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
        /announces 2147483\d+ bytes in all, expected at most 2147483648|announces 1048576|does not unpack|checksum/,
      );
    }
  });
});

test('what NumPy 2 writes is read: pairs of each layer, tokens of bytes, numbers of a vocabulary, NaN', async () => {
  const { query, key, tokens } = await open('layers-of-pairs.npz');
  assert.deepEqual([query?.shape, key?.shape], [[2, 4, 5, 8], [2, 2, 5, 8]]); // prettier-ignore
  assert.deepEqual([numbers(query), numbers(key)], [expected.query, expected.key]);
  assert.deepEqual(tokens, expected.tokens);
  assert.deepEqual((await open('ids.npz')).tokens, ['101', '7592', '102', '0', '0']);
  assert.deepEqual(numbers((await open('python.json')).weights), [1, NaN]);
});

describe('arrays are found', () => {
  const layer = [[1, 0], [0.5, 0.5]]; // prettier-ignore
  const [zero, one] = [layer, [[0, 1], [1, 0]]]; // prettier-ignore
  const both = [...zero, ...one].flat();

  for (const [how, names] of /** @type {const} */ ([
    ['as numpy.savez(file, *layers) names them', ['arr_0', 'arr_1']],
    ['by the number of their layer', ['layer_0', 'layer_1']],
    ['by names with points', ['decoder.layers.9.attn', 'decoder.layers.10.attn']],
    ['by numbers alone', ['0', '1']],
  ])) {
    test(`one a layer, ${how}`, async () => {
      const [first, second] = names;
      const text = JSON.stringify({ [second]: one, [first]: zero });
      const { weights } = await readAttention(textBytes(text));
      assert.deepEqual([weights?.shape, numbers(weights)], [[1, 2, 2, 2], both]);
    });
  }

  test('one a layer with a batch of one, as tensors, in archives', async () => {
    const tensor = (/** @type {number[][]} */ rows) => ({ data: rows.flat(), shape: [1, 1, 2, 2] });
    const text = JSON.stringify({ attn_0: tensor(zero), attn_1: tensor(one) });
    assert.deepEqual((await readAttention(textBytes(text))).weights?.shape, [2, 1, 2, 2]);
    const { weights } = await open('nameless.npz');
    assert.deepEqual(weights?.shape, [1, 2, ...expected.shape.slice(1)].slice(-4));
    const half = expected.weights.slice(0, 100);
    assert.deepEqual(numbers(weights), [...half, ...expected.weights.slice(100)]);
  });

  test('queries and keys of each layer, whatever else there is', async () => {
    const names = ['layers.1.query', 'layers.1.key', 'layers.0.query', 'layers.0.key', 'loss'];
    const arrays = names.map((name) => [name, name.includes('1') ? one : zero]);
    const file = { ...Object.fromEntries(arrays), loss: [0.5], model: 'bert', epoch: 3 };
    const { query, key } = await readAttention(textBytes(JSON.stringify(file)));
    assert.deepEqual(numbers(query), both);
    assert.deepEqual(numbers(key), both);
  });

  test('under the names that libraries give them', async () => {
    const files = [
      { attention: layer, tokens: ['a', 'b'], model: 'bert' },
      { attentions: [layer], tokens: ['a', 'b'], config: null },
      { attn_weights: layer, tokens: [['a', 'b']] },
    ];
    for (const file of files) {
      const { weights, tokens } = await readAttention(textBytes(JSON.stringify(file)));
      assert.deepEqual([numbers(weights), tokens], [zero.flat(), ['a', 'b']]);
    }
    const { key } = await readAttention(textBytes(JSON.stringify({ q: zero, k: one })));
    assert.deepEqual(numbers(key), one.flat());
  });
});

test('JSON of Python has NaN and Infinity, and texts that say so', async () => {
  const text = String.raw`{"weights": [[NaN, 1], [Infinity, -Infinity]], "loss": NaN, "tokens": ["NaN \"NaN", "-Infinity"]}`;
  const { weights, tokens, loss } = await readAttention(textBytes(text));
  assert.deepEqual(numbers(weights), [NaN, 1, Infinity, -Infinity]);
  assert.deepEqual(tokens, ['NaN "NaN', '-Infinity']);
  assert.equal(loss, NaN);
  const entry = { dtype: 'F32', shape: [5, 5], data_offsets: [0, 100] };
  const file = safetensors({ weights: entry, __metadata__: { loss: 'NaN' } });
  assert.equal((await readAttention(file)).loss, NaN);
});

test('a file is named in messages as it is called', async () => {
  await assert.rejects(
    readAttention(textBytes('x'), { name: 'a.npz' }),
    /^DTypeError: a\.npz has 1 b/,
  );
  await assert.rejects(
    readAttention(textBytes('[[1], [1, 2]]'), { name: 'a.json' }),
    /a\.json: weights\[1\]/,
  );
});

test('bytes may be any view or buffer, and nothing else', async () => {
  const { buffer } = textBytes('[[1]]').slice();
  for (const bytes of [buffer, new DataView(buffer), new Uint8Array(buffer)]) {
    const { weights } = await readAttention(/** @type {ArrayBuffer} */ (bytes));
    assert.deepEqual(numbers(weights), [1]);
  }
  const text = /** @type {any} */ ('[[1]]');
  await assert.rejects(readAttention(text), /bytes is '\[\[1\]\]', expected the bytes of a file/);
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
    assert.throws(() => toAttention({ weights: onGpu }), /toAttention: weights is on 'gpu-buffer'/);
    assert.throws(
      () => toAttention({ weights: onGpu }, { name: 'attn-view' }),
      /attn-view: weights is on/,
    );
    const [query, key] = [[[1, 2]], [[1, 2, 3]]];
    assert.throws(() => toAttention({ query, key }), ShapeError);
    assert.throws(() => toAttention({ query }), /expected weights, or query and key/);
  });
});

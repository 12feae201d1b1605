// A row of a mask that holds for all queries, as padding does, is that row repeated.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import * as index from '../../../web/attention/index.js';
import { matrixOf } from '../oracle.js';
import { runs } from '../runs.js';
import { drawMask } from './problems.js';

const { attention, createKernel, randomNormal } = index;

/** @typedef {Awaited<ReturnType<typeof createKernel>>} Kernel */

const [B, H, G, D] = [2, 4, 2, 3];

/** Returns every function that takes a mask: with heads, and without. @param {number} nQ @param {number} nK */
function callsOf(nQ, nK) {
  const [query, key, value, dOutput] = [nQ, nK, nK, nQ].map((n, i) =>
    randomNormal([B, H, n, D], { seed: i }),
  );
  const few = (/** @type {number} */ i) => randomNormal([B, G, nK, D], { seed: i });
  const [queryWeight, keyWeight] = [4, 5].map((seed) => randomNormal([6, D], { seed }));
  const hidden = { queryWeight, keyWeight, scoreWeight: randomNormal([6], { seed: 6 }) };
  const [x, context, dX] = [nQ, nK, nQ].map((n, i) => randomNormal([B, n, 8], { seed: 7 + i }));
  const [wide, narrow] = [8, 4].map((rows) => randomNormal([rows, 8], { seed: rows }));
  const layer = { queryWeight: wide, keyWeight: narrow, valueWeight: narrow, outputWeight: wide };
  const returns = /** @type {const} */ (['weights', 'scores', 'logSumExp']);
  return /** @type {Record<string, (kernel: Kernel, options: any) => unknown>} */ ({
    attention: (k, o) => k.attention(query, few(1), few(2), { ...o, returns }),
    attentionGradient: (k, o) => k.attentionGradient(query, few(1), few(2), dOutput, o),
    additiveAttention: (k, o) =>
      k.additiveAttention(query, key, value, { ...hidden, ...o, returns }),
    pairwise: (k, o) =>
      k.additiveAttention(query, key, value, { ...hidden, ...o, method: 'pairwise' }),
    additiveAttentionGradient: (k, o) =>
      k.additiveAttentionGradient(query, key, value, dOutput, { ...hidden, ...o }),
    multiHeadAttention: (k, o) =>
      k.multiHeadAttention(x, layer, { heads: H, kvHeads: G, context, ...o, returns: ['weights'] }),
    multiHeadAttentionGradient: (k, o) =>
      k.multiHeadAttentionGradient(x, layer, dX, { heads: H, kvHeads: G, context, ...o }),
  });
}

/** Returns a mask for each query of each head. @param {any} mask @param {number} nQ @param {number} nK */
function repeated({ data, shape }, nQ, nK) {
  const [items, heads] = [1, 1, ...shape.slice(0, -2)].slice(-2);
  const full = new data.constructor(B * H * nQ * nK);
  for (let i = 0; i < full.length; i++) {
    const head = Math.floor(i / (nQ * nK));
    const item = items === 1 ? 0 : Math.floor(head / H);
    full[i] = data[(item * heads + (heads === 1 ? 0 : head % H)) * nK + (i % nK)];
  }
  return { data: full, shape: [B, H, nQ, nK] };
}

const LEADS = [[], [1], [H], [1, 1], [B, 1], [1, H], [B, H]];

for (const backend of /** @type {const} */ (['simd', 'relaxed', 'js'])) {
  test(`one row of a mask for all queries gives the bits of that row repeated: ${backend}`, async () => {
    const kernel = await createKernel({ backend });
    fc.assert(
      fc.property(
        fc.record({
          nQ: fc.integer({ min: 0, max: 9 }),
          nK: fc.integer({ min: 1, max: 9 }),
          lead: fc.constantFrom(...LEADS),
          kind: fc.constantFrom(/** @type {const} */ ('boolean'), 'additive', 'dead'),
          causal: fc.constantFrom(false, 'upper-left', 'lower-right'),
          seed: fc.nat(),
        }),
        ({ nQ, nK, lead, kind, causal, seed }) => {
          const { mask } = drawMask(kind, [...lead, 1, nK], seed);
          const full = repeated(mask, nQ, nK);
          for (const [name, call] of Object.entries(callsOf(nQ, nK))) {
            const got = call(kernel, { mask, causal });
            assert.deepEqual(got, call(kernel, { mask: full, causal }), name);
          }
        },
      ),
      runs(backend === 'js' ? 60 : 200),
    );
    kernel.dispose();
  });
}

test('PyTorch’s padding mask, [b, 1, 1, n_k], leaves of each item the keys that it lets through', () => {
  const lengths = [5, 2];
  const [q, k, v] = [3, 5, 5].map((n, i) => randomNormal([2, 1, n, 4], { seed: i }));
  const mask = lengths.map((length) => [[[0, 1, 2, 3, 4].map((j) => j < length)]]);
  const { output } = attention(q, k, v, { mask });
  lengths.forEach((length, item) => {
    const some = [k, v].map((all) => matrixOf(all, item).slice(0, length));
    const alone = attention(matrixOf(q, item), some[0], some[1]).output;
    const got = matrixOf(output, item).flat();
    alone.data.forEach((x, i) => assert.ok(Math.abs(got[i] - x) <= 1e-6, `${got[i]} and ${x}`));
  });
});

test('a mask may be nested, a single row, and of rows of float typed arrays', () => {
  const x = randomNormal([3, 4], { seed: 1 });
  const expected = attention(x, x, x, { mask: Array(3).fill([0, -Infinity, 1]) });
  for (const row of [[0, -Infinity, 1], Float32Array.of(0, -Infinity, 1)]) {
    assert.deepEqual(attention(x, x, x, { mask: [row] }), expected);
    assert.deepEqual(attention(x, x, x, { mask: [[[row]]] }), expected);
  }
});

test('an axis of keys is not stretched', () => {
  const x = randomNormal([3, 4], { seed: 1 });
  for (const shape of [
    [3, 1],
    [1, 1],
  ]) {
    const mask = { data: new Float32Array(shape[0]), shape };
    assert.throws(() => attention(x, x, x, { mask }), {
      name: 'ShapeError',
      message: `attention: mask is [${shape.join(', ')}], expected [3, 3]; axes before the last may be 1`,
    });
  }
});

/** The functions that make integer arrays of numbers. */
const INTEGERS = [
  Int8Array,
  Uint8Array,
  Uint8ClampedArray,
  Int16Array,
  Uint16Array,
  Int32Array,
  Uint32Array,
];
const FLAGS = [1, 0, 1, 1, 1, 0, 0, 1, 1, 1, 1, 0];

test('integers of 0 and 1 are the booleans that they stand for, in every function', () => {
  const booleans = [0, 1, 2].map((i) => FLAGS.slice(4 * i, 4 * i + 4).map(Boolean));
  const kernel = /** @type {any} */ (index);
  for (const [name, call] of Object.entries(callsOf(3, 4))) {
    const expected = call(kernel, { mask: booleans });
    const arrays = [
      ...INTEGERS.map((Type) => Type.from(FLAGS)),
      BigInt64Array.from(FLAGS, BigInt),
      BigUint64Array.from(FLAGS, BigInt),
    ];
    for (const data of arrays) {
      for (const mask of [
        { data, shape: [3, 4] },
        { data, dims: [1, 1, 3, 4] },
      ]) {
        assert.deepEqual(call(kernel, { mask }), expected, `${name}, ${data.constructor.name}`);
      }
    }
  }
});

test('an integer that is neither 0 nor 1 is refused, but for bytes, which may attend', () => {
  const x = randomNormal([1, 2], { seed: 1 });
  const y = randomNormal([3, 2], { seed: 2 });
  for (const data of [Int32Array.of(1, -1, 0), BigInt64Array.of(1n, 7n, 0n)]) {
    const mask = /** @type {any} */ ({ data, shape: [1, 3] });
    assert.throws(() => attention(x, y, y, { mask }), {
      name: 'DTypeError',
      message: `attention: mask has the integer ${data[1]} at 1, expected 0 or 1; numbers to add come as Float32Array`,
    });
  }
  const bytes = { data: Uint8Array.of(1, 255, 0), shape: [1, 3] };
  assert.deepEqual(
    attention(x, y, y, { mask: bytes }),
    attention(x, y, y, { mask: [[true, true, false]] }),
  );
});

test('floating numbers that are all 0 or 1 would mask nothing and are refused', () => {
  const x = randomNormal([2, 3], { seed: 1 });
  const flags = [
    [1, 0],
    [1, 1],
  ];
  const data = flags.flat();
  for (const mask of [
    flags,
    [[1, 0]],
    { data, shape: [2, 2] },
    { data: Float32Array.from(data), shape: [2, 2] },
    { data: Float64Array.from(data), dims: [2, 2] },
    [Float32Array.of(0, 1)],
  ]) {
    assert.throws(() => attention(x, x, x, { mask }), {
      name: 'DTypeError',
      message:
        'attention: mask holds numbers that are all 0 or 1, expected booleans to mask, 0 and −Infinity to add',
    });
  }
  for (const entries of [
    [0, 0],
    [1, 1],
    [0, 1.5],
    [-1, 1],
    [0, -Infinity],
  ]) {
    attention(x, x, x, { mask: [entries] }); // prettier-ignore
  }
});

test('a shape that does not fit comes before entries', () => {
  const x = randomNormal([2, 3], { seed: 1 });
  assert.throws(() => attention(x, x, x, { mask: [[0, 1, 1]] }), { name: 'ShapeError' });
});

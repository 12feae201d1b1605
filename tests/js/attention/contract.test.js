/**
 * The promises that all functions of the package share: each tensor argument may come in any form, is
 * named when it is wrong, and is never changed; results own their memory, or are written to given
 * arrays; after an error the next call works.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import * as index from '../../../web/attention/index.js';
import { run } from '../../../web/attention/kernel/active.js';
import { runs } from '../runs.js';
import { at, callsOf, replace } from './functions.js';
import { entriesOf } from './problems.js';

const FUNCTIONS = callsOf(index);

/** @import { Tensor } from '../../../web/attention/index.js' */

/** Returns all arrays of a result. @param {any} result @returns {Float32Array[]} */
function arraysOf(result) {
  if (result?.data instanceof Float32Array) return [result.data];
  if (typeof result !== 'object' || Array.isArray(result)) return [];
  return Object.values(result).flatMap(arraysOf);
}

/** Returns the same numbers in other forms. @param {Tensor} tensor @returns {[string, unknown][]} */
function formsOf({ data, shape }) {
  const shifted = new Float32Array(data.length + 3);
  shifted.set(data, 3);
  const shared = new Float32Array(new SharedArrayBuffer(data.byteLength));
  shared.set(data);
  const resizable = new /** @type {any} */ (ArrayBuffer)(data.byteLength, { maxByteLength: 4096 });
  new Float32Array(resizable).set(data);
  const foreign = runInNewContext('Float32Array.from(data)', { data: [...data] });
  return [
    ['nested arrays', index.toNested({ data, shape })],
    ['dims', { data, dims: shape }],
    ['float64', { data: Float64Array.from(data), shape }],
    ['an array of numbers', { data: [...data], shape }],
    ['another byte offset', { data: shifted.subarray(3), shape }],
    ['a shared buffer', { data: shared, shape }],
    ['a resizable buffer', { data: new Float32Array(resizable), shape }],
    ['another realm', { data: foreign, shape }],
    ['a shape that is typed', { data, shape: Uint32Array.from(shape) }],
  ];
}

test('the table has every function that takes a tensor', () => {
  const others =
    /^(init|backend|createKernel|diagnosisCourse|parameterCount|random(Normal|Uniform)|errorFrom|.*Error)$/;
  const names = Object.keys(index).filter((name) => !others.test(name));
  assert.deepEqual(Object.keys(FUNCTIONS).sort(), names.sort());
});

for (const [name, entry] of Object.entries(FUNCTIONS)) {
  const { call, args, tensors, options } = entry;
  const expected = call(...args);

  test(`${name} reads every form of every tensor`, () => {
    for (const [path] of tensors) {
      for (const [form, value] of formsOf(at(args, path))) {
        assert.deepEqual(call(...replace(args, path, value)), expected, `${path} as ${form}`);
      }
    }
  });

  test(`${name} changes no input, and its results own their memory`, () => {
    const before = structuredClone(args);
    const result = call(...args);
    assert.deepEqual(args, before);
    const buffers = arraysOf(result).map(({ buffer }) => buffer);
    const memory = run('test', (kernel) => kernel.current().memory.buffer);
    const inputs = tensors.map(([path]) => at(args, path).data.buffer);
    assert.equal(new Set([...buffers, ...inputs, memory]).size, new Set(inputs).size + buffers.length + 1); // prettier-ignore
    for (const data of arraysOf(result)) {
      assert.deepEqual([data.byteOffset, data.byteLength], [0, data.buffer.byteLength]);
      data.fill(7);
    }
    assert.deepEqual(call(...args), expected);
  });

  test(`${name} names every tensor that is wrong, and works afterwards`, () => {
    for (const [path, argument] of tensors) {
      const { data, shape } = at(args, path);
      const BIG = [
        [
          { data: new BigInt64Array(data.length), shape },
          'DTypeError',
          / holds a BigInt64Array, expected numbers/,
        ],
      ];
      const wrong = /** @type {[unknown, string, RegExp][]} */ ([
        [{ data: data.subarray(1), shape }, 'ShapeError', /\.data has length \d+, expected \d+ to match shape/],
        [{ data, shape: [-1] }, 'ShapeError', /\.shape\[0\] is -1, expected a non-negative integer/],
        [{ data, shape: 'x' }, 'ShapeError', /\.shape is 'x', expected an array of non-negative integers/],
        [{ data }, 'ShapeError', / has data but no shape, expected \{ data, shape \}/],
        ['text', 'DTypeError', / is 'text', expected a tensor/],
        [{ data: new DataView(new ArrayBuffer(8)), shape: [2] }, 'DTypeError', /\.data is a DataView/],
        [{ data: Array(data.length).fill('1'), shape }, 'DTypeError', /\.data\[0\] is '1', expected a number/],
        [[[1, 2], [3]], 'ShapeError', /\[1\] has length 1, expected an array of 2/],
        [{ data: new Map(), shape }, 'DTypeError', /\.data is a Map, expected a typed array/],
        [Promise.resolve(data), 'DTypeError', / is an object, expected a tensor: await the promise/],
        [{ data: () => data, shape }, 'DTypeError', / gives its data by a method, expected \{ data: await /],
        [{ location: 'gpu-buffer', dims: shape }, 'DTypeError', / is on 'gpu-buffer', expected its data: /],
        ...(argument === 'mask' ? [] : BIG),
      ]); // prettier-ignore
      for (const [value, error, message] of wrong) {
        const text = new RegExp(`^${name}: ${argument}${message.source}`);
        assert.throws(() => call(...replace(args, path, value)), { name: error, message: text });
      }
      assert.deepEqual(call(...args), expected);
    }
  });

  if (options === undefined) continue;
  test(`${name} knows its options, and ignores undefined ones`, () => {
    const unknown = replace(args, [options, 'sclae'], 1);
    assert.throws(() => call(...unknown), {
      name: 'DTypeError',
      code: 'ATTN_DTYPE',
      message: new RegExp(`^${name}: unknown option 'sclae'( \\(did you mean '\\w+'\\?\\))?, expected one of \\w+(, \\w+)*$`),
    });
    for (const value of [null, 1, 'x', [], () => {}]) {
      assert.throws(() => call(...replace(args, [options], value)), {
        name: 'DTypeError',
        message: new RegExp(`^${name}: options is .*, expected an object$`),
      });
    }
    const optional = ['temperature', 'scale', 'causal', 'similarity', 'method', 'kvHeads', 'subtractMax'];
    for (const option of optional) {
      const same = replace(args, [options, option], undefined);
      if (option in args[options]) continue;
      try {
        assert.deepEqual(call(...same), expected);
      } catch (error) {
        assert.match(String(error), new RegExp(`unknown option '${option}'`));
      }
    }
  }); // prettier-ignore
}

test('numbers that are not finite never trap, in any function', () => {
  for (const { call, args, tensors } of Object.values(FUNCTIONS)) {
    const expected = call(...args);
    for (const [path, argument] of tensors) {
      const { data, shape } = at(args, path);
      for (const x of [NaN, Infinity, -Infinity, -0, 1e-45, 3.4e38, -3.4e38]) {
        if (argument === 'sink' && !(x < Infinity)) {
          const sink = { data: data.map(() => x), shape };
          assert.throws(() => call(...replace(args, path, sink)), { name: 'DTypeError' });
          continue;
        }
        call(...replace(args, path, { data: data.map(() => x), shape }));
        call(...replace(args, path, { data: data.map((y, i) => (i === 1 ? x : y)), shape }));
      }
    }
    assert.deepEqual(call(...args), expected);
  }
});

/** Problems in which some keys are attended by no query and some queries attend nowhere. */
const closed = fc.record({
  nQ: fc.integer({ min: 1, max: 90 }),
  nK: fc.integer({ min: 1, max: 150 }),
  d: fc.integer({ min: 1, max: 20 }),
  similarity: fc.constantFrom(/** @type {const} */ ('dot'), 'cosine'),
  causal: fc.constantFrom(false, true, /** @type {const} */ ('lower-right')),
  bytes: fc.boolean(),
  seed: fc.nat(),
});

/** Returns a mask that closes random rows and columns, besides single positions.
 *  @param {{ nQ: number, nK: number, seed: number, bytes: boolean }} problem */
function closingMask({ nQ, nK, seed, bytes }) {
  const draw = (/** @type {number} */ stream, /** @type {number[]} */ ...shape) =>
    index.randomUniform(shape, { seed, stream }).data;
  const [rows, columns, entries] = [draw(1, nQ), draw(2, nK), draw(3, nQ, nK)];
  const open = entries.map(
    (u, i) => +(u > 0.1 && rows[Math.floor(i / nK)] > 0.2 && columns[i % nK] > 0.2),
  );
  const data = bytes ? Uint8Array.from(open) : open.map((may) => (may ? 0 : -Infinity));
  return { mask: { data, shape: [nQ, nK] }, rows, columns };
}

test('rows that are masked throughout may have any content, and change no bit elsewhere', () => {
  fc.assert(
    fc.property(closed, ({ nQ, nK, d, similarity, causal, bytes, seed }) => {
      const { mask, rows, columns } = closingMask({ nQ, nK, seed, bytes });
      const draw = (/** @type {number} */ n, /** @type {number} */ stream) =>
        index.randomNormal([n, d], { seed, stream });
      const clean = [draw(nQ, 11), draw(nK, 12), draw(nK, 13), draw(nQ, 14)];
      const garbage = [NaN, Infinity, -Infinity, 3e38, 1e-42];
      const dirty = clean.map(({ data, shape }, which) => ({
        shape,
        data: data.map((x, i) => {
          const row = Math.floor(i / d);
          const hidden = (which % 3 === 0 ? rows : columns)[row] <= 0.2;
          return hidden ? garbage[(i + seed) % 5] : x;
        }),
      }));
      const weight = (/** @type {number} */ stream) =>
        index.randomNormal([d, d], { seed, stream, std: 0.3 });
      const layerOf = { queryWeight: weight(21), keyWeight: weight(22), valueWeight: weight(23), outputWeight: weight(24) };
      const additiveOf = { queryWeight: weight(21), keyWeight: weight(22), scoreWeight: draw(1, 23).data };
      const compute = (/** @type {Tensor[]} */ [q, k, v, dO], /** @type {Tensor} */ dLayer) =>
        entriesOf([
          index.attention(q, k, v, { mask, causal, similarity }),
          index.attentionGradient(q, k, v, dO, { mask, causal, similarity }),
          index.additiveAttention(q, k, v, { ...additiveOf, mask, causal }),
          index.additiveAttentionGradient(q, k, v, dO, { ...additiveOf, mask, causal }),
          index.multiHeadAttention(q, layerOf, { heads: 1, context: k, mask, causal }),
          index.multiHeadAttentionGradient(q, layerOf, dLayer, { heads: 1, context: k, mask, causal }),
        ]);
      assert.deepEqual(compute(dirty, clean[3]), compute(clean, clean[3]));
    }),
    runs(150),
  );
}); // prettier-ignore

// The rules of attention: heads, masks, numbers that are not finite, empty shapes, options, errors.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  attentionGradient,
  attention,
  logSumExp,
  randomNormal,
  softmax,
  tensor,
} from '../../../web/attention/index.js';
import * as oracle from '../oracle.js';

/** @import { Tensor } from '../../../web/attention/index.js' */

const EVERYTHING = /** @type {const} */ (['weights', 'scores', 'logSumExp']);

test('each batch and head is attended to by itself', () => {
  const shape = [2, 3, 5, 4];
  const [q, k, v] = [1, 2, 3].map((seed) => randomNormal(shape, { seed }));
  const all = attention(q, k, v, { returns: EVERYTHING });
  assert.deepEqual(all.output.shape, [2, 3, 5, 4]);
  assert.deepEqual(all.weights.shape, [2, 3, 5, 5]);
  assert.deepEqual(all.logSumExp.shape, [2, 3, 5]);
  for (let head = 0; head < 6; head++) {
    const one = attention(
      oracle.matrixOf(q, head),
      oracle.matrixOf(k, head),
      oracle.matrixOf(v, head),
      {
        returns: EVERYTHING,
      },
    );
    assert.deepEqual(one.output.data, all.output.data.subarray(head * 20, head * 20 + 20));
    assert.deepEqual(one.weights.data, all.weights.data.subarray(head * 25, head * 25 + 25));
    assert.deepEqual(one.scores.data, all.scores.data.subarray(head * 25, head * 25 + 25));
    assert.deepEqual(one.logSumExp.data, all.logSumExp.data.subarray(head * 5, head * 5 + 5));
  }
});

test('grouped-query attention is attention with each key head repeated', () => {
  const q = randomNormal([2, 6, 5, 4], { seed: 1 });
  for (const kvHeads of [1, 2, 3]) {
    const k = randomNormal([2, kvHeads, 7, 4], { seed: 2 });
    const v = randomNormal([2, kvHeads, 7, 3], { seed: 3 });
    const repeat = (/** @type {Tensor} */ t) => {
      const heads = Array.from({ length: 12 }, (_, i) =>
        oracle.matrixOf(t, Math.floor((i * kvHeads) / 6)),
      );
      return tensor(heads.flat(2), [2, 6, ...t.shape.slice(2)]);
    };
    const grouped = attention(q, k, v, { returns: EVERYTHING });
    assert.deepEqual(grouped, attention(q, repeat(k), repeat(v), { returns: EVERYTHING }));
  }
});

test('a mask broadcasts over batch and heads', () => {
  const x = randomNormal([2, 3, 4, 5], { seed: 1 });
  const bits = randomNormal([2, 3, 4, 4], { seed: 2 }).data.map((r) => (r > 0 ? 1 : 0));
  for (const [b, h] of [
    [1, 1],
    [2, 1],
    [1, 3],
    [2, 3],
  ]) {
    // prettier-ignore
    const data = Uint8Array.from(bits.subarray(0, b * h * 16));
    const full = Array.from({ length: 6 }, (_, i) => {
      const matrix = (b === 1 ? 0 : Math.floor(i / 3)) * h + (h === 1 ? 0 : i % 3);
      return [...data.subarray(16 * matrix, 16 * matrix + 16)];
    });
    const mask = { data: Uint8Array.from(full.flat()), shape: [2, 3, 4, 4] };
    const expected = attention(x, x, x, { mask });
    assert.deepEqual(attention(x, x, x, { mask: { data, shape: [b, h, 4, 4] } }), expected);
    if (b > 1) continue;
    assert.deepEqual(attention(x, x, x, { mask: { data, dims: [h, 4, 4] } }), expected);
    if (h > 1) continue;
    assert.deepEqual(attention(x, x, x, { mask: { data, shape: [4, 4] } }), expected);
  }
});

test('booleans, bytes and 0/−Infinity are the same mask', () => {
  const x = randomNormal([3, 4], { seed: 1 });
  const nested = [[true, false, true], [true, true, false], [false, false, false]]; // prettier-ignore
  const flat = nested.flat();
  const shape = [3, 3];
  const expected = attention(x, x, x, { mask: nested });
  const numbers = flat.map((may) => (may ? 0 : -Infinity));
  for (const mask of [
    { data: flat, shape },
    { data: Uint8Array.from(flat), shape },
    { data: Uint8ClampedArray.from(flat, (may) => (may ? 7 : 0)), dims: shape },
    { data: Float32Array.from(numbers), shape },
    { data: numbers, shape },
    [0, 3, 6].map((i) => numbers.slice(i, i + 3)),
  ]) {
    assert.deepEqual(attention(x, x, x, { mask }), expected);
  }
});

test('mask and causal must both allow', () => {
  const x = randomNormal([3, 4], { seed: 1 });
  const mask = [[true, true, true], [false, true, true], [true, false, true]]; // prettier-ignore
  const { weights } = attention(x, x, x, { mask, causal: true, returns: ['weights'] });
  const allowed = [...weights.data].map((w) => w > 0);
  assert.deepEqual(allowed, [true, false, false, false, true, false, true, false, true]);
});

test('causal aligns to the upper left by default, and to the lower right as an option', () => {
  const q = randomNormal([2, 4], { seed: 1 });
  const k = randomNormal([3, 4], { seed: 2 });
  /** @param {true | 'upper-left' | 'lower-right'} causal */
  const pattern = (causal) =>
    [...attention(q, k, k, { causal, returns: ['weights'] }).weights.data].map((w) => +(w > 0));
  assert.deepEqual(pattern(true), [1, 0, 0, 1, 1, 0]);
  assert.deepEqual(pattern('upper-left'), [1, 0, 0, 1, 1, 0]);
  assert.deepEqual(pattern('lower-right'), [1, 1, 0, 1, 1, 1]);
});

test('a row that may attend nowhere gives weights 0, output 0 and logSumExp −Infinity', () => {
  const x = randomNormal([3, 4], { seed: 1 });
  const mask = [[true, true, true], [false, false, false], [true, true, true]]; // prettier-ignore
  const { output, weights, logSumExp: lse } = attention(x, x, x, { mask, returns: EVERYTHING });
  assert.deepEqual([...weights.data.subarray(3, 6)], [0, 0, 0]);
  assert.deepEqual([...output.data.subarray(4, 8)], [0, 0, 0, 0]);
  assert.equal(lse.data[1], -Infinity);
  assert.ok(lse.data[0] > -Infinity && output.data.subarray(0, 4).some((y) => y !== 0));
});

test('NaN touches the rows that attend to it and no other', () => {
  const q = randomNormal([3, 4], { seed: 1 });
  q.data[4] = NaN; // query 1
  const k = randomNormal([5, 4], { seed: 2 });
  const v = randomNormal([5, 2], { seed: 3 });
  const rows = (/** @type {Tensor} */ t) =>
    oracle.matrixOf(t).map((row) => row.every(Number.isNaN));
  assert.deepEqual(rows(attention(q, k, v).output), [false, true, false]);
  const good = randomNormal([3, 4], { seed: 1 });
  const bad = tensor(k);
  bad.data[4 * 4] = NaN; // key 4
  assert.deepEqual(rows(attention(good, bad, v).output), [true, true, true]);
});

test('the output is the softmax of the scores times the values', () => {
  const x = randomNormal([6, 8], { seed: 5 });
  const { scores, weights, logSumExp: lse } = attention(x, x, x, { returns: EVERYTHING });
  const p = softmax(scores).data;
  assert.ok(p.every((y, i) => Math.abs(y - weights.data[i]) < 1e-6));
  const l = logSumExp(scores).data;
  assert.ok(l.every((y, i) => Math.abs(y - lse.data[i]) < 1e-5));
});

test('only the results that `returns` names are given', () => {
  const x = randomNormal([2, 2], { seed: 1 });
  assert.deepEqual(Object.keys(attention(x, x, x)), ['output']);
  assert.deepEqual(Object.keys(attention(x, x, x, { returns: ['scores'] })), ['output', 'scores']);
});

test('empty shapes give empty or zero results', () => {
  const empty = (/** @type {number[]} */ ...shape) => ({ data: new Float32Array(0), shape });
  const x = randomNormal([3, 2], { seed: 1 });
  const noQueries = attention(empty(0, 2), x, x, { returns: EVERYTHING });
  assert.deepEqual(noQueries.output, empty(0, 2));
  assert.deepEqual(noQueries.weights, empty(0, 3));
  const noKeys = attention(x, empty(0, 2), empty(0, 2), { returns: EVERYTHING });
  assert.deepEqual([...noKeys.output.data], [0, 0, 0, 0, 0, 0]);
  assert.deepEqual(noKeys.weights, empty(3, 0));
  assert.deepEqual([...noKeys.logSumExp.data], [-Infinity, -Infinity, -Infinity]);
  assert.deepEqual(attention(x, x, empty(3, 0)).output, empty(3, 0));
  assert.deepEqual(
    attention(empty(0, 3, 2), empty(0, 3, 2), empty(0, 3, 2)).output,
    empty(0, 3, 2),
  );
  assert.deepEqual(attention(empty(5, 4, 0, 2), empty(5, 4, 0, 2), empty(5, 4, 0, 2)).output.shape, [5, 4, 0, 2]); // prettier-ignore
});

test('cosine similarity ignores lengths and has scale 1 by default', () => {
  const x = randomNormal([4, 8], { seed: 1 });
  const longer = { data: x.data.map((y, i) => y * 2 ** (1 + Math.floor(i / 8))), shape: [4, 8] };
  const { scores } = attention(x, longer, x, { similarity: 'cosine', returns: ['scores'] });
  for (let i = 0; i < 4; i++) assert.ok(Math.abs(scores.data[5 * i] - 1) < 1e-6);
  const plain = attention(x, x, x, { similarity: 'cosine', scale: 3, returns: ['scores'] });
  assert.ok(Math.abs(plain.scores.data[0] - 3) < 1e-6);
});

test('wrong shapes and options are named with the expected ones', () => {
  const t = (/** @type {number[]} */ ...shape) => ({
    data: new Float32Array(shape.reduce((a, b) => a * b, 1)),
    shape,
  });
  const x = t(8, 64);
  /** @param {any} options */
  const withOptions = (options) => () => attention(t(2, 3), t(4, 3), t(4, 5), options);
  const cases = /** @type {[() => unknown, string, string][]} */ ([
    [() => attention(x, t(8, 60), x), 'ShapeError', 'attention: key is [8, 60], expected last axis 64 to match query [8, 64]'],
    [() => attention(x, x, t(7, 64)), 'ShapeError', 'attention: value is [7, 64], expected 8 rows to match key [8, 64]'],
    [() => attention([1, 2], x, x), 'ShapeError', 'attention: query is [2], expected [n, d], [h, n, d] or [b, h, n, d]'],
    [() => attention(new Float32Array(4), x, x), 'ShapeError', 'attention: query is [4], expected [n, d], [h, n, d] or [b, h, n, d]'],
    [() => attention(t(1, 1, 1, 2, 3), x, x), 'ShapeError', 'attention: query is [1, 1, 1, 2, 3], expected [n, d], [h, n, d] or [b, h, n, d]'],
    [() => attention(x, t(2, 8, 64), x), 'ShapeError', 'attention: key is [2, 8, 64], expected 2 axes to match query [8, 64]'],
    [() => attention(x, x, t(2, 8, 64)), 'ShapeError', 'attention: value is [2, 8, 64], expected 2 axes to match key [8, 64]'],
    [() => attention(t(2, 4, 3, 5), t(3, 4, 3, 5), t(3, 4, 3, 5)), 'ShapeError', 'attention: key is [3, 4, 3, 5], expected batch 2 to match query [2, 4, 3, 5]'],
    [() => attention(t(4, 3, 5), t(3, 3, 5), t(3, 3, 5)), 'ShapeError', 'attention: key is [3, 3, 5], expected heads that divide 4 to match query [4, 3, 5]'],
    [() => attention(t(4, 3, 5), t(8, 3, 5), t(8, 3, 5)), 'ShapeError', 'attention: key is [8, 3, 5], expected heads that divide 4 to match query [4, 3, 5]'],
    [() => attention(t(4, 3, 5), t(2, 3, 5), t(4, 3, 5)), 'ShapeError', 'attention: value is [4, 3, 5], expected 2 heads to match key [2, 3, 5]'],
    [() => attention(t(3, 0), t(3, 0), t(3, 2)), 'ShapeError', 'attention: query is [3, 0], expected a last axis above 0'],
    [() => attention({ data: new Float32Array(5), shape: [2, 3] }, x, x), 'ShapeError', 'attention: query.data has length 5, expected 6 to match shape [2, 3]'],
    [withOptions({ mask: t(2, 3) }), 'ShapeError', 'attention: mask is [2, 3], expected [2, 4]; axes before the last may be 1'],
    [withOptions({ mask: [true, false] }), 'ShapeError', 'attention: mask is [2], expected [2, 4]; axes before the last may be 1'],
    [withOptions({ mask: t(2, 2, 4) }), 'ShapeError', 'attention: mask is [2, 2, 4], expected [2, 4]; axes before the last may be 1'],
    [() => attention(t(3, 2, 5), t(3, 4, 5), t(3, 4, 5), { mask: t(2, 2, 4) }), 'ShapeError', 'attention: mask is [2, 2, 4], expected [3, 2, 4]; axes before the last may be 1, leading ones left out'],
    [withOptions({ casual: true }), 'DTypeError', "attention: unknown option 'casual', expected one of scale, temperature, softcap, causal, window, offset, keyLengths, sink, mask, similarity, returns, into, limit"],
    [withOptions({ causal: 1 }), 'DTypeError', "attention: causal is 1, expected one of false, 'upper-left', 'lower-right', true"],
    [withOptions({ scale: '1' }), 'DTypeError', "attention: scale is '1', expected a finite float32 number"],
    [withOptions({ scale: Infinity }), 'DTypeError', 'attention: scale is Infinity, expected a finite float32 number'],
    [withOptions({ scale: 1e300 }), 'DTypeError', 'attention: scale is 1e+300, expected a finite float32 number'],
    [withOptions({ scale: [1] }), 'DTypeError', 'attention: scale is an array, expected a finite float32 number'],
    [withOptions({ similarity: 'cos' }), 'DTypeError', "attention: similarity is 'cos', expected one of 'dot', 'cosine'"],
    [withOptions({ returns: ['weight'] }), 'DTypeError', "attention: returns[0] is 'weight', expected one of 'weights', 'scores', 'cappedScores', 'maskedScores', 'meanWeights', 'logSumExp', 'entropy', 'effectiveKeys', 'jacobianTrace', 'largestWeight', 'largestScore', 'scoreMean', 'scoreDeviation', 'visibleKeys', 'firstWeight', 'previousWeight', 'sinkWeight', 'receivedWeight'"],
    [withOptions({ returns: 7 }), 'DTypeError', "attention: returns is 7, expected an array of 'weights', 'scores', 'cappedScores', 'maskedScores', 'meanWeights', 'logSumExp', 'entropy', 'effectiveKeys', 'jacobianTrace', 'largestWeight', 'largestScore', 'scoreMean', 'scoreDeviation', 'visibleKeys', 'firstWeight', 'previousWeight', 'sinkWeight', 'receivedWeight'"],
    [withOptions({ mask: 'causal' }), 'DTypeError', "attention: mask is 'causal', expected a tensor"],
    [withOptions({ mask: [new Uint8Array(4), new Uint8Array(4)] }), 'DTypeError', 'attention: mask[0] is a Uint8Array, expected a number; typed rows are of floats'],
    [withOptions({ mask: [[true, 1, true, true], [true, true, true, true]] }), 'DTypeError', 'attention: mask[0][1] is 1, expected a boolean'],
    [withOptions(null), 'DTypeError', 'attention: options is null, expected an object'],
    [() => attention(/** @type {any} */ (null), x, x), 'DTypeError', 'attention: query is null, expected a tensor'],
    [() => attention(x, /** @type {any} */ (undefined), x), 'DTypeError', 'attention: key is undefined, expected a tensor'],
    [() => attention(x, x, /** @type {any} */ (3)), 'DTypeError', 'attention: value is 3, expected a tensor'],
  ]); // prettier-ignore
  for (const [call, name, message] of cases) assert.throws(call, { name, message });
  assert.deepEqual(attention(t(1, 1), t(1, 1), t(1, 1)).output, t(1, 1));
});

test('a temperature divides the scores, and dScale is that of the scale', () => {
  const [q, k, v, dO] = [1, 2, 3, 4].map((seed) => randomNormal([2, 5, 4], { seed }));
  const returns = /** @type {const} */ (['weights', 'scores', 'logSumExp']);
  for (const [temperature, scale] of /** @type {[number, number | undefined][]} */ ([
    [2.5, undefined],
    [0.5, 0.3],
  ])) {
    const folded = { scale: (scale ?? 0.5) / temperature };
    const options = { scale, temperature };
    assert.deepEqual(
      attention(q, k, v, { ...options, returns }),
      attention(q, k, v, { ...folded, returns }),
    );
    const { dScale, ...gradients } = attentionGradient(q, k, v, dO, options);
    const { dScale: dFolded, ...expected } = attentionGradient(q, k, v, dO, folded);
    assert.deepEqual(gradients, expected);
    assert.equal(dScale, dFolded / temperature);
  }
  for (const temperature of [0, -1, NaN, '1', 1e-300]) {
    const options = /** @type {any} */ ({ temperature });
    assert.throws(() => attention(q, k, v, options), { name: 'DTypeError' });
  }
  assert.throws(() => attention(q, k, v, { scale: 1e30, temperature: 1e-30 }), {
    message: 'attention: scale / temperature is 1e+60, expected a finite float32 number',
  });
});

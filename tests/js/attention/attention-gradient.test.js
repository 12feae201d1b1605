// The rules of attention's gradients: heads, symmetries, numbers that are not finite, empty shapes, errors.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  attention,
  attentionGradient,
  randomNormal,
  tensor,
} from '../../../web/attention/index.js';
import * as oracle from '../oracle.js';
import { runs } from '../runs.js';
import { entriesOf, sumGroups } from './problems.js';

/** @import { Tensor } from '../../../web/attention/index.js' */

const NAMES = /** @type {const} */ (['dQuery', 'dKey', 'dValue']);

/** @param {number} nQ @param {number} nK @param {number} d @param {number[]} lead */
const draw = (nQ, nK, d, lead = [], dV = d) =>
  [
    [...lead, nQ, d],
    [...lead, nK, d],
    [...lead, nK, dV],
    [...lead, nQ, dV],
  ].map((shape, i) => randomNormal(shape, { seed: 5 + i }));

test('each batch and head has its gradient by itself; dScale is the sum', () => {
  const [q, k, v, dO] = draw(5, 7, 4, [2, 3]);
  const all = attentionGradient(q, k, v, dO, { causal: 'lower-right' });
  assert.deepEqual(
    NAMES.map((name) => all[name].shape),
    [q, k, v].map(({ shape }) => shape),
  );
  let dScale = 0;
  for (let head = 0; head < 6; head++) {
    const [a, b, c, d] = [q, k, v, dO].map((x) => oracle.matrixOf(x, head));
    const one = attentionGradient(a, b, c, d, { causal: 'lower-right' });
    for (const name of NAMES) {
      const size = one[name].data.length;
      assert.deepEqual(one[name].data, all[name].data.subarray(head * size, (head + 1) * size));
    }
    dScale += one.dScale;
  }
  assert.ok(Math.abs(dScale - all.dScale) <= 1e-12 * Math.abs(dScale));
});

test('grouped gradients are the sums over the repeated heads', () => {
  const q = randomNormal([2, 6, 5, 4], { seed: 1 });
  const dO = randomNormal([2, 6, 5, 3], { seed: 4 });
  for (const kvHeads of [1, 2, 3]) {
    const k = randomNormal([2, kvHeads, 7, 4], { seed: 2 });
    const v = randomNormal([2, kvHeads, 7, 3], { seed: 3 });
    const groupOf = (/** @type {number} */ head) => Math.floor((head * kvHeads) / 6);
    const repeat = (/** @type {Tensor} */ t) =>
      tensor(Array.from({ length: 12 }, (_, i) => oracle.matrixOf(t, groupOf(i))).flat(2), [
        2,
        6,
        ...t.shape.slice(2),
      ]);
    const grouped = attentionGradient(q, k, v, dO);
    const repeated = attentionGradient(q, repeat(k), repeat(v), dO);
    assert.deepEqual(grouped.dQuery, repeated.dQuery);
    assert.ok(Math.abs(grouped.dScale - repeated.dScale) < 1e-9);
    for (const name of /** @type {const} */ (['dKey', 'dValue'])) {
      const heads = Array.from({ length: 12 }, (_, i) => ({ group: groupOf(i) }));
      const matrices = heads.map((_, i) => oracle.matrixOf(repeated[name], i));
      const sums = sumGroups(heads, matrices, 2 * kvHeads);
      assert.deepEqual(grouped[name].shape, name === 'dKey' ? k.shape : v.shape);
      sums.forEach((x, i) => assert.ok(Math.abs(x - grouped[name].data[i]) < 1e-5));
    }
  }
});

test('a constant vector added to all keys leaves weights and all gradients but dScale alone', () => {
  fc.assert(
    fc.property(fc.nat(), fc.integer({ min: 1, max: 9 }), (seed, n) => {
      const [q, k, v, dO] = [0, 1, 2, 3].map((stream) => randomNormal([n, 4], { seed, stream }));
      const shifted = tensor(k);
      shifted.data.forEach((x, i) => (shifted.data[i] = x + [1, -2, 0.5, 3][i % 4]));
      const [a, b] = [k, shifted].map((key) => attentionGradient(q, key, v, dO));
      for (const name of NAMES) {
        const sizes = Math.max(1, ...a[name].data.map(Math.abs));
        a[name].data.forEach((x, i) => assert.ok(Math.abs(x - b[name].data[i]) < 3e-5 * sizes));
      }
      // Rows of dS sum to 0, so with queries all the same, Σ_j dKey_j = 0.
      const same = tensor(Array.from({ length: n }, () => [1, 2, 3, 4]).flat(), [n, 4]);
      const { dKey } = attentionGradient(same, k, v, dO);
      for (let c = 0; c < 4; c++) {
        const column = oracle.matrixOf(dKey).map((row) => row[c]);
        assert.ok(Math.abs(oracle.sum(column)) < 1e-5 * (1 + oracle.sum(column, Math.abs)));
      }
    }),
    runs(300),
  );
});

test('permuting keys and values permutes their gradients and nothing else', () => {
  const [q, k, v, dO] = draw(6, 8, 5);
  const order = [3, 0, 7, 5, 1, 6, 2, 4];
  const permute = (/** @type {Tensor} */ t) => {
    const rows = oracle.matrixOf(t);
    return tensor(order.map((i) => rows[i]));
  };
  const plain = attentionGradient(q, k, v, dO);
  const permuted = attentionGradient(q, permute(k), permute(v), dO);
  const close = (/** @type {Tensor} */ a, /** @type {Tensor} */ b) =>
    a.data.forEach((x, i) => assert.ok(Math.abs(x - b.data[i]) < 1e-5));
  close(permuted.dQuery, plain.dQuery);
  close(permuted.dKey, permute(plain.dKey));
  close(permuted.dValue, permute(plain.dValue));
});

test('a query that may attend nowhere takes part in no gradient, with any content', () => {
  for (const similarity of /** @type {const} */ (['dot', 'cosine'])) {
    const [q, k, v, dO] = draw(3, 3, 4);
    const mask = [[true, true, true], [false, false, false], [true, true, true]]; // prettier-ignore
    const expected = attentionGradient(q, k, v, dO, { mask, similarity });
    assert.deepEqual([...expected.dQuery.data.subarray(4, 8)].map(Math.abs), [0, 0, 0, 0]);
    const without = (/** @type {Tensor} */ t) =>
      tensor([...oracle.matrixOf(t).slice(0, 1), ...oracle.matrixOf(t).slice(2)]);
    const alone = attentionGradient(without(q), k, v, without(dO), { similarity });
    assert.ok(alone.dKey.data.every((x, i) => Math.abs(x - expected.dKey.data[i]) < 1e-6));
    for (const x of [NaN, Infinity, -Infinity, 3e38]) {
      const [badQuery, badOutput] = [tensor(q), tensor(dO)];
      badQuery.data.fill(x, 4, 8);
      badOutput.data.fill(x, 4, 8);
      assert.deepEqual(
        entriesOf(attentionGradient(badQuery, k, v, badOutput, { mask, similarity })),
        entriesOf(expected),
      );
    }
  }
});

test('a position that may not be attended touches nothing, with any content', () => {
  for (const similarity of /** @type {const} */ (['dot', 'cosine'])) {
    const [q, k, v, dO] = draw(2, 3, 4, [], 2);
    const mask = [[true, true, false], [true, true, false]]; // prettier-ignore
    const expected = attentionGradient(q, k, v, dO, { mask, similarity });
    assert.deepEqual([...expected.dKey.data.subarray(8)].map(Math.abs), [0, 0, 0, 0]);
    for (const x of [NaN, Infinity, -Infinity, 3e38]) {
      const [badKey, badValue] = [tensor(k), tensor(v)];
      badKey.data.fill(x, 8);
      badValue.data.fill(x, 4);
      assert.deepEqual(
        entriesOf(attentionGradient(q, badKey, badValue, dO, { mask, similarity })),
        entriesOf(expected),
      );
    }
  }
});

test('NaN touches the rows that attend to it or are attended by it, and nothing else', () => {
  const [q, k, v, dO] = draw(4, 4, 3);
  const rows = (/** @type {Tensor} */ t) =>
    oracle.matrixOf(t).map((row) => (row.some(Number.isNaN) ? 1 : 0));
  const bad = tensor(q);
  bad.data[3] = NaN; // query 1, which attends to keys 0 and 1
  const byQuery = attentionGradient(bad, k, v, dO, { causal: true });
  assert.deepEqual(NAMES.map((name) => rows(byQuery[name])), [[0, 1, 0, 0], [1, 1, 0, 0], [1, 1, 0, 0]]); // prettier-ignore
  assert.ok(Number.isNaN(byQuery.dScale));
  const upstream = tensor(dO);
  upstream.data[6] = NaN; // of query 2
  const byOutput = attentionGradient(q, k, v, upstream, { causal: true });
  assert.deepEqual([rows(byOutput.dQuery), rows(byOutput.dKey), rows(byOutput.dValue)], [[0, 0, 1, 0], [1, 1, 1, 0], [1, 1, 1, 0]]); // prettier-ignore
});

test('empty shapes give empty or zero gradients', () => {
  const empty = (/** @type {number[]} */ ...shape) => ({ data: new Float32Array(0), shape });
  const zeros = (/** @type {number[]} */ ...shape) => ({
    data: new Float32Array(shape.reduce((a, b) => a * b, 1)),
    shape,
  });
  const x = randomNormal([3, 2], { seed: 1 });
  for (const similarity of /** @type {const} */ (['dot', 'cosine'])) {
    assert.deepEqual(attentionGradient(empty(0, 2), x, x, empty(0, 2), { similarity }), {
      dQuery: empty(0, 2),
      dKey: zeros(3, 2),
      dValue: zeros(3, 2),
      dScale: 0,
    });
    assert.deepEqual(attentionGradient(x, empty(0, 2), empty(0, 4), zeros(3, 4), { similarity }), {
      dQuery: zeros(3, 2),
      dKey: empty(0, 2),
      dValue: empty(0, 4),
      dScale: 0,
    });
    const none = attentionGradient(x, x, empty(3, 0), empty(3, 0), { similarity });
    assert.deepEqual([none.dValue, none.dScale], [empty(3, 0), 0]);
    assert.ok(none.dQuery.data.every((y) => y === 0) && none.dKey.data.every((y) => y === 0));
  }
  const lead = attentionGradient(empty(0, 3, 2), empty(0, 3, 2), empty(0, 3, 2), empty(0, 3, 2));
  assert.deepEqual(lead.dKey, empty(0, 3, 2));
});

test('inputs stay as they are, may be the same array, and results own their memory', () => {
  const x = randomNormal([8, 4], { seed: 1 });
  const before = x.data.slice();
  for (const similarity of /** @type {const} */ (['dot', 'cosine'])) {
    const first = attentionGradient(x, x, x, x, { similarity });
    const kept = structuredClone(first);
    attentionGradient(randomNormal([8, 4], { seed: 2 }), x, x, x, { similarity });
    assert.deepEqual(x.data, before);
    assert.deepEqual(first, kept);
    assert.equal(new Set(NAMES.map((name) => first[name].data.buffer)).size, 3);
    for (const name of NAMES) {
      assert.equal(first[name].data.byteLength, first[name].data.buffer.byteLength);
    }
    const copies = [0, 1, 2, 3].map(() => tensor(x));
    const again = attentionGradient(copies[0], copies[1], copies[2], copies[3], { similarity });
    assert.deepEqual(again, first);
  }
});

test('returns is checked and without effect, so that one object serves both calls', () => {
  const [q, k, v, dO] = draw(3, 3, 2);
  const options = { causal: true, returns: /** @type {const} */ (['weights']) };
  assert.deepEqual(Object.keys(attention(q, k, v, options)), ['output', 'weights']);
  assert.deepEqual(
    attentionGradient(q, k, v, dO, options),
    attentionGradient(q, k, v, dO, { causal: true }),
  );
});

test('wrong shapes and options are named with the expected ones', () => {
  const t = (/** @type {number[]} */ ...shape) => ({
    data: new Float32Array(shape.reduce((a, b) => a * b, 1)),
    shape,
  });
  const call = (/** @type {any} */ dOutput, /** @type {any} */ options) => () =>
    attentionGradient(t(2, 3), t(4, 3), t(4, 5), dOutput, options);
  const withOptions = (/** @type {any} */ options) => call(t(2, 5), options);
  const cases = /** @type {[() => unknown, string, string][]} */ ([
    [call(t(2, 4), {}), 'ShapeError', 'dOutput is [2, 4], expected [2, 5] to match the output'],
    [call(t(10), {}), 'ShapeError', 'dOutput is [10], expected [2, 5] to match the output'],
    [call(t(1, 2, 5), {}), 'ShapeError', 'dOutput is [1, 2, 5], expected [2, 5] to match the output'],
    [call({ data: new Float32Array(9), shape: [2, 5] }, { unknown: 1 }), 'ShapeError', 'dOutput.data has length 9, expected 10 to match shape [2, 5]'],
    [call(undefined, {}), 'DTypeError', 'dOutput is undefined, expected a tensor'],
    [call({ scale: 1 }, undefined), 'DTypeError', 'dOutput is an object without data, expected a tensor'],
    [() => attentionGradient(t(8, 64), t(8, 60), t(8, 64), t(8, 64)), 'ShapeError', 'key is [8, 60], expected last axis 64 to match query [8, 64]'],
    [() => attentionGradient(t(2, 3), t(4, 3), t(3, 5), t(2, 5)), 'ShapeError', 'value is [3, 5], expected 4 rows to match key [4, 3]'],
    [() => attentionGradient(t(3), t(4, 3), t(4, 5), t(2, 5)), 'ShapeError', 'query is [3], expected [n, d], [h, n, d] or [b, h, n, d]'],
    [() => attentionGradient(t(4, 3, 5), t(3, 3, 5), t(3, 3, 5), t(4, 3, 5)), 'ShapeError', 'key is [3, 3, 5], expected heads that divide 4 to match query [4, 3, 5]'],
    [() => attentionGradient(t(2, 0), t(4, 0), t(4, 5), t(2, 5)), 'ShapeError', 'query is [2, 0], expected a last axis above 0'],
    [() => attentionGradient(/** @type {any} */ (null), t(4, 3), t(4, 5), t(2, 5)), 'DTypeError', 'query is null, expected a tensor'],
    [withOptions({ mask: t(4, 2) }), 'ShapeError', 'mask is [4, 2], expected [2, 4]; axes before the last may be 1'],
    [withOptions({ cap: 1 }), 'DTypeError', "unknown option 'cap', expected one of scale, temperature, softcap, causal, window, offset, keyLengths, sink, mask, similarity, returns, into, limit"],
    [withOptions({ scale: NaN }), 'DTypeError', 'scale is NaN, expected a finite float32 number'],
    [withOptions({ causal: 'lower' }), 'DTypeError', "causal is 'lower', expected one of false, 'upper-left', 'lower-right', true"],
    [withOptions({ similarity: 'l2' }), 'DTypeError', "similarity is 'l2', expected one of 'dot', 'cosine'"],
    [withOptions({ returns: ['dQuery'] }), 'DTypeError', "returns[0] is 'dQuery', expected one of 'weights', 'scores', 'cappedScores', 'maskedScores', 'meanWeights', 'logSumExp'"],
    [withOptions([]), 'DTypeError', 'options is an array, expected an object'],
  ]); // prettier-ignore
  for (const [run, name, message] of cases) {
    assert.throws(run, { name, message: `attentionGradient: ${message}` });
  }
});

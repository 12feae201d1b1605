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
import { entriesOf } from './problems.js';

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
    [withOptions({ returns: ['dQuery'] }), 'DTypeError', "returns[0] is 'dQuery', expected one of 'weights', 'scores', 'cappedScores', 'maskedScores', 'meanWeights', 'logSumExp', 'entropy', 'effectiveKeys', 'jacobianTrace', 'largestWeight', 'largestScore', 'scoreMean', 'scoreDeviation', 'visibleKeys', 'firstWeight', 'previousWeight', 'sinkWeight', 'receivedWeight'"],
    [withOptions([]), 'DTypeError', 'options is an array, expected an object'],
  ]); // prettier-ignore
  for (const [run, name, message] of cases) {
    assert.throws(run, { name, message: `attentionGradient: ${message}` });
  }
});

// The rules of attention: masks, empty shapes, options, errors.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { attentionGradient, attention, randomNormal } from '../../../web/attention/index.js';
import { OPTIONS } from '../../../web/attention/settings.js';
import { empty, zeros } from './problems.js';

const EVERYTHING = /** @type {const} */ (['weights', 'scores', 'logSumExp']);

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

test('only the results that `returns` names are given', () => {
  const x = randomNormal([2, 2], { seed: 1 });
  assert.deepEqual(Object.keys(attention(x, x, x)), ['output']);
  assert.deepEqual(Object.keys(attention(x, x, x, { returns: ['scores'] })), ['output', 'scores']);
});

test('empty shapes give empty or zero results', () => {
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

test('wrong shapes and options are named with the expected ones, by both functions', () => {
  const t = zeros;
  const x = t(8, 64);
  const withOptions = (/** @type {any} */ options) => [t(2, 3), t(4, 3), t(4, 5), options];
  const cases = /** @type {[any[], string, string][]} */ ([
    [[x, t(8, 60), x], 'ShapeError', 'key is [8, 60], expected last axis 64 to match query [8, 64]'],
    [[x, x, t(7, 64)], 'ShapeError', 'value is [7, 64], expected 8 rows to match key [8, 64]'],
    [[[1, 2], x, x], 'ShapeError', 'query is [2], expected [n, d], [h, n, d] or [b, h, n, d]'],
    [[new Float32Array(4), x, x], 'ShapeError', 'query is [4], expected [n, d], [h, n, d] or [b, h, n, d]'],
    [[t(1, 1, 1, 2, 3), x, x], 'ShapeError', 'query is [1, 1, 1, 2, 3], expected [n, d], [h, n, d] or [b, h, n, d]'],
    [[x, t(2, 8, 64), x], 'ShapeError', 'key is [2, 8, 64], expected 2 axes to match query [8, 64]'],
    [[x, x, t(2, 8, 64)], 'ShapeError', 'value is [2, 8, 64], expected 2 axes to match key [8, 64]'],
    [[t(2, 4, 3, 5), t(3, 4, 3, 5), t(3, 4, 3, 5)], 'ShapeError', 'key is [3, 4, 3, 5], expected batch 2 to match query [2, 4, 3, 5]'],
    [[t(4, 3, 5), t(3, 3, 5), t(3, 3, 5)], 'ShapeError', 'key is [3, 3, 5], expected heads that divide 4 to match query [4, 3, 5]'],
    [[t(4, 3, 5), t(8, 3, 5), t(8, 3, 5)], 'ShapeError', 'key is [8, 3, 5], expected heads that divide 4 to match query [4, 3, 5]'],
    [[t(4, 3, 5), t(2, 3, 5), t(4, 3, 5)], 'ShapeError', 'value is [4, 3, 5], expected 2 heads to match key [2, 3, 5]'],
    [[t(3, 0), t(3, 0), t(3, 2)], 'ShapeError', 'query is [3, 0], expected a last axis above 0'],
    [withOptions({ mask: t(2, 3) }), 'ShapeError', 'mask is [2, 3], expected [2, 4]; axes before the last may be 1'],
    [withOptions({ mask: [true, false] }), 'ShapeError', 'mask is [2], expected [2, 4]; axes before the last may be 1'],
    [withOptions({ mask: t(2, 2, 4) }), 'ShapeError', 'mask is [2, 2, 4], expected [2, 4]; axes before the last may be 1'],
    [[t(3, 2, 5), t(3, 4, 5), t(3, 4, 5), { mask: t(2, 2, 4) }], 'ShapeError', 'mask is [2, 2, 4], expected [3, 2, 4]; axes before the last may be 1, leading ones left out'],
    [withOptions({ casual: true }), 'DTypeError', `unknown option 'casual' (did you mean 'causal'?), expected one of ${OPTIONS.join(', ')}`],
    [withOptions({ causal: 1 }), 'DTypeError', "causal is 1, expected one of false, 'upper-left', 'lower-right', true"],
    [withOptions({ scale: '1' }), 'DTypeError', "scale is '1', expected a finite float32 number"],
    [withOptions({ scale: Infinity }), 'DTypeError', 'scale is Infinity, expected a finite float32 number'],
    [withOptions({ scale: 1e300 }), 'DTypeError', 'scale is 1e+300, expected a finite float32 number'],
    [withOptions({ scale: [1] }), 'DTypeError', 'scale is an array, expected a finite float32 number'],
    [withOptions({ similarity: 'cos' }), 'DTypeError', "similarity is 'cos', expected one of 'dot', 'cosine'"],
    [withOptions({ returns: ['weight'] }), 'DTypeError', "returns[0] is 'weight', expected one of 'weights', 'scores', 'cappedScores', 'maskedScores', 'meanWeights', 'logSumExp', 'entropy', 'effectiveKeys', 'jacobianTrace', 'largestWeight', 'largestScore', 'scoreMean', 'scoreDeviation', 'visibleKeys', 'firstWeight', 'previousWeight', 'sinkWeight', 'receivedWeight' (did you mean 'weights'?)"],
    [withOptions({ returns: 7 }), 'DTypeError', "returns is 7, expected an array of 'weights', 'scores', 'cappedScores', 'maskedScores', 'meanWeights', 'logSumExp', 'entropy', 'effectiveKeys', 'jacobianTrace', 'largestWeight', 'largestScore', 'scoreMean', 'scoreDeviation', 'visibleKeys', 'firstWeight', 'previousWeight', 'sinkWeight', 'receivedWeight'"],
    [withOptions({ mask: [new Uint8Array(4), new Uint8Array(4)] }), 'DTypeError', 'mask[0] is a Uint8Array, expected a number; typed rows are of floats'],
    [withOptions({ mask: [[true, 1, true, true], [true, true, true, true]] }), 'DTypeError', 'mask[0][1] is 1, expected a boolean'],
  ]); // prettier-ignore
  for (const [[q, k, v, options], name, message] of cases) {
    const forward = () => attention(q, k, v, options);
    assert.throws(forward, { name, message: `attention: ${message}` });
    const dOutput = t(...(q.shape ?? []).slice(0, -1), v.shape.at(-1));
    const backward = () => attentionGradient(q, k, v, dOutput, options);
    assert.throws(backward, { name, message: `attentionGradient: ${message}` });
  }
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

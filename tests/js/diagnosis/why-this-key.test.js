// A score as a sum over directions: against the scores of all pairs, which it never forms.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { randomNormal, whyThisKey } from '../../../web/attention/index.js';
import * as oracle from '../oracle.js';
import { testRefusals } from '../refusals.js';

/** @import { Tensor } from '../../../web/attention/index.js' */

/** Returns the scores of all pairs in float64. @param {Tensor} query @param {Tensor} key */
const scoresOf = (query, key) =>
  oracle.matrixOf(query).map((q) => oracle.matrixOf(key).map((k) => oracle.dot(q, k)));

/** Explains every pair. @param {Tensor} query @param {Tensor} key */
const explainAll = (query, key) =>
  scoresOf(query, key).map((row, i) =>
    row.map((_, j) => whyThisKey(query, key, { query: i, key: j, terms: 99 })[0]),
  );

/** @param {number[]} numbers */
const mean = (numbers) => oracle.sum(numbers) / numbers.length;
/** @param {number} got @param {number} expected @param {number} bound @param {string} what */
const near = (got, expected, bound, what) =>
  assert.ok(Math.abs(got - expected) <= bound, `${what} is ${got}, expected ${expected}`);

const draw = (/** @type {number[]} */ shape, /** @type {number} */ seed, mean = 0) =>
  randomNormal(shape, { seed, mean });

/** Entries whose sizes fall from 1 to 2^-10, so that directions are of very different weight.
 *  @param {Tensor} tensor @returns {Tensor} */
const graded = ({ data, shape }) => ({
  data: data.map((x, i) => x * 2 ** ((-10 * (i % shape[1])) / (shape[1] - 1))),
  shape,
});

/** @type {Record<string, [query: Tensor, key: Tensor]>} */
const HEADS = {
  'of independent entries': [draw([7, 4], 1), draw([9, 4], 2)],
  'with a common part of queries and of keys': [draw([7, 4], 3, 2), draw([9, 4], 4, -3)],
  'of fewer queries than entries': [draw([3, 6], 5), draw([9, 6], 6)],
  'of fewer keys than entries': [draw([8, 6], 7), draw([3, 6], 8)],
  'of graded entries': [graded(draw([8, 5], 9)), graded(draw([9, 5], 10))],
};

for (const [name, [query, key]] of Object.entries(HEADS)) {
  test(`the terms of a head ${name} are the singular components of its scores less their row means`, () => {
    const scores = scoresOf(query, key);
    const all = explainAll(query, key);
    const spread = scores.map((row) => row.map((score) => score - mean(row)));
    const variance = mean(spread.flat().map((x) => x * x));
    const bound = 1e-7 * Math.sqrt(variance);
    const { directions: first } = all[0][0];
    const rank = Math.min(query.shape[0], key.shape[0] - 1, key.shape[1]);
    assert.equal(first.length, rank);
    near(mean(first.map(({ share }) => share)) * rank, 1, 1e-12, 'the sum of shares');
    all.forEach((row, i) =>
      row.forEach(({ score, common, directions, rest }, j) => {
        near(score, scores[i][j], 1e-12, 'the score');
        near(common, mean(scores[i]), 1e-12, 'the common part');
        near(rest, 0, bound, 'the rest');
        const sum = directions.reduce((total, { term }) => total + term, common + rest);
        near(sum, score, 1e-12, 'the sum');
        assert.deepEqual(
          directions.map(({ share }) => share),
          first.map(({ share }) => share),
        );
      }),
    );
    all.forEach((row, i) =>
      first.forEach((_, r) => {
        const { row: ofKeys } = row[0].directions[r];
        ofKeys.forEach((term, j) => near(term, row[j].directions[r].term, 1e-12, `${i} ${j} ${r}`));
      }),
    );
    const terms = first.map((_, r) => all.map((row) => row.map((why) => why.directions[r].term)));
    terms.forEach((a, r) => {
      assert.ok(r === 0 || first[r].share <= first[r - 1].share);
      terms.forEach((b, s) => {
        const product = mean(a.flatMap((row, i) => row.map((x, j) => x * b[i][j])));
        const expected = r === s ? first[r].share * variance : 0;
        near(product, expected, 1e-7 * variance, `the mean product of terms ${r} and ${s}`);
      });
      a.forEach((row, i) =>
        row.forEach((x, j) =>
          near(
            x * a[0][0],
            row[0] * a[0][j],
            bound * Math.sqrt(variance),
            `term ${r} of ${i}, ${j}`,
          ),
        ),
      );
    });
  });
}

test('only the largest shares are returned, and the rest has the other terms', () => {
  const [query, key] = HEADS['of independent entries'];
  const pair = { query: 2, key: 5 };
  const [all] = whyThisKey(query, key, { ...pair, terms: 4 });
  const [some] = whyThisKey(query, key, { ...pair, terms: 1 });
  assert.deepEqual(whyThisKey(query, key, pair), [all]);
  assert.deepEqual(some.directions, all.directions.slice(0, 1));
  near(some.rest, all.score - all.common - all.directions[0].term, 1e-14, 'the rest');
});

test('keys along one line leave one direction', () => {
  const query = draw([6, 5], 1);
  const key = { data: Float32Array.from({ length: 40 }, (_, i) => (i >> 3) - 2), shape: [5, 8] };
  const along = { data: key.data.map((x, i) => x * (1 + (i % 8))), shape: [5, 8] };
  const [{ directions, rest }] = whyThisKey(draw([6, 8], 1), along, { query: 0, key: 0 });
  assert.deepEqual([directions.length, directions[0].share], [1, 1]);
  near(rest, 0, 1e-13, 'the rest');
  assert.equal(whyThisKey(query, draw([1, 5], 2), { query: 0, key: 0 })[0].directions.length, 0);
});

test('another order of entries and rows, and entries that are larger in queries and smaller in keys, change nothing', () => {
  const [query, key] = [draw([6, 4], 1), draw([5, 4], 2, 1)];
  const [expected] = whyThisKey(query, key, { query: 1, key: 3 });
  const same = (/** @type {Tensor} */ q, /** @type {Tensor} */ k, pair = { query: 1, key: 3 }) => {
    const [got] = whyThisKey(q, k, pair);
    near(got.score, expected.score, 1e-13, 'the score');
    near(got.common, expected.common, 1e-13, 'the common part');
    got.directions.forEach(({ term, share }, r) => {
      near(term, expected.directions[r].term, 1e-12, `term ${r}`);
      near(share, expected.directions[r].share, 1e-13, `share ${r}`);
    });
  };
  const reordered = (/** @type {Tensor} */ { data, shape }) => ({
    data: data.map((_, at) => data[at - (at % 4) + ((at + 1) % 4)]),
    shape,
  });
  same(reordered(query), reordered(key));
  const reversed = (/** @type {Tensor} */ { data, shape: [n, d] }) => ({
    data: data.map((_, at) => data[(n - 1 - Math.floor(at / d)) * d + (at % d)]),
    shape: [n, d],
  });
  same(reversed(query), reversed(key), { query: 4, key: 1 });
  const scaled = (/** @type {Tensor} */ { data, shape }, /** @type {1 | -1} */ sign) => ({
    data: data.map((x, at) => x * 2 ** (sign * 10 * (at % 4))),
    shape,
  });
  same(scaled(query, 1), scaled(key, -1));
});

test('entries of any size have the shares of entries of size 1', () => {
  const [query, key] = [draw([6, 4], 1), draw([5, 4], 2)];
  const [expected] = whyThisKey(query, key, { query: 1, key: 3 });
  for (const size of [2 ** 120, 2 ** -100]) {
    const times = (/** @type {Tensor} */ { data, shape }) => ({
      data: data.map((x) => x * size),
      shape,
    });
    const [got] = whyThisKey(times(query), times(key), { query: 1, key: 3 });
    got.directions.forEach(({ term, share }, r) => {
      near(term / size / size, expected.directions[r].term, 1e-13, `term ${r}`);
      near(share, expected.directions[r].share, 1e-14, `share ${r}`);
    });
  }
});

test('keys that are alike, zeros and entries that are not finite leave no direction', () => {
  const pair = { query: 0, key: 1 };
  const ones = { data: new Float32Array(6).fill(1), shape: [3, 2] };
  const zeros = { data: new Float32Array(6), shape: [3, 2] };
  const none = { score: 2, common: 2, directions: [], rest: 0 };
  assert.deepEqual(whyThisKey(ones, ones, pair), [none]);
  assert.deepEqual(whyThisKey(ones, zeros, pair), [{ ...none, score: 0, common: 0 }]);
  const key = draw([3, 2], 1);
  assert.deepEqual(whyThisKey(zeros, key, pair)[0].directions, []);
  for (const odd of [NaN, Infinity, -Infinity]) {
    const wild = { data: Float32Array.of(1, 2, 3, 4, odd, 6), shape: [3, 2] };
    const [ofQuery] = whyThisKey(wild, key, pair);
    assert.deepEqual(ofQuery.directions, []);
    assert.equal(ofQuery.common + ofQuery.rest, ofQuery.score);
    const [ofKey] = whyThisKey(key, wild, pair);
    assert.deepEqual([ofKey.directions, Number.isFinite(ofKey.score)], [[], true]);
    assert.ok(!Number.isFinite(ofKey.common) && !Number.isFinite(ofKey.rest));
  }
});

test('a result for each head, grouped or not, is that of the head alone', () => {
  const [query, key] = [draw([2, 4, 6, 3], 1), draw([2, 2, 5, 3], 2)];
  const pair = { query: 5, key: 4, terms: 2 };
  const heads = whyThisKey(query, key, pair);
  assert.equal(heads.length, 8);
  heads.forEach((head, i) =>
    assert.deepEqual(
      [head],
      whyThisKey(oracle.matrixOf(query, i), oracle.matrixOf(key, i >> 1), pair),
    ),
  );
});

const [some, others] = HEADS['of independent entries'];
const why = (/** @type {any} */ options) => () => whyThisKey(some, others, options);
testRefusals(
  [
    [why(undefined), 'DTypeError: whyThisKey: options.query is undefined, expected a non-negative safe integer'],
    [why({ query: 7, key: 0 }), 'DTypeError: whyThisKey: options.query is 7, expected an index below 7'],
    [why({ query: 0, key: -1 }), 'DTypeError: whyThisKey: options.key is -1, expected a non-negative safe integer'],
    [why({ query: 0, key: 0, terms: 0 }), 'DTypeError: whyThisKey: terms is 0, expected a positive safe integer'],
    [why({ query: 0, key: 0, scale: 1 }), "DTypeError: whyThisKey: unknown option 'scale', expected one of query, key, terms"],
    [() => whyThisKey(some, draw([2, 3], 1), { query: 0, key: 0 }), 'ShapeError: whyThisKey: key is [2, 3], expected last axis 4 to match query [7, 4]'],
  ],
  why({ query: 0, key: 0 }),
); // prettier-ignore

// Which queries and keys count for a diagnosis: padding does not, nor what the mask hides.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  attentionScores,
  attentionStatistics,
  diagnose,
  randomNormal,
} from '../../../web/attention/index.js';

/** @import { Tensor } from '../../../web/attention/index.js' */

test('rows without a key are left out and counted', () => {
  const padded = [
    [1, 0, 0, 0],
    [0, 1, 0, 0],
    [0, 0, 1, 0],
    [0, 0, 0, 0],
  ];
  const [{ verdict, emptyRows, effectiveKeys: spread }] = diagnose({ weights: padded });
  assert.deepEqual([verdict, emptyRows, spread], ['frozen', 1, 1]);
  const [query, key] = [1, 2].map((seed) => randomNormal([5, 8], { seed }));
  const [head] = diagnose(query, key, { causal: true, offset: -2 });
  assert.equal(head.emptyRows, 2);
  assert.ok(Number.isFinite(head.entropyRatio) && Number.isFinite(head.scoreDeviation));
});

describe('padding', () => {
  const [n, d, own] = [12, 8, 8];
  const [query, key] = [1, 2].map((seed) => randomNormal([2, 2, n, d], { seed }));
  /** Returns the rows from one to another of every head of an item. @param {Tensor} x @param {number} item
   *  @param {number} from @param {number} to */
  const part = (x, item, from, to) => ({
    data: Float32Array.from([0, 1].flatMap((head) => {
      const start = (item * 2 + head) * n;
      return [...x.data.subarray((start + from) * d, (start + to) * d)];
    })),
    shape: [2, to - from, d],
  }); // prettier-ignore

  test('counts neither as key nor as query, at the end or the start', () => {
    for (const [from, causal] of /** @type {const} */ ([
      [0, false],
      [0, true],
      [4, false],
      [4, true],
    ])) {
      const attentionMask = [0, 1].map(() =>
        Array.from({ length: n }, (_, j) => Number(j >= from && j < from + own)),
      );
      const padded = diagnose(query, key, { attentionMask, causal });
      for (const item of [0, 1]) {
        const alone = diagnose(
          part(query, item, from, from + own),
          part(key, item, from, from + own),
          { causal },
        );
        alone.forEach((expected, head) => {
          const got = padded[item * 2 + head];
          assert.equal(got.emptyRows, 0);
          assert.equal(got.largestKey.key, expected.largestKey.key + from);
          for (const [name, value] of Object.entries(expected)) {
            if (typeof value !== 'number' || name === 'fingerprint' || name === 'batch') continue;
            assert.ok(Math.abs(Reflect.get(got, name) - value) < 1e-5, name);
          }
        });
      }
    }
  });

  test('that gets weight is named', () => {
    const { weights } = attentionScores(query, key, { returns: 'weights' });
    const attentionMask = Uint8Array.from({ length: n }, (_, j) => Number(j < own));
    for (const head of diagnose({ weights, attentionMask: { data: attentionMask, shape: [n] } })) {
      assert.equal(head.cause, 'padding');
      assert.ok(Number(head.paddingWeight) > 0.1);
    }
    assert.ok(diagnose({ weights }).every(({ paddingWeight }) => paddingWeight === undefined));
  });

  test('is refused where it does not fit', () => {
    for (const mask of [[1, 1], [[1], [1]], 'all']) {
      assert.throws(
        () => diagnose(query, key, { attentionMask: /** @type {any} */ (mask) }),
        /^(ShapeError|DTypeError): diagnose: (attentionM|m)ask/,
      );
    }
    const halves = Array.from({ length: n }, () => 0.5);
    assert.throws(() => diagnose(query, key, { attentionMask: halves }), {
      name: 'DTypeError', message: 'diagnose: attentionMask has 0.5 at 0, expected 0 or 1',
    }); // prettier-ignore
  });
});

test('keys that nobody sees do not count, nor rows without keys', () => {
  const third = 1 / 3;
  const weights = [[0, 0, 0, 0], [0, 1, 0, 0], [0, 0.5, 0.5, 0], [0, third, third, third]]; // prettier-ignore
  const [{ verdict, entropyRatio, emptyRows, firstWeight }] = diagnose({ weights });
  assert.deepEqual([verdict, emptyRows], ['uniform', 1]);
  assert.ok(Math.abs(entropyRatio - 1) < 1e-6 && Math.abs(firstWeight - 5 / 12) < 1e-6);
});

test('one query after a cache is the last of its keys', () => {
  const [query, key] = [1, 2].map((seed) => randomNormal([4, 8], { seed }));
  const last = { data: query.data.subarray(24), shape: [1, 8] };
  const { weights } = attentionScores(last, key, { returns: 'weights' });
  const { largestWeight } = attentionStatistics(last, key);
  for (const [head] of [diagnose({ weights }), diagnose(last, key)]) {
    assert.ok(Math.abs(head.selfWeight - weights.data[3]) < 1e-6);
    assert.ok(Math.abs(head.previousWeight - weights.data[2]) < 1e-6);
    assert.ok(Math.abs(head.largestKey.weight - largestWeight.data[0]) < 1e-6);
    assert.deepEqual([head.nextWeight, head.laterWeight], [0, 0]);
  }
});

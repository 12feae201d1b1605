// The diagnosis of heads: its numbers against float64, its verdicts against the theory of their cases.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  attentionScores,
  attentionStatistics,
  diagnose,
  randomNormal,
  softmax,
} from '../../../web/attention/index.js';
import * as oracle from '../oracle.js';

/** @import { Tensor } from '../../../web/attention/index.js' */

/** Returns the weights of n queries whose scores over n keys have a deviation σ. @param {number} n
 *  @param {number} deviation */
const weightsAt = (n, deviation) => softmax(randomNormal([200, n], { seed: n, std: deviation }));

/** @param {Tensor} weights */
const verdictOf = (weights) => diagnose({ weights })[0].verdict;

for (const n of [16, 64, 512]) {
  const critical = Math.sqrt(2 * Math.log(n));
  test(`verdicts of independent scores follow their deviation: ${n} keys`, () => {
    assert.equal(verdictOf(weightsAt(n, 0.2)), 'uniform');
    assert.equal(verdictOf(weightsAt(n, 0.5)), 'spread');
    assert.equal(verdictOf(weightsAt(n, 1)), 'spread');
    assert.equal(verdictOf(weightsAt(n, 1.15 * critical)), 'sharp');
    assert.equal(verdictOf(weightsAt(n, 2 * critical)), 'frozen');
  });
}

test('a forgotten scale and a doubled one are named', () => {
  for (const d of [16, 64, 256]) {
    const [query, key] = [1, 2].map((seed) => randomNormal([128, d], { seed }));
    const [scaled] = diagnose(query, key);
    assert.deepEqual([scaled.verdict, scaled.hint], ['spread', 'nothing stands out']);
    const [unscaled] = diagnose(query, key, { scale: 1 });
    assert.ok(['frozen', 'sharp'].includes(unscaled.verdict));
    assert.match(
      unscaled.hint,
      /^the scale is 1, [\d.]+ times 1\/√d_k, and scores have a deviation of [\d.]+ = √d_k: was 1\/√d_k left out\?$/,
    );
    const [twice] = diagnose(query, key, { scale: 1 / d });
    assert.equal(twice.verdict, 'uniform');
    assert.match(twice.hint, /divided by d_k instead of √d_k\?$/);
  }
});

test('a learned head, a sink and aligned queries are distinguished from a forgotten scale', () => {
  const n = 40;
  const previous = Array.from({ length: n }, (_, i) =>
    Array.from({ length: n }, (_, j) => (j === Math.max(i - 1, 0) ? 1 : 0)),
  );
  const [back] = diagnose({ weights: previous });
  assert.equal(back.verdict, 'frozen');
  assert.match(back.hint, /looks at the key before/);
  assert.ok(back.previousWeight > 0.97);
  const first = previous.map((row) => row.map((_, j) => (j === 0 ? 0.95 : 0.05 / (n - 1))));
  assert.match(diagnose({ weights: first })[0].hint, /first key/);
  const few = randomNormal([n, 64], { seed: 1 }).data.map((v, at) => (at % 64 < 4 ? 4 * v : 0));
  const other = randomNormal([n, 64], { seed: 2 }).data.map((v, at) => (at % 64 < 4 ? 4 * v : 0));
  const [aligned] = diagnose({ data: few, shape: [n, 64] }, { data: other, shape: [n, 64] });
  assert.equal(aligned.cause, 'alignment');
  assert.ok(Number(aligned.alignment) > 3.5 && Number(aligned.alignment) < 4.5); // √(64 / 4)
  const [wide] = diagnose({ data: randomNormal([n, 64], { seed: 3, std: 6 }).data, shape: [n, 64] },
    randomNormal([n, 64], { seed: 4 })); // prettier-ignore
  assert.deepEqual([wide.cause, Math.round(Number(wide.entryShare))], ['entries', 6]);
});

test('numbers of each head are those of float64 sums', () => {
  const [b, h, g, nQ, nK, d] = [2, 4, 2, 7, 9, 5];
  const query = randomNormal([b, h, nQ, d], { seed: 1, std: 2 });
  const key = randomNormal([b, g, nK, d], { seed: 2 });
  const options = { causal: /** @type {const} */ ('lower-right'), softcap: 3 };
  const heads = diagnose(query, key, options);
  const { weights } = attentionScores(query, key, { ...options, returns: 'weights' });
  assert.equal(heads.length, b * h);
  heads.forEach((got, index) => {
    assert.deepEqual([got.batch, got.head], [Math.floor(index / h), index % h]);
    const group = Math.floor(index / (h / g));
    const [q, k] = [oracle.matrixOf(query, index), oracle.matrixOf(key, group)];
    const matrix = oracle.matrixOf(weights, index);
    const visible = (/** @type {number[][]} */ pairs) =>
      pairs.map((row, i) => row.slice(0, i + 1 + nK - nQ));
    const seen = visible(q.map((a) => k.map((b) => oracle.dot(a, b)))).flat();
    const rows = visible(matrix);
    const mean = (/** @type {number[]} */ x) => oracle.sum(x) / x.length;
    const variance = (/** @type {number[]} */ x) => mean(x.map((y) => (y - mean(x)) ** 2));
    const within = visible(q.map((a) => k.map((b) => oracle.dot(a, b))));
    const pairs = within.flatMap((row) => row.map(() => variance(row)));
    const columns = k[0].map((_, c) => variance(k.map((row) => row[c])));
    const entryShare = Math.sqrt(mean(q.flat().map((x) => x * x)) * mean(columns));
    const deviation = Math.sqrt(mean(pairs));
    const centre = k[0].map((_, c) => mean(k.map((row) => row[c])));
    const own = q.map((a, i) => {
      const b = k[i + nK - nQ].map((x, c) => x - centre[c]);
      return oracle.dot(a, b) / Math.sqrt(oracle.dot(a, a) * oracle.dot(b, b));
    });
    const received = matrix[0].map((_, j) => mean(matrix.map((p) => p[j])));
    const squares = rows.map((p) => oracle.sum(p, (x) => x * x));
    const entropy = rows.map((p) => oracle.entropy(p) / Math.log(p.length));
    const expected = {
      dotDeviation: deviation,
      scoreDeviation: deviation / Math.sqrt(d),
      scaleShare: 1,
      entryShare,
      alignment: deviation / Math.sqrt(d) / entryShare,
      correlation: mean(own),
      largestScore: Math.max(...seen.map((s) => 3 * Math.tanh(s / Math.sqrt(d) / 3))),
      entropyRatio: mean(entropy),
      effectiveKeys: mean(squares.map((s) => 1 / s)),
      jacobianTrace: mean(squares.map((s) => 1 - s)),
      firstWeight: mean(rows.map((p) => p[0])),
      previousWeight: mean(rows.map((p) => p[p.length - 2])),
      selfWeight: mean(rows.map((p) => p[p.length - 1])),
      nextWeight: 0,
      laterWeight: 0,
    };
    assert.ok(Math.abs(got.largestKey.weight - Math.max(...received)) < 1e-5);
    assert.equal(got.largestKey.key, received.indexOf(Math.max(...received)));
    for (const [name, value] of Object.entries(expected)) {
      const error = Math.abs(Reflect.get(got, name) - value);
      assert.ok(error <= 1e-5 * Math.max(1, Math.abs(value)), `${name}: ${error}`);
    }
  });
});

test('weights alone give the same, with causality found in their zeros', () => {
  const [query, key] = [1, 2].map((seed) => randomNormal([3, 12, 8], { seed }));
  const { weights } = attentionScores(query, key, { causal: true, returns: 'weights' });
  const [whole, alone] = [diagnose(query, key, { causal: true }), diagnose({ weights })];
  whole.forEach((expected, i) => {
    for (const [name, found] of Object.entries(alone[i])) {
      if (name === 'rowSum' || name === 'hint') continue;
      const value = Reflect.get(expected, name);
      if (typeof found === 'number') {
        assert.ok(Math.abs(found - value) <= 2e-6 * Math.max(1, value), name);
      } else if (name === 'largestKey') {
        assert.equal(value.key, Object(found).key);
      } else assert.deepEqual(found, value);
    }
    assert.ok(Number.isFinite(expected.largestScore) && alone[i].largestScore === undefined);
  });
});

test('queries without a choice have no diagnosis but say so', () => {
  const [{ entropyRatio, hint }] = diagnose([[1, 2]], [[3, 4]]);
  assert.ok(Number.isNaN(entropyRatio));
  assert.match(hint, /^no query may attend to more than one key/);
  assert.throws(() => diagnose({ weights: [1, 2] }), {
    name: 'ShapeError',
    message: 'diagnose: weights is [2], expected [n_q, n_k], [h, n_q, n_k] or [b, h, n_q, n_k]',
  });
});

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

test('scores that are given as weights are named by their row', () => {
  const [{ cause, hint }] = diagnose({ weights: [[0.5, 0.5], [3.3, -1]] }); // prettier-ignore
  assert.equal(cause, 'unweighted');
  assert.equal(hint, 'row 1 has negative numbers or a sum above 1: are these scores, not weights?');
  const rounded = [[0.504, 0.5], [0.49, 0.505]]; // prettier-ignore
  assert.equal(diagnose({ weights: rounded })[0].cause, 'mean');
});

test('moments of queries and keys predict the deviation of all scores', () => {
  const [query, key] = [1, 2].map((seed) => randomNormal([40, 16], { seed, mean: 0.3 }));
  for (const options of [{}, { scale: -0.7 }, { similarity: /** @type {const} */ ('cosine') }]) {
    const [all] = diagnose(query, key, options);
    const difference = Number(all.predictedDeviation) - Number(all.scoreDeviation);
    assert.ok(Math.abs(difference) <= 1e-6 * Number(all.scoreDeviation));
    assert.ok(Number(all.effectiveDimension) > 1 && Number(all.effectiveDimension) < 17);
  }
  const mask = randomNormal([40, 40], { seed: 3 });
  const [plain, masked] = [{}, { mask, softcap: 2 }].map((options) =>
    diagnose(query, key, options),
  );
  const difference = Number(plain[0].dotDeviation) - Number(masked[0].dotDeviation);
  assert.ok(Math.abs(difference) <= 1e-6 * Number(plain[0].dotDeviation));
});

test('a diagnosis of many queries makes no matrix', () => {
  const [query, key] = [1, 2].map((seed) => randomNormal([2 ** 16, 2], { seed }));
  const [{ entropyRatio, emptyRows }] = diagnose(query, key, { window: [40, 0] });
  assert.ok(entropyRatio > 0.5 && entropyRatio < 1);
  assert.equal(emptyRows, 0);
});

test('weights without their name are refused with the call that takes them', () => {
  const weights = [[0.5, 0.5], [0.5, 0.5]]; // prettier-ignore
  assert.throws(() => diagnose(weights), {
    name: 'DTypeError',
    message:
      'diagnose: key is undefined, expected a tensor; for weights alone call diagnose({ weights })',
  });
  assert.throws(() => diagnose(/** @type {any} */ (undefined)), /^DTypeError: diagnose: query is/);
});

describe('the factor that was used', () => {
  const [n, d] = [24, 32];
  const heads = {
    query: randomNormal([4, 2, n, d], { seed: 1 }),
    key: randomNormal([4, 2, n, d], { seed: 2 }),
  };
  /** @type {[name: string, factor: number][]} */
  const factors = [
    ['1/√d_k', 1 / Math.sqrt(d)],
    ['1', 1],
    ['1/d_k', 1 / d],
    ['1/√d_model', 1 / 16],
    ['1/√heads', 1 / Math.sqrt(2)],
    ['1/(2√d_k)', 0.5 / Math.sqrt(d)],
    ['T = 0.33', 3 / Math.sqrt(d)],
  ];
  for (const [name, scale] of factors) {
    test(`is found in weights beside queries and keys: ${name}`, () => {
      for (const causal of [false, true]) {
        const { query, key } = heads;
        const { weights } = attentionScores(query, key, { scale, causal, returns: 'weights' });
        for (const head of diagnose({ weights, query, key, dModel: 256 })) {
          assert.ok(Math.abs(Number(head.usedScale) / scale - 1) < 1e-4);
          assert.deepEqual([head.usedScaleName, head.laterWeight > 0], [name, !causal]);
          assert.ok(Number(head.usedScaleResidual) < 1e-6);
          const isRoot = name === '1/√d_k';
          assert.equal(/the scale is [\d.]+, [\d.]+ times 1\/√d_k/.test(head.hint), !isRoot);
          const product =
            Number(head.scaleShare) * Number(head.entryShare) * Number(head.alignment);
          assert.ok(Math.abs(product / Number(head.scoreDeviation) - 1) < 1e-6);
        }
      }
    });
  }

  test('is named by the layer where it falls with the layers', () => {
    const { query, key } = heads;
    const scaled = query.data.map((x, at) => x / (Math.floor(at / (2 * n * d)) + 1));
    const { weights } = attentionScores({ ...query, data: scaled }, key, { returns: 'weights' });
    const names = diagnose({ weights, query, key }).map((head) => head.usedScaleName);
    assert.deepEqual(
      [names[0], names[4], names[6]],
      ['1/√d_k', '1/((layer + 1)√d_k)', '1/((layer + 1)√d_k)'],
    );
  });

  test('has no name where something else acts', () => {
    const { query, key } = heads;
    const { weights } = attentionScores(query, key, { softcap: 0.3, returns: 'weights' });
    const [{ usedScaleName, usedScaleResidual, cause }] = diagnose({ weights, query, key });
    assert.deepEqual([usedScaleName, cause], [undefined, 'unexplained']);
    assert.ok(Number(usedScaleResidual) > 0.02);
  });

  test('is named with another start than unit variance', () => {
    // d_k 32, nn.Linear's start: entries of variance 1/3, σ_q·σ_k a third
    const [query, key] = [1, 2].map((seed) =>
      randomNormal([64, 32], { seed, std: Math.sqrt(1 / 3) }),
    );
    const [{ hint, cause, scaleShare, entryShare }] = diagnose(query, key, { scale: 1 });
    assert.equal(cause, 'scale');
    assert.equal(hint, 'the scale is 1, 5.7 times 1/√d_k: was 1/√d_k left out?');
    assert.ok(Number(scaleShare) > 5.6 && Number(entryShare) < 0.4);
  });
});

describe('what all keys share', () => {
  const plus = (/** @type {Tensor} */ { data, shape }, /** @type {number} */ c) => ({
    data: data.map((x) => x + c),
    shape,
  });
  const [query, key] = [1, 2].map((seed) => randomNormal([64, 64], { seed }));

  test('moves no weight and no number', () => {
    const [plain] = diagnose(query, key, { scale: 1 });
    const [moved] = diagnose(query, plus(key, 3), { scale: 1 });
    assert.deepEqual([plain.cause, moved.cause], ['unscaled', 'unscaled']);
    for (const name of /** @type {const} */ ([
      'dotDeviation',
      'alignment',
      'correlation',
      'effectiveDimension',
    ])) {
      assert.ok(Math.abs(Number(plain[name]) - Number(moved[name])) < 1e-4, name);
    }
  });

  test('makes no correlation beyond 1', () => {
    for (const options of [{ scale: 1 }, { causal: true }]) {
      const [{ correlation }] = diagnose(plus(query, 3), plus(key, 3), options);
      assert.ok(Math.abs(Number(correlation)) <= 1);
      const [{ correlation: own }] = diagnose(query, query, options);
      assert.ok(Number(own) > 0.95 && Number(own) <= 1 + 1e-9);
    }
  });
});

describe('numbers that are none', () => {
  test('of weights are undefined', () => {
    const weights = [[0.5, 0.5, 0], [NaN, 0.5, 0.5], [0, 0.5, 0.5]]; // prettier-ignore
    const [{ verdict, cause, hint }] = diagnose({ weights });
    assert.deepEqual([verdict, cause], ['undefined', 'notANumber']);
    assert.match(hint, /NaN/);
  });

  test('of queries and keys count where a query sees them', () => {
    const [query, key] = [1, 2].map((seed) => randomNormal([6, 4], { seed }));
    key.data[5 * 4] = NaN;
    assert.equal(diagnose(query, key)[0].cause, 'notANumber');
    assert.equal(diagnose(query, key, { keyLengths: 5 })[0].verdict, 'spread');
    assert.ok(Number.isFinite(diagnose(query, key, { keyLengths: 5 })[0].alignment));
  });

  test('of float16 are named by the product', () => {
    const big = (/** @type {number} */ seed) => randomNormal([8, 64], { seed, mean: 40, std: 1 });
    const [{ verdict, cause, hint }] = diagnose(big(1), big(2));
    assert.deepEqual([verdict, cause], ['undefined', 'overflow16']);
    assert.match(hint, /^q·k reaches 1\d{5}, beyond 65504/);
    const negative = { data: big(1).data.map((x) => -x), shape: [8, 64] };
    assert.equal(diagnose(negative, big(2))[0].cause, 'overflow16');
  });
});

describe('weights that are none', () => {
  const n = 12;
  const softmaxOf = (/** @type {number} */ seed) => softmax(randomNormal([n, n], { seed }));
  const made = (/** @type {(p: number, i: number, j: number) => number} */ change, seed = 1) => {
    const { data, shape } = softmaxOf(seed);
    return { data: data.map((p, at) => change(p, Math.floor(at / n), at % n)), shape };
  };
  const told = (/** @type {object} */ weights) =>
    diagnose({ weights: /** @type {Tensor} */ (weights) })[0];

  test('have rows that do not sum to 1', () => {
    const { cause, rowSum, hint } = told(made((p, i, j) => (j > i ? 0 : p)));
    assert.deepEqual([cause, Number(rowSum?.mean) < 0.7], ['rowSums', true]);
    assert.match(hint, /mask applied after softmax/);
    const even = told(made((p) => 0.7 * p));
    assert.ok(
      Math.abs(Number(even.rowSum?.mean) - 0.7) < 1e-6 && Number(even.rowSum?.spread) < 1e-6,
    );
    const dropped = told(made((p, i, j) => ((i * 7 + j * 5) % 10 === 0 ? 0 : p / 0.9)));
    assert.match(dropped.hint, /is dropout on/);
  });

  test('have columns that sum to 1', () => {
    const { data } = softmaxOf(2);
    const transposed = data.map((_, at) => data[(at % n) * n + Math.floor(at / n)]);
    assert.equal(told({ data: transposed, shape: [n, n] }).cause, 'columns');
  });
});

describe('a pattern', () => {
  const n = 16;
  /** Returns weights with a share on one key. @param {(i: number) => number} place @param {number} [share] */
  const looking = (place, share = 0.7) =>
    Array.from({ length: n }, (_, i) =>
      Array.from({ length: n }, (_, j) => (j === place(i) ? share : (1 - share) / (n - 1))),
    );

  test('is named and is no alarm', () => {
    /** @type {[cause: string, place: (i: number) => number][]} */
    const places = [
      ['next', (i) => Math.min(i + 1, n - 1)],
      ['previous', (i) => Math.max(i - 1, 0)],
      ['self', (i) => i],
      ['first', () => 0],
      ['oneKey', () => 5],
    ];
    for (const [cause, place] of places) {
      const [head] = diagnose({ weights: looking(place) });
      assert.equal(head.cause, cause);
      assert.ok(['sharp', 'frozen', 'spread'].includes(head.verdict));
    }
    const [one] = diagnose({ weights: looking(() => 5) });
    assert.equal(one.largestKey.key, 5);
    assert.ok(Math.abs(one.largestKey.weight - 0.7) < 1e-6);
    const [before] = diagnose({ weights: looking((i) => Math.max(i - 1, 0)) });
    assert.match(before.hint, /looks at the key before/);
  });

  test('of later keys is a leak where they are hidden from others, or by the mask', () => {
    const causal = attentionScores(randomNormal([2, n, 8], { seed: 1 }), randomNormal([2, n, 8], { seed: 2 }),
      { causal: true, returns: 'weights' }).weights; // prettier-ignore
    const leaking = looking((i) => Math.min(i + 1, n - 1), 0.86).flat();
    const weights = { data: Float32Array.from([...causal.data, ...leaking]), shape: [3, n, n] };
    const heads = diagnose({ weights });
    assert.deepEqual(
      heads.map(({ causes }) => causes.includes('later')),
      [false, false, true],
    );
    assert.match(heads[2].hint, /looks at later keys/);
    const [declared] = diagnose({ weights: looking(() => 9, 0.3), causal: true });
    assert.equal(declared.verdict, 'spread'); // the weight that leaks is not lost
    assert.match(
      declared.hint,
      /looks at later keys, with \d+ % of its weight, though it should not/,
    );
  });

  test('of a mask that is shifted, or the wrong way round, or open', () => {
    const [query, key] = [1, 2].map((seed) => randomNormal([n, 8], { seed }));
    const maskOf = (/** @type {(i: number, j: number) => boolean} */ allows) =>
      Array.from({ length: n }, (_, i) => Array.from({ length: n }, (_, j) => allows(i, j)));
    const weightsBy = (/** @type {boolean[][]} */ mask) =>
      attentionScores(query, key, { mask, returns: 'weights' }).weights;
    const [shifted] = diagnose({ weights: weightsBy(maskOf((i, j) => j <= i + 1)) });
    assert.match(shifted.hint, /does the mask leak\?/);
    const [inverted] = diagnose(query, key, { mask: maskOf((i, j) => j > i) });
    assert.match(inverted.hint, /is the mask the wrong way round\?/);
    const [open] = diagnose(query, key, { mask: maskOf(() => true) });
    assert.deepEqual([open.cause, open.hint], ['openMask', 'its mask hides no key']);
  });

  test('of two heads that are alike names the first', () => {
    const [query, key] = [1, 2].map((seed) => randomNormal([3, n, 8], { seed }));
    query.data.copyWithin(2 * n * 8, 0, n * 8);
    key.data.copyWithin(2 * n * 8, 0, n * 8);
    const { weights } = attentionScores(query, key, { returns: 'weights' });
    for (const heads of [diagnose(query, key), diagnose({ weights })]) {
      assert.deepEqual(
        heads.map(({ duplicateOf }) => duplicateOf),
        [undefined, undefined, 0],
      );
      assert.equal(heads[2].cause, 'duplicate');
    }
    assert.ok(
      diagnose({ weights: [looking(() => 2), looking(() => 3)] }).every(
        (head) => head.duplicateOf === undefined,
      ),
    );
  });
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

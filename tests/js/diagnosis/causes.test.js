// What a diagnosis says of heads in which something stands out: each cause in a case that has it.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { attentionScores, diagnose, randomNormal, softmax } from '../../../web/attention/index.js';
import { joined, SENTENCES } from '../../../web/diagnosis/hint.js';

/** @import { Tensor } from '../../../web/attention/index.js' */

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

test('scores that are given as weights are named by their row', () => {
  const [{ cause, hint }] = diagnose({ weights: [[0.5, 0.5], [3.3, -1]] }); // prettier-ignore
  assert.equal(cause, 'unweighted');
  assert.equal(hint, 'row 1 has negative numbers or a sum above 1: are these scores, not weights?');
  const rounded = [[0.504, 0.5], [0.49, 0.505]]; // prettier-ignore
  assert.equal(diagnose({ weights: rounded })[0].cause, 'mean');
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
    assert.match(hint, /^products q·k reach 1\d{5}, beyond 65504/);
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
    const [transposed] = diagnose(query, key, { mask: maskOf((i, j) => j >= i) });
    assert.match(transposed.hint, /is the mask the wrong way round\?/);
    const [mostly] = diagnose(query, key, { mask: maskOf((i, j) => j >= i || i - j > n - 6) });
    assert.match(mostly.hint, /looks at later keys, .*learned, or a leak/);
    const [declared] = diagnose({ weights: weightsBy(maskOf((i, j) => j > i)), causal: true });
    assert.equal(declared.cause, 'later');
    assert.match(declared.hint, /is the mask the wrong way round\?/);
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

describe('several sentences', () => {
  test('are joined by semicolons, and after a question by a new beginning, in both languages', () => {
    const english = ['was it left out?', 'it looks back', 'few keys have it'];
    assert.equal(joined(english, '; '), 'was it left out? It looks back; few keys have it');
    assert.equal(
      joined(['是不是漏了？', '看的是前一个键', '没有异常'], '；'),
      '是不是漏了？看的是前一个键；没有异常',
    );
    assert.equal(joined(['nothing'], '; '), 'nothing');
  });

  test('are so in a hint, and each may begin with a capital', () => {
    const n = 8;
    const [query, key] = [1, 2].map((seed) => randomNormal([n, 16], { seed }));
    const { weights } = attentionScores(query, key, { scale: 1, returns: 'weights' });
    const [{ hint }] = diagnose({ weights, query, key, attentionMask: [1, 1, 1, 1, 1, 1, 0, 0] });
    assert.match(hint, /was the padding mask left out\? The scale is 1, /);
    for (const sentence of Object.values(SENTENCES)) assert.match(sentence, /^([a-z]{2}|{)/);
  });
});

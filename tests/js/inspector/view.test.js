// What <attn-view> computes: weights at a factor, the diagnosis in words, pictures of many cells.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { attentionScores, diagnose, randomNormal } from '../../../web/attention/index.js';
import { createFormat } from '../../../web/figures/kit/state/language.js';
import { drawStatic, staticView } from '../../../web/figures/kit/chart/static.js';
import { spec } from '../../../web/inspector/view/element.js';
import {
  diagnoseHead,
  dotHistogram,
  matrixOf,
  pooled,
  topKeys,
  weightsOf,
} from '../../../web/inspector/heads/heads.js';
import { knownOf } from '../../../web/inspector/heads/known.js';
import { withPadding } from '../../../web/inspector/heads/options.js';
import { hintOf, sorted, standingOut } from '../../../web/inspector/view/table.js';
import { messages } from '../../../web/inspector/view/generated/words.js';
import { toAttention } from '../../../web/inspector/reading/index.js';
import { LANGUAGE_KEYS } from '../../../web/shared/languages.js';
import { atOnce } from '../../../web/shared/slices.js';
import { explain, rowWithout } from '../../../web/inspector/why/why.js';
import { regionField, regionOf, zoomed } from '../../../web/inspector/picture/region.js';
import * as oracle from '../oracle.js';
import { viewAfter } from '../figures/view-after.js';
import { assertAllNear } from '../theory/near.js';

const LAYERS = 2;
const HEADS = 4;
const [N, D] = [6, 8];
const query = randomNormal([LAYERS, HEADS, N, D], { seed: 1 });
const key = randomNormal([LAYERS, HEADS / 2, N, D], { seed: 2 });
const pair = toAttention({ query, key });

/** Returns the weights of a head in float64. @param {number} layer @param {number} head @param {number} factor */
function weights64(layer, head, factor) {
  const k = oracle.matrixOf(key, layer * (HEADS / 2) + (head >> 1));
  const q = oracle.matrixOf(query, layer * HEADS + head);
  const scale = factor / Math.sqrt(D);
  return oracle.attention({ query: q, key: k, value: k, scale }).weights.flat();
}

describe('the weights of a head', () => {
  it('are those of `attentionScores` with masks, sinks, lengths and offsets of their own', () => {
    const mask = {
      data: Uint8Array.from({ length: LAYERS * HEADS * N * N }, (_, i) => Number(i % 7 !== 3)),
      shape: [LAYERS, HEADS, N, N],
    };
    const nested = [0, 1].map((layer) => [
      Array.from({ length: N }, (_, i) => Array.from({ length: N }, (_, j) => i + layer !== j)),
    ]);
    const perHead = { data: mask.data.slice(0, HEADS * N * N), shape: [HEADS, N, N] };
    const all = [
      { mask, sink: [0, 1, -Infinity, 2] },
      { mask: nested, keyLengths: [4, 6], causal: true, offset: [0, 2] },
      { mask: perHead, sink: { data: Float32Array.of(0, 1, 2, 3), shape: [HEADS] } },
      { mask: { data: [...perHead.data].map(Boolean), shape: [1, HEADS, N, N] }, sink: 1 },
      { mask: nested[0][0], keyLengths: 5 },
    ];
    for (const given of all) {
      const options = /** @type {any} */ (given);
      const { keyLengths } = options;
      const batch = typeof keyLengths === 'number' ? [keyLengths, keyLengths] : keyLengths;
      const { weights } = /** @type {any} */ (
        attentionScores(query, key, { ...options, keyLengths: batch, returns: ['weights'] })
      );
      for (let layer = 0; layer < LAYERS; layer++) {
        for (let head = 0; head < HEADS; head++) {
          const found = weightsOf({ ...pair, options }, { layer, head }, 1);
          const start = (layer * HEADS + head) * N * N;
          assertAllNear(found, weights.data.subarray(start, start + N * N), 2e-6);
        }
      }
    }
  });

  it('need as many masks and sinks as there are heads, or one', () => {
    const read = (/** @type {any} */ options) => () =>
      weightsOf({ ...pair, options }, { layer: 0, head: 0 }, 1);
    const mask = { data: new Uint8Array(3 * N * N), shape: [3, N, N] };
    assert.throws(read({ mask }), /attn-view: options.mask has length 3, expected 1 or 4/);
    assert.throws(read({ sink: [0, 1] }), /attn-view: options.sink has length 2, expected 1 or 4/);
    assert.throws(read({ mask: [[[true]], [[true]]] }), /options.mask has length 2/);
  });

  it('are those of its queries and of the keys that it shares, at any factor', () => {
    for (const place of [
      { layer: 0, head: 0 },
      { layer: 1, head: 3 },
    ]) {
      for (const factor of [0, 0.5, 1, 3]) {
        const expected = weights64(place.layer, place.head, factor);
        assertAllNear(weightsOf(pair, place, factor), expected, 1e-5);
      }
    }
  });

  it('sharpen and flatten as those of queries and keys do, where only weights are given', () => {
    const data = Float32Array.from(weights64(0, 0, 1));
    const given = toAttention({ weights: { data, shape: [N, N] } });
    for (const factor of [0, 0.5, 1, 3]) {
      const found = weightsOf(given, { layer: 0, head: 0 }, factor);
      assertAllNear(found, weights64(0, 0, factor), 1e-5);
    }
  });

  it('stay 0 where they are 0, at any factor', () => {
    const given = toAttention({ weights: [[1, 0], [0.5, 0.5]] }); // prettier-ignore
    for (const factor of [0, 0.3, 8]) {
      assertAllNear(weightsOf(given, { layer: 0, head: 0 }, factor), [1, 0, 0.5, 0.5], 2e-6);
    }
  });
});

describe('a picture of many cells', () => {
  it('shows the largest weight of each block, whatever its sign', () => {
    const data = new Float32Array(100);
    data[37] = 0.25;
    data[99] = -0.5;
    const { data: small, shape } = pooled(data, 10, 10, 2);
    assert.deepEqual(
      [shape, [...small]],
      [
        [2, 2],
        [0, 0.25, 0, -0.5],
      ],
    );
    assert.equal(pooled(data, 10, 10, 10).data, data);
  });

  it('of 2048 tokens fits into a file, and names what has room', () => {
    const n = 2048;
    const data = new Float32Array(n * n);
    for (let i = 0; i < n; i++) data[i * n + Math.max(0, i - 1)] = 1;
    const result = toAttention({ weights: { data, shape: [n, n] } });
    const view = viewAfter(spec, result, { row: 1000, width: 960 });
    assert.match(spec.title(view), /“1000” gives “999” 100%/);
    const svg = drawStatic(spec, view);
    assert.ok(svg.length < 100_000, `${svg.length}`);
    assert.doesNotMatch(svg, /NaN|undefined/);
    assert.ok(spec.rows(view).length < 3000);
  });
});

it('finds the keys with the largest weights, in order, also among NaN', () => {
  const row = Float32Array.of(0.1, 0.4, NaN, 0.3, 0.4, 0);
  const found = topKeys(row, 3).map(({ key }) => key);
  assert.deepEqual(found.slice(0, 3), [1, 4, 3]);
});

it('counts q·k of random vectors as the normal distribution that the scale assumes', () => {
  const random = toAttention({
    query: randomNormal([512, 64], { seed: 3 }),
    key: randomNormal([512, 64], { seed: 4 }),
  });
  const bins = atOnce(dotHistogram(random, { layer: 0, head: 0 }, { count: 16, reach: 4 }));
  for (const { low, high, value } of bins) {
    const x = (low + high) / 2;
    assert.ok(Math.abs(value - Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI)) < 0.03);
  }
});

it('leaves pairs that may not attend out of the histogram', () => {
  const causal = {
    ...toAttention({ query: [[1], [1]], key: [[1], [3]] }),
    options: { causal: true },
  };
  const bins = atOnce(dotHistogram(causal, { layer: 0, head: 0 }, { count: 8, reach: 4 }));
  const counts = bins
    .filter(({ value }) => value > 0)
    .map(({ low, value }) => [low, Math.round(3 * value)]);
  assert.deepEqual(counts, [[1, 2], [3, 1]]); // prettier-ignore
});

describe('the diagnosis', () => {
  const n = 64;
  const normal = (/** @type {number} */ seed) => randomNormal([n, n], { seed });
  const times = (
    /** @type {number} */ seed,
    /** @type {(x: number, column: number) => number} */ change,
  ) => ({
    data: normal(seed).data.map((x, at) => change(x, at % n)),
    shape: [n, n],
  });
  const few = (/** @type {number} */ x, /** @type {number} */ column) => (column < 4 ? 4 * x : 0);
  const matrix = (/** @type {(i: number, j: number) => number} */ entry) => ({
    data: Float32Array.from({ length: n * n }, (_, at) => entry(Math.floor(at / n), at % n)),
    shape: [n, n],
  });
  const cases = {
    none: diagnose(normal(1), normal(2)),
    unscaled: diagnose(normal(1), normal(2), { scale: 1 }),
    overscaled: diagnose(normal(1), normal(2), { scale: 1 / n }),
    scale: diagnose(
      times(1, (x) => x / 2),
      normal(2),
      { scale: 1 },
    ),
    alignment: diagnose(times(1, few), times(2, few)),
    entries: diagnose(
      times(1, (x) => 9 * x),
      normal(2),
    ),
    overflow16: diagnose(
      times(1, (x) => 9e4 * x),
      normal(2),
    ),
    notANumber: diagnose({ weights: matrix(() => NaN) }),
    columns: diagnose({ weights: matrix((i, j) => (i < j ? 0 : 1 / (n - j))) }),
    rowSums: diagnose({ weights: matrix(() => 0.7 / n) }),
    unweighted: diagnose({ weights: matrix(() => 5) }),
    openMask: diagnose(normal(1), normal(2), { mask: [Array(n).fill(true)] }),
    next: diagnose({ weights: matrix((i, j) => Number(j === Math.min(n - 1, i + 1))) }),
    self: diagnose({ weights: matrix((i, j) => Number(j === i)) }),
    mean: diagnose({ weights: matrix(() => 1 / n) }),
    first: diagnose({ weights: matrix((_, j) => Number(j === 0)) }),
    previous: diagnose({ weights: matrix((i, j) => Number(j === Math.max(0, i - 1))) }),
    few: diagnose({ weights: matrix((i, j) => Number(j === n - 1 - i)) }),
    undefined: diagnose([[1, 2]], [[3, 4]]),
  };
  for (const [cause, [diagnosis]] of Object.entries(cases)) {
    it(`says of a head that is '${cause}' what the package says, in both languages`, () => {
      assert.equal(diagnosis.cause, cause);
      const view = (/** @type {object} */ text) =>
        /** @type {any} */ ({
          text,
          format: createFormat('en'),
          state: {},
          data: { heads: 1, keyLabels: [] },
        });
      const own = diagnosis.hint.replace('row 0', 'row 1'); // numbers from 1 are those of the figure
      assert.equal(hintOf(view(messages.en), diagnosis).toLowerCase(), own.toLowerCase());
      assert.match(hintOf(view(messages.zh), diagnosis), /\p{Script=Han}/u);
    });
  }

  it('is that of the package, a head at a time', () => {
    const all = diagnose(query, key);
    assert.deepEqual(
      all.map(({ batch, head }) => diagnoseHead(pair, { layer: batch, head }, 1).entropyRatio),
      all.map(({ entropyRatio }) => entropyRatio),
    );
  });

  it('opens at a head with a fault, else at that with the narrowest weights', () => {
    const heads = /** @type {any[]} */ ([
      { diagnosis: { cause: 'none', entropyRatio: 0.5 } },
      { diagnosis: { cause: 'first', entropyRatio: 0.1 } },
      { diagnosis: { cause: 'later', entropyRatio: 0.9 } },
    ]);
    assert.equal(standingOut(heads), heads[2]);
    assert.equal(standingOut(heads.slice(0, 2)), heads[1]);
    assert.equal(standingOut([{ layer: 0, head: 0 }]), undefined); // which is not measured yet
  });

  it('sorts by any column, both ways, and keeps the order of equal heads', () => {
    const heads = /** @type {any[]} */ ([
      { layer: 0, head: 0, diagnosis: { verdict: 'spread', entropyRatio: 0.5 } },
      { layer: 0, head: 1, diagnosis: { verdict: 'frozen', entropyRatio: NaN } },
      { layer: 1, head: 0, diagnosis: { verdict: 'spread', entropyRatio: 0.1 } },
    ]);
    const order = (/** @type {string} */ column, isDescending = false) =>
      sorted(heads, { column, isDescending }).map((each) => heads.indexOf(each));
    assert.deepEqual(order('head', true), [2, 1, 0]);
    assert.deepEqual(order('verdict'), [1, 0, 2]);
    assert.deepEqual(order('entropyRatio'), [1, 2, 0]);
    assert.deepEqual(order('entropyRatio', true), [0, 2, 1]);
  });
});

describe('padding that a file tells', () => {
  const padded = toAttention({ query, key, attentionMask: [1, 1, 1, 1, 0, 0] });
  const shown = { ...padded, options: { mask: withPadding(undefined, padded.attentionMask) } };
  const place = { layer: 1, head: 2 };

  it('gets no weight, and counts neither as key nor as query', () => {
    const { data } = matrixOf(
      { data: weightsOf(shown, place, 1), shape: [1, 1, N, N] },
      { layer: 0, head: 0 },
      1,
    );
    for (let i = 0; i < N; i++) assert.deepEqual([...data.subarray(i * N + 4, i * N + 6)], [0, 0]);
    const all = [query, key].map((tensor, i) => {
      const { data: own } = matrixOf(tensor, place, HEADS);
      return { data: own.slice(0, 4 * D), shape: [4, D], i };
    });
    const [short] = diagnose(.../** @type {[any, any]} */ (all));
    const found = diagnoseHead(shown, place, 1);
    assert.ok(Math.abs(found.entropyRatio - short.entropyRatio) < 1e-6);
    assert.ok(Math.abs(found.effectiveKeys - short.effectiveKeys) < 1e-6);
  });

  it('is hidden by any mask', () => {
    const flags = { data: Uint8Array.of(1, 0, 1, 1), shape: [1, 1, 2, 2] };
    const numbers = { data: Float32Array.of(0, -1, 0, 0), shape: [1, 1, 2, 2] };
    const keep = { data: Uint8Array.of(0, 1), shape: [2] };
    assert.deepEqual([...(withPadding(flags, keep)?.data ?? [])], [0, 0, 0, 1]);
    assert.deepEqual([...(withPadding(numbers, keep)?.data ?? [])], [-Infinity, -1, -Infinity, 0]);
    assert.equal(withPadding(flags, undefined), flags);
  });

  it('of weights alone is said', () => {
    const weights = attentionScores(query, key, { returns: ['weights'] }).weights;
    const given = toAttention({ weights, attentionMask: [1, 1, 1, 1, 0, 0] });
    assert.equal(diagnoseHead(given, place, 1).cause, 'padding');
  });
});

it('names the factor that made weights of the queries and keys beside them', () => {
  const { weights } = attentionScores(query, key, { scale: 1, returns: ['weights'] });
  const all = toAttention({ weights, query, key });
  const { usedScaleName, causes } = diagnoseHead(all, { layer: 1, head: 3 }, 1);
  assert.equal(usedScaleName, '1');
  assert.ok(causes.includes('scale') || causes.includes('unscaled'));
  assert.deepEqual(
    weightsOf(all, { layer: 1, head: 3 }, 1),
    matrixOf(weights, { layer: 1, head: 3 }, HEADS).data,
  );
});

it('shows the head of a layer that shares its keys', () => {
  assert.deepEqual(
    [...matrixOf(key, { layer: 1, head: 3 }, HEADS).data],
    [...key.data.subarray(3 * N * D, 4 * N * D)],
  );
});

it('begins with the recorded model in each language', async () => {
  for (const lang of LANGUAGE_KEYS) {
    const { data } = staticView(spec, { lang, loaded: await spec.load?.(lang) });
    const { layers, heads, example } = /** @type {any} */ (data);
    assert.deepEqual([layers, heads, example], [2, 2, 'words']);
  }
});

describe('a text too long for its weights', () => {
  const n = 2100;
  const [q, k] = [1, 2].map((seed) => randomNormal([n, D], { seed }));
  const long = { ...toAttention({ query: q, key: k }), options: { causal: true } };
  const view = (/** @type {object} */ state = {}) =>
    viewAfter(spec, long, { row: 2000, width: 960, ...state });

  it('shows the chosen row exactly before anything else is known, and says what it takes', () => {
    const shown = view({ column: 7 });
    const { weights } = attentionScores(q, k, { causal: true, returns: ['weights'] });
    assertAllNear(shown.data.row, weights.data.subarray(1999 * n, 2000 * n), 1e-7);
    assert.match(spec.title(shown), /^Layer 1, head 1: “2000” gives “7” /);
    assert.match(
      spec.note?.(shown) ?? '',
      /The weights of a head would take 18 MB: 1.0 MB of them exist at a time\. .*\(0 of 1\)/,
    );
    const svg = drawStatic(spec, shown);
    assert.doesNotMatch(svg, /NaN|undefined/);
    assert.ok(spec.rows(shown).length === n);
  });

  it('shows picture and verdict once they are measured', () => {
    const known = knownOf(long);
    known.maps.set('0.0 1 ', { data: Float32Array.of(0.5, 0, 0.25, 0.125), shape: [2, 2] });
    known.diagnoses.set('0.0 1', diagnose(q, k, { causal: true })[0]);
    const shown = view();
    assert.match(spec.title(shown), /head 1 is spread: /);
    assert.match(spec.note?.(shown) ?? '', /\(1 of 1\)/);
    assert.equal(shown.data.overview[0].thumb.data.length, 4);
  });
});

describe('a region', () => {
  const sizes = { nQ: 1000, nK: 2000 };

  it('is read from its text, and lies within the matrix', () => {
    assert.deepEqual(regionOf('', sizes), {
      rows: { from: 0, to: 1000 },
      columns: { from: 0, to: 2000 },
      zoom: 1,
    });
    assert.deepEqual(regionOf('990.1.4', sizes).rows, { from: 750, to: 1000 });
    assert.deepEqual(regionOf('1.5.99999', sizes).columns, { from: 4, to: 20 });
    for (const text of ['0.1.2', '1.2', '1.1.1.1', 'a', '1.1.-2', 7, '1e9.1.1']) {
      assert.equal(regionField.parse(text), undefined);
    }
  });

  it('zooms in around the chosen cell, and out again', () => {
    const place = { ...sizes, query: 500, key: 0, region: regionOf('', sizes) };
    const text = zoomed(place, true);
    assert.equal(text, '376.1.4');
    const region = regionOf(text, sizes);
    assert.ok(region.rows.from < 500 && region.rows.to > 500 && region.columns.from === 0);
    assert.equal(zoomed({ ...place, region }, false), '');
  });
});

describe('a direction that is switched off', () => {
  const place = { layer: 1, head: 2 };
  const pick = { query: 4, key: 1 };

  it('leaves the weights of scores without its terms', () => {
    const why = atOnce(explain(pair, place, 1.5, pick));
    const row = weightsOf(pair, place, 1.5).subarray(4 * N, 5 * N);
    const { directions } = why.explained;
    const scores = [...row].map(
      (p, j) => Math.log(p) - why.factor * (directions[0].row[j] + directions[2].row[j]),
    );
    const powers = scores.map(Math.exp);
    const sum = powers.reduce((a, b) => a + b);
    assertAllNear(
      rowWithout(row, why, [0, 2]),
      powers.map((x) => x / sum),
      1e-6,
    );
    assert.ok(Math.abs(why.factor - 1.5 / Math.sqrt(D)) < 1e-12);
  });

  it('leaves one mean weight for all keys where all are off', () => {
    const small = toAttention({ query: [[1, 0], [0, 1]], key: [[1, 2], [3, 4], [0, 1]] }); // prettier-ignore
    const first = { layer: 0, head: 0 };
    const why = atOnce(explain(small, first, 1, { query: 0, key: 0 }));
    const row = weightsOf(small, first, 1).subarray(0, 3);
    assertAllNear(rowWithout(row, why, [0, 1]), [1 / 3, 1 / 3, 1 / 3], 1e-6);
  });

  it('is named in the title, with the weight that it leaves', () => {
    const view = viewAfter(spec, pair, { without: '1.2', row: 5, column: 2 });
    assert.match(spec.title(view), /without direction 1, 2: “5” would give “2” .* not /);
  });
});

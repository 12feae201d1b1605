// What a head has learned, against weights, gradients and variances written out.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { batchOf } from '../../../web/experiments/roles-language.js';
import { rolesLanguage } from '../../../web/experiments/roles-language.js';
import { adjectiveRow, nounMaps, scoreMatrix } from '../../../web/experiments/roles-looks.js';
import { lookAt, rolesRuns, testSentences } from '../../../web/experiments/roles.js';
import * as language from '../../../web/language/index.js';
import { atOnce, partsOf } from '../../../web/shared/slices.js';

/** @import { Model } from '../../../web/language/index.js' */

const toy = rolesLanguage('en');
/** @type {Model} */
let scaled;
/** @type {Model} */
let unscaled;

before(() => {
  const work = rolesRuns(language, { steps: 60, every: 60, dKey: 16, scales: ['1/√d', 'none'] });
  const rows = atOnce(partsOf(work)).filter(({ step }) => step === 60);
  work.dispose();
  [scaled, unscaled] = rows.map(({ model }) => /** @type {Model} */ (model));
});

const mean = (/** @type {number[]} */ values) => values.reduce((a, b) => a + b) / values.length;

test('an adjective’s weights are the means over its sentences, and the top has the most', () => {
  for (const adjective of ['tired', 'wide', 'rusty']) {
    const row = adjectiveRow(language, unscaled, toy, adjective);
    const sentences = testSentences(toy).filter(({ words, at }) => words[at] === adjective);
    const looks = lookAt(language, unscaled, toy, sentences);
    assert.ok(sentences.length > 0);
    const onNoun = looks.map(({ weights }, i) => weights[sentences[i].noun]);
    assert.ok(Math.abs(row.nounWeight - mean(onNoun)) < 1e-12);
    const onWord = looks.map(({ weights }, i) =>
      row.top === 'word'
        ? weights
            .filter((_, place) => sentences[i].words[place] === row.word)
            .reduce((a, b) => a + b, 0)
        : weights[sentences[i][row.top]],
    );
    assert.ok(Math.abs(row.topWeight - mean(onWord)) < 1e-6);
    assert.ok(row.topWeight >= row.nounWeight);
    const toNoun = looks.filter(
      ({ weights }, i) => weights[sentences[i].noun] === Math.max(...weights),
    );
    assert.equal(row.found, toNoun.length / looks.length > 0.9);
  }
});

test('the gradient is the slope of the loss along W_Q', () => {
  const row = adjectiveRow(language, scaled, toy, 'tired');
  const sentences = testSentences(toy).filter(({ words, at }) => words[at] === 'tired');
  const { tokens, targets } = batchOf(toy, sentences);
  const { gradients } = language.lossGradient(scaled, tokens, targets);
  const direction = gradients['layers.0.queryWeight'].data;
  const lossAt = (/** @type {number} */ step) => {
    const { data, shape } = scaled.parameters['layers.0.queryWeight'];
    const moved = { data: data.map((x, i) => x + (step * direction[i]) / row.gradient), shape };
    const parameters = { ...scaled.parameters, 'layers.0.queryWeight': moved };
    return language.lossGradient({ ...scaled, parameters }, tokens, targets).loss;
  };
  const slope = (lossAt(0.01) - lossAt(-0.01)) / 0.02;
  assert.ok(Math.abs(slope / row.gradient - 1) < 0.02, `${slope} against ${row.gradient}`);
});

test('size and directions of W_QᵀW_K are those of its singular values', () => {
  /** @param {number[]} values @param {(row: number, column: number, turn: number) => number} turned */
  const modelOf = (values, turned) => {
    const [d, width] = [values.length, values.length + 2];
    const weight = (/** @type {number} */ turn, /** @type {readonly number[]} */ sizes) => ({
      data: Float32Array.from({ length: d * width }, (_, i) => {
        const [row, column] = [Math.floor(i / width), i % width];
        return column < d ? sizes[row] * turned(row, column, turn) : 0;
      }),
      shape: [d, width],
    });
    const parameters = {
      'layers.0.queryWeight': weight(0, values),
      'layers.0.keyWeight': weight(1, values.map(() => 1)), // prettier-ignore
    };
    return /** @type {Model} */ (/** @type {unknown} */ ({ parameters }));
  };
  // The rows of both are orthonormal, so that the singular values are those given.
  const reflected = (
    /** @type {number} */ row,
    /** @type {number} */ column,
    /** @type {number} */ turn,
  ) => {
    const axis = [turn + 1, 2, -1, 0.5];
    const square = axis.reduce((sum, x) => sum + x * x, 0);
    return Number(row === column) - (2 * axis[row] * axis[column]) / square;
  };
  const near = (/** @type {number} */ found, /** @type {number} */ expected) =>
    assert.ok(Math.abs(found / expected - 1) < 1e-5, `${found}, expected ${expected}`);
  for (const [values, directions] of /** @type {const} */ ([
    [[3, 3, 3, 3], 4],
    [[5, 0, 0, 0], 1],
    [[4, 2, 1, 0.5], (16 + 4 + 1 + 0.25) ** 2 / (256 + 16 + 1 + 0.0625)],
  ])) {
    const found = scoreMatrix(modelOf([...values], reflected));
    near(found.size, Math.hypot(...values));
    near(found.directions, directions);
  }
});

test('training with 1/√d_k leaves fewer directions in W_QᵀW_K than without a scale', () => {
  const [own, other] = [scaled, unscaled].map((model) => scoreMatrix(model).directions);
  assert.ok(own < other, `${own} against ${other}`);
});

test('maps keep the variance that two directions can hold, the first more than the second', () => {
  const { keys, values } = nounMaps(language, scaled, toy);
  for (const { rows, between } of [keys, values]) {
    assert.deepEqual(
      rows.map(({ noun }) => noun),
      toy.kinds.flatMap(({ nouns }) => nouns),
    );
    const [x, y] = [rows.map((row) => row.x), rows.map((row) => row.y)];
    const squares = (/** @type {number[]} */ axis) => mean(axis.map((at) => at * at));
    for (const axis of [x, y]) assert.ok(Math.abs(mean(axis)) < 1e-6);
    assert.ok(squares(x) > squares(y) && squares(y) > 0);
    assert.ok(squares(x) + squares(y) <= 1 + 1e-6);
    assert.ok(Math.abs(mean(x.map((at, i) => at * y[i]))) < 1e-3, 'they do not vary together');
    assert.ok(x[0] >= 0 && y[0] >= 0);
    assert.ok(between > 0 && between < 1);
  }
});

test('queries stand on the side of the keys that score highest, in the directions that explain most', () => {
  const { keys, values } = nounMaps(language, scaled, toy);
  const queries = keys.queries ?? [];
  assert.equal(values.queries, undefined);
  assert.deepEqual(
    queries.map(({ adjective }) => adjective),
    toy.kinds.flatMap(({ adjectives }) => adjectives),
  );
  assert.ok(Math.abs(mean(queries.map(({ x, y }) => x * x + y * y)) - 1) < 1e-9);
  const all = testSentences(toy);
  const [asking] = language.attentionOf(scaled, batchOf(toy, all).tokens);
  const texts = keys.rows.map(({ noun }) => ['<', 'the', noun].map((word) => toy.tokens[word]));
  const [told] = language.attentionOf(scaled, texts);
  const d = scaled.config.dKey;
  const at = (
    /** @type {number[]} */ shape,
    /** @type {number} */ text,
    /** @type {number} */ place,
  ) => (text * shape[2] + place) * d;
  const score = (/** @type {number} */ text, /** @type {number} */ noun) => {
    const [q, k] = [at(asking.query.shape, text, all[text].at), at(told.key.shape, noun, 2)];
    return Array.from({ length: d }, (_, i) => asking.query.data[q + i] * told.key.data[k + i]);
  };
  const middle = keys.rows.map((_, noun) =>
    mean(all.map((_, text) => score(text, noun).reduce((a, b) => a + b))),
  );
  /** The mean scores of each query, less those of all queries, around their own mean over the nouns. */
  const scores = queries.map(({ adjective }) => {
    const own = all.flatMap(({ words, at: place }, text) =>
      words[place] === adjective ? [text] : [],
    );
    const raw = keys.rows.map(
      (_, noun) =>
        mean(own.map((text) => score(text, noun).reduce((a, b) => a + b))) - middle[noun],
    );
    return raw.map((each) => each - mean(raw));
  });
  // One factor for all queries turns products of places into scores, whose rest neither direction explains.
  const products = queries.map(({ x, y }) => keys.rows.map((noun) => x * noun.x + y * noun.y));
  const sum = (/** @type {number[][]} */ a, /** @type {number[][]} */ b) =>
    a.flat().reduce((total, each, i) => total + each * b.flat()[i], 0);
  const factor = sum(scores, products) / sum(products, products);
  assert.ok(factor > 0);
  scores.forEach((row, q) => {
    const rest = row.map((each, noun) => each - factor * products[q][noun]);
    for (const axis of /** @type {const} */ (['x', 'y'])) {
      const along = rest.reduce((total, each, noun) => total + each * keys.rows[noun][axis], 0);
      assert.ok(Math.abs(along) < 1e-3 * Math.sqrt(sum(scores, scores)), `${q} ${axis} ${along}`);
    }
  });
});

test('the share between kinds is that of the scores of keys, and of the outputs of values', () => {
  const { keys, values } = nounMaps(language, scaled, toy);
  const nouns = toy.kinds.flatMap((kind) => kind.nouns.map((noun) => ({ noun, kind: kind.name })));
  const tokenOf = (/** @type {string} */ word) => toy.tokens[word];
  const sentences = testSentences(toy);
  const [asking] = language.attentionOf(scaled, batchOf(toy, sentences).tokens);
  const texts = nouns.map(({ noun }) => [tokenOf('<'), tokenOf('the'), tokenOf(noun)]);
  const [told] = language.attentionOf(scaled, texts);
  const d = scaled.config.dKey;
  const row = (
    /** @type {{ data: Float32Array, shape: number[] }} */ { data, shape },
    /** @type {number} */ text,
    /** @type {number} */ place,
  ) => Array.from(data.subarray((text * shape[2] + place) * d, (text * shape[2] + place + 1) * d));
  const dot = (/** @type {number[]} */ a, /** @type {number[]} */ b) =>
    a.reduce((sum, x, i) => sum + x * b[i], 0);
  const output = Array.from({ length: 32 }, (_, i) =>
    Array.from(scaled.parameters['layers.0.outputWeight'].data.subarray(i * d, (i + 1) * d)),
  );
  const queries = sentences.map(({ at }, i) => row(asking.query, i, at));
  const middle = queries[0].map((_, e) => mean(queries.map((query) => query[e])));
  const readers = {
    keys: queries.map((query) => query.map((x, e) => x - middle[e])),
    values: output,
  };
  /** The share between kinds of numbers, one a noun, as sums of squares. */
  const parts = (/** @type {number[]} */ numbers) => {
    const all = mean(numbers);
    const own = nouns.map(({ kind }) => mean(numbers.filter((_, i) => nouns[i].kind === kind)));
    return [own, numbers].map((list) => list.reduce((sum, x) => sum + (x - all) ** 2, 0));
  };
  for (const [name, map] of /** @type {const} */ ([
    ['keys', keys],
    ['values', values],
  ])) {
    let [between, total] = [0, 0];
    for (const reader of readers[name]) {
      const vectors = nouns.map((_, i) => row(name === 'keys' ? told.key : told.value, i, 2));
      const [some, all] = parts(vectors.map((vector) => dot(vector, reader)));
      between += some;
      total += all;
    }
    assert.ok(Math.abs(map.between - between / total) < 1e-6, name);
  }
});

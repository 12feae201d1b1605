/** Models: their start, their sizes, and the inputs that are refused. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { attention, attentionScores, describe } from '../../../web/attention/index.js';
import {
  attentionOf,
  createModel,
  load,
  logits,
  lossGradient,
  save,
} from '../../../web/language/index.js';
import { runs } from '../runs.js';
import { testRefusals } from '../refusals.js';

const SIZES = { vocabulary: 11, context: 6, dModel: 8, layers: 2, heads: 2, dKey: 4 };
const model = createModel({ ...SIZES, seed: 7 });
const TOKENS = [[1, 2, 3, 4], [5, 6, 7, 0]]; // prettier-ignore

test('a start is that of its seed, and each parameter has numbers apart from the others', () => {
  const again = createModel({ ...SIZES, seed: 7 });
  const other = createModel({ ...SIZES, seed: 8 });
  assert.deepEqual(again, model);
  assert.notDeepEqual(other.parameters.token, model.parameters.token);
  const { 'layers.0.queryWeight': query, 'layers.0.keyWeight': key } = model.parameters;
  assert.notDeepEqual(query.data, key.data);
});

test('queries and keys start with variance 1 / dModel, outputs smaller, embeddings at .05', () => {
  const wide = createModel({ vocabulary: 300, context: 100, dModel: 64, layers: 8, seed: 1 });
  const std = (/** @type {string} */ name) => Math.sqrt(describe(wide.parameters[name]).variance);
  const near = (/** @type {number} */ got, /** @type {number} */ expected) =>
    assert.ok(Math.abs(got / expected - 1) < 0.05, `${got} against ${expected}`);
  for (const name of ['query', 'key', 'value', 'up']) near(std(`layers.3.${name}Weight`), 1 / 8);
  near(std('layers.3.outputWeight'), 1 / 8 / 4);
  near(std('layers.3.downWeight'), 1 / 16 / 4);
  near(std('token'), 0.05);
  near(std('position'), 0.05);
  assert.ok(wide.parameters['layers.7.norm2.weight'].data.every((x) => x === 1));
  assert.ok(wide.parameters['layers.7.upBias'].data.every((x) => x === 0));
});

test('given parameters are copied', () => {
  const copy = createModel({ ...SIZES, parameters: model.parameters });
  assert.deepEqual(copy.parameters, model.parameters);
  assert.notEqual(copy.parameters.token.data, model.parameters.token.data);
});

test('every form of tokens gives the same logits', () => {
  const expected = logits(model, TOKENS);
  const data = TOKENS.flat();
  const shape = [2, 4];
  const forms = [
    { data: Int32Array.from(data), shape },
    { data: Uint8Array.from(data), dims: shape },
    { data: BigInt64Array.from(data.map(BigInt)), dims: shape },
    { data: Float64Array.from(data), shape },
    { data, shape },
  ];
  for (const form of forms) assert.deepEqual(logits(model, form), expected);
  const one = logits(model, TOKENS[1]);
  assert.deepEqual(one.shape, [4, 11]);
  assert.deepEqual(one.data, expected.data.slice(44));
});

test('the attention of a layer is that of its queries, keys and values', () => {
  const layers = attentionOf(model, TOKENS);
  assert.equal(layers.length, 2);
  for (const { query, key, value, scores, weights } of layers) {
    assert.deepEqual(value.shape, [2, 2, 4, 4]);
    const again = attention(query, key, value, { causal: true, returns: ['scores', 'weights'] });
    assert.deepEqual(scores, again.scores);
    assert.deepEqual(weights, again.weights);
  }
});

test('a gradient has nothing for tokens that neither come nor are logits that matter', () => {
  const { gradients } = lossGradient(model, [[1, 2]], [[2, -1]]);
  const places = gradients.position.data;
  assert.ok(places.slice(0, 8).some((x) => x !== 0));
  assert.ok(places.slice(8).every((x) => x === 0));
});

test('an empty text has empty logits', () => {
  assert.deepEqual(logits(model, { data: [], shape: [0, 4] }).shape, [0, 4, 11]);
  assert.deepEqual(logits(model, [[], []]).shape, [2, 0, 11]);
});

testRefusals(
  [
    [
      () => logits(model, [[1, 11]]),
      'DTypeError: logits: tokens[0][1] is 11, expected an integer from 0 to 10',
    ],
    [
      () => logits(model, [1.5]),
      'DTypeError: logits: tokens[0] is 1.5, expected an integer from 0 to 10',
    ],
    [
      () => logits(model, { data: Int32Array.of(1, -1), shape: [1, 2] }),
      'DTypeError: logits: tokens[1] is -1, expected an integer from 0 to 10',
    ],
    [
      () => logits(model, /** @type {any} */ ('to be')),
      "DTypeError: logits: tokens is 'to be', expected a tensor",
    ],
    [
      () => logits(model, [[1, 2, 3, 4, 5, 6, 7]]),
      "ShapeError: logits: tokens is [1, 7], expected a last axis of at most 6, the model's context",
    ],
    [
      () => logits(model, [[1, 2], [3]]),
      'ShapeError: logits: tokens[1] has length 1, expected an array of 2 to match tokens[0]',
    ],
    [
      () => lossGradient(model, TOKENS, [[1, 2, 3, 4]]),
      'ShapeError: lossGradient: targets is [1, 4], expected [2, 4] to match tokens',
    ],
    [
      () => lossGradient(model, [[1, 2]], [[2, -2]]),
      'DTypeError: lossGradient: targets[0][1] is -2, expected an integer from -1 to 10, −1 for none',
    ],
    [
      () => lossGradient(model, [[1, 2]], [[-1, -1]]),
      'DTypeError: lossGradient: targets is an array, expected at least one that is not −1',
    ],
    [
      () => logits(/** @type {any} */ ({}), [1]),
      'DTypeError: logits: model is an object, expected a model, as createModel returns it',
    ],
    [
      () =>
        logits(
          { ...model, parameters: { ...model.parameters, token: /** @type {any} */ (undefined) } },
          [1],
        ),
      'ShapeError: logits: parameters has no token, expected one of [11, 8]',
    ],
    [
      () => createModel({ ...SIZES, parameters: { ...model.parameters, token: [[1, 2]] } }),
      "ShapeError: createModel: token is [1, 2], expected [11, 8] to match the model's sizes",
    ],
    [
      () => createModel({ ...SIZES, dModel: 1, dKey: 1, parameters: { tokens: [[1]] } }),
      "DTypeError: createModel: unknown parameter 'tokens' (did you mean 'token'?), expected one of token, position",
    ],
    [
      () => createModel({ ...SIZES, layers: 0, seed: 1 }),
      'DTypeError: createModel: layers is 0, expected a positive safe integer',
    ],
    [
      () => createModel({ vocabulary: 4, context: 4, dModel: 7, heads: 2, seed: 1 }),
      'ShapeError: createModel: heads is 2, expected a divisor of dModel 7, or dKey with it',
    ],
    [
      () => createModel(SIZES),
      'DTypeError: createModel: seed is undefined, expected a non-negative safe integer',
    ],
    [
      () => createModel({ ...SIZES, vocabulary: 2 ** 40, seed: 1 }),
      'CapacityError: createModel: the model has 8796093023952 parameters, expected at most 1073741824',
    ],
  ],
  () => assert.deepEqual(logits(model, [[1, 2]]).shape, [1, 2, 11]),
);

test('NaN in a parameter reaches the logits that it touches, and no others', () => {
  const own = createModel({ ...SIZES, seed: 7 });
  own.parameters.position.data[2 * 8] = NaN;
  const { data } = logits(own, TOKENS[0]);
  assert.ok(data.slice(0, 22).every(Number.isFinite));
  assert.ok(data.slice(22).every(Number.isNaN));
});

test('models of any small size give finite logits and gradients', () => {
  const sizes = fc.record({
    vocabulary: fc.integer({ min: 1, max: 20 }),
    context: fc.integer({ min: 1, max: 20 }),
    dModel: fc.integer({ min: 1, max: 12 }),
    layers: fc.integer({ min: 1, max: 3 }),
    heads: fc.integer({ min: 1, max: 3 }),
    dKey: fc.integer({ min: 1, max: 9 }),
    seed: fc.nat(),
    queryKeyNorm: fc.boolean(),
    learnedScale: fc.boolean(),
    values: fc.constantFrom(undefined, /** @type {const} */ ('keys')),
  });
  fc.assert(
    fc.property(sizes, fc.infiniteStream(fc.nat()), ({ seed, ...config }, numbers) => {
      const small = createModel({ ...config, seed });
      const row = () =>
        Array.from({ length: config.context }, () => numbers.next().value % config.vocabulary);
      const [tokens, targets] = [[row(), row()], [row(), row()]]; // prettier-ignore
      assert.ok(logits(small, tokens).data.every(Number.isFinite));
      const { loss, gradients } = lossGradient(small, tokens, targets);
      assert.ok(loss >= 0);
      for (const { data } of Object.values(gradients)) assert.ok(data.every(Number.isFinite));
    }),
    runs(100),
  );
});

test('keys that serve as values are its values, without parameters of their own, also in a file', () => {
  const sizes = { vocabulary: 12, context: 8, dModel: 4, heads: 2, seed: 1 };
  const model = createModel({ ...sizes, values: 'keys' });
  assert.equal(model.config.values, 'keys');
  assert.ok(!('values' in createModel(sizes).config));
  assert.ok(!Object.keys(model.parameters).some((name) => name.endsWith('valueWeight')));
  for (const { key, value } of attentionOf(model, [3, 1, 4])) assert.deepEqual(value, key);
  const loaded = load(save(model));
  assert.deepEqual(loaded.config, model.config);
  assert.deepEqual(Object.keys(loaded.parameters), Object.keys(model.parameters));
  assert.throws(
    () => createModel({ ...sizes, values: /** @type {any} */ ('queries') }),
    /createModel: values is 'queries', expected 'keys'/,
  );
});

/** Returns the root mean square of some numbers. @param {Float32Array} data */
const rms = (data) => Math.sqrt(data.reduce((sum, x) => sum + x * x, 0) / data.length);

const SMALL = { vocabulary: 12, context: 8, dModel: 6, heads: 2, dKey: 5, seed: 1 };

test('normalised queries and keys have a root mean square of 1 at the start, or that of normGain', () => {
  for (const normGain of [1, 0.25]) {
    const model = createModel({ ...SMALL, queryKeyNorm: true, normGain });
    assert.deepEqual(model.parameters['layers.1.queryNorm.weight'].shape, [5]);
    for (const { query, key } of attentionOf(model, [3, 1, 4])) {
      for (let i = 0; i < query.data.length; i += 5) {
        assert.ok(Math.abs(rms(query.data.subarray(i, i + 5)) / normGain - 1) < 1e-4);
        assert.ok(Math.abs(rms(key.data.subarray(i, i + 5)) / normGain - 1) < 1e-4);
      }
    }
  }
});

test('values that are keys are so before the norm', () => {
  const of = { ...SMALL, values: /** @type {const} */ ('keys') };
  const plain = attentionOf(createModel(of), [3, 1, 4])[0];
  const normed = attentionOf(createModel({ ...of, queryKeyNorm: true }), [3, 1, 4])[0];
  assert.deepEqual(normed.value, plain.value);
  assert.notDeepEqual(normed.key, plain.key);
});

test('learned scales start at the scale, and each head has its own scores by them', () => {
  const model = createModel({ ...SMALL, scale: 0.3, learnedScale: true });
  const { data, shape } = model.parameters['layers.1.logScale'];
  assert.deepEqual(shape, [2]);
  assert.deepEqual([...data], [Math.fround(Math.log(0.3)), Math.fround(Math.log(0.3))]);
  data.set([0, Math.log(2)]);
  const [, { query, key, value, scores, weights }] = attentionOf(model, [[3, 1], [4, 1]]); // prettier-ignore
  const { scores: ones } = attentionScores(query, key, { scale: 1 });
  scores.data.forEach((score, i) => {
    const expected = ones.data[i] * (i % 8 < 4 ? 1 : 2);
    assert.ok(Math.abs(score - expected) <= 1e-6 * Math.abs(expected), `${i}`);
  });
  const twice = attention(query, key, value, { scale: 2, causal: true, returns: ['weights'] });
  assert.deepEqual(weights.data.slice(12), twice.weights.data.slice(12));
});

test('variants come back from a file, with the logits of parameters in 16 bits', () => {
  const model = createModel({ ...SMALL, queryKeyNorm: true, learnedScale: true, values: 'keys' });
  const loaded = load(save(model));
  assert.deepEqual(loaded.config, model.config);
  assert.deepEqual(loaded.config, {
    ...createModel(SMALL).config,
    queryKeyNorm: true,
    learnedScale: true,
    values: 'keys',
  });
  const [before, after] = [model, loaded].map((each) => logits(each, [3, 1, 4]).data);
  before.forEach((x, i) => assert.ok(Math.abs(x - after[i]) < 1e-3));
  assert.deepEqual(
    createModel({ ...SMALL, queryKeyNorm: false, learnedScale: false }),
    createModel(SMALL),
  );
});

testRefusals([
  [
    () => createModel({ ...SMALL, queryKeyNorm: /** @type {any} */ (1) }),
    'DTypeError: createModel: queryKeyNorm is 1, expected one of false, true',
  ],
  [
    () => createModel({ ...SMALL, normGain: 0.5 }),
    'DTypeError: createModel: normGain is 0.5, expected queryKeyNorm with it',
  ],
  [
    () => createModel({ ...SMALL, learnedScale: true, scale: 0 }),
    'DTypeError: createModel: scale is 0, expected a positive float32 number, at which learnedScale starts',
  ],
]);

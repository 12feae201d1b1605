// How options are read.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  readChoice,
  readChoices,
  readInteger,
  readNumber,
  readOptions,
  readPositive,
} from '../../../web/attention/options.js';

test('undefined means the default', () => {
  assert.deepEqual(readOptions('f', undefined, ['a']), {});
  assert.deepEqual(readOptions('f', { a: undefined }, ['a']), { a: undefined });
  assert.equal(readChoice('f', 'a', undefined, ['x', 'y']), 'x');
  assert.deepEqual(readChoices('f', 'a', undefined, ['x', 'y']), []);
  assert.equal(readNumber('f', 'a', undefined, 7), 7);
  assert.equal(readPositive('f', 'a', undefined, 7), 7);
});

test('known values pass, in float64 where they are numbers', () => {
  assert.equal(readChoice('f', 'a', true, [false, true]), true);
  assert.deepEqual(readChoices('f', 'a', ['y', 'x', 'y'], ['x', 'y']), ['y', 'x', 'y']);
  assert.equal(readNumber('f', 'a', 0.1, 1), 0.1);
  assert.equal(readInteger('f', 'a', 0, 0), 0);
  assert.equal(readInteger('f', 'a', 2 ** 53 - 1, 1), 2 ** 53 - 1);
});

test('options must be an object and its names known; inherited names do not count', () => {
  for (const options of [null, 3, 'x', true, [], () => {}]) {
    assert.throws(() => readOptions('f', options, ['a']), { name: 'DTypeError' });
  }
  assert.throws(() => readOptions('f', { b: undefined }, ['a', 'c']), {
    name: 'DTypeError',
    message: "f: unknown option 'b', expected one of a, c",
  });
  assert.throws(() => readOptions('f', JSON.parse('{"__proto__": 1}'), ['a']), {
    message: "f: unknown option '__proto__', expected one of a",
  });
  assert.ok(readOptions('f', Object.create({ b: 1 }), ['a']));
});

test('a single choice stands for a list of one', () => {
  assert.deepEqual(readChoices('f', 'a', 'y', ['x', 'y']), ['y']);
  assert.throws(() => readChoices('f', 'a', 'z', ['x', 'y']), {
    name: 'DTypeError',
    message: "f: a is 'z', expected one of 'x', 'y'",
  });
});

test('options of other libraries are answered with the spelling here', () => {
  const known = ['causal', 'mask', 'returns', 'window', 'keyLengths', 'into'];
  const cases = {
    is_causal: 'causal',
    attn_mask: 'mask',
    key_padding_mask: 'keyLengths, or mask [b, 1, 1, n_k] of booleans, true for a key to keep',
    need_weights: "returns: ['weights']",
    dropout_p: 'no option: there is no dropout',
    enable_gqa: 'no option: fewer key heads than query heads are grouped',
    left_window_size: 'window: [left, right]',
    out: 'into',
  };
  for (const [name, hint] of Object.entries(cases)) {
    assert.throws(() => readOptions('f', { [name]: true }, known), {
      name: 'DTypeError',
      message: `f: unknown option '${name}' (here ${hint}), expected one of ${known.join(', ')}`,
    });
  }
  for (const name of ['is_causal', 'toString', 'attn_mask']) {
    assert.throws(() => readOptions('f', { [name]: true }, ['into']), {
      message: `f: unknown option '${name}', expected one of into`,
    });
  }
});

test('a Map is not an object of options', () => {
  assert.throws(() => readOptions('f', new Map([['a', 1]]), ['a']), {
    name: 'DTypeError',
    message: 'f: options is a Map, expected an object: Object.fromEntries(map)',
  });
});

test('numbers that float32 cannot hold are refused', () => {
  for (const value of [NaN, Infinity, -Infinity, 1e39, '1', null, 1n, [1], {}]) {
    assert.throws(() => readNumber('f', 'a', value, 1), { name: 'DTypeError' });
  }
  for (const value of [0, -0, -1, 1e-46]) {
    assert.throws(() => readPositive('f', 'a', value, 1), { name: 'DTypeError' });
  }
  for (const value of [-1, 0.5, 2 ** 53, NaN, '1', undefined]) {
    assert.throws(() => readInteger('f', 'a', value, 0), { name: 'DTypeError' });
  }
  assert.throws(() => readInteger('f', 'a', 0, 1), {
    message: 'f: a is 0, expected a positive safe integer',
  });
});

test('a misspelt name or value is answered with the known one that is near', () => {
  const known = ['scale', 'dModel', 'keyLengths'];
  for (const [name, meant] of Object.entries({
    sacle: 'scale',
    d_model: 'dModel',
    keylength: 'keyLengths',
  })) {
    assert.throws(() => readOptions('f', { [name]: 1 }, known), {
      message: `f: unknown option '${name}' (did you mean '${meant}'?), expected one of ${known.join(', ')}`,
    });
  }
  assert.throws(() => readChoices('f', 'returns', 'weight', ['weights', 'scores']), {
    message:
      "f: returns is 'weight', expected one of 'weights', 'scores' (did you mean 'weights'?)",
  });
});

// Checks of the arguments of laws.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkChoice, checkOptions, checkRange, checkSizes } from '../../../web/theory/check.js';

test('sizes are positive integers', () => {
  checkSizes('f', { a: 1, b: 2 });
  for (const wrong of /** @type {any[]} */ ([
    0,
    -1,
    1.5,
    NaN,
    Infinity,
    '3',
    undefined,
    Symbol('s'),
  ])) {
    assert.throws(() => checkSizes('f', { a: wrong }), /f: a is .* expected a positive integer/);
  }
});

test('a range is of finite numbers, also where it has no upper end', () => {
  checkRange('f', { a: 0, b: 1e300 });
  checkRange('f', { a: -1, b: 1 }, -1, 1);
  for (const wrong of /** @type {any[]} */ ([Infinity, NaN, -1e-300, '3', undefined])) {
    assert.throws(
      () => checkRange('f', { a: wrong }),
      /^DTypeError: f: a is .*, expected at least 0$/,
    );
  }
  assert.throws(
    () => checkRange('f', { a: 1.1 }, -1, 1),
    /^DTypeError: f: a is 1\.1, expected -1 to 1$/,
  );
});

test('a choice is one of the names', () => {
  checkChoice('f', 'a', 'x', ['x', 'y']);
  for (const wrong of /** @type {any[]} */ (['z', 'toString', undefined, null, 1])) {
    const expected = { name: 'DTypeError', message: /^f: a is .*, expected one of 'x', 'y'$/ };
    assert.throws(() => checkChoice('f', 'a', wrong, ['x', 'y']), expected);
  }
});

test('options that a function does not have are refused, with those that it has', () => {
  checkOptions('f', {}, 'a, b');
  checkOptions('f', { b: 1 }, 'a, b');
  assert.throws(() => checkOptions('f', { a: 1, c: undefined, d: 1 }, 'a, b'), {
    name: 'DTypeError',
    message: "f: unknown option 'c', expected one of a, b",
  });
});

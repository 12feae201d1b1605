// Checks of arguments, which theory and experiments share.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  checkChoice,
  checkNames,
  checkRange,
  checkSizes,
  refuse,
} from '../../../web/shared/check.js';

test('sizes are positive integers, alone or in lists', () => {
  checkSizes('f', { a: 1, b: [2, 3] });
  for (const wrong of /** @type {any[]} */ ([0, -1, 1.5, NaN, Infinity, '3', undefined])) {
    assert.throws(() => checkSizes('f', { a: wrong }), /f: a is .* expected a positive integer/);
    assert.throws(() => checkSizes('f', { b: [1, wrong] }), /f: b is .* expected/);
  }
});

test('a range is of finite numbers, also where it has no upper end', () => {
  checkRange('f', { a: 0, b: [1e300] });
  checkRange('f', { a: [-1, 1] }, -1, 1);
  for (const wrong of /** @type {any[]} */ ([Infinity, NaN, -1e-300, '3', undefined])) {
    assert.throws(
      () => checkRange('f', { a: wrong }),
      /^RangeError: f: a is .*, expected at least 0$/,
    );
  }
  assert.throws(
    () => checkRange('f', { a: [0, 1.1] }, -1, 1),
    /^RangeError: f: a is 1\.1, expected -1 to 1$/,
  );
});

test('a choice is one of the names, and no property that every object has', () => {
  checkChoice('f', 'a', 'x', { x: 1, y: 2 });
  for (const wrong of /** @type {any[]} */ (['z', 'toString', undefined, null, 1])) {
    const expected = { name: 'RangeError', message: /^f: a is .*, expected one of x, y$/ };
    assert.throws(() => checkChoice('f', 'a', wrong, { x: 1, y: 2 }), expected);
  }
});

test('texts are shown in quotes, other values as they are', () => {
  assert.throws(() => refuse('f', 'a', '8', 'a number'), /^RangeError: f: a is '8', expected a/);
  assert.throws(() => refuse('f', 'a', 8, 'a text'), /^RangeError: f: a is 8, expected a/);
  assert.throws(() => refuse('f', 'a', Symbol('s'), 'a text'), /a is Symbol\(s\), expected/);
});

test('options that a function does not have are refused, with those that it has', () => {
  checkNames('f', {}, 'a, b');
  checkNames('f', { b: 1 }, 'a, b');
  assert.throws(() => checkNames('f', { a: 1, c: undefined, d: 1 }, 'a, b'), {
    name: 'TypeError',
    message: "f: unknown option 'c', expected one of a, b",
  });
});

// Results are written into given arrays, which are checked before anything is written.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as lab from '../../../web/attention/index.js';
import { at, callsOf, replace } from './functions.js';

const { attention, attentionGradient, randomNormal } = lab;

/** Returns the arrays of a result by the names that `into` has for them, each as `make` has it; by default
 *  fresh and full of sevens.
 *  @param {any} result @returns {Record<string, Float32Array>} */
function targetsOf(
  result,
  make = (/** @type {Float32Array} */ { length }) => new Float32Array(length).fill(7),
) {
  const named = result.data instanceof Float32Array ? { output: result } : result;
  const tensors = Object.entries(named).filter(([, part]) => part.data instanceof Float32Array);
  return Object.fromEntries(tensors.map(([name, { data }]) => [name, make(data)]));
}

/** @param {Record<string, any>} into @param {string} [except] */
function expectUntouched(into, except) {
  for (const [name, array] of Object.entries(into)) {
    if (name !== except) assert.ok(array.every((/** @type {number} */ x) => x === 7 || x === 0));
  }
}

/** @param {Float32Array} target @returns {[unknown, string, RegExp][]} */
function wrongTargets({ length }) {
  const detached = new Float32Array(length);
  structuredClone(detached, { transfer: [detached.buffer] });
  return [
    [
      new Float32Array(length + 1),
      'ShapeError',
      / has length \d+, expected \d+ for a result of \[/,
    ],
    [
      new Float64Array(length),
      'DTypeError',
      / is a Float64Array, expected a Float32Array of length/,
    ],
    [Array(length).fill(7), 'DTypeError', / is an array, expected a Float32Array of length/],
    [{ data: new Float32Array(length) }, 'DTypeError', / is an object, expected a Float32Array/],
    [null, 'DTypeError', / is null, expected a Float32Array of length/],
    [detached, 'DTypeError', / is on a detached or shrunken buffer, expected one with data/],
  ];
}

/** Returns a copy of an array, and another one that shares its last entry. @param {Float32Array} data
 *  @param {number} length */
function overlapping(data, length) {
  const memory = new Float32Array(data.length + length - 1);
  memory.set(data);
  return [memory.subarray(0, data.length), memory.subarray(data.length - 1)];
}

for (const [name, entry] of Object.entries(callsOf(lab))) {
  const { args, tensors, options } = entry;
  const expected = entry.call(...args);
  if (options === undefined || Array.isArray(expected)) continue;

  test(`${name} writes results into given arrays, or changes none of them`, () => {
    const call = (/** @type {any} */ changed, /** @type {unknown} */ into) =>
      entry.call(...replace(changed, [options, 'into'], into));
    const targets = targetsOf(expected);
    const result = call(args, targets);
    assert.deepEqual(result, expected);
    const kept = targetsOf(result, (data) => /** @type {any} */ (data));
    for (const target of Object.keys(targets)) assert.equal(kept[target], targets[target]);
    for (const target of Object.keys(targets)) {
      for (const [value, error, message] of wrongTargets(targets[target])) {
        const into = { ...targetsOf(expected), [target]: value };
        const text = new RegExp(`^${name}: into.${target}${message.source}`);
        assert.throws(() => call(args, into), { name: error, message: text });
        expectUntouched(into, target);
      }
      for (const [path, argument] of tensors) {
        const [input, array] = overlapping(at(args, path).data, targets[target].length);
        const into = { ...targetsOf(expected), [target]: array };
        const changed = replace(args, path, { data: input, shape: at(args, path).shape });
        const message = `${name}: into.${target} overlaps ${argument}, expected memory apart`;
        const before = input.slice();
        assert.throws(() => call(changed, into), { name: 'DTypeError', message });
        assert.deepEqual(input, before);
      }
    }
    const names = Object.keys(targets);
    if (names.length > 1) {
      const [one, two] = overlapping(targets[names[0]], targets[names[1]].length);
      const into = { ...targetsOf(expected), [names[0]]: one, [names[1]]: two };
      const message = `${name}: into.${names[1]} overlaps into.${names[0]}, expected memory apart`;
      assert.throws(() => call(args, into), { name: 'DTypeError', message });
    }
    const other = { ...targetsOf(expected), other: new Float32Array(1) };
    assert.throws(() => call(args, other), {
      name: 'DTypeError',
      message: `${name}: into has 'other', expected only results of this call: ${names.join(', ')}`,
    });
    expectUntouched(other);
    assert.deepEqual(call(args, {}), expected);
  });
}

test('given arrays are written throughout where there is nothing to compute', () => {
  const [none, some] = [0, 3].map((n) => randomNormal([n, 2], { seed: n }));
  const [dKey, dValue] = [1, 2].map(() => new Float32Array(6).fill(7));
  attentionGradient(none, some, some, none, { into: { dKey, dValue } });
  assert.deepEqual([...dKey, ...dValue], Array(12).fill(0));
  const output = new Float32Array(6).fill(7);
  attention(some, none, none, { into: { output } });
  assert.deepEqual([...output], Array(6).fill(0));
});

test('an array may lie in any memory that is apart from the inputs', () => {
  const x = randomNormal([4, 2], { seed: 1 });
  const memory = new Float32Array(16);
  memory.set(x.data);
  const input = { data: memory.subarray(0, 8), shape: [4, 2] };
  const output = memory.subarray(8);
  const shared = new Float32Array(new SharedArrayBuffer(32));
  const expected = attention(x, x, x).output;
  assert.deepEqual(attention(input, input, input, { into: { output } }).output, expected);
  attention(x, x, x, { into: { output: shared } });
  assert.deepEqual([...shared], [...expected.data]);
});

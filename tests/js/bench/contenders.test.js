// The benchmark's own logic: that a wrong contender is refused, and that goals are judged.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { expectAgreement } from '../../bench/agree.js';
import { plain } from '../../bench/peers/plain.js';
import { makeProblem } from '../../bench/problems.js';

it('attention without its scale is refused', async () => {
  const problem = makeProblem('forward', { n: 16, d: 16 });
  const { query } = problem.inputs;
  const unscaled = { ...query, data: query.data.map((x) => 4 * x) };
  const wrong = { ...problem, inputs: { ...problem.inputs, query: unscaled } };
  const results = await (await plain.prepare(wrong))();
  const expected = await (await plain.prepare(problem))();
  assert.throws(() => expectAgreement('fast', results, expected), /^Error: fast, result 0 has /);
});

it('one wrong number, NaN, a missing number and a missing result are refused', () => {
  const expected = [Float32Array.of(1, -2, 3), Float32Array.of(4)];
  const refused = /** @type {[Float32Array[], RegExp][]} */ ([
    [[Float32Array.of(1, -2, 3.001), expected[1]], /x, result 0 has 3\.00\d* at 2, expected 3$/],
    [[expected[0], Float32Array.of(NaN)], /x, result 1 has NaN at 0, expected 4$/],
    [[expected[0], Float32Array.of()], /x, result 1 has 0 numbers, expected 1$/],
    [[expected[0]], /x gives 1 results, expected 2$/],
  ]);
  for (const [results, message] of refused) {
    assert.throws(() => expectAgreement('x', results, expected), { message });
  }
});

it('a difference of float32 rounding is no disagreement', () => {
  const expected = [Float32Array.of(1, -2, 3e-6)];
  expectAgreement('x', [Float32Array.of(1.00001, -2.00001, 4e-6)], expected);
});

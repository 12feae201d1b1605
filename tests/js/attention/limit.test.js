// A call that would take too long is refused before it starts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as index from '../../../web/attention/index.js';
import { callsOf, replace } from './functions.js';

const FUNCTIONS = callsOf(index);

const LIMITED = Object.entries(FUNCTIONS).filter(([name]) => /ttention/.test(name));

test('a call within its limit gives the same result as without one', () => {
  for (const [, { call, args, options }] of LIMITED) {
    const limited = replace(args, [Number(options), 'limit'], { milliseconds: 1e6 });
    assert.deepEqual(call(...limited), call(...args));
  }
});

test('a call beyond its limit is a CapacityError that names both times, and writes nothing', () => {
  for (const [name, { call, args, options }] of LIMITED) {
    const limited = replace(args, [Number(options), 'limit'], { milliseconds: 1e-9 });
    assert.throws(() => call(...limited), {
      name: 'CapacityError',
      code: 'ATTN_CAPACITY',
      message: `${name}: about 1 ms expected here, limit.milliseconds is 1e-9`,
    });
    assert.deepEqual(call(...args), FUNCTIONS[name].call(...args));
  }
});

test('the expected time grows with the number of pairs', () => {
  const expected = [1000, 4000].map((n) => {
    const x = { data: new Float32Array(n * 64), shape: [n, 64] };
    try {
      index.attention(x, x, x, { limit: { milliseconds: 1e-9 } });
    } catch (error) {
      return Number(/about (\d+) ms/.exec(String(error))?.[1]);
    }
    return NaN;
  });
  const ratio = expected[1] / expected[0];
  assert.ok(ratio > 8 && ratio < 24, `${expected}`);
});

test('a clock that stands still refuses nothing', async () => {
  const kernel = await index.createKernel();
  const { performance } = globalThis;
  Object.defineProperty(globalThis, 'performance', { value: { now: () => 7 }, configurable: true });
  try {
    kernel.attention([[1]], [[1]], [[1]], { limit: { milliseconds: 1e-300 } });
  } finally {
    Object.defineProperty(globalThis, 'performance', { value: performance, configurable: true });
    kernel.dispose();
  }
});

test('a limit is an object with a positive number', () => {
  const wrong = /** @type {[unknown, string][]} */ ([
    [100, 'attention: limit is 100, expected an object'],
    [{}, 'attention: limit.milliseconds is undefined, expected a positive number'],
    [{ milliseconds: 0 }, 'attention: limit.milliseconds is 0, expected a positive number'],
    [{ milliseconds: NaN }, 'attention: limit.milliseconds is NaN, expected a positive number'],
    [{ seconds: 1 }, "attention: unknown option 'seconds', expected one of milliseconds"],
  ]);
  for (const [limit, message] of wrong) {
    const options = /** @type {any} */ ({ limit });
    assert.throws(() => index.attention([[1]], [[1]], [[1]], options), { message });
  }
});

// @slow
// Shapes and conduct of the measurements; nothing here asserts how fast anything is.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { costPrediction, memoryRows } from '../../../web/experiments/cost-lines.js';
import { measureCost, quickSample } from '../../../web/experiments/cost.js';
import { atOnce, partsOf } from '../../../web/shared/slices.js';
import { costModel } from '../../../web/theory/cost.js';
import { assertNear } from '../theory/near.js';

/** @import { CostProgress } from '../../../web/experiments/cost.js' */

const small = { dK: 4, hidden: 4, sizes: [8, 16], budgetMilliseconds: 60_000 };

test('a run measures every method at every size, by rising size', async () => {
  const rows = await measureCost({ ...small, sizes: [16, 8] });
  assert.deepEqual(
    rows.map(({ method, keys }) => `${method} ${keys}`),
    ['dot 8', 'factored 8', 'pairwise 8', 'dot 16', 'factored 16', 'pairwise 16'],
  );
  for (const { milliseconds, fastest, slowest, repetitions, samples } of rows) {
    assert.ok(0 < fastest && fastest <= milliseconds && milliseconds <= slowest);
    assert.ok(Number.isInteger(repetitions) && repetitions >= 1);
    assert.ok(Number.isInteger(samples) && samples >= 1);
  }
});

test('the methods take turns, and a ratio is the median over the rounds of each', async () => {
  /** @type {string[]} */
  const turns = [];
  const onProgress = (/** @type {CostProgress} */ { method }) => method && turns.push(method);
  const rows = await measureCost({ ...small, sizes: [8], onProgress });
  assert.deepEqual(
    turns,
    Array.from({ length: rows[0].samples }, () => ['dot', 'factored', 'pairwise']).flat(),
  );
  assert.deepEqual([rows[0].ratioLow, rows[0].ratio, rows[0].ratioHigh], [1, 1, 1]);
  for (const { ratio, ratioLow, ratioHigh } of rows) {
    assert.ok(0 < ratioLow && ratioLow <= ratio && ratio <= ratioHigh);
  }
});

test('only the chosen methods are measured, with either tanh', async () => {
  const methods = /** @type {const} */ (['factored', 'pairwise']);
  const rows = await measureCost({ ...small, sizes: [8], methods, tanh: 'scalar' });
  assert.deepEqual(
    rows.map(({ method, ratio }) => [method, ratio]),
    methods.map((method) => [method, NaN]),
  );
});

test('progress never falls, ends at 1, and hands out the rows so far', async () => {
  /** @type {CostProgress[]} */
  const events = [];
  /** @type {number[]} */
  const counts = [];
  const onProgress = (/** @type {CostProgress} */ event) => {
    events.push(event);
    counts.push(event.rows.length);
  };
  const rows = await measureCost({ ...small, onProgress });
  assert.deepEqual(
    events.map((event) => event.rows.length),
    counts, // later rows are not added to an array that was handed out
  );
  for (let i = 1; i < events.length; i++) {
    assert.ok(events[i].fraction >= events[i - 1].fraction);
    assert.ok(events[i].rows.length >= events[i - 1].rows.length);
  }
  const last = events[events.length - 1];
  assert.deepEqual(last, { fraction: 1, rows, cancelled: false });
  assert.equal(events.filter(({ fraction }) => fraction === 1).length, 1);
});

test('a run pauses for the page', async () => {
  let turns = 0;
  const timer = setInterval(() => turns++, 1);
  await measureCost({ ...small, sizes: [8] });
  clearInterval(timer);
  assert.ok(turns >= 3, `${turns} turns`);
});

test('a cancelled run resolves to the rows that are complete, and reports that it was cancelled', async () => {
  const controller = new AbortController();
  /** @type {CostProgress[]} */
  const events = [];
  const rows = await measureCost({
    ...small,
    signal: controller.signal,
    onProgress: (event) => {
      events.push(event);
      if (event.keys === 16) controller.abort();
    },
  });
  assert.deepEqual(
    rows.map(({ keys }) => keys),
    [8, 8, 8],
  );
  const last = events[events.length - 1];
  assert.equal(last.cancelled, true);
  assert.ok(last.fraction < 1 && last.fraction >= events[events.length - 2].fraction);
});

test('a run that is cancelled before it starts measures nothing', async () => {
  assert.deepEqual(await measureCost({ ...small, signal: AbortSignal.abort() }), []);
});

test('a run without budget ends at once, with a last event of fraction 1', async () => {
  /** @type {CostProgress[]} */
  const events = [];
  const onProgress = (/** @type {CostProgress} */ event) => events.push(event);
  assert.deepEqual(await measureCost({ ...small, budgetMilliseconds: 0, onProgress }), []);
  assert.deepEqual(events, [{ fraction: 1, rows: [], cancelled: false }]);
});

test('a size whose single call would block the page is left out', async () => {
  const methods = /** @type {const} */ (['pairwise']);
  const rows = await measureCost({ dK: 4, hidden: 4, sizes: [8, 2 ** 20], methods });
  assert.deepEqual(
    rows.map(({ keys }) => keys),
    [8],
  );
});

test('the quick preview has a positive number for each method', () => {
  const rows = atOnce(partsOf(quickSample({ dK: 8, hidden: 8 })));
  assert.deepEqual(
    rows.map(({ method }) => method),
    ['dot', 'factored', 'pairwise'],
  );
  for (const { keys, milliseconds, repetitions } of rows) {
    assert.ok(keys >= 8 && milliseconds > 0 && repetitions >= 1);
  }
});

test('the quick preview comes in parts: a size for each method, then all in turn, of which the fastest counts', () => {
  const sample = quickSample({ dK: 8, hidden: 8, methods: ['dot', 'factored'] });
  assert.ok(sample.total >= 2 * 10);
  /** @type {number[]} */
  const times = [];
  const parts = partsOf(sample);
  while (!parts.next().done) times.push(sample.rows()[0].milliseconds);
  const rows = sample.rows();
  assert.equal(times.length, sample.total);
  assert.equal(times[1], Infinity);
  for (let i = 1; i < times.length; i++) assert.ok(times[i] <= times[i - 1]);
  for (const { keys, milliseconds } of rows) {
    assert.ok([8, 16, 32, 64, 128, 256].includes(keys));
    assert.ok(Number.isFinite(milliseconds));
  }
});

test('the size of the quick preview does not depend on one interrupted call', (t) => {
  // A clock that steps at each look, and once leaps.
  let looks = 0;
  let leapAt = 0;
  t.mock.method(performance, 'now', () => {
    looks += 1;
    return looks + (looks > leapAt ? 50 : 0);
  });
  const keysAfter = (/** @type {number} */ leap) => {
    [looks, leapAt] = [0, leap];
    return atOnce(partsOf(quickSample({ dK: 8, hidden: 8, methods: ['dot'] })))[0].keys;
  };
  const expected = keysAfter(Infinity);
  const all = looks;
  for (let leap = 1; leap < all; leap++) assert.equal(keysAfter(leap), expected, `leap ${leap}`);
});

test('each model line passes through the measured point nearest the calibration size', () => {
  const calibration = /** @type {const} */ ([
    { method: 'dot', keys: 128, milliseconds: 3 },
    { method: 'dot', keys: 512, milliseconds: 5 },
    { method: 'factored', keys: 128, milliseconds: 7 },
  ]);
  const rows = costPrediction({ sizes: [128, 512], calibration, methods: ['dot', 'factored'] });
  const at = (/** @type {string} */ method, /** @type {number} */ keys) =>
    rows.find((row) => row.method === method && row.keys === keys)?.milliseconds ?? NaN;
  assertNear(at('dot', 512), 5, 1e-12);
  assertNear(at('dot', 128), 5 / 16, 1e-12);
  assertNear(at('factored', 128), 7, 1e-12);
});

test('a method that was not measured takes the flop rate of dot', () => {
  const calibration = /** @type {const} */ ([{ method: 'dot', keys: 64, milliseconds: 2 }]);
  const rows = costPrediction({ dK: 32, hidden: 16, sizes: [64], calibration });
  const flop = (/** @type {'dot' | 'factored' | 'pairwise'} */ method) =>
    costModel({ method, keys: 64, dK: 32, hidden: 16 });
  for (const { method, milliseconds } of rows) {
    assertNear(milliseconds, (2 * flop(method)) / flop('dot'), 1e-12);
  }
});

test('nothing measured, nothing predicted', () => {
  assert.deepEqual(costPrediction({ calibration: [] }), []);
});

test('memory has a row for each method and size', () => {
  const rows = memoryRows({ dK: 64, hidden: 128, sizes: [256, 512] });
  assert.equal(rows.length, 6);
  const row = rows.find(({ method, keys }) => method === 'broadcast' && keys === 512);
  assert.equal(row?.bytes, 4 * 512 * 512 * 128);
});

// Timing by clocks of any step: the measured time of a call against its true time.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { measureCost, quickSample } from '../../../web/experiments/cost.js';
import { clockStep, SPELL_MILLISECONDS, timeFor } from '../../../web/experiments/timing.js';
import { atOnce, partsOf } from '../../../web/shared/slices.js';
import { assertNear } from '../theory/near.js';

/** @import { TestContext } from 'node:test' */

/** How long a look at the clock takes, in ms. */
const LOOK = 1e-4;

/**
 * @param {TestContext} t
 * @param {() => number} clock  looked at too often for a mock, which remembers each call
 */
function replaceClock(t, clock) {
  t.after(() => Reflect.deleteProperty(performance, 'now'));
  performance.now = clock;
}

/**
 * Returns a clock that shows whole steps of a time that calls and looks advance.
 * @param {TestContext} t
 * @param {number} step
 */
function stepping(t, step) {
  let time = 123.4;
  replaceClock(t, () => {
    time += LOOK;
    return Math.floor(time / step) * step;
  });
  return { call: (/** @type {number} */ takes) => (time += takes), time: () => time };
}

for (const step of [1e-3, 0.1, 1, 1000 / 60, 100]) {
  test(`a clock of ${step} ms times calls of any length to an eighth`, (t) => {
    const clock = stepping(t, step);
    assertNear(clockStep(), step, 1e-9);
    for (const takes of [2e-3, 0.03, 0.4, 3, 7, 16, 17, 24.9, 33, 60, 150]) {
      const batch = Math.ceil(2.5 / takes);
      const call = () => clock.call(takes);
      const { milliseconds, repetitions } = timeFor(call, SPELL_MILLISECONDS, batch, step);
      assertNear(milliseconds / takes, 1, 1 / 8);
      assert.ok(repetitions * takes >= 0.95 * SPELL_MILLISECONDS, `${takes} ms`);
    }
  });
}

test('with the clock of an ordinary browser timing takes no longer than it was given', (t) => {
  const clock = stepping(t, 0.1);
  for (const takes of [0.03, 3, 19, 150]) {
    const start = clock.time();
    timeFor(() => clock.call(takes), SPELL_MILLISECONDS, 1, 0.1);
    assert.ok(clock.time() - start <= SPELL_MILLISECONDS + takes + 0.2, `${takes} ms`);
  }
});

test('a call too short for a coarse clock is repeated until its time is known', async (t) => {
  const { now } = performance;
  const start = now.call(performance);
  const step = 1000 / 60;
  replaceClock(t, () => Math.floor((now.call(performance) - start) / step) * step);
  const options = /** @type {const} */ ({ dK: 4, hidden: 4, methods: ['dot', 'factored'] });
  for (const row of await measureCost({ ...options, sizes: [8] })) {
    assert.ok(row.slowest * row.repetitions >= SPELL_MILLISECONDS, JSON.stringify(row));
    assert.ok(row.fastest > 1e-5, JSON.stringify(row)); // 64 products, sums and exponentials, at least
  }
  for (const { milliseconds, repetitions } of atOnce(partsOf(quickSample(options)))) {
    const steps = (milliseconds * repetitions) / step;
    assertNear(steps, Math.max(1, Math.round(steps)), 1e-6);
  }
});

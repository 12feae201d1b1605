// Long work in slices.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { atOnce, inSlices, partsOf, runFor, workOf } from '../../../web/shared/slices.js';

/** A work of three parts that counts them. */
const counting = () => {
  /** @type {number[]} */
  const parts = [];
  return workOf(
    3,
    (part) => void parts.push(part),
    () => parts.slice(),
  );
};

describe('a work', () => {
  it('yields after each of its parts, and returns all rows', () => {
    const work = counting();
    const seen = [...partsOf(work)].length;
    assert.equal(seen, 3);
    assert.deepEqual(work.rows(), [0, 1, 2]);
    assert.deepEqual(atOnce(partsOf(counting())), [0, 1, 2]);
  });

  it('that was left goes on where it was', () => {
    const work = counting();
    const { done } = runFor(partsOf(work), 0);
    assert.deepEqual([done, work.rows()], [false, [0]]);
    assert.deepEqual(atOnce(partsOf(work)), [0, 1, 2]);
  });

  it('ends with its result where the time suffices', () => {
    assert.deepEqual(runFor(partsOf(counting()), 1000), { done: true, value: [0, 1, 2] });
  });

  it('in slices stops where its signal aborts, and keeps its rows', async () => {
    const stopping = new AbortController();
    let done = 0;
    const doPart = () => {
      const end = performance.now() + 50;
      while (performance.now() < end);
      done++;
    };
    const work = workOf(100, doPart, () => [done]);
    /** @type {number[]} */
    const fractions = [];
    const rows = await inSlices(work, {
      signal: stopping.signal,
      onProgress({ fraction }) {
        fractions.push(fraction);
        if (fractions.length === 2) stopping.abort();
      },
    });
    assert.deepEqual(fractions, [0.01, 0.02]);
    assert.deepEqual(rows, [2]);
  });
});

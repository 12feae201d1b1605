// Timing in Node and in pages. Other processes can only slow a sample down, so the best of many short
// ones counts; rivals are measured in turn, so that they see the same machine.

/**
 * A clock gives milliseconds; `sample` is how many let it be read to half a percent.
 * @typedef {{ read: () => number | Promise<number>, sample: number }} Clock
 * @typedef {() => unknown} Run may give a Promise, which is then awaited
 */

/** @type {Clock} */
export const wallClock = { read: () => performance.now(), sample: 10 };

/** Time that the processor worked, so that waiting for it does not count: of this process in Node, of
 *  the page's thread where engines.js can read it, else wall-clock time.
 *  @type {Clock} */
export const processorClock = chooseProcessorClock();

function chooseProcessorClock() {
  if (typeof process !== 'undefined' && process.versions?.node) return { read: nodeTime, sample: 10 };
  const read = /** @type {any} */ (globalThis).threadTime;
  return read ? { read, sample: 40 } : wallClock;
} // prettier-ignore

function nodeTime() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

const LEAST_ROUNDS = 5;

/**
 * @param {Clock} clock
 * @param {Run} run
 * @param {number} [repetitions]
 * @returns {Promise<number>} milliseconds of all of them
 */
export async function timeOf(clock, run, repetitions = 1) {
  const begin = await clock.read();
  for (let i = 0; i < repetitions; i++) {
    const pending = run();
    if (pending instanceof Promise) await pending;
  }
  return (await clock.read()) - begin;
}

/**
 * Returns the best milliseconds of each of the functions, measured in turn for some seconds.
 * @param {Run[]} runs
 * @param {number} seconds
 * @param {{ clock?: Clock, sample?: number, warmUp?: number }} [options] sample and warmUp in
 *   milliseconds
 * @returns {Promise<number[]>}
 */
export async function bestOf(runs, seconds, options = {}) {
  const { clock = processorClock, sample = clock.sample, warmUp = 50 } = options;
  const overhead = await leastTimeOf(clock, () => {});
  const repetitions = [];
  for (const run of runs) repetitions.push(await repetitionsFor(run, sample, warmUp));
  const best = runs.map(() => Infinity);
  const end = performance.now() + 1000 * seconds;
  for (let round = 0; round < LEAST_ROUNDS || performance.now() < end; round++) {
    for (const [i, run] of runs.entries()) {
      const time = await timeOf(clock, run, repetitions[i]);
      best[i] = Math.min(best[i], (time - overhead) / repetitions[i]);
    }
  }
  return best;
}

/**
 * Returns the number of runs in a sample, once the engine has had the time to optimise.
 * @param {Run} run
 * @param {number} sample milliseconds
 * @param {number} warmUp milliseconds
 */
async function repetitionsFor(run, sample, warmUp) {
  const begin = performance.now();
  let repetitions = 1;
  for (;;) {
    const elapsed = await leastTimeOf(wallClock, run, repetitions);
    const isLong = elapsed > sample / 2;
    if (isLong && performance.now() - begin > warmUp) {
      return Math.max(1, Math.round((repetitions * sample) / elapsed));
    }
    if (!isLong) repetitions *= 2;
  }
}

/**
 * Returns the least time of a few tries, because one may have met another process.
 * @param {Clock} clock
 * @param {Run} run
 * @param {number} [repetitions]
 */
async function leastTimeOf(clock, run, repetitions) {
  let least = Infinity;
  for (let i = 0; i < 3; i++) least = Math.min(least, await timeOf(clock, run, repetitions));
  return least;
}

// Functions that run in a page: every driver sends them as text.

import { waitUntil } from '../wait.js';

/**
 * Runs a function that needs nothing from outside and may be asynchronous: it is sent as text, its
 * arguments and its result as JSON. It works under any policy of the page.
 * @typedef {<A extends unknown[], R>(work: (...args: A) => R, ...args: A) => Promise<Awaited<R>>} Evaluate
 */

/** The time in ms after which a test of engines gives up: enough for one without compiler on a busy machine. */
export const PATIENCE = 600_000;

/**
 * Waits until `condition`, evaluated by `evaluate`, gives something true. It polls from outside, because a page's
 * policy may forbid the code that drivers run inside.
 * @template {unknown[]} A
 * @param {(condition: (...args: A) => unknown, ...args: A) => Promise<unknown>} evaluate
 * @param {(...args: A) => unknown} condition
 * @param {A} args
 */
export async function until(evaluate, condition, ...args) {
  const what = `${condition}(${JSON.stringify(args)})`;
  await waitUntil(() => evaluate(condition, ...args), what, { patience: PATIENCE });
}

/** Returns the text of an expression for the promise of the result as JSON. @param {Function} work @param {unknown[]} args */
const expression = (work, args) =>
  `(async () => JSON.stringify(await (${work})(...${JSON.stringify(args)})))()`;

/**
 * Returns a driver's way to run functions.
 * @param {(text: string) => Promise<unknown>} run  runs an expression in a page or frame
 * @returns {Evaluate}
 */
export const evaluator =
  (run) =>
  async (work, ...args) => {
    const json = await run(expression(work, args));
    return json === undefined || json === null ? undefined : JSON.parse(String(json));
  };

import assert from 'node:assert/strict';
import { test } from 'node:test';

/**
 * A call, and how its error begins: `Name: message`, or a pattern of it.
 * @typedef {[call: () => unknown, expected: string | RegExp]} Refusal
 */

/**
 * Declares a test for each call that throws or rejects.
 * @param {Refusal[]} refusals
 * @param {() => unknown} [next] a call that works after each of them
 */
export function testRefusals(refusals, next = () => {}) {
  for (const [call, expected] of refusals) {
    test(`refused: ${expected}`, async () => {
      await assert.rejects(
        async () => call(),
        (/** @type {Error} */ { name, message }) => {
          const said = `${name}: ${message}`;
          if (expected instanceof RegExp) assert.match(said, expected);
          else assert.equal(said.slice(0, expected.length), expected);
          return true;
        },
      );
      next();
    });
  }
}

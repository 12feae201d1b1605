// Fixtures: what tests share is opened before the first of them and closed after the last.

import { after, before } from 'node:test';

/** @typedef {{ close: () => unknown }} Closable */

/**
 * Opens something for the tests of a file or a `describe`, and closes it after them. The object that it returns is
 * filled before the first test starts.
 * @template {Closable} T
 * @param {() => T | Promise<T>} open
 * @returns {T}
 */
export function use(open) {
  const fixture = /** @type {T} */ ({});
  before(async () => void Object.assign(fixture, await open()));
  after(() => fixture.close());
  return fixture;
}

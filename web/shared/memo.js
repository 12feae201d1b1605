/**
 * @import { Steps } from './slices.js'
 */

/**
 * Remembers the last result under each name as long as its inputs stay the same, and yields after each
 * new one; `compute` takes a few milliseconds.
 * @typedef {<T>(name: string, inputs: unknown, compute: () => T) => Steps<T>} Memo
 */

/** Creates a memo. @returns {Memo} */
export function createMemo() {
  /** @type {Map<string, { key: string, value: any }>} */
  const last = new Map();
  return function* (name, inputs, compute) {
    const key = JSON.stringify(inputs);
    const known = last.get(name);
    if (known?.key === key) return known.value;
    const value = compute();
    last.set(name, { key, value });
    yield;
    return value;
  };
}

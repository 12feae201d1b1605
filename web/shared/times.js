/**
 * Returns the list of the values that `make` returns for 0, 1, 2, … count − 1. `Array.from` would not
 * do: pages with Prototype.js or MooTools replace it.
 * @template T
 * @param {number} count
 * @param {(index: number) => T} make
 * @returns {T[]}
 */
export const times = (count, make) => [...Array(count)].map((_, index) => make(index));

/**
 * A list of what is made for 0, 1, 2, … Not by Array.from: Prototype.js and MooTools have one of their own,
 * which makes nothing.
 *
 * @template T
 * @param {number} count
 * @param {(index: number) => T} make
 * @returns {T[]}
 */
export const listOf = (count, make) => [...Array(count)].map((_, index) => make(index));

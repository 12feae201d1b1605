/** Matrices as arrays of rows, in float64. */
/** @typedef {number[][]} Matrix */

/**
 * Returns the matrix of a head as rows.
 * @param {{ data: Float32Array, shape: number[] }} tensor [..., rows, columns]
 * @param {number} [head]
 * @returns {Matrix}
 */
export function matrixOf({ data, shape }, head = 0) {
  const [rows, columns] = shape.slice(-2);
  return Array.from({ length: rows }, (_, i) => {
    const start = (head * rows + i) * columns;
    return [...data.subarray(start, start + columns)];
  });
}

/** @param {number[]} row @param {(x: number, i: number) => number} [term] */
export const sum = (row, term = (x) => x) => row.reduce((total, x, i) => total + term(x, i), 0);

/** @param {number[]} a @param {number[]} b */
export function dot(a, b) {
  let total = 0;
  for (let i = 0; i < a.length; i += 1) total += a[i] * b[i];
  return total;
}

/** Returns weights · value. A weight of 0 contributes nothing, even with a value that is not finite.
 *  @param {Matrix} weights @param {Matrix} value @param {number} [columns] of value */
export const mix = (weights, value, columns = value[0].length) =>
  weights.map((p) =>
    p.reduce((row, x, j) => (x === 0 ? row : addMultiple(row, x, value[j])), zeros(columns)),
  );

/** @param {number} length @returns {number[]} */
const zeros = (length) => new Array(length).fill(0);

/** Adds a multiple of one row to another, in place. @param {number[]} row @param {number} factor @param {number[]} other */
function addMultiple(row, factor, other) {
  for (let c = 0; c < row.length; c += 1) row[c] += factor * other[c];
  return row;
}

/** @param {Matrix} x */
export const absolute = (x) => x.map((row) => row.map(Math.abs));
/** @param {Matrix} x with at least one row */
export const transpose = (x) => x[0].map((_, c) => x.map((row) => row[c]));
/** @param {number} factor @param {Matrix} x */
export const times = (factor, x) => x.map((row) => row.map((entry) => factor * entry));
/** @param {...Matrix} terms */
export const add = (...terms) =>
  terms[0].map((row, i) => row.map((_, c) => sum(terms.map((x) => x[i][c]))));

/** x weightᵀ + bias. @param {Matrix} x @param {Matrix} weight @param {number[] | undefined} bias */
export const linear = (x, weight, bias) =>
  x.map((row) => weight.map((w, o) => dot(w, row) + (bias ? bias[o] : 0)));

// Prints the polynomial coefficients of c/vmath.h's exponentials, as hexadecimal floats.
//   node tests/c/exp_coefficients.js
// Least squares of the relative error on Chebyshev nodes (within a few percent of minimax). Each
// coefficient is rounded to float32 in turn, lowest first, and the rest are fitted again, so later
// ones make up for the rounding of earlier ones.

const DEGREE = 6;
const NODES = 400;

/**
 * Solves a·x = b by Gauss-Jordan elimination with row exchanges.
 * @param {number[][]} a
 * @param {number[]} b
 */
function solve(a, b) {
  const rows = a.map((row, i) => [...row, b[i]]);
  for (let i = 0; i < rows.length; i++) {
    const below = rows.slice(i).map((row) => Math.abs(row[i]));
    const pivot = i + below.indexOf(Math.max(...below));
    [rows[i], rows[pivot]] = [rows[pivot], rows[i]];
    for (let r = 0; r < rows.length; r++) {
      if (r === i) continue;
      const factor = rows[r][i] / rows[i][i];
      rows[r] = rows[r].map((value, c) => value - factor * rows[i][c]);
    }
  }
  return rows.map((row, i) => row[rows.length] / row[i]);
}

/**
 * (base^x − Σ known_j x^j) / base^x by its Taylor series, which does not cancel near 0.
 * @param {number} base
 * @param {number[]} known
 * @param {number} x
 */
function relativeRest(base, known, x) {
  let sum = 0;
  let term = 1;
  for (let j = 0; j < 30; j++) {
    sum += term - (known[j] ?? 0) * x ** j;
    term *= (x * Math.log(base)) / (j + 1);
  }
  return sum / base ** x;
}

/** @type {(half: number) => number[]} */
const nodes = (half) =>
  Array.from({ length: NODES }, (_, i) => half * Math.cos((Math.PI * (i + 0.5)) / NODES));

/**
 * The known coefficients, completed up to DEGREE for |x| ≤ half.
 * @param {number} base
 * @param {number[]} known
 * @param {number} half
 * @returns {number[]}
 */
function fit(base, known, half) {
  if (known.length > DEGREE) return known;
  const powers = Array.from({ length: DEGREE + 1 - known.length }, (_, j) => j + known.length);
  const xs = nodes(half);
  /** @type {(j: number) => number[]} */
  const column = (j) => xs.map((x) => (x / half) ** j / base ** x);
  /** @type {(u: number[], v: number[]) => number} */
  const dot = (u, v) => u.reduce((sum, value, i) => sum + value * v[i], 0);
  const columns = powers.map(column);
  const rest = xs.map((x) => relativeRest(base, known, x));
  const normal = columns.map((u) => columns.map((v) => dot(u, v)));
  const scaled = solve(
    normal,
    columns.map((u) => dot(u, rest)),
  );
  return fit(base, [...known, Math.fround(scaled[0] / half ** known.length)], half);
}

/**
 * A float32 as C writes it exactly.
 * @param {number} value
 */
function hex(value) {
  const exponent = Math.floor(Math.log2(Math.abs(value)));
  const digits = Math.round((Math.abs(value) / 2 ** exponent - 1) * 2 ** 24);
  const fraction = digits.toString(16).padStart(6, '0').replace(/0+$/, '');
  return `${value < 0 ? '-' : ''}0x1${fraction && `.${fraction}`}p${exponent}f`;
}

/**
 * @param {string} name
 * @param {number} base
 * @param {number[]} known
 * @param {number} half
 */
function print(name, base, known, half) {
  const coefficients = fit(base, known, half);
  const worst = Math.max(...nodes(half).map((x) => Math.abs(relativeRest(base, coefficients, x))));
  console.log(`${name}, |x| <= ${half}: relative error ${worst.toExponential(2)}`);
  coefficients.forEach((c, j) => console.log(`  c${j} = ${hex(c)} (${c})`));
}

// A little beyond the interval: the argument is rounded before it is reduced.
print('e^x', Math.E, [1, 1], 0.3467);
print('2^x', 2, [1, Math.fround(Math.LN2)], 0.5001);

// Prints the polynomial coefficients of c/vmath.h and c/vmath.c, as hexadecimal floats.
//   node tests/c/coefficients.js
// Each is g(x) ~ sum of c_j x^j, fitted by least squares of the relative error that it causes in
// the function, on Chebyshev nodes (within a few percent of minimax). A coefficient is rounded to
// float32 as soon as it is known, lowest first, and the rest are fitted again, so later ones make
// up for the rounding of earlier ones.

const NODES = 400;

/**
 * @typedef {object} Problem
 * @property {(x: number) => number} g
 * @property {(x: number) => number} weight turns an error of g into one of the function
 * @property {number} low
 * @property {number} high
 * @property {number} degree
 */

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

/** @type {(low: number, high: number) => number[]} */
const nodes = (low, high) =>
  Array.from(
    { length: NODES },
    (_, i) => (low + high) / 2 + ((high - low) / 2) * Math.cos((Math.PI * (i + 0.5)) / NODES),
  );

/** @type {(coefficients: number[], x: number) => number} */
const polynomial = (coefficients, x) => coefficients.reduceRight((sum, c) => sum * x + c, 0);

/** @type {(u: number[], v: number[]) => number} */
const dot = (u, v) => u.reduce((sum, value, i) => sum + value * v[i], 0);

/**
 * Coefficients of g on [low, high] up to `degree`, of which the first are known.
 * @param {Problem} problem
 * @param {number[]} [known]
 */
function fit(problem, known = []) {
  const { g, weight, low, high, degree } = problem;
  if (known.length > degree) return known;
  const half = Math.max(Math.abs(low), Math.abs(high));
  const xs = nodes(low, high);
  const columns = Array.from({ length: degree + 1 - known.length }, (_, j) =>
    xs.map((x) => (x / half) ** (j + known.length) * weight(x)),
  );
  const rest = xs.map((x) => (g(x) - polynomial(known, x)) * weight(x));
  const scaled = solve(
    columns.map((u) => columns.map((v) => dot(u, v))),
    columns.map((u) => dot(u, rest)),
  );
  return fit(problem, [...known, Math.fround(scaled[0] / half ** known.length)]);
}

/**
 * Returns the sum of the power series whose coefficient of x^j is term(j).
 * @type {(term: (j: number) => number, x: number) => number}
 */
const series = (term, x) =>
  Array.from({ length: 60 }, (_, j) => 59 - j).reduce((sum, j) => sum * x + term(j), 0);

/** @type {(n: number) => number} */
const factorial = (n) => (n < 2 ? 1 : n * factorial(n - 1));

/**
 * Returns P of base^x ~ 1 + c1 x + x^2 P(x), by its series, which does not cancel near 0.
 * @param {number} base
 * @param {number} c1
 * @param {number} half
 * @returns {Problem}
 */
const exponential = (base, c1, half) => ({
  g: (x) =>
    series((j) => Math.log(base) ** (j + 2) / factorial(j + 2), x) + (Math.log(base) - c1) / x,
  weight: (x) => x ** 2 / base ** x,
  low: -half,
  high: half,
  degree: 4,
});

/**
 * Returns P(z) of tanh x = x + x^3 P(x^2), by a continued fraction, which does not cancel near 0.
 * @param {number} z
 */
function tanhRest(z) {
  // tanh x = x / (1 + z / (3 + z / (5 + …))), so (tanh x - x) / x^3 = -1 / (t (1 + z / t)).
  let t = 61;
  for (let odd = 59; odd >= 3; odd -= 2) t = odd + z / t;
  return -1 / (t + z);
}

/** @type {Record<string, Problem>} */
const problems = {
  // A little beyond the interval: the argument is rounded before it is reduced.
  'e^x = 1 + x + x^2 P(x), |x| <= 0.3467': exponential(Math.E, 1, 0.3467),
  '2^x = 1 + float(ln 2) x + x^2 P(x), |x| <= 0.5001': exponential(
    2,
    Math.fround(Math.LN2),
    0.5001,
  ),
  'log(1 + f) = f - f^2/2 + f^3 P(f), sqrt(1/2) <= 1 + f <= sqrt(2)': {
    g: (f) =>
      Math.abs(f) < 0.2
        ? series((j) => (-1) ** j / (j + 3), f)
        : (Math.log1p(f) - f + (f * f) / 2) / f ** 3,
    weight: (f) => (f === 0 ? 0 : f ** 3 / Math.log1p(f)),
    low: Math.SQRT1_2 - 1,
    high: Math.SQRT2 - 1,
    degree: 8,
  },
  'tanh x = x + x^3 P(x^2), |x| <= 0.625': {
    g: tanhRest,
    weight: (z) => z / (1 + z * tanhRest(z)),
    low: 0,
    high: 0.625 ** 2,
    degree: 4,
  },
  'sin(t pi/4) = t P(t^2), |t| <= 1': {
    g: (z) =>
      series(
        (j) => (j < 20 ? ((-1) ** j * (Math.PI / 4) ** (2 * j + 1)) / factorial(2 * j + 1) : 0),
        z,
      ),
    weight: () => 1,
    low: 0,
    high: 1,
    degree: 3,
  },
  'cos(t pi/4) = 1 + t^2 P(t^2), |t| <= 1': {
    g: (z) =>
      series(
        (j) =>
          j < 20 ? ((-1) ** (j + 1) * (Math.PI / 4) ** (2 * j + 2)) / factorial(2 * j + 2) : 0,
        z,
      ),
    weight: (z) => z,
    low: 0,
    high: 1,
    degree: 3,
  },
};

/** Returns a float32 as C writes it exactly. @param {number} value */
function hex(value) {
  const exponent = Math.floor(Math.log2(Math.abs(value)));
  const digits = Math.round((Math.abs(value) / 2 ** exponent - 1) * 2 ** 24);
  const fraction = digits.toString(16).padStart(6, '0').replace(/0+$/, '');
  return `${value < 0 ? '-' : ''}0x1${fraction && `.${fraction}`}p${exponent}f`;
}

for (const [name, problem] of Object.entries(problems)) {
  const coefficients = fit(problem);
  const errors = nodes(problem.low, problem.high).map((x) =>
    Math.abs((polynomial(coefficients, x) - problem.g(x)) * problem.weight(x)),
  );
  console.log(`${name}: relative error ${Math.max(...errors).toExponential(2)}`);
  coefficients.forEach((c, j) => console.log(`  c${j} = ${hex(c)} (${c})`));
}

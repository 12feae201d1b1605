// Exact expectations of the softmax of n normal scores, against the figures quoted for them,
// one-dimensional integrals for two scores, limits and identities.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freezingSigma } from '../../../web/theory/freezing.js';
import { expectedEntropy, expectedMaxWeight, softmaxMoments } from '../../../web/theory/moments.js';
import { assertNear, integrate } from './near.js';

const COUNTS = [2, 3, 17, 64, 512, 65536];
const DEVIATIONS = [0, 0.02, 0.5, 1, 1.01, 2, 5, 22.6, 60];

/** @param {(n: number, sigma: number) => void} check */
function everywhere(check) {
  for (const n of COUNTS) for (const sigma of DEVIATIONS) check(n, sigma);
}

test('64 scores of deviation 1, 4 and √512 give the quoted Σp² and entropy', () => {
  for (const [sigma, squares, entropy] of [
    [1, 0.0388, 3.685],
    [4, 0.458, 1.308],
    [Math.sqrt(512), 0.897, 0.182],
  ]) {
    assertNear(softmaxMoments(64, sigma).sumOfSquares, squares, 0, 0.0005);
    assertNear(expectedEntropy(64, sigma), entropy, 0, 0.0005);
  }
});

test('two scores: the weight is a logistic function of one normal difference', () => {
  for (const sigma of [0.1, 1, 4, 20]) {
    // (larger weight, smaller weight) at a difference of √2·σ·g; twice the half-line, as a kink is at 0.
    const mean = (/** @type {(p: number, q: number) => number} */ f) =>
      2 *
      integrate(
        (g) => {
          const q = 1 / (1 + Math.exp(Math.SQRT2 * sigma * g));
          return (f(1 - q, q) * Math.exp((-g * g) / 2)) / Math.sqrt(2 * Math.PI);
        },
        0,
        9,
        20000,
      );
    assertNear(
      expectedMaxWeight(2, sigma),
      mean((p) => p),
      1e-8,
    );
    assertNear(
      softmaxMoments(2, sigma).sumOfSquares,
      mean((p, q) => p * p + q * q),
      1e-8,
    );
    const entropy = mean((p, q) => -p * Math.log(p) - (q > 0 ? q * Math.log(q) : 0));
    assertNear(expectedEntropy(2, sigma), entropy, 1e-7, 1e-9 * sigma ** 2);
  }
});

test('Gaussian integration by parts holds: E H = E ln Z − σ²(1 − E Σp²)', () => {
  everywhere((n, sigma) => {
    const { entropy, sumOfSquares, logSumExp } = softmaxMoments(n, sigma);
    assertNear(logSumExp - sigma ** 2 * (1 - sumOfSquares), entropy, 1e-7, 1e-9 * sigma ** 2);
  });
});

test('the slope of E ln Z in σ is σ(1 − E Σp²)', () => {
  const h = 1e-4;
  for (const n of [2, 64, 4096]) {
    for (const sigma of [0.5, 3, 10]) {
      const slope =
        (softmaxMoments(n, sigma + h).logSumExp - softmaxMoments(n, sigma - h).logSumExp) / (2 * h);
      assertNear(slope, sigma * (1 - softmaxMoments(n, sigma).sumOfSquares), 1e-5);
    }
  }
});

test('a grid twice as fine changes nothing beyond 1e-7', () => {
  const finer = { outer: 0.2, inner: 0.2, order: 0.05, rest: 1e-15 };
  everywhere((n, sigma) => {
    const fine = softmaxMoments(n, sigma, finer);
    const moments = softmaxMoments(n, sigma);
    assertNear(moments.maxWeight, fine.maxWeight, 1e-7);
    assertNear(moments.entropy, fine.entropy, 1e-7, 1e-9 * sigma ** 2);
    assertNear(moments.sumOfSquares, fine.sumOfSquares, 1e-7);
    assertNear(moments.logSumExp, fine.logSumExp, 1e-7);
  });
});

test('equal scores give equal weights', () => {
  for (const n of COUNTS) {
    const { maxWeight, entropy, sumOfSquares } = softmaxMoments(n, 0);
    assertNear(maxWeight, 1 / n, 1e-7);
    assertNear(entropy, Math.log(n), 1e-8);
    assertNear(sumOfSquares, 1 / n, 1e-7);
  }
});

test('one score has all the weight', () => {
  assert.deepEqual(softmaxMoments(1, 3), {
    maxWeight: 1,
    entropy: 0,
    sumOfSquares: 1,
    logSumExp: 0,
  });
});

test('for small σ the entropy is ln n − σ²/2, and Σp² is e^{σ²}/n', () => {
  for (const n of [512, 65536]) {
    assertNear(expectedEntropy(n, 0.3), Math.log(n) - 0.3 ** 2 / 2, 0, 0.3 ** 2 / n);
    assertNear(softmaxMoments(n, 0.3).sumOfSquares, Math.exp(0.3 ** 2) / n, 1 / n);
  }
});

test('with scaled scores a query attends to about n/e keys', () => {
  assertNear(1 / softmaxMoments(65536, 1).sumOfSquares, 65536 / Math.E, 0.01);
});

test('beyond freezing, 1 − Σp² decays like σ_c/σ', () => {
  // The random-energy model's limit is for ln n → ∞: the decay in σ is exact, the constant is not.
  const share = (/** @type {number} */ sigma) =>
    (1 - softmaxMoments(65536, sigma).sumOfSquares) * sigma;
  assertNear(share(200), share(100), 0.01);
  assertNear(share(100), freezingSigma(65536), 0.15);
});

test('Σp² ≤ E max p ≤ √(E Σp²), and everything stays in range', () => {
  everywhere((n, sigma) => {
    const { maxWeight, entropy, sumOfSquares } = softmaxMoments(n, sigma);
    const slack = 1 + 1e-7;
    assert.ok(sumOfSquares <= maxWeight * slack);
    assert.ok(maxWeight <= Math.sqrt(sumOfSquares) * slack);
    assert.ok(maxWeight >= 1 / n / slack && maxWeight <= slack);
    assert.ok(entropy >= 0 && entropy <= Math.log(n) * slack);
  });
});

test('more deviation always means less entropy and a larger greatest weight', () => {
  for (const n of COUNTS) {
    const steps = DEVIATIONS.map((sigma) => softmaxMoments(n, sigma));
    for (let i = 1; i < steps.length; i++) {
      assert.ok(steps[i].entropy < steps[i - 1].entropy);
      assert.ok(steps[i].maxWeight > steps[i - 1].maxWeight);
    }
  }
});

test('the expectations over g are shared by all n up to the next power of 2', (t) => {
  const exp = t.mock.method(Math, 'exp');
  const calls = (/** @type {number} */ n) => {
    const before = exp.mock.callCount();
    softmaxMoments(n, 7.7, { outer: 0.5, inner: 0.5, order: 0, rest: 1e-8 });
    return exp.mock.callCount() - before;
  };
  const [first, second] = [calls(70), calls(71)];
  assert.ok(second < first / 20, `${second}, not ${first}`);
});

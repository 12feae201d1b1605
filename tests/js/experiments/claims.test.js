// @slow
// The ledger: every claim's numbers against the theory that its verdict states, and in the sentences around them.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { attentionScores, randomNormal } from '../../../web/attention/index.js';
import { scoresByPair } from '../../../web/experiments/claims/cost.js';
import { CLAIM_KEYS, measureClaim } from '../../../web/experiments/claims.js';
import { valueText } from '../../../web/figures/claims/element.js';
import { messages } from '../../../web/figures/claims/generated/words.js';
import { LANGUAGE_KEYS } from '../../../web/shared/languages.js';
import { expectedEffectiveKeys } from '../../../web/theory/saturation.js';
import { assertNear } from '../theory/near.js';

/**
 * @import { ClaimKey } from '../../../web/experiments/claims.js'
 * @typedef {Record<string, number>} Values
 */

/** Q(x) for a standard normal, by the integral of its density. @param {number} x */
function tail(x) {
  const step = 1e-3;
  let sum = 0;
  for (let t = x + step / 2; t < x + 10; t += step) sum += Math.exp((-t * t) / 2) * step;
  return sum / Math.sqrt(2 * Math.PI);
}

/** Returns the share of the variance of 32 random vectors that lies between four kinds. */
function betweenKinds() {
  const { data } = randomNormal([32, 2000], { seed: 1 });
  const meanOf = (/** @type {number[]} */ values) => values.reduce((a, b) => a + b) / values.length;
  const squares = (/** @type {number[]} */ values) =>
    values.reduce((sum, x) => sum + (x - meanOf(values)) ** 2, 0);
  let [between, total] = [0, 0];
  for (let axis = 0; axis < 2000; axis++) {
    const all = Array.from({ length: 32 }, (_, noun) => data[2000 * noun + axis]);
    between += 8 * squares([0, 8, 16, 24].map((kind) => meanOf(all.slice(kind, kind + 8))));
    total += squares(all);
  }
  return between / total;
}

/**
 * Returns how much weight moves, and how often another key leads, where normal scores of a deviation change by normal
 * numbers: means over 4000 rows, in float64.
 * @param {{ keys: number, change: number, sigma: number }} options
 */
function changedScores({ keys, change, sigma }) {
  const rows = 4000;
  const [own, added] = [0, 1].map(
    (stream) => randomNormal([rows, keys], { seed: 77, stream }).data,
  );
  const softmax = (/** @type {number[]} */ scores) => {
    const terms = scores.map((score) => Math.exp(score - Math.max(...scores)));
    const total = terms.reduce((a, b) => a + b);
    return terms.map((term) => term / total);
  };
  let [moved, led] = [0, 0];
  for (let row = 0; row < rows; row++) {
    const before = Array.from(own.subarray(row * keys, (row + 1) * keys), (x) => sigma * x);
    const after = before.map((score, i) => score + sigma * change * added[row * keys + i]);
    const [p, q] = [softmax(before), softmax(after)];
    moved += p.reduce((sum, weight, i) => sum + Math.abs(weight - q[i]) / 2, 0) / rows;
    led += Number(before.indexOf(Math.max(...before)) !== after.indexOf(Math.max(...after))) / rows;
  }
  return { moved, led };
}

/** Asserts that a claim's sentence has every number, none missing, in both languages. @param {ClaimKey} claim @param {Values} values */
function assertWritten(claim, values) {
  for (const lang of LANGUAGE_KEYS) {
    const text = valueText(messages[lang].claims[claim].value, lang, values);
    assert.match(text, /\d/);
    assert.doesNotMatch(text, /undefined|NaN|–|[{}]/, `${claim} ${lang}: ${text}`);
    if (lang === 'en') assert.doesNotMatch(text, /\p{Script=Han}/u);
  }
}

/** @type {Record<ClaimKey, [string, (values: Values) => void]>} */
const checks = {
  variance: [
    'variance 512, reach 68, excess kurtosis 6/8',
    ({ variance, reach, kurtosis }) => {
      assertNear(variance, 512, 0.05);
      assertNear(reach, 67.9, 0.03);
      assertNear(kurtosis, 6 / 8, 0.15);
    },
  ],
  typicalSize: [
    'typical sizes 22.6 and 1',
    ({ unscaled, scaled }) => {
      assertNear(unscaled, Math.sqrt(512), 0.03);
      assertNear(scaled, 1, 0.03);
    },
  ],
  overflow: [
    'no score overflows, but exp of Q(11.09/8) of them, in nearly every row',
    ({ dot, entries, rows, subtracted }) => {
      assert.equal(dot, 0);
      assertNear(entries, tail(11.09 / 8), 0.12);
      assert.ok(rows > 0.98);
      assert.equal(subtracted, 0);
    },
  ],
  expOfFifty: [
    'e⁵⁰ = 5.18e21 fits float32, not float16',
    ({ value, float16 }) => {
      assertNear(value, Math.exp(50), 1e-5);
      assert.equal(float16, Infinity);
    },
  ],
  oneHot: [
    'J₀₀ = 1.6e−21, computed 0',
    ({ exact, float32 }) => {
      assertNear(exact, 3 * Math.exp(-49), 1e-6);
      assert.equal(float32, 0);
    },
  ],
  vanishing: [
    'median 5.0e−3 far below the mean 1.76, which few rows carry: means over 500 seeds',
    ({ mean, median, topShare }) => {
      assertNear(median, 5.0e-3, 0.2);
      assertNear(mean, 1.755, 0.04);
      assertNear(topShare, 0.939, 0.02);
    },
  ],
  nearlyUniform: [
    'entropy ln n − 1/(2d)',
    ({ entropyRatio, keys }) => {
      assertNear(entropyRatio, 1 - 1 / 128 / Math.log(64), 1e-3);
      assertNear(keys, 64 * Math.exp(-1 / 64), 0.005);
    },
  ],
  halfScale: [
    'n·e^(−1/4) effective keys instead of n/e',
    ({ half, full }) => {
      assertNear(half, 512 * Math.exp(-1 / 4), 0.02);
      assertNear(full, 512 / Math.E, 0.07);
      assertNear(full, expectedEffectiveKeys({ dK: 512, keys: 512 }), 0.03);
    },
  ],
  withinThree: ['99.7 % within ±3', ({ share }) => assertNear(share, 1 - 2 * tail(3), 0.002)],
  operations: [
    'operations of §5, a tanh as three: 2.1 times the dot product’s if factored, 66 per pair',
    ({ factored, pairwise }) => {
      assertNear(factored, (3 + 3 + 2) / 4 + 64 / 512, 1e-12);
      assertNear(pairwise, (4 * 64 + 3 + 3 + 2) / 4, 1e-12);
    },
  ],
  speed: [
    'positive ratios, the program deciding',
    ({ vectorised, scalar, pairwise }) => {
      assert.ok(vectorised > 0 && scalar > vectorised && pairwise > vectorised);
    },
  ],
  memory: [
    '134 MB broadcast, n² and n·d otherwise',
    ({ broadcast, dot, tiled }) => {
      assertNear(broadcast, 134e6, 0.01);
      assert.equal(dot, 4 * 512 ** 2);
      assert.ok(tiled < dot);
    },
  ],
  scaleCost: ['a ratio of times', ({ ratio }) => assert.ok(ratio > 0 && Number.isFinite(ratio))],
  swapped: [
    'swapping changes weights, shifting keys does not',
    ({ difference, keysShifted, queriesShifted }) => {
      assert.ok(difference > 0.05 && queriesShifted > 0.05);
      assert.ok(keysShifted < 1e-5);
    },
  ],
  twoGradients: ['two gradients', ({ difference }) => assert.ok(difference > 0.3)],
  asymmetry: [
    'asymmetry from .9 down, or up beyond 2',
    ({ start, symmetric, directed }) => {
      assertNear(start, 0.91, 0.15);
      assert.ok(symmetric < 0.45 && directed > 2);
    },
  ],
  keysAsValues: [
    'loss 1.45 tied, 0 untied; and with room for them keys serve a head as values, as soon as others do',
    ({ tied, untied, heads, tiedModel, untiedModel, ...learned }) => {
      assertNear(tied, 1.45, 0.05);
      assert.ok(untied < 0.01);
      assert.deepEqual([learned.tiedHeads, learned.untiedHeads], [heads, heads]);
      const steps = [learned.tiedSteps, learned.untiedSteps];
      assert.deepEqual(steps, [140, 140], 'as tests/bench/NOTES.md has it');
      assert.ok(tiedModel > untiedModel && tiedModel < untiedModel + 0.1);
    },
  ],
  heads: [
    '4·d_model² whatever h',
    (values) => assert.deepEqual(Object.values(values), Array(3).fill(4 * 512 ** 2)),
  ],
  scaledValues: [
    'entropy of saturated and of scaled weights',
    ({ values, scores }) => {
      assert.ok(values < 0.25);
      assertNear(scores, 1 - 0.5 / Math.log(64), 0.03);
    },
  ],
  headScale: [
    'deviation 1/√h with √d_model',
    ({ perHead, model }) => {
      assertNear(perHead, 1, 0.03);
      assertNear(model, 1 / Math.sqrt(8), 0.03);
    },
  ],
  drift: [
    'four times the deviation of twice the entries',
    ({ before, after }) => assertNear(after / before, 4, 1e-5),
  ],
  halfPrecision: [
    '56 % of float16 weights lost, none when scaled',
    ({ unscaled, scaled }) => {
      assertNear(unscaled, 0.56, 0.05);
      assert.equal(scaled, 0);
    },
  ],
  convergence: [
    'tens of times where spread, little where sharp, nothing for the twin',
    ({ averageUnscaled, averageScaled, retrieveUnscaled, retrieveScaled, twin }) => {
      assert.ok(averageUnscaled / averageScaled > 20);
      assertNear(averageScaled, 0.018, 0.2);
      assert.ok(retrieveUnscaled / retrieveScaled < 3);
      assert.equal(twin, 0);
    },
  ],
  trainedDeviation: [
    'the law of the start, and more than twice that after training',
    ({ start, end, dimension, trainedDimension }) => {
      assertNear(start, 1, 0.05);
      assert.ok(end > 2);
      assertNear(dimension, 64, 0.1);
      assert.ok(trainedDimension < 16);
    },
  ],
  untrainable: [
    'a lag that shrinks, and is still there at the end',
    ({ halfway, unscaledHalfway, end, unscaledEnd }) => {
      assert.ok(unscaledHalfway - halfway > unscaledEnd - end);
      assert.ok(unscaledEnd - end > 0.2);
    },
  ],
  specialHeads: [
    'a head for the token before, which does without the scale what it did at the start',
    ({ start, end, unscaled }) => {
      assert.ok(end > 3 * start);
      assert.ok(unscaled < 2 * start);
    },
  ],
  softcapAlone: [
    'a cap of 50 that leaves weights frozen, and 28 effective keys with the scale',
    ({ capped, none, scaled }) => {
      assertNear(scaled, expectedEffectiveKeys({ dK: 64, keys: 64 }), 0.03);
      assert.ok(none < 2.2 && capped < 1.2 * none && capped > none);
    },
  ],
  normalised: [
    'cosines that are nearly uniform, and the weights of 1/√d_k once they are multiplied by √d_k',
    ({ bare, gained, scaled }) => {
      assertNear(bare, 64 * Math.exp(-1 / 64), 0.005);
      assertNear(gained, scaled, 0.05);
    },
  ],
  byWidth: [
    'a weight that grows to all with 1/√d_k, and is kept by 8/d_k',
    ({ narrow, root, linear }) => {
      // A score of 4 or 16, and others of deviation 1 or ¼ about 0.
      assertNear(linear, 1 / (1 + 63 * Math.exp(1 / 32 - 4)), 0.05);
      assert.ok(root > 0.999 && narrow < linear);
    },
  ],
  atLength: [
    '1/(1 + (n − 1)e^(−5)), and the same with n^(−2.15)',
    ({ keys, plain, scaled }) => {
      assertNear(plain, 1 / (1 + (keys - 1) * Math.exp(-5)), 1e-5);
      assertNear(1 - scaled, (keys - 1) * keys ** -2.15, 0.05);
    },
  ],
  additiveAgainstDot: [
    'additive attention ahead where spread, most of all at large d_k, and behind where sharp',
    ({ dotSmall, additiveSmall, dotLarge, additiveLarge, dotSharp, additiveSharp }) => {
      assert.ok(additiveSmall < dotSmall && dotSmall < 0.03 && additiveLarge < 0.002);
      assert.ok(dotLarge > 10 / 16, 'ten times the loss of uniform attention');
      assert.ok(dotSharp < 0.15 && additiveSharp > 0.85);
    },
  ],
  stuck: [
    'the seeds of tests/bench/NOTES.md: all soon with either scale, one of five in time without',
    ({ seeds, root, linear, patience, late, right }) => {
      assert.deepEqual([seeds, root, linear, late], [5, 80, 100, 4]);
      assert.ok(patience >= 2 * Math.max(root, linear));
      assert.ok(right > 1 / 60 && right < 0.5, 'worse than a choice between the two nouns');
    },
  ],
  keysAndValues: [
    'keys that differ from kind to kind, values that differ within kinds, both more than by chance',
    ({ keys, values, chance }) => {
      assertNear(chance, betweenKinds(), 0.03);
      assert.ok(keys > 0.6 && values < 0.4 && values > chance);
    },
  ],
  otherFactors: [
    '28 effective keys of T5’s start, too; frozen with normalisation alone, nearly uniform with 1/d_k',
    ({ root, smaller, normalised, linear }) => {
      assertNear(root, expectedEffectiveKeys({ dK: 64, keys: 64 }), 0.03);
      assertNear(smaller, root, 1e-5);
      assert.ok(normalised < 2.2);
      assertNear(linear, 64 * Math.exp(-1 / 64), 0.005);
    },
  ],
  learnedFactor: [
    'a factor that stays near its start, and is late where it begins at 1',
    ({ root, rootLoss, one, oneLoss, linear, linearLoss }) => {
      assert.ok(Math.abs(Math.log2(8 * root)) < 0.5 && Math.abs(Math.log2(64 * linear)) < 0.5);
      assert.ok(one > 2 * root && one < 1 / 2);
      assert.ok(oneLoss > rootLoss + 0.1 && linearLoss < rootLoss + 0.1);
    },
  ],
  oneNumber: [
    'one for each query and each key',
    ({ rows, columns, numbers }) => assert.deepEqual([rows, columns, numbers], [6, 8, 48]),
  ],
  entrySize: [
    'a variance of 64·2⁴, four times 64·2²',
    ({ variance }) => assertNear(variance, 1024, 0.05),
  ],
  inputRange: [
    'the same weights 1000 higher, and nearly uniform ones between 0 and 1',
    ({ shifted, keys, squeezed }) => {
      assert.equal(shifted, 0);
      assertNear(keys, expectedEffectiveKeys({ dK: 64, keys: 64 }), 0.03);
      // The range of 64 normal numbers is 4.74 deviations, so that theirs becomes 1/4.74.
      assertNear(squeezed, 64 * Math.exp(-1 / 4.74 ** 2), 0.01);
    },
  ],
  meanScore: [
    'a mean near 0 twice, and a deviation of √512 that becomes 1',
    ({ mean, deviation, scaledMean, scaledDeviation }) => {
      assertNear(deviation, Math.sqrt(512), 0.03);
      assertNear(scaledDeviation, 1, 0.03);
      assert.ok(Math.abs(mean) < 3 * Math.sqrt(512 / 256 / 64));
      assertNear(scaledMean, mean / Math.sqrt(512), 1e-4);
    },
  ],
  meanWeight: [
    'a mean of 1/64 twice, and largest weights far apart',
    ({ mean, largest, scaledMean, scaledLargest }) => {
      for (const each of [mean, scaledMean]) assertNear(each, 1 / 64, 1e-6);
      assertNear(largest, 0.8, 0.05);
      assertNear(scaledLargest, 0.11, 0.05);
    },
  ],
  glorot: [
    '2·d_model/(d_model + outputs)',
    ({ square, packed, head }) => {
      assertNear(square, 1, 0.03);
      assertNear(packed, 1 / 2, 0.03);
      assertNear(head, 16 / 9, 0.05);
    },
  ],
  scaleMemory: [
    'the same bits with the factor in the queries, and 512² numbers that nobody stores',
    ({ difference, copy }) => {
      assert.equal(difference, 0);
      assert.equal(copy, 4 * 512 ** 2);
    },
  ],
  outputSoftmax: [
    'one in 64 right, a gradient near 1 where wrong, and a softmax that passes on little',
    ({ wrong, gradient, trace }) => {
      assert.ok(wrong > 240 && wrong < 256);
      assert.ok(gradient > 0.99 && gradient <= 1 && trace < 0.05);
    },
  ],
  patches: [
    'weights move 12 % and 2 %, and the first patch in 12 of 100, as of normal scores that change by a tenth',
    ({ unscaled, scaled, led }) => {
      const expected = changedScores({ keys: 49, change: 0.1, sigma: Math.sqrt(768) / 2 });
      assertNear(unscaled, expected.moved, 0.15);
      assertNear(led, expected.led, 0, 0.02);
      assertNear(scaled, changedScores({ keys: 49, change: 0.1, sigma: 1 / 2 }).moved, 0.05);
      assert.ok(unscaled > 5 * scaled);
    },
  ],
  pairByPair: ['slower one by one', ({ ratio }) => assert.ok(ratio > 1, String(ratio))],
};

it('the dot products that are timed pair by pair are the scores', () => {
  const [query, key] = [0, 1].map((stream) => randomNormal([5, 7], { seed: 3, stream }));
  const { scores } = attentionScores(query, key, { scale: 1 });
  scoresByPair(query, key).forEach((score, i) => assertNear(score, scores.data[i], 1e-5, 1e-6));
});

describe('each claim of the ledger', () => {
  for (const key of CLAIM_KEYS) {
    const [title, check] = checks[key];
    it(`${key}: ${title}`, async () => {
      const rows = await measureClaim({ claim: key });
      for (const { claim } of rows) assert.equal(claim, key);
      const values = Object.fromEntries(rows.map(({ quantity, value }) => [quantity, value]));
      check(values);
      assertWritten(key, values);
    });
  }
});

// Outside their domain laws refuse, by their own name and that of the argument, as functions of the kernel do; at
// its edge they have their limits.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scoreProbability } from '../../../web/theory/density.js';
import { gapTail } from '../../../web/theory/gradient.js';
import * as laws from '../../../web/theory/index.js';
import { farBelowLargest } from '../../../web/theory/precision.js';
import { alignedWeights, entropyExponents } from '../../../web/theory/scale.js';
import { testRefusals } from '../refusals.js';
import { assertNear } from './near.js';

const { costModel, cosineGain, expectedEffectiveKeys, expectedEntropy, expectedMaxWeight } = laws;
const { expectedSaturation, freezingDimension, freezingExponent, freezingSigma, memoryModel } =
  laws;
const { scoreDensity, sinkWeight, softmaxMoments, startDeviation, tiedRingFloor } = laws;

const law = { dK: 4, keys: 8 };
const no = /** @type {any} */ (undefined);

/** @type {[call: () => unknown, message: string][]} */
const CASES = [
  [() => expectedEffectiveKeys({ ...law, keys: 0 }), 'expectedEffectiveKeys: keys is 0'],
  [() => expectedEffectiveKeys(no), 'expectedEffectiveKeys: options is undefined, expected an obj'],
  [() => expectedSaturation({ ...law, factor: -1 }), 'expectedSaturation: factor is -1'],
  [() => expectedSaturation({ ...law, dK: 0 }), 'expectedSaturation: dK is 0, expected at least'],
  [() => expectedSaturation({ ...law, keys: 1.5 }), 'expectedSaturation: keys is 1.5'],
  [() => expectedSaturation(/** @type {any} */ ({ dK: 4 })), 'expectedSaturation: keys is undef'],
  [() => expectedSaturation(no), 'expectedSaturation: options is undefined, expected an object'],
  [() => costModel(no), 'costModel: options is undefined, expected an object'],
  [() => costModel({ method: 'dot', keys: -1, dK: 4 }), 'costModel: keys is -1, expected at least'],
  [() => memoryModel({ method: 'dot', keys: NaN, dK: 4 }), 'memoryModel: keys is NaN'],
  [
    () => memoryModel(/** @type {any} */ (null)),
    'memoryModel: options is null, expected an object',
  ],
  [
    () => costModel({ ...law, method: /** @type {any} */ ('toString') }),
    "costModel: method is 'toString', expected one of 'dot', 'factored', 'pairwise'",
  ],
  [
    () => memoryModel({ ...law, method: /** @type {any} */ ('cubic') }),
    "memoryModel: method is 'cubic', expected one of 'dot', 'broadcast', 'fused'",
  ],
  [() => freezingDimension(0), 'freezingDimension: n is 0, expected at least 1'],
  [() => freezingDimension(8, { entrySize: 0 }), 'freezingDimension: entrySize is 0'],
  [() => freezingSigma(0.5), 'freezingSigma: n is 0.5, expected at least 1'],
  [() => freezingSigma(no), 'freezingSigma: n is undefined, expected at least 1'],
  [() => freezingExponent(0, 64), 'freezingExponent: n is 0, expected at least 1'],
  [() => freezingExponent(64, 0.5), 'freezingExponent: dK is 0.5, expected at least 1'],
  [() => tiedRingFloor(1), 'tiedRingFloor: n is 1, expected at least 2'],
  [() => scoreDensity(1, 0), 'scoreDensity: dK is 0, expected at least 0.01'],
  [() => scoreDensity(no, 4), 'scoreDensity: s is undefined, expected a number'],
  [() => scoreDensity(1, 4, /** @type {any} */ (3)), 'scoreDensity: options is 3, expected an obj'],
  ...[0, -1, 1.5, NaN, Infinity, no, /** @type {any} */ ('3')].map(
    (n) =>
      /** @type {[() => unknown, string]} */ ([
        () => expectedMaxWeight(n, 1),
        `expectedMaxWeight: n is ${typeof n === 'string' ? `'${n}'` : n}, expected a positive integer`,
      ]),
  ),
  ...[-1, NaN, 1.1e5, Infinity, no].map(
    (sigma) =>
      /** @type {[() => unknown, string]} */ ([
        () => expectedEntropy(64, sigma),
        `expectedEntropy: sigma is ${sigma}, expected 0 to 100000`,
      ]),
  ),
  [() => softmaxMoments(0, 1), 'softmaxMoments: n is 0, expected a positive integer'],
  [() => cosineGain(1), 'cosineGain: keys is 1'],
  [() => cosineGain(8, 1), 'cosineGain: weight is 1'],
  [() => startDeviation({ dModel: 0 }), 'startDeviation: dModel is 0, expected a positive integer'],
  [() => startDeviation({ dModel: 8, std: -1 }), 'startDeviation: std is -1'],
  [() => startDeviation({ dModel: 8, dK: 0, start: 'glorot' }), 'startDeviation: dK is 0'],
  [
    () => startDeviation({ dModel: 8, start: /** @type {any} */ ('he') }),
    "startDeviation: start is 'he', expected one of 'unit', 'nn-linear', 'multihead', 'glorot', 'gpt-2'",
  ],
  [() => sinkWeight(1.5), 'sinkWeight: keys is 1.5'],
  [() => sinkWeight(8, { sink: NaN }), 'sinkWeight: sink is NaN, expected a finite number'],
];

testRefusals(CASES.map(([call, message]) => [call, `DTypeError: ${message}`]));

test('there are at most 15 laws, each with a refusal', () => {
  const names = Object.keys(laws);
  assert.ok(names.length <= 15, `${names.length}`);
  for (const name of names) assert.ok(CASES.some(([, message]) => message.startsWith(`${name}:`)));
});

test('at the edges of their domain functions return their limits', () => {
  assert.equal(scoreDensity(Infinity, 4), 0);
  assert.equal(scoreDensity(-Infinity, 4), 0);
  assert.equal(scoreProbability(1, 1, 4), 0);
  assertNear(expectedSaturation({ ...law, factor: 0 }).entropyRatio, 1, 1e-4);
  assertNear(expectedSaturation({ ...law, factor: 0 }).maxWeight, 1 / 8, 1e-4);
  assertNear(gapTail(4, 0), 1, 1e-9);
  assertNear(farBelowLargest(0, law), 1 - 1 / 8, 1e-6);
  assert.equal(freezingDimension(1), 0);
  assert.deepEqual(entropyExponents({ ...law, ratios: [1, 0] }), [Infinity, -Infinity]);
  assertNear(alignedWeights({ ...law, factor: 1, alignments: [-1] })[0], 0.01073, 0.005);
});

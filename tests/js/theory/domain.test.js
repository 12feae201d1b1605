// Outside their domain functions of theory refuse, by their own name and that of the argument; at its
// edge they have their limits.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { costModel, memoryModel } from '../../../web/theory/cost.js';
import { scoreDensity, scoreProbability } from '../../../web/theory/density.js';
import { freezingDimension, freezingSigma } from '../../../web/theory/freezing.js';
import { gapTail, medianGap } from '../../../web/theory/gradient.js';
import { expectedMaxWeight } from '../../../web/theory/moments.js';
import { normNodes } from '../../../web/theory/norm.js';
import { cachePerToken, layerParameters } from '../../../web/theory/parameters.js';
import {
  competitorGap,
  competitorsWithin,
  farBelowLargest,
  rowTail,
  scoreTail,
} from '../../../web/theory/precision.js';
import { tiedRingFloor } from '../../../web/theory/relation.js';
import { expectedEffectiveKeys, expectedSaturation } from '../../../web/theory/saturation.js';
import { alignedWeights, entropyExponents } from '../../../web/theory/scale.js';
import {
  alignedRow,
  cosineGain,
  crossingCorrelation,
  expectedRow,
  sinkWeight,
  softcapSlope,
  weightAbove,
  yarnFactor,
} from '../../../web/theory/scales.js';
import { testRefusals } from '../refusals.js';
import { assertNear } from './near.js';

const law = { dK: 4, keys: 8 };
const row = { ...law, factor: 1 };

/** @type {[call: () => unknown, message: string][]} */
const CASES = [
  [() => expectedEffectiveKeys({ ...law, keys: 0 }), 'expectedEffectiveKeys: keys is 0'],
  [() => expectedSaturation({ ...law, factor: -1 }), 'expectedSaturation: factor is -1'],
  [() => expectedSaturation({ ...law, dK: 0 }), 'expectedSaturation: dK is 0, expected at least'],
  [() => expectedSaturation({ ...law, keys: 1.5 }), 'expectedSaturation: keys is 1.5'],
  [() => gapTail(4, -1), 'gapTail: gap is -1, expected at least 0'],
  [() => gapTail(1, 1), 'gapTail: n is 1, expected at least 2'],
  [() => medianGap(1), 'medianGap: n is 1, expected at least 2'],
  [() => farBelowLargest(-1, law), 'farBelowLargest: distance is -1, expected at least 0'],
  [() => competitorGap({ ...law, keys: 2 }), 'competitorGap: keys is 2, expected at least 3'],
  [() => competitorsWithin(-1, law), 'competitorsWithin: gap is -1, expected at least 0'],
  [() => farBelowLargest(1, { ...law, keys: 0 }), 'farBelowLargest: keys is 0'],
  [() => scoreTail(1, { dK: 4, factor: -1 }), 'scoreTail: factor is -1, expected at least 0'],
  [() => rowTail(1, { ...law, keys: 0.5 }), 'rowTail: keys is 0.5, expected a positive integer'],
  [() => rowTail(1, /** @type {any} */ ({ dK: 4 })), 'rowTail: keys is undefined, expected a'],
  [() => farBelowLargest(1, /** @type {any} */ ({ dK: 4 })), 'farBelowLargest: keys is undefined'],
  [() => expectedSaturation(/** @type {any} */ ({ dK: 4 })), 'expectedSaturation: keys is undef'],
  [() => layerParameters({ dModel: 10, heads: 3 }), 'layerParameters: dKey is 3.33'],
  [() => layerParameters({ dModel: 8, heads: -2 }), 'layerParameters: heads is -2'],
  [() => cachePerToken({ kvHeads: -2, dKey: 4 }), 'cachePerToken: kvHeads is -2'],
  [() => costModel({ method: 'dot', keys: -1, dK: 4 }), 'costModel: keys is -1'],
  [() => memoryModel({ method: 'dot', keys: NaN, dK: 4 }), 'memoryModel: keys is NaN'],
  [
    () => costModel({ ...law, method: /** @type {any} */ ('cubic') }),
    "costModel: method is 'cubic', expected one of dot, factored, pairwise",
  ],
  [
    () => memoryModel({ ...law, method: /** @type {any} */ ('cubic') }),
    "memoryModel: method is 'cubic', expected one of dot, broadcast, fused",
  ],
  [() => freezingDimension(0), 'freezingDimension: n is 0, expected at least 1'],
  [() => freezingDimension(8, { entrySize: 0 }), 'freezingDimension: entrySize is 0'],
  [() => freezingSigma(0.5), 'freezingSigma: n is 0.5, expected at least 1'],
  [() => tiedRingFloor(1), 'tiedRingFloor: n is 1, expected at least 2'],
  [
    () => alignedWeights({ ...law, factor: 1, alignments: [0.5, 2] }),
    'alignedWeights: alignments is 2, expected -1 to 1',
  ],
  [
    () => alignedWeights({ dK: 1, keys: 8, factor: 1, alignments: [0], cosine: true }),
    'alignedWeights: dK is 1, expected at least 2',
  ],
  [
    () => alignedWeights({ ...law, keys: 1, factor: 1, alignments: [0] }),
    'alignedWeights: keys is 1, expected at least 2',
  ],
  [
    () => entropyExponents({ ...law, ratios: [1.5] }),
    'entropyExponents: ratios is 1.5, expected 0 to 1',
  ],
  [() => entropyExponents({ dK: 4, keys: 1, ratios: [0.5] }), 'entropyExponents: keys is 1'],
  [() => scoreDensity(1, 0), 'scoreDensity: dK is 0, expected at least 0.01'],
  [() => scoreProbability(0, 1, -1), 'scoreProbability: dK is -1, expected at least 0.01'],
  [() => scoreProbability(1, -1, 4), 'scoreProbability: high is -1, expected at least low, which'],
  [() => scoreProbability(NaN, 1, 4), 'scoreProbability: high is 1, expected at least low, which'],
  [() => normNodes(0), 'normNodes: d is 0, expected at least 0.01'],
  [() => normNodes(NaN), 'normNodes: d is NaN, expected at least 0.01'],
  ...[0, -1, 1.5, NaN, Infinity].map(
    (n) =>
      /** @type {[() => unknown, string]} */ ([
        () => expectedMaxWeight(n, 1),
        `expectedMaxWeight: n is ${n}, expected a positive integer`,
      ]),
  ),
  ...[-1, NaN, 1.1e5, Infinity].map(
    (sigma) =>
      /** @type {[() => unknown, string]} */ ([
        () => expectedMaxWeight(64, sigma),
        `expectedMaxWeight: sigma is ${sigma}, expected 0 to 100000`,
      ]),
  ),
  [() => expectedRow({ ...row, factor: -1 }), 'expectedRow: factor is -1'],
  [() => expectedRow({ ...row, keys: 0 }), 'expectedRow: keys is 0'],
  [() => expectedRow({ ...row, softcap: 0 }), 'expectedRow: softcap is 0'],
  [() => expectedRow({ ...row, sink: NaN }), 'expectedRow: sink is NaN'],
  [() => expectedRow({ ...row, dK: 1, cosine: true }), 'expectedRow: dK is 1'],
  [() => alignedRow({ ...row, sink: 0, alignments: [2] }), 'alignedRow: alignments is 2'],
  [() => cosineGain(1), 'cosineGain: keys is 1'],
  [() => cosineGain(8, 1), 'cosineGain: weight is 1'],
  [() => weightAbove(0, 1), 'weightAbove: keys is 0'],
  [() => yarnFactor(0), 'yarnFactor: stretch is 0'],
  [() => softcapSlope(1, 0), 'softcapSlope: cap is 0'],
  [() => sinkWeight(1.5), 'sinkWeight: keys is 1.5'],
  [() => crossingCorrelation(0), 'crossingCorrelation: dK is 0'],
];

testRefusals(CASES.map(([call, message]) => [call, `RangeError: ${message}`]));

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

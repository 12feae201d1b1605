// Options that take one of a few names, or numbers of a range, refuse any other, in the name of the
// function called.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { competitorCounts } from '../../../web/experiments/competitors.js';
import { costPrediction, memoryRows } from '../../../web/experiments/cost-lines.js';
import { measureCost, quickCost } from '../../../web/experiments/cost.js';
import { FLOW_GIVEN } from '../../../web/experiments/flow.js';
import { gradientCurve, gradientTheory } from '../../../web/experiments/gradient.js';
import { groupedHeads, headCache, headParameters } from '../../../web/experiments/heads.js';
import { precisionCurve, precisionTheory } from '../../../web/experiments/precision.js';
import { measureRecall, quickRecall, recallLoss } from '../../../web/experiments/recall.js';
import { measureRelation, quickRelation, RELATIONS } from '../../../web/experiments/relation.js';
import {
  largestWeights,
  saturationCurve,
  saturationSummary,
  saturationTheory,
  scoreHistogram,
} from '../../../web/experiments/saturation.js';
import { alignmentCurve, choiceFactor, scaleChoices } from '../../../web/experiments/scale.js';
import { measureAligned, measureScale } from '../../../web/experiments/scales.js';
import { trainingBatch, UNIFORM_LOSS } from '../../../web/experiments/training-runs.js';
import { measureTraining, train } from '../../../web/experiments/training.js';
import { TANH_FLOPS } from '../../../web/theory/cost.js';
import { FORMATS } from '../../../web/theory/precision.js';
import { testRefusals } from '../refusals.js';

const factors = '> 0 or one of none, 1/√d, 1/(2√d), 1/d';
const relations = 'one of ring3, pairs, ring8';
const tasks = 'one of average, retrieve, turn';
const tanhs = 'one of vectorised, scalar';

const drawn = { keys: 8, seed: 1 };
const head = { dK: 4, ...drawn };

/** Functions that have to be given options, and these. @type {[calls: ((options: any) => unknown)[], needed: object][]} */
const NEEDED = [
  [[precisionCurve, saturationCurve, gradientCurve], drawn],
  [[precisionTheory, saturationTheory, gradientTheory], { keys: 8 }],
  [[scoreHistogram, largestWeights, saturationSummary, competitorCounts], head],
  [[scaleChoices, alignmentCurve, measureScale, measureAligned], head],
  [[choiceFactor], { dK: 4, keys: 8 }],
  [[trainingBatch], { seed: 1 }],
];

/** Returns the options that a function needs. @param {(options: any) => unknown} call */
const neededBy = (call) => NEEDED.find(([calls]) => calls.includes(call))?.[1];

/** Calls and their messages, which name another function where that refuses. @type {[call: (options: any) => unknown, wrong: object, message: string][]} */
const CASES = [
  [train, { task: 'foo' }, `task is 'foo', expected ${tasks}`],
  [train, {}, `task is undefined, expected ${tasks}`],
  [measureTraining, { task: 'toString' }, `task is 'toString', expected ${tasks}`],
  [
    train,
    { task: 'turn', models: ['none', 'foo'] },
    "models[1] is 'foo', expected one of none, 1/√d, 1/d, twin, norm, softcap, clip, additive",
  ],
  [precisionCurve, { format: 'fp8' }, "format is 'fp8', expected one of fp16, bf16, fp32"],
  [precisionTheory, { format: null }, 'format is null, expected one of fp16, bf16, fp32'],
  [
    choiceFactor,
    { choice: 'x' },
    "choice is 'x', expected one of none, sqrt, t5, log-keys, yarn, half-sqrt, linear, temperature, cosine",
  ],
  [quickRelation, { relation: 'foo' }, `relation is 'foo', expected ${relations}`],
  [measureRelation, { relation: 1 }, `relation is 1, expected ${relations}`],
  [quickCost, { tanh: 'foo' }, `tanh is 'foo', expected ${tanhs}`],
  [measureCost, { tanh: 'foo' }, `tanh is 'foo', expected ${tanhs}`],
  [costPrediction, { tanh: 'foo', calibration: [] }, `tanh is 'foo', expected ${tanhs}`],
  [saturationCurve, { keys: '8' }, "keys is '8', expected a positive integer"],
  [saturationCurve, { entrySize: NaN }, 'entrySize is NaN, expected at least 0'],
  [scoreHistogram, { limit: -1 }, 'limit is -1, expected a positive number'],
  [largestWeights, { query: -1 }, 'query is -1, expected at least 0'],
  [quickRecall, { series: ['x'] }, "series[0] is 'x', expected one of tied, untied"],
  [quickRecall, { steps: 10 }, 'steps is 10, expected a multiple of 50'],
  [quickRecall, { seeds: 0 }, 'seeds is 0, expected a positive integer'],
  [measureRecall, { steps: 75 }, 'steps is 75, expected a multiple of 50'],
  [measureRecall, { steps: 0 }, 'steps is 0, expected a multiple of 50'],
  [
    recallLoss,
    { d: 2, tied: true, steps: 10 },
    'measureRecall: steps is 10, expected a multiple of 50',
  ],
  [trainingBatch, { task: 'x', step: 0 }, `task is 'x', expected ${tasks}`],
  [train, { task: 'turn', rates: [1, NaN] }, 'rates is NaN, expected at least 0'],
  [train, { task: 'turn', dK: 0.5 }, 'dK is 0.5, expected a positive integer'],
  [scaleChoices, { dK: 1 }, 'dK is 1, expected at least 2'],
  [scaleChoices, { keys: 1 }, 'keys is 1, expected at least 2'],
  [
    choiceFactor,
    { choice: 'temperature', temperature: 0 },
    'temperature is 0, expected a positive number',
  ],
  [
    alignmentCurve,
    { choice: 'sqrt', alignments: [2] },
    'alignedWeights: alignments is 2, expected -1 to 1',
  ],
  [quickRelation, { d: 0 }, 'd is 0, expected a positive integer'],
  [quickCost, { methods: ['x'] }, "methods[0] is 'x', expected one of dot, factored, pairwise"],
  [
    measureCost,
    { methods: ['dot', 'x'] },
    "methods[1] is 'x', expected one of dot, factored, pairwise",
  ],
  [
    headParameters,
    { heads: [8], dModel: 64, kvHeads: NaN },
    'kvHeads is NaN, expected a positive integer',
  ],
  [headParameters, { heads: [8, 2.5], dModel: 64 }, 'heads is 2.5, expected a positive integer'],
  [headCache, { heads: NaN, dModel: 64 }, 'heads is NaN, expected a positive integer'],
  [
    ({ wanted }) => groupedHeads(8, wanted),
    { wanted: 2.5 },
    'groupedHeads: wanted is 2.5, expected a positive integer',
  ],
  [saturationTheory, { entrySize: NaN }, 'entrySize is NaN, expected at least 0'],
  [memoryRows, { sizes: [NaN] }, 'sizes is NaN, expected a positive integer'],
  [measureCost, { sizes: [8, 0] }, 'sizes is 0, expected a positive integer'],
  [quickCost, { hidden: 0 }, 'hidden is 0, expected a positive integer'],
  [gradientCurve, { keys: 0 }, 'keys is 0, expected a positive integer'],
  [gradientTheory, { keys: 1.5 }, 'keys is 1.5, expected a positive integer'],
  [competitorCounts, { keys: 0, gaps: [1] }, 'keys is 0, expected a positive'],
  [scaleChoices, { queries: 0 }, 'queries is 0, expected a positive integer'],
  [measureScale, { scale: 'root' }, "scaleLaw: scale is 'root', expected one of none"],
  [measureScale, { scale: 'sqrt', keys: 1 }, 'keys is 1, expected'],
  [measureScale, { scale: 'sqrt', dK: 2.5 }, 'dK is 2.5, expected'],
  [measureScale, { scale: 'cosine', gain: 0 }, 'scaleLaw: gain is 0, expected'],
  [measureAligned, { scale: 'sqrt', rho: 1.5 }, 'rho is 1.5, expected'],
];

/** Functions that take keys and a factor. @type {((options: any) => unknown)[]} */
const SCALED = [
  largestWeights,
  precisionCurve,
  precisionTheory,
  saturationCurve,
  saturationSummary,
  saturationTheory,
  scoreHistogram,
];
for (const call of SCALED) {
  CASES.push(
    [call, { factor: 'sqrt' }, `factor is 'sqrt', expected ${factors}`],
    [call, { keys: 1.5 }, 'keys is 1.5, expected a positive integer'],
  );
}

testRefusals(
  CASES.map(([call, wrong, message]) => [
    () => call({ ...neededBy(call), ...wrong }),
    `RangeError: ${/^\w+: /.test(message) ? '' : `${call.name}: `}${message}`,
  ]),
);

// A seed that is missing does not mean 0.
testRefusals(
  [largestWeights, saturationCurve, saturationSummary, scoreHistogram].map((call) => [
    () => call(/** @type {any} */ ({ ...neededBy(call), seed: undefined })),
    /^\w+: \w+: seed is undefined, expected/,
  ]),
);

test('functions that return promises reject, and do not throw', async () => {
  const wrong = /** @type {any} */ ({ relation: 'foo' });
  await assert.rejects(measureRelation(wrong), RangeError);
  await assert.rejects(measureRecall({ steps: 75 }), RangeError);
});

test('options may be left out where every one has a default', () => {
  assert.equal(quickRecall().length, 2 * 2 * 8);
  assert.equal(quickRelation().length > 0, true);
});

test('shared constants, and the objects in them, are frozen', () => {
  for (const shared of [RELATIONS, FLOW_GIVEN, FORMATS, TANH_FLOPS, UNIFORM_LOSS]) {
    assert.ok(Object.isFrozen(shared));
    for (const inner of Object.values(shared)) assert.ok(Object.isFrozen(inner));
  }
});

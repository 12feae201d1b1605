// Options that take one of a few names refuse any other, in the name of the function called.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  choiceFactor,
  costPrediction,
  largestWeights,
  measureCost,
  measureRelation,
  measureTraining,
  precisionCurve,
  precisionTheory,
  quickCost,
  quickRelation,
  saturationCurve,
  saturationSummary,
  saturationTheory,
  scoreHistogram,
  train,
} from '../../../web/experiments/index.js';

const some = { dK: 4, keys: 8, seed: 1 };
const factors = '> 0 or one of none, 1/√d, 1/(2√d), 1/d';
const relations = 'one of ring3, pairs, ring8';
const tasks = 'one of average, retrieve, turn';
const tanhs = 'one of vectorised, scalar';

/** @type {[call: (options: any) => unknown, wrong: object, message: string][]} */
const CASES = [
  [train, { task: 'foo' }, `training: task is 'foo', expected ${tasks}`],
  [train, {}, `training: task is undefined, expected ${tasks}`],
  [measureTraining, { task: 'toString' }, `training: task is 'toString', expected ${tasks}`],
  [
    train,
    { task: 'turn', models: ['none', 'foo'] },
    "training: models is 'foo', expected one of none, 1/√d, 1/d, twin, additive",
  ],
  [
    precisionCurve,
    { format: 'fp8' },
    "precisionCurve: format is 'fp8', expected one of fp16, bf16, fp32",
  ],
  [
    precisionTheory,
    { format: null },
    'precisionTheory: format is null, expected one of fp16, bf16, fp32',
  ],
  [
    choiceFactor,
    { choice: 'x' },
    "choiceFactor: choice is 'x', expected one of none, sqrt, half-sqrt, linear, temperature, cosine",
  ],
  [quickRelation, { relation: 'foo' }, `quickRelation: relation is 'foo', expected ${relations}`],
  [measureRelation, { relation: 1 }, `measureRelation: relation is 1, expected ${relations}`],
  [quickCost, { tanh: 'foo' }, `quickCost: tanh is 'foo', expected ${tanhs}`],
  [measureCost, { tanh: 'foo' }, `measureCost: tanh is 'foo', expected ${tanhs}`],
  [
    costPrediction,
    { tanh: 'foo', calibration: [] },
    `costPrediction: tanh is 'foo', expected ${tanhs}`,
  ],
  [saturationCurve, { keys: '8' }, "saturationCurve: keys is '8', expected a positive integer"],
  [saturationTheory, { entrySize: NaN }, 'softmaxMoments: sigma is NaN, expected 0 to 100000'],
  ...[
    largestWeights,
    precisionCurve,
    precisionTheory,
    saturationCurve,
    saturationSummary,
    saturationTheory,
    scoreHistogram,
  ].map(
    (call) =>
      /** @type {[(options: any) => unknown, object, string]} */ ([
        call,
        { factor: 'sqrt' },
        `${call.name}: factor is 'sqrt', expected ${factors}`,
      ]),
  ),
];

for (const [call, wrong, message] of CASES) {
  test(`refused: ${message}`, async () => {
    await assert.rejects(async () => call({ ...some, ...wrong }), { name: 'RangeError', message });
  });
}

test('what promises rows rejects, and does not throw', async () => {
  const wrong = /** @type {any} */ ({ relation: 'foo' });
  await assert.rejects(measureRelation(wrong), RangeError);
});

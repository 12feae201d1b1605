/**
 * The course of every head against sums over all pairs in float64, and dates against a search step by step.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { diagnose, diagnosisCourse, randomNormal, tensor } from '../../../web/attention/index.js';
import { diagnoseHeads } from '../../../web/experiments/diagnose-heads.js';
import { inWorker } from '../../../web/experiments/in-worker.js';
import * as oracle from '../oracle.js';
import { runs } from '../runs.js';

/** @import { Diagnosis } from '../../../web/attention/index.js' */

const [LAYERS, HEADS, N, D] = [2, 2, 12, 8];
const SHAPE = [LAYERS, HEADS, N, D];
/** Scores that grow in training, step by step. */
const GROWTH = { 0: 0.3, 100: 1, 200: 3, 300: 9 };

/** Returns queries and keys of a step. @param {number} size */
function pairAt(size) {
  const [query, key] = [1, 2].map((seed) => randomNormal(SHAPE, { seed }));
  return { query: { ...query, data: query.data.map((x) => size * x) }, key };
}

/** Measures a head in float64. @param {number} size @param {number} head over all layers */
function measure64(size, head) {
  const [query, key] = Object.values(pairAt(size)).map((tensor) => oracle.matrixOf(tensor, head));
  const { scores, weights } = oracle.attention({ query, key, value: key, scale: 1 / Math.sqrt(D) });
  const all = scores.flat();
  const within = scores.map((row) => {
    const mean = oracle.sum(row) / N;
    return oracle.sum(row, (x) => (x - mean) ** 2) / N;
  });
  const variance = oracle.sum(within) / N;
  const average = (/** @type {(row: number[]) => number} */ of) => oracle.sum(weights.map(of)) / N;
  return {
    dotDeviation: Math.sqrt(D * variance),
    entropyRatio: average(oracle.entropy) / Math.log(N),
    largestScore: Math.max(...all),
    firstWeight: average(([first]) => first),
  };
}

/** @type {[step: number, size: number][]} */
const STEPS = Object.entries(GROWTH).map(([step, size]) => [Number(step), size]);
const reports = STEPS.map(([step, size]) => {
  const { query, key } = pairAt(size);
  return { step, diagnoses: diagnose(query, key) };
});

describe('the course of heads', () => {
  const rows = diagnosisCourse([...reports].reverse());

  test('has a row a step and head, in order', () => {
    assert.deepEqual(
      rows.map(({ step, layer, head }) => [step, layer, head]),
      STEPS.flatMap(([step]) => [0, 1, 2, 3].map((i) => [step, i >> 1, i & 1])),
    );
  });

  test('has the numbers of sums in float64', () => {
    for (const { step, layer, head, ...row } of rows) {
      const size = GROWTH[/** @type {keyof typeof GROWTH} */ (step)];
      for (const [name, value] of Object.entries(measure64(size, layer * HEADS + head))) {
        const found = Number(row[/** @type {'entropyRatio'} */ (name)]);
        assert.ok(
          Math.abs(found - value) <= 2e-5 * Math.max(1, Math.abs(value)),
          `${step} ${name}`,
        );
      }
    }
  });

  test('becomes sharper, and is dated', () => {
    const last = rows.filter(({ step }) => step === 300);
    assert.deepEqual(new Set(last.map(({ verdict }) => verdict)), new Set(['frozen']));
    for (const { layer, head, since } of last) {
      const before = rows.filter((row) => row.layer === layer && row.head === head);
      const other = before.filter(({ verdict }) => verdict !== 'frozen').at(-1);
      assert.ok(since > Number(other?.step));
    }
  });

  test('of weights has what weights tell', () => {
    const weights = [[1, 0], [0.5, 0.5]]; // prettier-ignore
    const [row] = diagnosisCourse([{ step: 5, diagnoses: diagnose({ weights }) }]);
    assert.deepEqual([row.dotDeviation, row.largestScore], [undefined, undefined]);
    assert.deepEqual([row.step, row.since, row.firstWeight], [5, 5, 0.5]);
  });

  test('with NaN is undefined from there on', () => {
    const { query, key } = pairAt(NaN);
    const rows = diagnosisCourse([...reports, { step: 400, diagnoses: diagnose(query, key) }]);
    const { verdict, since } = rows[rows.length - 1];
    assert.deepEqual([verdict, since], ['undefined', 400]);
  });

  test('lasts over a step at which the head is missing', () => {
    const some = reports
      .slice(2)
      .flatMap((report, i) => [
        report,
        { step: report.step + 50, diagnoses: report.diagnoses.slice(i) },
      ]);
    const rows = diagnosisCourse([...some, { ...reports[3], step: 400 }]);
    const first = rows.filter(({ layer, head }) => layer === 0 && head === 0);
    assert.deepEqual(
      first.map(({ step }) => step),
      [200, 250, 300, 400],
    );
    assert.equal(first[3].since, first.find(({ verdict }) => verdict === 'frozen')?.step);
  });

  test('refuses a step that is there twice or is no number', () => {
    for (const step of [100, NaN, Infinity]) {
      assert.throws(
        () => diagnosisCourse([...reports, { step, diagnoses: [] }]),
        new RegExp(
          `^DTypeError: diagnosisCourse: step ${step}, expected numbers, each of them once`,
        ),
      );
    }
    assert.deepEqual(diagnosisCourse([]), []);
  });
});

test('a verdict holds since the step after the last one with another', () => {
  const [some] = diagnose({ weights: [[1, 0], [0, 1]] }); // prettier-ignore
  const verdict = fc.constantFrom(
    .../** @type {const} */ (['frozen', 'sharp', 'spread', 'uniform']),
  );
  fc.assert(
    fc.property(fc.array(verdict, { minLength: 1, maxLength: 30 }), (verdicts) => {
      const rows = diagnosisCourse(
        verdicts.map((each, step) => ({ step, diagnoses: [{ ...some, verdict: each }] })),
      );
      rows.forEach(({ since }, i) => {
        let first = i;
        while (first > 0 && verdicts[first - 1] === verdicts[i]) first -= 1;
        assert.equal(since, first);
      });
    }),
    runs(200),
  );
});

test('heads in a worker are diagnosed as on this thread, and end with those so far when the signal aborts', async () => {
  const { query, key } = pairAt(1);
  const heads = [0, 1].map((i) => ({
    query: tensor(oracle.matrixOf(query, i)),
    key: tensor(oracle.matrixOf(key, i)),
    options: { causal: true },
  }));
  const found = await inWorker('heads', diagnoseHeads, { heads });
  const options = { causal: true };
  /** @type {Diagnosis[]} */
  const expected = heads.flatMap((head) => diagnose(head.query, head.key, options));
  assert.deepEqual(found, expected);
  const weights = [{ weights: { data: Float32Array.of(1, 0, 0.5, 0.5), shape: [2, 2] } }];
  const [{ firstWeight }] = await inWorker('heads', diagnoseHeads, { heads: weights });
  assert.equal(firstWeight, 0.5);
  const signal = AbortSignal.abort();
  assert.deepEqual(await diagnoseHeads({ heads, signal }), []);
});

// Attention against PyTorch and float64 formulas: every option, alone and crossed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { attention, randomNormal, tensor } from '../../../web/attention/index.js';
import * as oracle from '../oracle.js';
import { runs } from '../runs.js';
import { compareGolden, goldenCases, toInput } from './golden.js';
import { SDPA_FILES, sdpaOptions } from './problems.js';

/** @import { Tensor } from '../../../web/attention/index.js' */

const EVERYTHING = /** @type {const} */ (['weights', 'scores', 'logSumExp']);

test('the golden vectors of dot-product attention are met', (t) => {
  const { compare, report } = compareGolden();
  for (const { name, inputs, variants } of SDPA_FILES.flatMap(goldenCases)) {
    const [q, k, v] = [inputs.q, inputs.k, inputs.v].map(toInput);
    for (const variant of variants) {
      const all = attention(q, k, v, { ...sdpaOptions(variant), returns: EVERYTHING });
      const { output, scores, weights, logSumExp } = all;
      const results = Object.entries({ output, scores, weights, logsumexp: logSumExp });
      // '+lite' variants hold fewer arrays.
      const held = results.filter(([array]) => variant.expected[array]);
      compare(name, variant, Object.fromEntries(held));
    }
  }
  report(t, 172);
});

test('the golden vectors of cosine attention are met', (t) => {
  const { compare, report } = compareGolden();
  for (const { name, op, inputs, variants } of goldenCases('cosine_swapped.json')) {
    if (op !== 'cosine_attention') continue;
    const [q, k, v] = [inputs.q, inputs.k, inputs.v].map(toInput);
    for (const variant of variants) {
      const scale = 1 / variant.params.temperature;
      const options = { similarity: /** @type {const} */ ('cosine'), scale, returns: EVERYTHING };
      const { output, weights, logSumExp } = attention(q, k, v, options);
      const { scores } = attention(q, k, v, { similarity: 'cosine', returns: ['scores'] });
      // Scores of size 1/temperature carry that much more of the rounding of the cosine.
      const results = { cosine: scores, weights, output, logsumexp: logSumExp };
      compare(name, variant, results, (array) =>
        array === 'cosine' ? 0 : 4 * oracle.EPSILON * Math.max(1, scale),
      );
    }
  }
  report(t, 28);
});

/** Returns weightsᵀ values. @param {Tensor} weights @param {any} values */
function overQueries(weights, values) {
  const columns = oracle.transpose(oracle.matrixOf(values));
  const rows = oracle.transpose(oracle.matrixOf(weights));
  return tensor(rows.map((p) => columns.map((v) => oracle.dot(p, v))));
}

test('query and key change places in the golden vectors of swapped attention', (t) => {
  const { compare, report } = compareGolden();
  for (const { name, op, inputs, variants } of goldenCases('cosine_swapped.json')) {
    if (op !== 'swapped_attention') continue;
    const [q, k, ofKeys, ofQueries] = ['q', 'k', 'v_k', 'v_q'].map((n) => toInput(inputs[n]));
    for (const variant of variants) {
      const { scale } = variant.params;
      const swapped = attention(k, q, ofQueries, { scale, returns: EVERYTHING });
      const normal = attention(q, k, ofKeys, { scale, returns: EVERYTHING });
      compare(name, variant, {
        scores_swapped: swapped.scores,
        weights_swapped: swapped.weights,
        logsumexp_swapped: swapped.logSumExp,
        output_swapped: swapped.output,
        weights_normal: normal.weights,
        output_normal: normal.output,
        output_over_queries: overQueries(swapped.weights, ofKeys),
      });
    }
  }
  report(t, 28);
});

/** Attention problems of any shape, mask and rule; numbers from a seed, of several sizes. */
const problems = fc.record({
  nQ: fc.integer({ min: 1, max: 20 }),
  nK: fc.integer({ min: 1, max: 40 }),
  dK: fc.integer({ min: 1, max: 20 }),
  dV: fc.integer({ min: 1, max: 12 }),
  std: fc.constantFrom(1e-3, 1, 1, 5),
  scale: fc.constantFrom(undefined, 1, 0.25, -1, 0),
  causal: fc.constantFrom(/** @type {const} */ ('all'), 'upper-left', 'lower-right'),
  mask: fc.constantFrom(/** @type {const} */ ('none'), 'boolean', 'additive'),
  seed: fc.nat(),
});

test('output, weights, scores and logSumExp agree with float64 on any problem', () => {
  fc.assert(
    fc.property(problems, ({ nQ, nK, dK, dV, std, scale, causal, mask, seed }) => {
      const draw = (/** @type {number[]} */ shape, /** @type {number} */ stream) =>
        randomNormal(shape, { seed, stream, std });
      const [query, key, value] = [draw([nQ, dK], 0), draw([nK, dK], 1), draw([nK, dV], 2)];
      const noise = draw([nQ, nK], 3).data;
      const added = noise.map((x) => (x > 0.5 * std ? -Infinity : mask === 'additive' ? x : 0));
      const got = attention(query, key, value, {
        scale,
        causal: causal === 'all' ? false : causal,
        ...(mask === 'additive' && { mask: { data: added, shape: [nQ, nK] } }),
        ...(mask === 'boolean' && {
          mask: { data: Uint8Array.from(added, (x) => (x === 0 ? 1 : 0)), shape: [nQ, nK] },
        }),
        returns: EVERYTHING,
      });
      const expected = oracle.attention({
        query: oracle.matrixOf(query),
        key: oracle.matrixOf(key),
        value: oracle.matrixOf(value),
        scale: Math.fround(scale ?? 1 / Math.sqrt(dK)),
        causal,
        ...(mask !== 'none' && { mask: oracle.matrixOf({ data: added, shape: [nQ, nK] }) }),
      });
      for (const name of /** @type {const} */ (['output', 'weights', 'scores', 'logSumExp'])) {
        const largest = Math.max(...expected.magnitude[name].flat());
        const error = oracle.errorInUnits(got[name].data, expected[name].flat(), largest);
        assert.ok(error <= 8, `${name}: ${error} · 2⁻²⁴ · magnitude`);
      }
    }),
    runs(3000),
  );
});

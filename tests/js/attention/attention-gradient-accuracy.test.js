// Gradients of attention against PyTorch and float64 formulas.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { attentionGradient, randomNormal } from '../../../web/attention/index.js';
import * as oracle from '../oracle.js';
import { runs } from '../runs.js';
import { compareGolden, goldenCases, toInput } from './golden.js';
import { drawMask, SDPA_FILES, sdpaOptions, sumGroups } from './problems.js';

/**
 * @import { Tensor } from '../../../web/attention/index.js'
 * @import { Matrix } from '../oracle/matrices.js'
 */

/** @typedef {ReturnType<typeof attentionGradient>} Gradients */

const NAMES = /** @type {const} */ (['dQuery', 'dKey', 'dValue']);

/** Returns the entries of a gradient, a number or a tensor. @param {Tensor | number} gradient */
const flat = (gradient) => (typeof gradient === 'number' ? [gradient] : gradient.data);

test('the golden gradients of dot-product attention are met', (t) => {
  const { compare, report } = compareGolden();
  for (const { name, inputs, variants } of SDPA_FILES.flatMap(goldenCases)) {
    for (const variant of variants.filter(({ expected }) => expected.dq)) {
      const [q, k, v, dO] = [inputs.q, inputs.k, inputs.v, inputs.d_out].map(toInput);
      const { dQuery, dKey, dValue, dScale } = attentionGradient(q, k, v, dO, sdpaOptions(variant));
      compare(name, variant, { dq: dQuery, dk: dKey, dv: dValue, dscale: dScale });
    }
  }
  report(t, 136);
});

test('the golden gradients of cosine attention are met; the temperature is 1/scale', (t) => {
  const { compare, report } = compareGolden();
  for (const { name, op, inputs, variants } of goldenCases('cosine_swapped.json')) {
    if (op !== 'cosine_attention') continue;
    for (const variant of variants.filter(({ expected }) => expected.dq)) {
      const [q, k, v, dO] = [inputs.q, inputs.k, inputs.v, inputs.d_out].map(toInput);
      const scale = 1 / variant.params.temperature;
      const options = { similarity: /** @type {const} */ ('cosine'), scale };
      const { dQuery, dKey, dValue, dScale } = attentionGradient(q, k, v, dO, options);
      const got = { dq: dQuery, dk: dKey, dv: dValue, dtemperature: -dScale * scale * scale };
      // Scores of size 1/temperature carry that much more of the rounding of the cosine.
      compare(name, variant, got, (array) => {
        const largest = Math.max(...variant.expected[array].data.map(Math.abs));
        return 4 * oracle.EPSILON * Math.max(1, scale) * largest;
      });
    }
  }
  report(t, 20);
});

test('query and key change places in the golden gradients of swapped attention', (t) => {
  const { compare, report } = compareGolden();
  for (const { name, op, inputs, variants } of goldenCases('cosine_swapped.json')) {
    if (op !== 'swapped_attention') continue;
    for (const variant of variants) {
      const [q, k, v, dO] = [inputs.q, inputs.k, inputs.v_q, inputs.d_out].map(toInput);
      const { scale } = variant.params;
      const { dQuery, dKey, dValue } = attentionGradient(k, q, v, dO, { scale });
      compare(name, variant, { dq: dKey, dk: dQuery, dv_q: dValue });
    }
  }
  report(t, 12);
});

/** @param {number} most rows or columns */
const problems = (most) =>
  fc.record({
    lead: fc.constantFrom([], [1], [2], [4], [2, 1], [2, 2], [1, 4]),
    shared: fc.constantFrom(1, 1, 2, 4),
    nQ: fc.integer({ min: 1, max: most }),
    nK: fc.integer({ min: 1, max: most }),
    dK: fc.integer({ min: 1, max: most }),
    dV: fc.integer({ min: 1, max: most }),
    scale: fc.constantFrom(undefined, 0, 0.3, -0.7, 1, 3),
    causal: fc.constantFrom(false, true, /** @type {const} */ ('upper-left'), 'lower-right'),
    mask: fc.constantFrom(/** @type {const} */ ('none'), 'boolean', 'additive', 'dead'),
    broadcast: fc.boolean(),
    similarity: fc.constantFrom(/** @type {const} */ ('dot'), 'cosine'),
    std: fc.constantFrom(0.3, 1, 2),
    seed: fc.nat(),
  });

/** Returns a problem's inputs, and each head of it as the oracle takes them. @param {any} problem */
function build({ lead, shared, nQ, nK, dK, dV, std, seed, ...rest }) {
  const heads = lead[lead.length - 1] ?? 1;
  const kvHeads = heads % shared === 0 ? heads / shared : heads;
  const keyLead = lead.length ? [...lead.slice(0, -1), kvHeads] : [];
  const [q, k, v, dO] = [
    [...lead, nQ, dK],
    [...keyLead, nK, dK],
    [...keyLead, nK, dV],
    [...lead, nQ, dV],
  ].map((shape, stream) => randomNormal(shape, { seed, stream, std: stream < 2 ? std : 1 }));
  const count = lead.reduce((/** @type {number} */ a, /** @type {number} */ b) => a * b, 1);
  const maskLead = rest.broadcast ? lead.map(() => 1) : lead;
  const { mask, added } = drawMask(rest.mask, [...maskLead, nQ, nK], seed);
  const { causal, similarity } = rest;
  const scale = rest.scale ?? (similarity === 'cosine' ? 1 : 1 / Math.sqrt(dK));
  const options = {
    causal,
    similarity,
    mask,
    ...(rest.scale !== undefined && { scale: rest.scale }),
  };
  const problemsOfHeads = Array.from({ length: count }, (_, head) => {
    const group = Math.floor((head * kvHeads) / heads);
    return {
      group,
      query: oracle.matrixOf(q, head),
      key: oracle.matrixOf(k, group),
      value: oracle.matrixOf(v, group),
      dOutput: oracle.matrixOf(dO, head),
      scale: Math.fround(scale),
      ...(added && { mask: oracle.matrixOf(added, rest.broadcast ? 0 : head) }),
      causal: /** @type {'all'} */ (
        causal === true ? 'upper-left' : causal === false ? 'all' : causal
      ),
    };
  });
  return { q, k, v, dO, options, heads: problemsOfHeads, groups: (count / heads) * kvHeads };
}

/** Gradients of one head in float64 by formula, cosine similarity included.
 *  @param {any} head @param {string} similarity */
function byFormula(head, similarity) {
  if (similarity === 'dot') return oracle.attentionGradient(head);
  const [query, key] = [head.query, head.key].map(oracle.unitRows);
  // A unit row has further roundings.
  const sizes = { querySize: triple(query), keySize: triple(key) };
  const { magnitude, ...unit } = oracle.attentionGradient({ ...head, query, key, ...sizes });
  const dQuery = oracle.unitRowsGradient(head.query, unit.dQuery, magnitude.dQuery);
  const dKey = oracle.unitRowsGradient(head.key, unit.dKey, magnitude.dKey);
  return {
    ...unit,
    dQuery: dQuery.dX,
    dKey: dKey.dX,
    magnitude: { ...magnitude, dQuery: dQuery.magnitude, dKey: dKey.magnitude },
  };
}

/** @param {Matrix} x */
const triple = (x) => x.map((row) => row.map((entry) => 3 * Math.abs(entry)));

/** Returns the whole problem's gradients by formula, with the largest magnitude of each.
 *  @param {ReturnType<typeof build>} built */
function expectedOf({ heads, groups, options }) {
  const each = heads.map((head) => byFormula(head, options.similarity));
  const magnitudes = each.map(({ magnitude }) => magnitude);
  const gather = (/** @type {{ dQuery: Matrix, dKey: Matrix, dValue: Matrix, dScale: number }[]} */ list) => ({
    dQuery: list.flatMap((x) => x.dQuery.flat()),
    dKey: sumGroups(heads, list.map((x) => x.dKey), groups),
    dValue: sumGroups(heads, list.map((x) => x.dValue), groups),
    dScale: [oracle.sum(list.map((x) => x.dScale))],
  }); // prettier-ignore
  return { expected: gather(each), magnitude: gather(magnitudes) };
}

test('gradients agree with the float64 formulas on any problem, all options crossed', (t) => {
  /** @type {Record<string, number>} */
  const worst = {};
  fc.assert(
    fc.property(problems(9), (problem) => {
      const built = build(problem);
      const got = attentionGradient(built.q, built.k, built.v, built.dO, built.options);
      const { expected, magnitude } = expectedOf(built);
      for (const name of /** @type {const} */ ([...NAMES, 'dScale'])) {
        const error = oracle.errorInUnits(
          flat(got[name]),
          expected[name],
          Math.max(...magnitude[name]),
        );
        assert.ok(error <= 8, `${name}: ${error} · 2⁻²⁴ · magnitude`);
        worst[name] = Math.max(worst[name] ?? 0, error);
      }
    }),
    runs(2500),
  );
  t.diagnostic(`worst in 2⁻²⁴ · magnitude: ${JSON.stringify(worst)}`);
});

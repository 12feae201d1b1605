// One small head against arithmetic in float64 and differences of its loss.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { attentionFlow, FLOW_GIVEN, flowSample } from '../../../web/experiments/flow.js';
import { attention } from '../oracle.js';
import { mix } from '../oracle/matrices.js';
import { assertNear } from '../theory/near.js';

/** @import { Given } from '../../../web/experiments/flow.js' */

const given = flowSample(3);

/** @param {ReturnType<typeof attentionFlow>} rows @param {string} name @returns {number[][]} */
function matrixOf(rows, name) {
  /** @type {number[][]} */
  const matrix = [];
  for (const { row, column, value } of rows.filter(({ matrix: each }) => each === name)) {
    (matrix[row] ??= [])[column] = value;
  }
  return matrix;
}

/** Returns the output in float64, by the definition.
 *  @param {Record<Given, number[][]>} inputs @param {{ scale: number, causal: boolean, source: 'x' | 'y' }} options */
function outputOf({ queryWeight, keyWeight, valueWeight, ...texts }, { scale, causal, source }) {
  const query = mix(texts.x, queryWeight);
  const [key, value] = [keyWeight, valueWeight].map((weight) => mix(texts[source], weight));
  return attention({ query, key, value, scale, causal: causal ? 'upper-left' : 'all' }).output;
}

for (const scaling of [true, false]) {
  for (const kind of ['all to all', 'causal', 'cross-attention']) {
    const cross = kind === 'cross-attention';
    const causal = kind === 'causal';
    const name = `${scaling ? 'scaled' : 'unscaled'}, ${kind}`;
    const rows = attentionFlow({ given, scaling, causal, cross });
    /** @type {Parameters<typeof outputOf>[1]} */
    const options = { scale: scaling ? 1 / Math.sqrt(3) : 1, causal, source: cross ? 'y' : 'x' };

    test(`the output agrees with the definition: ${name}`, () => {
      const expected = outputOf(given, options).flat();
      matrixOf(rows, 'output')
        .flat()
        .forEach((value, i) => assertNear(value, expected[i], 1e-5, 1e-6));
    });

    test(`rows of weights sum to 1, and masked keys have a weight of 0: ${name}`, () => {
      matrixOf(rows, 'weights').forEach((row, i) => {
        assertNear(
          row.reduce((all, weight) => all + weight, 0),
          1,
          1e-6,
        );
        if (causal) for (const weight of row.slice(i + 1)) assert.equal(weight, 0);
      });
    });

    test(`gradients of the given matrices agree with differences: ${name}`, () => {
      const loss = (/** @type {Record<Given, number[][]>} */ inputs) =>
        outputOf(inputs, options)
          .flat()
          .reduce((all, z) => all + z ** 2 / 2, 0);
      for (const { matrix, row, column, gradient } of rows) {
        if (!(matrix in FLOW_GIVEN)) continue;
        const shifted = (/** @type {number} */ by) => {
          const copy = structuredClone(given);
          copy[/** @type {Given} */ (matrix)][row][column] += by;
          return loss(copy);
        };
        assertNear(gradient, (shifted(1e-4) - shifted(-1e-4)) / 2e-4, 1e-4, 1e-5);
      }
    });

    test(`rows of the gradient by scores sum to 0, columns do not: ${name}`, () => {
      const gradient = rows.filter(({ matrix }) => matrix === 'scores');
      const total = (/** @type {(row: typeof gradient[0]) => boolean} */ pick) =>
        gradient.filter(pick).reduce((all, entry) => all + entry.gradient, 0);
      for (let i = 0; i < 4; i++)
        assertNear(
          total(({ row }) => row === i),
          0,
          0,
          1e-6,
        );
      const columns = [0, 1, 2, 3].map((j) => Math.abs(total(({ column }) => column === j)));
      assert.ok(Math.max(...columns) > 1e-2);
    });
  }
}

test('a sample is the same for the same seed, in tenths', () => {
  assert.deepEqual(flowSample(3), given);
  assert.notDeepEqual(flowSample(4), given);
  for (const value of Object.values(given).flatMap((rows) => rows.flat()))
    assertNear(10 * value, Math.round(10 * value), 0, 1e-9);
});

test('cross-attention has as many keys as the other text, needs no mask, and leaves X to the queries', () => {
  const rows = attentionFlow({ given, cross: true, causal: true });
  assert.deepEqual(rows, attentionFlow({ given, cross: true }));
  assert.deepEqual([matrixOf(rows, 'scores').length, matrixOf(rows, 'scores')[0].length], [4, 3]);
  assert.deepEqual(matrixOf(rows, 'query'), matrixOf(attentionFlow({ given }), 'query'));
  assert.ok(!attentionFlow({ given }).some(({ matrix }) => matrix === 'y'));
});

// Attention over an image: the patches of a grid as keys, their names by place, and the weights of one query in every head.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { attentionScores, randomNormal } from '../../../web/attention/index.js';
import { drawStatic } from '../../../web/figures/kit/chart/static.js';
import { readAttention, toAttention } from '../../../web/inspector/reading/index.js';
import { namesOfPlaces } from '../../../web/inspector/reading/grid.js';
import { spec } from '../../../web/inspector/view/element.js';
import { viewAfter } from '../figures/view-after.js';

const [WORDS, D] = [3, 8];
const query = randomNormal([2, 4, WORDS, D], { seed: 1 });
const key = randomNormal([2, 4, 50, D], { seed: 2 }); // a class token and 7 × 7 patches
const tokens = ['a', 'red', 'kite'];
const givenAs = (/** @type {unknown} */ grid) => toAttention({ query, key, tokens, grid });

/** @param {unknown} attention @param {object} [state] */
const viewOf = (attention, state = {}) =>
  viewAfter(spec, attention, { width: 960, row: 3, layer: 2, head: 4, ...state });

describe('the grid of an image', () => {
  it('is read from a text, a list or an array, of a page or of a file', async () => {
    const arrays = { data: Int32Array.of(7, 7), shape: [2] };
    for (const grid of ['7x7', ' 7×7 ', [7, 7], Int32Array.of(7, 7), arrays]) {
      assert.deepEqual(givenAs(grid).grid, [7, 7]);
    }
    const text = JSON.stringify({ weights: [[0.1, 0.2, 0.3, 0.4]], grid: [1, 3] });
    assert.deepEqual((await readAttention(new TextEncoder().encode(text))).grid, [1, 3]);
    assert.equal(givenAs(null).grid, undefined);
  });

  it('is refused with what it should be', () => {
    for (const grid of ['7', '0x7', 'axb', [7], [7, 7, 7], [7, 2.5], [7, -7], {}, 49, true]) {
      assert.throws(() => givenAs(grid), {
        name: 'DTypeError',
        message: /^toAttention: grid is .*, expected rows and columns, as in "7x7" or \[7, 7\]$/,
      });
    }
    const tooMany = { name: 'ShapeError', message: /grid is \[8, 7\], expected at most 50 keys/ };
    assert.throws(() => givenAs([8, 7]), tooMany);
    assert.throws(() => viewOf(givenAs(null), { grid: '8x7' }), tooMany);
  });

  it('names patches by row and column, and keys in front of them by their numbers', () => {
    assert.deepEqual(namesOfPlaces([2, 2], 5), ['1', '1, 1', '1, 2', '2, 1', '2, 2']);
    const { keyLabels, labels } = viewOf(givenAs('7x7')).data;
    assert.deepEqual([keyLabels[0], keyLabels[1], keyLabels[49]], ['1', '1, 1', '7, 7']);
    assert.deepEqual(labels, tokens);
  });
});

describe('distances over an image', () => {
  /** Returns queries and keys of as many patches. @param {number} n */
  const pairOf = (n) => ({
    query: randomNormal([1, 2, n, D], { seed: 3 }),
    key: randomNormal([1, 2, n, D], { seed: 4 }),
  });
  const distanceOf = (/** @type {any} */ { data }) => data.overview[1].reach.distance;

  it('are those of the grid of the page, of the file, and of no grid', () => {
    const given = pairOf(12);
    const { weights } = attentionScores(given.query, given.key, { returns: 'weights' });
    const attention = toAttention(given);
    for (const [rows, columns] of [
      [3, 4],
      [2, 6],
      [1, 12],
    ]) {
      // prettier-ignore
      let sum = 0;
      for (let i = 0; i < 12; i++) {
        for (let j = 0; j < 12; j++) {
          const down = Math.floor(i / columns) - Math.floor(j / columns);
          const across = (i % columns) - (j % columns);
          sum += weights.data[(12 + i) * 12 + j] * Math.hypot(down, across);
        }
      }
      const ofPage = distanceOf(viewOf(attention, { grid: `${rows}x${columns}` }));
      const ofFile = distanceOf(viewOf(toAttention({ ...given, grid: [rows, columns] })));
      assert.ok(Math.abs(ofPage - sum / 12) < 1e-5, `${ofPage} ${sum / 12}`);
      assert.equal(ofFile, ofPage);
      if (rows === 1) assert.equal(distanceOf(viewOf(attention)), ofPage);
    }
  });

  it('are unknown of words that look at it', () => {
    assert.ok(Number.isNaN(viewOf(givenAs('7x7')).data.overview[0].reach.distance));
  });
});

describe('the picture of an image', () => {
  it('has the weights of the chosen query at the patches, in every head', () => {
    for (const view of [viewOf(givenAs('7x7')), viewOf(givenAs(null), { grid: '7x7' })]) {
      const { patches, row } = view.data;
      const { weights } = attentionScores(query, key, { returns: 'weights' });
      assert.equal(patches.length, 8);
      patches.forEach((/** @type {any} */ { data, shape }, /** @type {number} */ head) => {
        const from = (head * WORDS + 2) * 50 + 1;
        assert.deepEqual([...data], [...weights.data.subarray(from, from + 49)]);
        assert.deepEqual(shape, [7, 7]);
      });
      assert.deepEqual([...row.subarray(1)], [...patches[7].data]);
      assert.doesNotMatch(drawStatic(spec, view), /NaN|undefined/);
    }
  });

  it('is of weights alone, too, and of the difference of two heads without the others', () => {
    const { weights } = attentionScores(query, key, { returns: 'weights' });
    const view = viewOf(toAttention({ weights, grid: '7x7' }), { factor: 2 });
    assert.equal(view.data.patches.length, 8);
    const difference = viewOf(toAttention({ weights, grid: '5x10' }), { minus: '1.1' });
    assert.equal(difference.data.patches, undefined);
    for (const each of [view, difference]) {
      assert.doesNotMatch(drawStatic(spec, each), /NaN|undefined/);
    }
  });
});

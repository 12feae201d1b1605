// The buttons that choose a cell of attn-flow.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { parseCell, shapesOf } from '../../../web/figures/flow/matrices.js';
import { neighbour } from '../../../web/figures/flow/pad.js';

for (const cross of /** @type {const} */ (['no', 'yes'])) {
  it(`lead from the first cell to every other, and back (cross-attention: ${cross})`, () => {
    const shapes = shapesOf({ cross });
    const names = Object.keys(shapes);
    const [first, last] = [names[0], names[names.length - 1]];
    const step = (
      /** @type {string} */ cell,
      /** @type {number} */ across,
      /** @type {number} */ down,
    ) => neighbour(shapes, parseCell(cell), across, down);
    const seen = new Set([`${first}-1-1`]);
    for (const cell of seen) {
      for (const [across, down] of [
        [1, 0],
        [-1, 0],
        [0, 1],
        [0, -1],
      ]) {
        const next = step(cell, across, down);
        if (next) seen.add(next);
      }
    }
    const count = Object.values(shapes).reduce((sum, [rows, columns]) => sum + rows * columns, 0);
    assert.equal(seen.size, count);
    assert.equal(step(`${first}-1-1`, -1, 0), undefined);
    assert.equal(step(`${first}-1-1`, 0, -1), undefined);
    const [rows, columns] = shapes.output ?? [];
    assert.equal(last, 'output');
    assert.equal(step(`${last}-${rows}-${columns}`, 1, 0), undefined);
  });
}

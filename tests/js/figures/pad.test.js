// The buttons that choose a cell of attn-flow.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { NAMES, SHAPES } from '../../../web/figures/flow/matrices.js';
import { neighbour } from '../../../web/figures/flow/pad.js';

it('lead from the first cell to every other, and back', () => {
  const [first, last] = [NAMES[0], NAMES[NAMES.length - 1]];
  const seen = new Set([`${first}-1-1`]);
  for (const cell of seen) {
    for (const [across, down] of [
      [1, 0],
      [-1, 0],
      [0, 1],
      [0, -1],
    ]) {
      const next = neighbour(cell, across, down);
      if (next) seen.add(next);
    }
  }
  const count = NAMES.reduce((sum, name) => sum + SHAPES[name][0] * SHAPES[name][1], 0);
  assert.equal(seen.size, count);
  assert.equal(neighbour(`${first}-1-1`, -1, 0), undefined);
  assert.equal(neighbour(`${first}-1-1`, 0, -1), undefined);
  const [rows, columns] = SHAPES[last];
  assert.equal(neighbour(`${last}-${rows}-${columns}`, 1, 0), undefined);
});

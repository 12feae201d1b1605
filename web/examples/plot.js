// Rows of a figure in Observable Plot: measured dots on exact lines.
import * as Plot from '@observablehq/plot';
import { rows } from 'attention-lab/experiments';

const measured = rows('saturation', { keys: 64, seed: 1 }).filter(
  ({ panel }) => panel === 'Mean largest weight',
);

export const chart = (document = globalThis.document) =>
  Plot.plot({
    document,
    x: { type: 'log', base: 2, label: 'd_k' },
    y: { domain: [0, 1], label: 'mean largest weight' },
    color: { legend: false },
    marks: [
      Plot.lineY(measured, { x: 'x', y: 'theory', stroke: 'series' }),
      Plot.dot(measured, { x: 'x', y: 'measured', stroke: 'series' }),
    ],
  });

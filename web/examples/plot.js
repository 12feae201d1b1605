// Rows of an experiment in Observable Plot: measured dots on exact lines.
import * as Plot from '@observablehq/plot';
import { saturationCurve, saturationTheory } from 'attention-lab/experiments';

const against = { x: 'dK', y: 'maxWeight', stroke: 'scaling' };

export const chart = (document = globalThis.document) =>
  Plot.plot({
    document,
    x: { type: 'log', base: 2, label: 'd_k' },
    y: { domain: [0, 1], label: 'mean largest weight' },
    color: { legend: false },
    marks: [
      Plot.lineY(saturationTheory({ keys: 64 }), against),
      Plot.dot(saturationCurve({ keys: 64, seed: 1 }), against),
    ],
  });

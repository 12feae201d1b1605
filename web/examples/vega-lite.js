// Rows of an experiment in Vega-Lite: measured points on exact lines.
import { saturationCurve, saturationTheory } from 'attention-lab/experiments';

const encoding = {
  x: { field: 'dK', type: 'quantitative', scale: { type: 'log', base: 2 }, title: 'd_k' },
  y: { field: 'maxWeight', type: 'quantitative', title: 'mean largest weight' },
  color: { field: 'scaling', type: 'nominal' },
};

export const specification = {
  $schema: 'https://vega.github.io/schema/vega-lite/v6.json',
  layer: [
    { data: { values: saturationTheory({ keys: 64 }) }, mark: 'line', encoding },
    { data: { values: saturationCurve({ keys: 64, seed: 1 }) }, mark: 'point', encoding },
  ],
};

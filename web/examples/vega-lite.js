// Rows of a figure in Vega-Lite: measured points on exact lines.
import { rows } from 'attention-lab/experiments';

const values = rows('saturation', { keys: 64, seed: 1 }).filter(
  ({ panel }) => panel === 'Mean largest weight',
);
const encoding = (field) => ({
  x: { field: 'x', type: 'quantitative', scale: { type: 'log', base: 2 }, title: 'd_k' },
  y: { field, type: 'quantitative', title: 'mean largest weight' },
  color: { field: 'series', type: 'nominal' },
});

export const specification = {
  $schema: 'https://vega.github.io/schema/vega-lite/v6.json',
  data: { values },
  layer: [
    { mark: 'line', encoding: encoding('theory') },
    { mark: 'point', encoding: encoding('measured') },
  ],
};

// Rows of an experiment in ECharts: its datasets take them as they are.
import { saturationCurve, saturationTheory } from 'attention-lab/experiments';

const against = { x: 'dK', y: 'maxWeight' };
const series = [
  { type: 'line', source: saturationTheory({ keys: 64 }) },
  { type: 'scatter', source: saturationCurve({ keys: 64, seed: 1 }) },
].flatMap(({ type, source }) =>
  ['unscaled', 'scaled'].map((scaling) => ({
    type,
    name: scaling,
    rows: source.filter((row) => row.scaling === scaling),
  })),
);

export const option = {
  animation: false,
  legend: {},
  xAxis: { type: 'log', logBase: 2, name: 'd_k' },
  yAxis: { min: 0, max: 1, name: 'mean largest weight' },
  dataset: series.map(({ rows }) => ({ source: rows })),
  series: series.map(({ type, name }, datasetIndex) => {
    return { type, name, datasetIndex, encode: against, showSymbol: false };
  }),
};

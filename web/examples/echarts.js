// Rows of a figure in ECharts: its datasets take them as they are.
import { rows } from 'attention-lab/experiments';

const measured = rows('saturation', { keys: 64, seed: 1 }).filter(
  ({ panel }) => panel === 'Mean largest weight',
);
const series = ['unscaled', 'scaled'].flatMap((name) => {
  const source = measured.filter((row) => row.series === name);
  return [
    { type: 'line', name, source, y: 'theory' },
    { type: 'scatter', name, source, y: 'measured' },
  ];
});

export const option = {
  animation: false,
  legend: {},
  xAxis: { type: 'log', logBase: 2, name: 'd_k' },
  yAxis: { min: 0, max: 1, name: 'mean largest weight' },
  dataset: series.map(({ source }) => ({ source })),
  series: series.map(({ type, name, y }, datasetIndex) => {
    return { type, name, datasetIndex, encode: { x: 'x', y }, showSymbol: false };
  }),
};

// Measurements as lines of text.
import { judge, ROWS } from './goals.js';
import { BACKENDS } from './measure/results.js';

/**
 * @import { Row } from './goals.js'
 * @import { Part } from './measure/results.js'
 * @import { EngineReport } from './plan.js'
 */

/** @type {Record<Row['unit'], (value: number) => string>} */
const SHOW = {
  '%': (value) => `${(100 * value).toFixed(1)} %`,
  '×': (value) => `${value.toFixed(2)} ×`,
  µs: (value) => `${value.toFixed(2)} µs`,
  ms: (value) => `${value.toFixed(1)} ms`,
  kB: (value) => `${value.toFixed(1)} kB`,
  'n·d': (value) => `${value.toFixed(2)} n·d`,
  error: (value) => value.toExponential(1),
};

/** @param {EngineReport} report @returns {string[]} lines */
export function describeEngine(report) {
  const { name, notRun, parts } = report;
  const peaks = BACKENDS.flatMap((backend) => {
    const seen = parts.filter((part) => part.backend === backend).map(({ peak }) => peak ?? 0);
    const peak = Math.max(0, ...seen);
    return peak ? [`peak ${backend} ${peak.toFixed(1)} GFLOP/s`] : [];
  });
  return [
    '',
    [name, ...peaks].join('; '),
    ...ROWS.flatMap((row) => BACKENDS.flatMap((backend) => describeRow(row, backend, report))),
    ...describeTimes(parts),
    ...notRun.map((title) => `NOT RUN: ${title}`),
  ];
}

/**
 * @param {Row} row
 * @param {Part['backend']} backend
 * @param {EngineReport} report
 * @returns {string[]}
 */
function describeRow(row, backend, report) {
  const { parts, worst, goal, holds } = judgeIn(report, row, backend);
  if (!worst) return [];
  const show = SHOW[row.unit];
  const verdict = holds === undefined ? '' : holds ? 'holds' : 'FALLS SHORT';
  const wanted = goal === undefined ? '' : `${row.least ? '≥' : '≤'} ${show(goal)}`;
  const columns = [backend.padEnd(8), show(worst.value).padStart(10), wanted.padStart(11), verdict];
  const shapes = parts.map(
    (part) =>
      `${part.shape}${part.into ? ' (into)' : ''}: ${show(part.value)}${processorTime(row, part)}`,
  );
  return [`${row.title.padEnd(76)}${columns.join('  ')}`, `    ${shapes.join(', ')}`];
}

/** @param {EngineReport} report @param {Row} row @param {Part['backend']} backend */
const judgeIn = ({ parts, isRelaxedJudged = true }, row, backend) =>
  judge(row, backend, parts, backend === 'simd' || isRelaxedJudged);

/** Returns the processor's share of wall-clock time. @param {Row} row @param {Part} part */
const processorTime = ({ unit }, { milliseconds }) =>
  unit === 'ms' && milliseconds ? ` (the processor ${milliseconds.toFixed(1)})` : '';

/** Lists the times of each contender, and the reasons of those without. @param {readonly Part[]} parts */
function describeTimes(parts) {
  const duels = new Map(
    parts.flatMap(({ row, shape, times }) =>
      times ? [[`${row.split('-')[0]} ${shape}`, Object.entries(times)]] : [],
    ),
  );
  if (duels.size === 0) return [];
  const lines = [...duels].map(([title, times]) => {
    const cells = times.flatMap(([name, time]) =>
      typeof time === 'number' ? [`${name} ${time.toPrecision(3)}`] : [],
    );
    return `    ${title}: ${cells.join(', ')}`;
  });
  const missing = [...duels].flatMap(([title, times]) =>
    times.flatMap(([name, reason]) =>
      typeof reason === 'string' ? [`NOT RUN: ${name}, ${title}: ${reason}`] : [],
    ),
  );
  return ['milliseconds, end to end', ...lines, ...missing];
}

/** @param {EngineReport} report @returns {{ hold: number, short: string[] }} */
export function countGoals(report) {
  const judged = ROWS.flatMap((row) =>
    BACKENDS.map((backend) => ({ row, backend, holds: judgeIn(report, row, backend).holds })),
  );
  const short = judged.filter(({ holds }) => holds === false);
  return {
    hold: judged.filter(({ holds }) => holds).length,
    short: short.map(({ row, backend }) => `${row.title} (${backend})`),
  };
}

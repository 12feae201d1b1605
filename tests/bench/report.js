// What was measured, as lines of text.
import { judge, ROWS } from './goals.js';
import { BACKENDS } from './measure/part.js';

/**
 * @import { Row } from './goals.js'
 * @import { Part } from './measure/part.js'
 * @import { EngineReport } from './plan.js'
 */

/** @type {Record<Row['unit'], (value: number) => string>} */
const SHOW = {
  '%': (value) => `${(100 * value).toFixed(1)} %`,
  '×': (value) => `${value.toFixed(2)} ×`,
  ms: (value) => `${value.toFixed(1)} ms`,
  kB: (value) => `${value.toFixed(1)} kB`,
  'n·d': (value) => `${value.toFixed(2)} n·d`,
  error: (value) => value.toExponential(1),
};

/** @param {EngineReport} report @returns {string[]} lines */
export function describeEngine({ name, notRun, parts }) {
  const peaks = BACKENDS.flatMap((backend) => {
    const seen = parts.filter((part) => part.backend === backend).map(({ peak }) => peak ?? 0);
    const peak = Math.max(0, ...seen);
    return peak ? [`peak ${backend} ${peak.toFixed(1)} GFLOP/s`] : [];
  });
  return [
    '',
    [name, ...peaks].join('; '),
    ...ROWS.flatMap((row) => BACKENDS.flatMap((backend) => describeRow(row, backend, parts))),
    ...describeTimes(parts),
    ...notRun.map((what) => `NOT RUN: ${what}`),
  ];
}

/**
 * @param {Row} row
 * @param {Part['backend']} backend
 * @param {readonly Part[]} all
 * @returns {string[]}
 */
function describeRow(row, backend, all) {
  const { parts, worst, goal, holds } = judge(row, backend, all);
  if (!worst) return [];
  const show = SHOW[row.unit];
  const verdict = holds === undefined ? '' : holds ? 'holds' : 'FALLS SHORT';
  const wanted = goal === undefined ? '' : `${row.least ? '≥' : '≤'} ${show(goal)}`;
  const columns = [backend.padEnd(8), show(worst.value).padStart(10), wanted.padStart(11), verdict];
  const shapes = parts.map(
    (part) => `${part.shape}: ${show(part.value)}${processorTime(row, part)}`,
  );
  return [`${row.title.padEnd(66)}${columns.join('  ')}`, `    ${shapes.join(', ')}`];
}

/** What wall-clock time is made of, other processes aside. @param {Row} row @param {Part} part */
const processorTime = ({ unit }, { milliseconds }) =>
  unit === 'ms' && milliseconds ? ` (the processor ${milliseconds.toFixed(1)})` : '';

/** What each contender took. @param {readonly Part[]} parts @returns {string[]} */
function describeTimes(parts) {
  const duels = new Map(
    parts.flatMap(({ row, shape, times }) =>
      times ? [[`${row.split('-')[0]} ${shape}`, times]] : [],
    ),
  );
  if (duels.size === 0) return [];
  const lines = [...duels].map(([what, times]) => {
    const cells = Object.entries(times).map(
      ([name, time]) => `${name} ${typeof time === 'number' ? time.toPrecision(3) : `(${time})`}`,
    );
    return `    ${what}: ${cells.join(', ')}`;
  });
  return ['milliseconds, end to end', ...lines];
}

/** @param {EngineReport} report @returns {{ hold: number, short: string[] }} */
export function countGoals({ parts }) {
  const judged = ROWS.flatMap((row) =>
    BACKENDS.map((backend) => ({ row, backend, holds: judge(row, backend, parts).holds })),
  );
  const short = judged.filter(({ holds }) => holds === false);
  return {
    hold: judged.filter(({ holds }) => holds).length,
    short: short.map(({ row, backend }) => `${row.title} (${backend})`),
  };
}

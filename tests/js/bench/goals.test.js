// The report of the benchmark: goals, shapes, and the table of the README.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { judge, ROWS } from '../../bench/goals.js';
import { insert, sentenceOf, tableOf } from '../../bench/table.js';
import { countGoals, describeEngine } from '../../bench/report.js';

/** @import { Part } from '../../bench/measure/results.js' */

/** @type {(row: string, ...values: number[]) => Part[]} */
const parts = (row, ...values) =>
  values.map((value, i) => ({ row, backend: 'simd', shape: `${i}×64`, value }));

const rowOf = (/** @type {string} */ id) => ROWS.find((row) => row.id === id) ?? ROWS[0];

it('the worst shape decides whether a goal is reached', () => {
  const share = rowOf('forward-64');
  assert.equal(judge(share, 'simd', parts('forward-64', 0.9, 0.8, 0.95)).holds, true);
  assert.equal(judge(share, 'simd', parts('forward-64', 0.9, 0.7999, 0.95)).holds, false);
  const edges = rowOf('edges');
  assert.equal(judge(edges, 'simd', parts('edges', 1.25, 1)).holds, true);
  assert.equal(judge(edges, 'simd', parts('edges', 1, 1.2501)).holds, false);
});

it('a shape that was not measured, or has no goal, neither holds nor falls short', () => {
  assert.equal(judge(rowOf('forward-64'), 'relaxed', parts('forward-64', 0.9)).holds, undefined);
  const reported = judge(rowOf('start-up-ort'), 'simd', parts('start-up-ort', 500));
  assert.deepEqual([reported.worst?.value, reported.holds], [500, undefined]);
});

it('the report names every shape, those that fall short and those that did not run', () => {
  const report = {
    name: 'Engine 1',
    notRun: ['edges, relaxed: not in this engine'],
    parts: [...parts('forward-64', 0.9, 0.7), ...parts('growth', 1.02)],
  };
  const text = describeEngine(report).join('\n');
  assert.match(text, /forward, d = 64: .* simd +70\.0 % +≥ 80\.0 % +FALLS SHORT\n +0×64: 90\.0 %, 1×64: 70\.0 %/);
  assert.match(text, /time \/ n².* 1\.02 × +≤ 1\.10 × +holds/);
  assert.match(text, /^NOT RUN: edges, relaxed/m);
  assert.deepEqual(countGoals(report), { hold: 1, short: ['forward, d = 64: share of the peak (simd)'] });
}); // prettier-ignore

it('the table of the site has the best of a peer’s ways, or states that there is none', () => {
  const times = { simd: 0.158, relaxed: 0.123, simdInto: 0.149, litert: 'Error: lost', ort: 0.27, ortAttention: 0.23, plain: 4.1 };
  const duel = { ...parts('forward-ort', 1.4)[0], shape: '128×64', times };
  const record = {
    processor: 'CPU',
    reports: [{ name: 'Chromium 156.0.1', parts: [duel, ...parts('forward-64', 0.9, 0.83), { ...parts('start-up', 57)[0], milliseconds: 7.04 }] }],
  };
  const table = tableOf(record, 'en');
  assert.match(table, /\| attention, n = 128 \| 0\.16 \| 0\.12 \| 0\.15 \| – \| – \| 0\.23 \| – \| 4\.1 \|/);
  assert.match(table, /\| import, compile, first result, n = 128 \| 7\.0 \|/);
  assert.match(table, /Chromium 156 on CPU,[^]*83–90 %/);
  record.reports[0].parts.splice(2, 1);
  assert.match(tableOf(record, 'en'), / at 90 %/);
  assert.match(tableOf(record, 'zh'), /峰值速度的 90%/);
  assert.match(sentenceOf(record), /takes – ms on CPU, and plain JavaScript – ms/);
  const page = insert('a\n<!-- bench -->\n\nstale\n\n<!-- /bench -->\nb\n', 'bench', table);
  assert.equal(page, `a\n<!-- bench -->\n\n${table}\n\n<!-- /bench -->\nb\n`);
}); // prettier-ignore

// Measures every goal of goals.js and prints how far each is reached.
//   node tests/bench/bench.js [--quick] [--engine NAME] [--json FILE]
// --engine: node, chromium or firefox, each once or more; all unless told. --quick: a few shapes, and less time for
// each. ./build.sh bench installs what it needs.
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { brotliCompressSync } from 'node:zlib';

import { openChromium, openFirefox, openNode, servePage } from './engines.js';
import { BACKENDS } from './measure/part.js';
import { countGoals, describeEngine } from './report.js';

/**
 * @typedef {import('./measure/part.js').Part} Part
 * @typedef {import('./engines.js').Engine} Engine
 * @typedef {{ name: string, notRun: string[], parts: Part[] }} EngineReport
 * @typedef {{ quick: boolean, seconds: number }} Effort
 */

const ENGINES = ['node', 'chromium', 'firefox'];
const { values: given } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    engine: { type: 'string', multiple: true, default: ENGINES },
    json: { type: 'string' },
  },
});

const DUELS = [
  { task: 'forward', sizes: { n: 128, d: 64 } },
  { task: 'forward', sizes: { n: 512, d: 64 } },
  { task: 'forward', sizes: { heads: 8, n: 512, d: 64 } },
  { task: 'forward', sizes: { n: 2048, d: 64 } },
  { task: 'forward', sizes: { n: 4096, d: 64 }, long: true },
  { task: 'gradient', sizes: { n: 512, d: 64 } },
  { task: 'gradient', sizes: { n: 2048, d: 64 }, long: true },
  { task: 'additive', sizes: { n: 512, d: 128 } },
  { task: 'softmax', sizes: { n: 1024, d: 1024 } },
];
const START_UPS = ['first', 'litert', 'ort', 'tfjs', 'plain'];

/** @param {number[]} numbers */
const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

/**
 * One part of several fresh runs, by what `choose` makes of their values.
 *
 * @param {number} times
 * @param {() => Promise<Part[]>} run
 * @param {(values: number[]) => number} choose
 * @returns {Promise<Part[]>}
 */
async function repeat(times, run, choose) {
  const runs = [];
  for (let i = 0; i < times; i++) runs.push(...(await run()));
  return runs.length ? [{ ...runs[0], value: choose(runs.map(({ value }) => value)) }] : [];
}

/**
 * @param {Engine} engine
 * @param {Effort} effort
 * @returns {Promise<EngineReport>}
 */
async function measureEngine(engine, effort) {
  /** @type {EngineReport} */
  const report = { name: engine.name, notRun: [], parts: [] };
  /** @type {(name: import('./engines.js').MeasurementName, options?: object) => Promise<Part[]>} */
  const run = (name, options) => engine.run(name, { ...effort, ...options });
  /** @type {(what: string, work: Promise<Part[]>) => Promise<void>} */
  const add = async (what, work) => {
    const parts = await work.catch((thrown) => void report.notRun.push(`${what}: ${thrown}`));
    if (parts?.length === 0) report.notRun.push(`${what}: not in this engine`);
    report.parts.push(...(parts ?? []));
    process.stderr.write('.');
  };
  const [starts, firsts] = effort.quick ? [5, 1] : [11, 3];
  for (const contender of START_UPS) {
    const times = contender === 'first' ? starts : 3;
    await add(
      `start-up, ${contender}`,
      repeat(times, () => run('startUp', { contender }), median),
    );
  }
  for (const backend of BACKENDS) {
    const first = () => run('firstCall', { backend });
    await add(
      `first call, ${backend}`,
      repeat(firsts, first, (values) => Math.min(...values)),
    );
    await add(`shares, ${backend}`, run('shares', { backend }));
    await add(`edges, ${backend}`, run('edges', { backend }));
  }
  for (const { task, sizes, long } of DUELS) {
    const what = `${task} ${Object.values(sizes).join('×')}`;
    if (effort.quick && long) report.notRun.push(`${what}: not in a quick run`);
    else await add(what, run('duels', { task, sizes }));
  }
  await add('memory', run('memory'));
  if (effort.quick) report.notRun.push('n = 65536: not in a quick run');
  return report;
}

/** Sizes of the modules, the same in every engine. @returns {EngineReport} */
function measureModules() {
  const parts = BACKENDS.flatMap((backend) => {
    const name = backend === 'simd' ? 'kernel' : 'kernel-relaxed';
    const bytes = readFileSync(new URL(`../../build/${name}.wasm`, import.meta.url));
    const brotli = brotliCompressSync(bytes).length;
    const shape = `${name}.wasm`;
    return [
      { row: 'module', backend, shape, value: bytes.length / 1000 },
      { row: 'module-brotli', backend, shape, value: brotli / 1000 },
    ];
  });
  return { name: 'Size', notRun: [], parts };
}

/** @param {(typeof ENGINES)[number]} name @param {import('./engines.js').Server} server */
async function openEngine(name, server) {
  if (name === 'node') return openNode();
  return name === 'chromium' ? openChromium(server) : openFirefox(server);
}

/** @param {EngineReport} report */
function print(report) {
  console.log(describeEngine(report).join('\n'));
  return report;
}

const effort = { quick: given.quick, seconds: given.quick ? 0.5 : 3 };
const load = loadavg()[0];
console.log(
  `${cpus()[0].model}, ${availableParallelism()} processors, ${load.toFixed(1)} processes waiting`,
);
const reports = [print(measureModules())];
const server = await servePage();
for (const name of given.engine) {
  const engine = await openEngine(name, server);
  if (engine) {
    reports.push(print(await measureEngine(engine, effort)));
    await engine.close();
  } else console.log(`\nNOT RUN: ${name} is not installed`);
}
await server.close();

console.log('');
for (const report of reports) {
  const { hold, short } = countGoals(report);
  console.log(`${report.name}: ${hold} goals hold, ${short.length} fall short`);
  for (const what of short) console.log(`  falls short: ${what}`);
}
if (given.json) {
  const { model } = cpus()[0];
  const record = { date: new Date().toISOString().slice(0, 10), processor: model, load, ...effort };
  writeFileSync(given.json, `${JSON.stringify({ ...record, reports }, null, 2)}\n`);
}

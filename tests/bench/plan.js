// The measurements in an engine, their order, and how often each is repeated.
import { readFileSync } from 'node:fs';
import { brotliCompressSync } from 'node:zlib';

import { BACKENDS } from './measure/results.js';

/**
 * @import { Engine } from './engines.js'
 * @import { MeasurementName } from './measure/index.js'
 * @import { Part } from './measure/results.js'
 */

/**
 * The goals of 'relaxed' hold for engines that fuse well: Chromium and the newest Node.
 * @typedef {{ name: string, notRun: string[], parts: Part[], isRelaxedJudged?: boolean }} EngineReport
 *
 * The seconds are for each comparison; quick leaves out the long ones.
 * @typedef {{ quick: boolean, seconds: number }} Effort
 */

const DUELS = [
  { task: 'forward', sizes: { n: 128, d: 64 } },
  { task: 'forward', sizes: { n: 512, d: 64 } },
  { task: 'forward', sizes: { heads: 8, n: 512, d: 64 } },
  { task: 'forward', sizes: { n: 2048, d: 64 } },
  { task: 'forward', sizes: { n: 4096, d: 64 }, long: true },
  { task: 'causal', sizes: { n: 512, d: 64 } },
  { task: 'causal', sizes: { n: 2048, d: 64 } },
  { task: 'masked', sizes: { n: 512, d: 64 } },
  { task: 'masked', sizes: { n: 2048, d: 64 } },
  { task: 'weights', sizes: { n: 64, d: 64 } },
  { task: 'weights', sizes: { n: 128, d: 64 } },
  { task: 'weights', sizes: { n: 512, d: 64 } },
  { task: 'weights', sizes: { n: 1024, d: 64 } },
  { task: 'statistics', sizes: { n: 512, d: 64 } },
  { task: 'statistics', sizes: { n: 2048, d: 64 }, long: true },
  { task: 'gradient', sizes: { n: 512, d: 64 } },
  { task: 'gradient', sizes: { n: 2048, d: 64 }, long: true },
  { task: 'additive', sizes: { n: 512, d: 128 } },
  { task: 'softmax', sizes: { n: 1024, d: 1024 } },
];
const START_UPS = ['first', 'litert', 'ort', 'tfjs', 'plain'];
const [OWN_START_UPS, PEERS_START_UPS, FIRST_CALLS] = [11, 3, 3];

/** @type {(numbers: number[]) => number} */
const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
/** @type {(numbers: number[]) => number} */
const least = (numbers) => Math.min(...numbers);

/**
 * Repeats one part in several fresh runs.
 * @param {number} times
 * @param {() => Promise<Part[]>} run
 * @param {(values: number[]) => number} choose its value
 * @returns {Promise<Part[]>} none if they give none
 */
async function repeat(times, run, choose) {
  /** @type {Part[]} */
  const parts = [];
  for (let i = 0; i < times; i++) parts.push(...(await run()));
  return parts.slice(0, 1).map((part) => ({ ...part, value: choose(parts.map((p) => p.value)) }));
}

/**
 * @param {Engine} engine
 * @param {Effort} effort
 * @returns {Promise<EngineReport>}
 */
export async function measureEngine(engine, effort) {
  const { name, isRelaxedJudged } = engine;
  /** @type {EngineReport} */
  const report = { name, isRelaxedJudged, notRun: [], parts: [] };
  /** @type {(name: MeasurementName, options?: object) => Promise<Part[]>} */
  const run = (name, options) => engine.run(name, { ...effort, ...options });
  /** @type {(title: string, work: Promise<Part[]>) => Promise<void>} */
  const add = async (title, work) => {
    const parts = await work.catch((thrown) => void report.notRun.push(`${title}: ${thrown}`));
    if (parts?.length === 0) report.notRun.push(`${title}: not in this engine`);
    report.parts.push(...(parts ?? []));
    process.stderr.write('.');
  };
  await add('page fault', run('pageFault'));
  for (const contender of START_UPS) {
    const times = contender === 'first' ? OWN_START_UPS : PEERS_START_UPS;
    const start = () => run('startUp', { contender });
    await add(`start-up, ${contender}`, repeat(times, start, median));
  }
  report.parts.push(...beyondPlain(report.parts));
  for (const backend of BACKENDS) {
    const first = () => run('firstCall', { backend });
    await add(`first call, ${backend}`, repeat(FIRST_CALLS, first, least));
    await add(`shares, ${backend}`, run('shares', { backend }));
    await add(`pictures, ${backend}`, run('pictures', { backend }));
    await add(`edges, ${backend}`, run('edges', { backend }));
    await add(`training, ${backend}`, run('training', { backend }));
  }
  for (const { task, sizes, long } of DUELS) {
    const what = `${task} ${Object.values(sizes).join('×')}`;
    if (effort.quick && long) report.notRun.push(`${what}: not in a quick run`);
    else await add(what, run('duels', { task, sizes }));
  }
  await add('pool', run('pool'));
  await add('memory', run('memory'));
  if (effort.quick) report.notRun.push('n = 65536: not in a quick run');
  return report;
}

/**
 * Returns the start-up time beyond that of plain JavaScript.
 * @param {readonly Part[]} parts
 * @returns {Part[]}
 */
function beyondPlain(parts) {
  const [own, plain] = ['start-up', 'start-up-plain'].map((id) => parts.find(({ row }) => row === id));
  if (!own || !plain) return [];
  return [{ ...own, row: 'start-up-beyond-plain', value: own.value - plain.value, milliseconds: undefined }];
} // prettier-ignore

/** Measures the sizes of the modules, the same in every engine. @returns {EngineReport} */
export function measureModules() {
  const parts = BACKENDS.flatMap((backend) => {
    const [kernel, language] = ['kernel', 'language'].map((name) => {
      const shape = `${name}${backend === 'simd' ? '' : '-relaxed'}.wasm`;
      const bytes = readFileSync(new URL(`../../build/${shape}`, import.meta.url));
      const brotli = brotliCompressSync(bytes).length / 1000;
      return { backend, shape, raw: bytes.length / 1000, brotli };
    });
    return [
      { row: 'module', backend, shape: kernel.shape, value: kernel.raw },
      { row: 'module-brotli', backend, shape: kernel.shape, value: kernel.brotli },
      { row: 'language-brotli', backend, shape: language.shape, value: language.brotli },
    ];
  });
  return { name: 'Size', notRun: [], parts };
}

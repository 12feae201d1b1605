// Measures every goal of goals.js and prints how far each is reached:
//   node tests/bench/bench.js [--quick] [--engine NAME]… [--json FILE]
// --engine is node, newest-node, chromium or firefox, by default all, or none for the modules alone; --quick takes less time and leaves out
// the long measurements. ./build.sh bench installs the peers and engines.
import { writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';

import { measureDragging } from './dragging.js';
import { openChromium, openFirefox, openNewestNode, openNode, servePage } from './engines.js';
import { measureEngine, measureModules } from './plan.js';
import { countGoals, describeEngine } from './report.js';
import { measureViewing } from './viewing.js';

/**
 * @import { Engine, Server } from './engines.js'
 * @import { EngineReport } from './plan.js'
 */

/** @type {Record<string, (server: Server) => Promise<Engine | undefined>>} */
const OPEN = {
  node: openNode,
  'newest-node': openNewestNode,
  chromium: openChromium,
  firefox: openFirefox,
};

const { values: given } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    engine: { type: 'string', multiple: true, default: Object.keys(OPEN) },
    json: { type: 'string' },
  },
});
const effort = { quick: given.quick, seconds: given.quick ? 0.5 : 3 };
const processor = cpus()[0].model.replace(/\((R|TM)\)| Processor/g, '');
const load = loadavg()[0];

/** @param {EngineReport} report */
function print(report) {
  console.log(describeEngine(report).join('\n'));
  return report;
}

/** @param {string} name @param {Server} server */
async function measureIn(name, server) {
  const open = OPEN[name];
  if (!open)
    throw new Error(`--engine is ${name}, expected one of ${Object.keys(OPEN).join(', ')}`);
  const engine = await open(server);
  if (!engine) return print({ name, notRun: [`${name} is not installed`], parts: [] });
  try {
    return print(await measureEngine(engine, effort));
  } finally {
    await engine.close();
  }
}

/** @param {EngineReport} report */
function conclude(report) {
  const { hold, short } = countGoals(report);
  console.log(`${report.name}: ${hold} goals hold, ${short.length} fall short`);
  for (const what of short) console.log(`  falls short: ${what}`);
}

console.log(`${processor}, ${availableParallelism()} processors`);
if (load > availableParallelism() / 2) {
  console.log(
    `BUSY (load ${load.toFixed(1)}): what goes by the wall clock, Firefox and start-ups, comes out worse than it is`,
  );
}
const reports = [print(measureModules())];
const server = await servePage();
try {
  for (const name of given.engine.filter((each) => each !== 'none'))
    reports.push(await measureIn(name, server));
  if (given.engine.includes('chromium')) {
    reports.push(print(await measureDragging()), print(await measureViewing()));
  }
} finally {
  await server.close();
}
console.log('');
reports.forEach(conclude);
if (given.json) {
  const date = new Date().toISOString().slice(0, 10);
  const record = { date, processor, load, ...effort, reports };
  writeFileSync(given.json, `${JSON.stringify(record, null, 2)}\n`);
}

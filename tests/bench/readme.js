// Writes the table of speed in README.md from the measurements of `./build.sh bench --json FILE`:
//   node tests/bench/readme.js FILE
import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { format, resolveConfig } from 'prettier';

/** @import { Part } from './measure/results.js' */

/**
 * @typedef {{ processor: string, reports: { name: string, parts: Part[] }[] }} Record
 */

const README = new URL('../../README.md', import.meta.url);
const MARKERS = /(<!-- bench -->\n)[^]*(<!-- \/bench -->)/;

/** Rows of the table: a title, and the task and shape of the part that has its times. */
const ROWS = [
  ['attention, n = 128', 'forward', '128×64'],
  ['attention, n = 512', 'forward', '512×64'],
  ['8 heads, n = 512', 'forward', '8×512×64'],
  ['attention, n = 2048', 'forward', '2048×64'],
  ['attention, n = 4096', 'forward', '4096×64'],
  ['output and weights, n = 128', 'weights', '128×64'],
  ['output and weights, n = 512', 'weights', '512×64'],
  ['output and weights, n = 1024', 'weights', '1024×64'],
  ['statistics of the weights, n = 512', 'statistics', '512×64'],
  ['gradient, n = 512', 'gradient', '512×64'],
  ['gradient, n = 2048', 'gradient', '2048×64'],
  ['additive attention, n = 512, d = h = 128', 'additive', '512×128'],
  ['softmax, 1024 rows of 1024', 'softmax', '1024×1024'],
];

/** Columns: names of contenders, of which the fastest counts. @type {[string, string[]][]} */
const COLUMNS = [
  ['simd', ['simd']],
  ['relaxed', ['relaxed']],
  ['simd, `into`', ['simdInto']],
  ['relaxed, `into`', ['relaxedInto']],
  ['LiteRT.js', ['litert']],
  ['ONNX Runtime Web', ['ort', 'ortAttention']],
  ['TensorFlow.js', ['tfjs']],
  ['plain JavaScript', ['plain']],
];

/** Writes two digits, or a dash for no time. @param {number} milliseconds */
function show(milliseconds) {
  if (!Number.isFinite(milliseconds)) return '–';
  if (milliseconds >= 10) return String(Math.round(milliseconds));
  return milliseconds.toFixed(milliseconds >= 1 ? 1 : 2);
}

/**
 * @param {readonly Part[]} parts
 * @param {string[]} row
 * @returns {string[]} cells
 */
function cellsOf(parts, [title, task, shape]) {
  const part = parts.find(({ row, times, shape: s }) => times && s === shape && row.startsWith(task));
  const cells = COLUMNS.map(([, names]) => {
    const times = names.map((name) => part?.times?.[name]).filter((t) => typeof t === 'number');
    return show(Math.min(.../** @type {number[]} */ (times)));
  });
  return [title, ...cells];
} // prettier-ignore

/** @param {readonly Part[]} parts @returns {string[]} cells */
function startUpCells(parts) {
  const valueOf = (/** @type {string} */ row) =>
    parts.find((part) => part.row === row)?.milliseconds ?? Infinity;
  const names = ['start-up', '', '', '', 'start-up-litert', 'start-up-ort', 'start-up-tfjs', 'start-up-plain'];
  return ['import, compile, first result, n = 128', ...names.map((name) => show(valueOf(name)))];
} // prettier-ignore

/**
 * @param {Record} record
 * @returns {string} Markdown
 */
export function tableOf({ processor, reports }) {
  const report = reports.find(({ name }) => name.startsWith('Chromium'));
  if (!report) throw new Error('readme.js: the record has no Chromium, expected one to make a table of');
  const { name, parts } = report;
  const peaks = parts.filter(({ row, backend }) => row === 'forward-64' && backend === 'simd');
  const percents = peaks.map(({ value }) => Math.round(100 * value));
  const range = [...new Set([Math.min(...percents), Math.max(...percents)])].join('–');
  const lines = [
    ['', ...COLUMNS.map(([title]) => title)],
    ['---', ...COLUMNS.map(() => '--:')],
    ...ROWS.map((row) => cellsOf(parts, row)),
    startUpCells(parts),
  ];
  const page = parts.find(({ row }) => row === 'page-fault');
  const engine = name.replace(/(\d+)\.[\d.]+/, '$1');
  return [
    `Milliseconds of one thread in ${engine} on ${processor}, copies in and out included, d = 64 unless noted: the backends _simd_ (default) and _relaxed_, with fresh results and with results written into given arrays (\`into\`), against the best way of each peer.${page ? ` A fresh page of memory costs ${show(page.value)} µs there.` : ''}`,
    '',
    ...lines.map((cells) => `| ${cells.join(' | ')} |`),
    '',
    `Without copies, attention at d = 64 runs at ${range} % of the speed at which this engine can multiply and add in 128-bit vectors.`,
    '',
  ].join('\n');
} // prettier-ignore

/** @param {string} readme @param {string} table */
export function insertTable(readme, table) {
  if (!MARKERS.test(readme)) throw new Error('readme.js: no <!-- bench --> … <!-- /bench -->');
  return readme.replace(MARKERS, (_, begin, end) => `${begin}\n${table}\n${end}`);
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const record = JSON.parse(readFileSync(process.argv[2], 'utf8'));
  const readme = insertTable(readFileSync(README, 'utf8'), tableOf(record));
  const style = await resolveConfig(README);
  writeFileSync(README, await format(readme, { ...style, parser: 'markdown' }));
}

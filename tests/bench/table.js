// Writes the table of speed on the site's page of sizes, speed and support, and the README's sentence, from the
// measurements of `./build.sh bench --json FILE`:
//   node tests/bench/table.js FILE
import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { LANGUAGE_KEYS } from '../../web/shared/languages.js';

/**
 * @import { Language } from '../../web/shared/languages.js'
 * @import { Part } from './measure/results.js'
 */

/**
 * @typedef {{ processor: string, reports: { name: string, parts: Part[] }[] }} Measurements
 */

export const README = new URL('../../README.md', import.meta.url);
/** The words of the tables in a language. @param {Language} lang */
export const wordsIn = (lang) =>
  JSON.parse(
    readFileSync(new URL(`../../web/site/data/words/${lang}.json`, import.meta.url), 'utf8'),
  ).measures;

/** The page in a language. @param {Language} lang */
export const pageIn = (lang) => new URL(`../../web/site/${lang}/support.md`, import.meta.url);

/** Rows of the table: the task and the shape of the part that has its times; the last is the start. */
const ROWS = [
  ['forward', '128×64'],
  ['forward', '512×64'],
  ['forward', '8×512×64'],
  ['forward', '2048×64'],
  ['forward', '4096×64'],
  ['causal', '512×64'],
  ['causal', '2048×64'],
  ['masked', '512×64'],
  ['masked', '2048×64'],
  ['weights', '128×64'],
  ['weights', '512×64'],
  ['weights', '1024×64'],
  ['statistics', '512×64'],
  ['gradient', '512×64'],
  ['gradient', '2048×64'],
  ['additive', '512×128'],
  ['softmax', '1024×1024'],
];

/** Columns: names of contenders, of which the fastest counts. @type {[string, string[]][]} */
const COLUMNS = [
  ['simd', ['simd']],
  ['relaxed', ['relaxed']],
  ['simd, `into`', ['simdInto']],
  ['relaxed, `into`', ['relaxedInto']],
  ['LiteRT.js', ['litert']],
  ['ONNX Runtime Web', ['ort', 'ortAttention', 'ortGroupQuery']],
  ['TensorFlow.js', ['tfjs']],
  ['JavaScript', ['plain']],
];

/** Writes two digits, or a dash for no time. @param {number} milliseconds */
function show(milliseconds) {
  if (!Number.isFinite(milliseconds)) return '–';
  if (milliseconds >= 10) return String(Math.round(milliseconds));
  return milliseconds.toFixed(milliseconds >= 1 ? 1 : 2);
}

/**
 * Returns the fastest time of some contenders.
 * @param {readonly Part[]} parts
 * @param {string} task
 * @param {string} shape
 * @param {readonly string[]} names
 */
function fastest(parts, task, shape, names) {
  const part = parts.find(
    ({ row, times, shape: s }) => times && s === shape && row.startsWith(task),
  );
  const times = names.map((name) => part?.times?.[name]).filter((t) => typeof t === 'number');
  return show(Math.min(...times));
}

/** @param {readonly Part[]} parts @returns {string[]} cells */
function startUpCells(parts) {
  const valueOf = (/** @type {string} */ row) =>
    parts.find((part) => part.row === row)?.milliseconds ?? Infinity;
  const names = [
    'start-up',
    '',
    '',
    '',
    'start-up-litert',
    'start-up-ort',
    'start-up-tfjs',
    'start-up-plain',
  ];
  return names.map((name) => show(valueOf(name)));
}

/** The record's Chromium. @param {Measurements} record */
function chromiumOf({ reports }) {
  const report = reports.find(({ name }) => name.startsWith('Chromium'));
  if (!report)
    throw new Error('table.js: the record has no Chromium, expected one to make a table of');
  return report;
}

/**
 * Returns the table in a language.
 * @param {Measurements} record
 * @param {Language} lang
 * @returns {string} Markdown
 */
export function tableOf(record, lang) {
  const { name, parts } = chromiumOf(record);
  const peaks = parts.filter(({ row, backend }) => row === 'forward-64' && backend === 'simd');
  const percents = peaks.map(({ value }) => Math.round(100 * value));
  const range = [...new Set([Math.min(...percents), Math.max(...percents)])].join('–');
  const page = parts.find(({ row }) => row === 'page-fault');
  const { rows, times, fresh, peak } = wordsIn(lang).speed;
  const titles = COLUMNS.map(([title]) => title);
  const lines = [
    ['', ...titles],
    ['---', ...titles.map(() => '---')],
    ...ROWS.map(([task, shape], i) => [
      rows[i],
      ...COLUMNS.map(([, names]) => fastest(parts, task, shape, names)),
    ]),
    [rows[ROWS.length], ...startUpCells(parts)],
  ];
  const engine = name.replace(/(\d+)\.[\d.]+/, '$1');
  const values = {
    engine,
    processor: record.processor,
    percent: range,
    page: page && show(page.value),
  };
  const say = (/** @type {string} */ text) =>
    text.replace(/\{(\w+)\}/g, (_, key) => String(Reflect.get(values, key)));
  return [
    '{% table "milliseconds" %}',
    say(times) + (page ? say(fresh) : ''),
    '',
    ...lines.map((cells) => `| ${cells.join(' | ')} |`),
    '{% endtable %}',
    '',
    say(peak),
  ].join('\n');
}

/** Returns what the README says of it. @param {Measurements} record */
export function sentenceOf(record) {
  const { parts } = chromiumOf(record);
  const time = (/** @type {string[]} */ names) => fastest(parts, 'forward', '512×64', names);
  return `attention at n = 512, d = 64 takes ${time(['simd'])} ms on ${record.processor}, and plain JavaScript ${time(['plain'])} ms`;
}

/**
 * Inserts a text between its markers.
 * @param {string} page
 * @param {string} marker
 * @param {string} text
 */
export function insert(page, marker, text) {
  const between = new RegExp(`(?<=<!-- ${marker} -->\\s*)\\S[^]*?(?=\\s*<!-- /${marker} -->)`);
  if (!between.test(page)) throw new Error(`no <!-- ${marker} --> … <!-- /${marker} -->`);
  return page.replace(between, () => text);
}

/**
 * Inserts a text between the markers of a file of Markdown.
 * @param {URL} file
 * @param {string} marker
 * @param {string} text
 */
export async function insertInFile(file, marker, text) {
  const filled = insert(readFileSync(file, 'utf8'), marker, text);
  const style = await resolveConfig(file);
  writeFileSync(file, await format(filled, { ...style, parser: 'markdown' }));
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const record = JSON.parse(readFileSync(process.argv[2], 'utf8'));
  for (const lang of LANGUAGE_KEYS)
    await insertInFile(pageIn(lang), 'bench', tableOf(record, lang));
  await insertInFile(README, 'speed', sentenceOf(record));
}

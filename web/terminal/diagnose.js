#!/usr/bin/env node
// `npx attention-lab diagnose FILES… [--json]`: what <attn-view> says of every head, step by step, in a terminal. The
// exit code is 1 where a head is frozen or undefined at the last step, 2 where the files could not be read.

import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { hintOf, withDuplicates } from '../diagnosis/hint.js';
import { diagnose, diagnosisCourse } from '../attention/index.js';
import { readAttention, readSeries } from '../inspector/reading/index.js';

/**
 * @import { Diagnosis } from '../attention/index.js'
 * @import { Attention } from '../inspector/reading/index.js'
 */

const USAGE = `usage: npx attention-lab diagnose FILES… [--json]
  FILES are .npz, .npy, .safetensors or JSON with weights, or with query and key: one, or one a training step
  --json prints a line of JSON a head and step
  exit code: 1 if a head is frozen or undefined at the last step`;

/** The least weight on later keys that is no rounding. */
const SEES_LATER = 1e-4;

/**
 * Diagnoses every head of every layer.
 * @param {Attention} attention
 * @returns {Diagnosis[]}
 */
function headsOf({ weights, query, key, scale, layerScales, mask, causal, attentionMask }) {
  const options = {
    mask,
    causal: causal ? /** @type {const} */ ('lower-right') : false,
    attentionMask,
  };
  if (weights) return withDuplicates(diagnose({ weights, query, key, ...options }));
  if (!query || !key) throw new TypeError('expected weights, or query and key');
  if (!layerScales) return diagnose(query, key, { ...options, scale });
  const all = layerScales.map((each) => diagnose(query, key, { ...options, scale: each }));
  const heads = query.shape[1];
  return withDuplicates(
    layerScales.flatMap((_, layer) => all[layer].slice(layer * heads, (layer + 1) * heads)),
  );
}

/**
 * Reads files as steps of training; a file without a step is step 0.
 * @param {string[]} paths
 */
async function stepsOf(paths) {
  const files = paths.map((path) => ({ name: basename(path), arrayBuffer: () => readFile(path) }));
  if (paths.length > 1) return readSeries(files);
  try {
    return await readSeries(files);
  } catch (error) {
    const bytes = await readFile(paths[0]);
    const attention = await readAttention(bytes, { name: files[0].name }).catch(() => {
      throw error;
    });
    return [{ step: 0, read: async () => attention }];
  }
}

/** Writes a number of three digits. @param {number | undefined} x */
const short = (x) => (x === undefined || Number.isNaN(x) ? '–' : String(Number(x.toPrecision(3))));

/**
 * Returns the lines of a table whose columns are aligned, the last one to the left.
 * @param {string[][]} rows
 */
function table(rows) {
  const widths = rows[0].map((_, c) => Math.max(...rows.map((row) => row[c].length)));
  const last = widths.length - 1;
  return rows.map((row) =>
    row.map((cell, c) => (c === last ? cell : cell.padStart(widths[c]))).join('  '),
  );
}

/**
 * Diagnoses files and prints what was found.
 * @param {string[]} paths
 * @param {boolean} isJson
 * @returns {Promise<number>} the exit code
 */
async function main(paths, isJson) {
  const reports = [];
  for (const { step, read } of await stepsOf(paths)) {
    const attention = await read();
    const heads = (attention.weights ?? attention.query)?.shape[1] ?? 1;
    const nameOf = (/** @type {number} */ index) =>
      `${Math.floor(index / heads) + 1}.${(index % heads) + 1}`;
    const names = {
      head: nameOf,
      key: (/** @type {number} */ index) => attention.keyTokens?.[index] ?? String(index + 1),
      row: (/** @type {number} */ index) => String(index + 1),
    };
    const diagnoses = headsOf(attention).map((each) => ({ ...each, hint: hintOf(each, names) }));
    const { loss } = attention;
    reports.push({ step, diagnoses: diagnoses.map((each) => ({ loss, ...each })) });
  }
  const course = diagnosisCourse(reports);
  const all = reports.flatMap(({ diagnoses }) => diagnoses);
  const rows = course.map((row, i) => ({ ...all[i], ...row }));
  if (isJson) rows.forEach((row) => console.log(JSON.stringify(row)));
  else print(rows);
  const end = Math.max(...rows.map(({ step }) => step));
  const isWrong = rows.some(
    ({ step, verdict }) => step === end && (verdict === 'frozen' || verdict === 'undefined'),
  );
  return isWrong ? 1 : 0;
}

/** @typedef {Diagnosis & { step: number, layer: number, since: number, loss?: number }} Row */

/** The columns of the table. @type {[string, (row: Row) => string][]} */
const COLUMNS = [
  ['step', ({ step }) => String(step)],
  ['loss', ({ loss }) => (Number.isNaN(loss) ? 'NaN' : short(loss))],
  ['head', ({ layer, head }) => `${layer + 1}.${head + 1}`],
  ['verdict', ({ verdict }) => verdict],
  ['since', ({ since }) => String(since)],
  ['entropy/ln n', ({ entropyRatio }) => short(entropyRatio)],
  ['σ scores', ({ scoreDeviation }) => short(scoreDeviation)],
  ['what stands out', ({ hint }) => hint],
];

/** Prints heads as a table, and how many have each verdict. @param {Row[]} rows */
function print(rows) {
  const hasLoss = rows.some(({ loss }) => loss !== undefined);
  const columns = COLUMNS.filter(([name]) => hasLoss || name !== 'loss');
  const cells = rows.map((row) => columns.map(([, cellOf]) => cellOf(row)));
  for (const line of table([columns.map(([name]) => name), ...cells])) console.log(line);
  const verdicts = [...new Set(rows.map(({ verdict }) => verdict))];
  const counts = verdicts.map(
    (verdict) => `${rows.filter((row) => row.verdict === verdict).length} ${verdict}`,
  );
  console.log(counts.join(', '));
  // Of a single head it would be a finding as any other; a mask that was forgotten is so in all, also where training
  // has taught some to look back.
  const blind = new Set(
    rows.filter((row) => !(row.laterWeight > SEES_LATER)).map(({ step }) => step),
  );
  if (rows.some(({ step }) => !blind.has(step))) {
    console.log(
      'all heads see later keys: right for an encoder, a leak where the next token is to be predicted',
    );
  }
}

const [command, ...rest] = process.argv.slice(2);
const paths = rest.filter((each) => !each.startsWith('--'));
const flags = rest.filter((each) => each.startsWith('--'));
if (command !== 'diagnose' || paths.length === 0 || flags.some((flag) => flag !== '--json')) {
  console.error(USAGE);
  process.exitCode = 2;
} else {
  try {
    process.exitCode = await main(paths, flags.length > 0);
  } catch (error) {
    console.error(/** @type {Error} */ (error).message);
    process.exitCode = 2;
  }
}

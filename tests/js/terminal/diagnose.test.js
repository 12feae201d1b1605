// @slow
// `npx attention-lab diagnose`: its table, its lines of JSON and its exit codes.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { attentionScores, diagnose, randomNormal, toNested } from '../../../web/attention/index.js';
import { readAttention } from '../../../web/inspector/reading/index.js';

const PROGRAM = fileURLToPath(new URL('../../../web/terminal/diagnose.js', import.meta.url));
const PAIR = new URL('../../golden/view/pair.npz', import.meta.url);
const folder = mkdtempSync(join(tmpdir(), 'terminal-'));
after(() => rmSync(folder, { recursive: true }));

/** Runs the program. @param {...string} args */
const run = (...args) =>
  spawnSync(process.execPath, [PROGRAM, ...args], { cwd: folder, encoding: 'utf8' });

test('prints the verdicts of every step, and of a single file', async () => {
  for (const step of [200, 100]) copyFileSync(PAIR, join(folder, `attention-${step}.npz`));
  const { query, key, scale } = await readAttention(readFileSync(PAIR));
  const heads = diagnose(/** @type {any} */ (query), /** @type {any} */ (key), { scale });
  const { stdout, status } = run('diagnose', 'attention-200.npz', 'attention-100.npz');
  const lines = stdout
    .trim()
    .split('\n')
    .filter((line) => !line.startsWith('all heads'));
  assert.equal(lines.length, 2 * heads.length + 2);
  assert.match(lines[0], /^step +head +verdict +since +entropy\/ln n +σ scores +what stands out$/);
  lines.slice(1, -1).forEach((line, i) => {
    const { batch, head, verdict, hint } = heads[i % heads.length];
    const start = `${i < heads.length ? 100 : 200} +${batch + 1}\\.${head + 1} +${verdict} +100 `;
    assert.match(line.trim(), new RegExp(`^${start}`));
    assert.ok(line.endsWith(hint.split(';')[0].slice(-10)) || line.includes(hint.slice(0, 10)));
  });
  const isWrong = heads.some(({ verdict }) => verdict === 'frozen' || verdict === 'undefined');
  assert.equal(status, Number(isWrong));
  const alone = run('diagnose', fileURLToPath(PAIR), '--json');
  const rows = alone.stdout.trim().split('\n').map((line) => JSON.parse(line)); // prettier-ignore
  assert.deepEqual(rows.map(({ verdict }) => verdict), heads.map(({ verdict }) => verdict)); // prettier-ignore
  assert.deepEqual(rows.map(({ step }) => step), heads.map(() => 0)); // prettier-ignore
});

test('exits with 1 for a head that is frozen or undefined at the last step alone', () => {
  const write = (/** @type {number} */ step, /** @type {string} */ weights) =>
    writeFileSync(join(folder, `w-${step}.json`), `{ "weights": ${weights} }`);
  write(1, '[[1, 0, 0], [0, 0, 1], [0, 1, 0]]');
  write(2, '[[0.5, 0.3, 0.2], [0.2, 0.5, 0.3], [0.3, 0.2, 0.5]]');
  write(3, '[[NaN, 0.5, 0.5], [0.2, 0.5, 0.3], [0.3, 0.2, 0.5]]');
  assert.equal(run('diagnose', 'w-1.json').status, 1);
  const open = run('diagnose', 'w-1.json', 'w-2.json');
  assert.equal(open.status, 0);
  assert.match(
    open.stdout,
    /\nall heads see later keys: .* a leak where the next token is to be predicted\n$/,
  );
  write(5, '[[1, 0, 0], [0.9, 0.09, 0.01], [0.9, 0.05, 0.05]]'); // learned to look back, without a mask
  assert.match(run('diagnose', 'w-5.json').stdout, /\nall heads see later keys/);
  write(4, '[[1, 0, 0], [0.4, 0.6, 0], [0.3, 0.2, 0.5]]');
  assert.doesNotMatch(run('diagnose', 'w-4.json').stdout, /see later keys/);
  const { status, stdout } = run('diagnose', 'w-2.json', 'w-3.json');
  assert.equal(status, 1);
  assert.match(stdout, /undefined .*NaN/);
});

test('prints the loss of steps that have it, also NaN', () => {
  const write = (/** @type {number} */ step, /** @type {string} */ loss) =>
    writeFileSync(join(folder, `l-${step}.json`), `{ "weights": [[1, 0], [0.5, 0.5]]${loss} }`);
  write(1, ', "loss": 2.25');
  write(2, ', "loss": NaN');
  write(3, '');
  const names = ['l-1.json', 'l-2.json', 'l-3.json'];
  const [titles, ...lines] = run('diagnose', ...names).stdout.split('\n');
  assert.match(titles, /^step +loss +head /);
  assert.deepEqual(lines.slice(0, 3).map((line) => line.trim().split(/ +/)[1]), ['2.25', 'NaN', '–']); // prettier-ignore
  const rows = run('diagnose', ...names, '--json')
    .stdout.trim()
    .split('\n');
  assert.deepEqual(rows.map((row) => JSON.parse(row).loss), [2.25, null, undefined]); // prettier-ignore
});

test('takes the scale of each layer from a file that has one a layer', async () => {
  const rows = [[[1, 0], [0, 1]], [[0, 1], [1, 0]]]; // prettier-ignore
  const file = { query: [rows, rows], key: [rows, rows], scale: [0.5, 1 / Math.SQRT2] };
  writeFileSync(join(folder, 'layers.json'), JSON.stringify(file));
  const { stdout } = run('diagnose', 'layers.json', '--json');
  const scales = stdout.trim().split('\n').map((line) => JSON.parse(line).usedScale); // prettier-ignore
  assert.deepEqual(scales.map((scale) => scale.toFixed(3)), ['0.500', '0.500', '0.707', '0.707']); // prettier-ignore
});

test('says what it expects, and why a file cannot be read, with exit code 2', () => {
  for (const args of [[], ['diagnose'], ['train', 'x.npz'], ['diagnose', 'x.npz', '--yaml']]) {
    const { status, stderr } = run(...args);
    assert.equal(status, 2);
    assert.match(stderr, /^usage: npx attention-lab diagnose/);
  }
  writeFileSync(join(folder, 'text.npz'), 'hello');
  const { status, stderr } = run('diagnose', 'text.npz');
  assert.equal(status, 2);
  assert.match(stderr, /text\.npz/);
  assert.equal(run('diagnose', 'missing.npz').status, 2);
});

test('names the factor of weights beside queries and keys, and leaves padding out', () => {
  const [query, key] = [1, 2].map((seed) => randomNormal([8, 16], { seed }));
  const { weights } = attentionScores(query, key, { scale: 1, returns: 'weights' });
  const attentionMask = [1, 1, 1, 1, 1, 1, 0, 0];
  const [w, q, k] = [weights, query, key].map((tensor) => toNested(tensor));
  const file = { weights: w, query: q, key: k, attention_mask: attentionMask };
  writeFileSync(join(folder, 'all.json'), JSON.stringify(file));
  const [row] = run('diagnose', 'all.json', '--json').stdout.trim().split('\n').map((line) => JSON.parse(line)); // prettier-ignore
  const [expected] = diagnose({ weights, query, key, attentionMask });
  assert.equal(row.hint, expected.hint);
  assert.match(row.hint, /was 1\/√d_k left out/);
  assert.match(row.hint, /is on padding/);
});

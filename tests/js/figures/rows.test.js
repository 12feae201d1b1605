// @slow
// The rows of every figure as a function returns them: those of its CSV, with numbers that are known otherwise.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { folderOf } from '../../../web/figures/list.js';
import { toCsv } from '../../../web/figures/kit/shell/download.js';
import { staticView } from '../../../web/figures/kit/chart/static.js';
import { figures, rows } from '../../../web/figures/rows.js';
import { testRefusals } from '../refusals.js';

/**
 * @import { AnyFigureSpec } from '../../../web/figures/kit/spec.js'
 * @import { Figure, TidyRow } from '../../../web/figures/rows.js'
 */

/** @param {Figure} name @returns {Promise<AnyFigureSpec>} */
const specOf = async (name) => (await import(`../../../web/${folderOf(name)}/element.js`)).spec;

/** Figures whose numbers are those of this device. */
const TIMED = ['cost'];

for (const name of figures) {
  it(`the rows of ${name} are those of its CSV, at once or in time`, async () => {
    const spec = await specOf(name);
    const found = rows(name, {}, { lang: 'zh' });
    assert.equal(found instanceof Promise, Boolean(spec.load ?? spec.run));
    const all = await found;
    assert.ok(all.length > 0);
    if (TIMED.includes(name)) return;
    const loaded = await spec.load?.('zh');
    const view = /** @type {any} */ (staticView(spec, { lang: 'zh', loaded }));
    assert.equal(toCsv(all), toCsv(spec.rows(view)));
  });
}

/**
 * Returns the numbers of one series at one x.
 * @param {readonly TidyRow[]} all
 * @param {Partial<TidyRow>} wanted
 * @returns {TidyRow}
 */
function rowIn(all, wanted) {
  const found = all.filter((row) =>
    Object.entries(wanted).every(([column, value]) => Reflect.get(row, column) === value),
  );
  assert.equal(found.length, 1, JSON.stringify(wanted));
  return found[0];
}

it('rows have the known numbers of their law', async () => {
  const near = (/** @type {number | undefined} */ value, /** @type {number} */ known) =>
    assert.ok(Math.abs(Number(value) - known) < 0.01 * known, `${value}, known ${known}`);

  // A layer of 8 heads with d_k = d_model/8 has 4·512² weights, of which the queries' are a fourth.
  const panel = 'Parameters of a layer, in d_model²';
  const parameters = rows('heads', { model: '512', heads: 8 });
  assert.equal(rowIn(parameters, { panel, series: 'W_Q', x: 8 }).measured, 512 ** 2);

  // Entropies of 64 scores of deviation 1 and 22.6, which are given d_k = 512: 3.685 and .182 nats for a fixed σ.
  const saturation = rows('saturation', { dK: 512, keys: 64 });
  const entropies = { panel: 'Mean entropy / ln n', x: 512 };
  near(rowIn(saturation, { ...entropies, series: 'scaled' }).theory, 3.685 / Math.log(64));
  near(rowIn(saturation, { ...entropies, series: 'unscaled' }).theory, 0.182 / Math.log(64));

  // A directed triangle cannot be learned with Q = K: its loss stays at ln 3.
  const relation = await rows('asymmetry', { relation: 'ring3' });
  const tied = relation.filter(({ panel, series }) => /loss/.test(panel) && series === 'Q = K');
  for (const { theory } of tied) near(theory, Math.log(3));

  // Without the mean key, what keys share costs int8 nothing.
  const int8 = rows('precision', { format: 'int8' });
  const exponentials = { panel: 'Exponentials are off by (mean off)', series: 'scaled' };
  const [none, most] = [0, 16].map((x) => rowIn(int8, { ...exponentials, x }).measured);
  near(most, Number(none));
});

it('numbers of a state are those of the same state as attributes', async () => {
  const [few, many] = [16, 256].map((keys) => rows('saturation', { keys, scale: 'linear' }));
  assert.notDeepEqual(few, many);
  assert.deepEqual(rows('saturation', { keys: 16, scale: 'linear', seed: undefined }), few);
  const spec = await specOf('saturation');
  const view = /** @type {any} */ (staticView(spec, { keys: '256', scale: 'linear' }));
  assert.equal(toCsv(many), toCsv(spec.rows(view)));
});

it('long work gives more rows, and ends with the signal', async () => {
  const quick = await rows('asymmetry');
  const ended = await rows('asymmetry', {}, { run: true, signal: AbortSignal.abort() });
  const whole = await rows('asymmetry', {}, { run: true });
  assert.deepEqual(ended, quick);
  assert.ok(whole.length > quick.length);
});

const any = /** @type {any} */ (rows);
testRefusals([
  [() => any(), "DTypeError: rows: figure is null, expected one of 'walk', 'saturation',"],
  [() => any('Saturation'), "DTypeError: rows: figure is 'Saturation', expected one of 'walk',"],
  [() => any('toString'), "DTypeError: rows: figure is 'toString'"],
  [() => any('saturation', 64), 'DTypeError: rows: state is 64, expected an object'],
  [
    () => any('saturation', { dk: 64 }),
    "DTypeError: rows: unknown field 'dk' (did you mean 'dK'?), expected one of dK, keys,",
  ],
  [
    () => any('saturation', { dK: 1000 }),
    'DTypeError: rows: dK is 1000, expected a number from 1 to 512 in steps of 1',
  ],
  [() => any('saturation', { dK: 1.5 }), 'DTypeError: rows: dK is 1.5'],
  [() => any('saturation', { dK: null }), 'DTypeError: rows: dK is null'],
  [
    () => any('saturation', { scale: 'sqroot' }),
    "DTypeError: rows: scale is 'sqroot', expected one of 'sqrt', 'none', 'half-sqrt', 'linear'",
  ],
  [
    () => any('gradient', { logits: 3 }),
    "DTypeError: rows: logits is 3, expected a text such as '",
  ],
  [
    () => any('saturation', {}, { lang: 'fr' }),
    "DTypeError: rows: lang is 'fr', expected one of 'en', 'zh'",
  ],
  [
    () => any('saturation', {}, { run: true }),
    'DTypeError: rows: run is true, expected false: saturation has no long work',
  ],
  [() => any('values', {}, { steps: 1 }), "DTypeError: rows: unknown option 'steps'"],
]);

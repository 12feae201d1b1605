/** The recipes of a course of training that run outside a page. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { diagnose } from '../../../../web/attention/index.js';
import { readAttention, toAttention, toSeries } from '../../../../web/inspector/reading/index.js';
import { attentionOf, createModel } from '../../../../web/language/index.js';

const recipe = (/** @type {string} */ name) =>
  new URL(`../../../../web/site/recipes/view/${name}`, import.meta.url);
const PAIR = new URL('../../../golden/view/pair.npz', import.meta.url);

test('the log has a row a head and step, with what `diagnose` says of the file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'course-'));
  for (const step of [200, 100]) copyFileSync(PAIR, join(folder, `attention-${step}.npz`));
  const path = fileURLToPath(recipe('log.js'));
  const printed = execFileSync(process.execPath, [path], { cwd: folder, encoding: 'utf8' });
  rmSync(folder, { recursive: true });
  const rows = printed.trim().split('\n').map((line) => JSON.parse(line)); // prettier-ignore
  const { query, key, scale } = await readAttention(readFileSync(PAIR));
  const heads = diagnose(/** @type {any} */ (query), key, { scale });
  assert.deepEqual(rows.map(({ step }) => step), [...heads.map(() => 100), ...heads.map(() => 200)]); // prettier-ignore
  rows.forEach(({ since, verdict, entropyRatio }, i) => {
    const head = heads[i % heads.length];
    assert.deepEqual([since, verdict, entropyRatio], [100, head.verdict, head.entropyRatio]);
  });
});

test('the loop of our own trainer gives a figure the steps, the last of them as trained', async () => {
  const { train } = await import(recipe('trainer.js').href);
  const figure = /** @type {any} */ ({});
  const model = createModel({ vocabulary: 3, context: 4, dModel: 8, heads: 2, layers: 2, seed: 1 });
  const text = [0, 1, 2, 0, 1, 2, 0, 1, 2];
  const trainer = await train(figure, model, text, [0, 1, 2], { steps: 20, every: 10 });
  const series = toSeries(figure.series);
  assert.deepEqual(series.map(({ step }) => step), [0, 10, 20]); // prettier-ignore
  const [first, , last] = await Promise.all(series.map(({ read }) => read()));
  for (const [{ query, tokens }, of] of /** @type {const} */ ([
    [first, model],
    [last, trainer.model],
  ])) {
    // prettier-ignore
    const layers = attentionOf(of, [0, 1, 2]);
    assert.deepEqual(
      [...(query?.data ?? [])],
      layers.flatMap((layer) => [...layer.query.data]),
    );
    assert.deepEqual(tokens, ['0', '1', '2']);
  }
  trainer.dispose();
});

test('the outputs of a model of Transformers.js give the weights of its layers, in a list or by their names', async () => {
  const { showAttention, showTraining } = await import(recipe('transformers.js').href);
  const layers = [0.25, 0.75].map((p) => ({ tolist: () => [[[[p, 1 - p]]]] }));
  const named = { last_hidden_state: {}, 'attentions.0': layers[0], 'attentions.1': layers[1] };
  for (const output of [named, { logits: {}, attentions: layers }]) {
    const figure = /** @type {any} */ ({});
    showAttention(figure, output, ['a', 'b']);
    const { weights, keyTokens } = toAttention(figure);
    assert.deepEqual([weights?.shape, [...(weights?.data ?? [])]], [[2, 1, 1, 2], [0.25, 0.75, 0.75, 0.25]]); // prettier-ignore
    assert.deepEqual(keyTokens, ['a', 'b']);
    showTraining(figure, { 100: output, 20: output }, ['a', 'b']);
    assert.deepEqual(toSeries(figure.series).map(({ step }) => step), [20, 100]); // prettier-ignore
  }
});

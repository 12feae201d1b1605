// @slow
// The toy languages and the heads that learn them, against sentences read by hand and the measures of a model
// written out.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { rolesLanguage } from '../../../web/experiments/roles-language.js';
import { measureRoles } from '../../../web/experiments/roles.js';
import { batchOf, drawSentences, START } from '../../../web/experiments/roles-language.js';
import { lookAt, ROLES_SCALES, rolesRuns } from '../../../web/experiments/roles.js';
import { quantiles } from '../../../web/experiments/statistics.js';
import { MEDIANS } from '../../../web/figures/roles/recorded.js';
import * as language from '../../../web/language/index.js';
import { keysOf } from '../../../web/shared/keys.js';
import { atOnce, partsOf } from '../../../web/shared/slices.js';

const quick = { steps: 4, batch: 8, every: 2, tests: 16, dKey: 8 };

test('each language has four kinds of eight nouns with four adjectives, and eight frames', () => {
  for (const name of /** @type {const} */ (['en', 'zh'])) {
    const { kinds, frames, words, tokens } = rolesLanguage(name);
    assert.deepEqual(
      kinds.map(({ nouns, adjectives }) => [nouns.length, adjectives.length]),
      kinds.map(() => [8, 4]),
    );
    assert.equal(frames.length, 8);
    assert.equal(new Set(words).size, words.length, 'no word is two');
    assert.equal(tokens[words[5]], 5);
  }
});

test('training shows four pairs of five, and each noun and adjective with some of them', () => {
  for (const { pairs, nouns, adjectives } of rolesLanguage('en').kinds) {
    const shown = pairs.filter(({ heldOut }) => !heldOut);
    assert.ok(Math.abs(shown.length / pairs.length - 0.8) < 0.05);
    for (const word of [...nouns, ...adjectives]) {
      assert.ok(shown.filter(({ noun, adjective }) => [noun, adjective].includes(word)).length > 1);
    }
  }
});

test('a sentence begins with the start mark and ends with an adjective of the noun that it describes', () => {
  for (const name of /** @type {const} */ (['en', 'zh'])) {
    const toy = rolesLanguage(name);
    for (const heldOut of [false, true]) {
      const options = { count: 300, seed: 1, stream: 5, heldOut };
      for (const { words, tokens, at, noun, other, kind } of drawSentences(toy, options)) {
        const { pairs, nouns } = toy.kinds.filter((each) => each.name === kind)[0];
        assert.equal(words[0], START);
        assert.equal(at, words.length - 1);
        assert.ok(!nouns.includes(words[other]), 'the other noun is of another kind');
        const pair = pairs.find(
          (each) => each.noun === words[noun] && each.adjective === words[at],
        );
        assert.equal(pair?.heldOut, heldOut);
        assert.deepEqual(
          tokens.map((token) => toy.words[token]),
          words,
        );
      }
    }
  }
});

test('sentences depend on seed and stream alone', () => {
  const toy = rolesLanguage('zh');
  const draw = (/** @type {number} */ seed, /** @type {number} */ stream, count = 4) =>
    drawSentences(toy, { count, seed, stream, heldOut: false });
  assert.deepEqual(draw(1, 2), draw(1, 2, 9).slice(0, 4));
  assert.notDeepEqual(draw(1, 2), draw(1, 3));
  assert.notDeepEqual(draw(1, 2), draw(2, 2));
});

test('the only target of a sentence is its noun, at the adjective', () => {
  const toy = rolesLanguage('en');
  const sentences = drawSentences(toy, { count: 5, seed: 1, stream: 0, heldOut: false });
  const { tokens, targets } = batchOf(toy, sentences);
  assert.deepEqual(targets.shape, [5, toy.context]);
  sentences.forEach(({ at, noun, words }, i) => {
    const row = [...targets.data.slice(i * toy.context, (i + 1) * toy.context)];
    assert.equal(toy.words[row[at]], words[noun]);
    assert.deepEqual(
      row.filter((target) => target !== -1),
      [row[at]],
    );
    assert.equal(toy.words[tokens.data[i * toy.context + noun]], words[noun]);
  });
});

test('rows come at step 0, after every few steps and at the end, for each scale and seed', async () => {
  const rows = await measureRoles({ ...quick, steps: 5, seeds: 2, seed: 7 });
  assert.deepEqual(
    rows.filter(({ scale, seed }) => scale === 'none' && seed === 8).map(({ step }) => step),
    [0, 2, 4, 5],
  );
  assert.equal(rows.length, 2 * 3 * 4);
  assert.ok(rows.every(({ step, loss }) => Number.isNaN(loss) === (step === 0)));
});

test('a run is over with the row that says so, and the others go on', async () => {
  const rows = await measureRoles({
    ...quick,
    scales: ['1/√d', 'none'],
    isOver: ({ scale, step }) => scale === 'none' && step >= 2,
  });
  const stepsOf = (/** @type {string} */ of) =>
    rows.filter(({ scale }) => scale === of).map(({ step }) => step);
  assert.deepEqual([stepsOf('1/√d'), stepsOf('none')], [[0, 2, 4], [0, 2]]); // prettier-ignore
  const whole = await measureRoles({ ...quick, scales: ['1/√d', 'none'] });
  assert.deepEqual(rows, whole.filter(({ scale, step }) => scale === '1/√d' || step < 4)); // prettier-ignore
});

test('the measures are those of the weights and logits of the model', async () => {
  const [, , row] = await measureRoles({ ...quick, scales: ['1/√d'], seed: 3 });
  const toy = rolesLanguage('en');
  const options = { count: 16, seed: 1, stream: 2 ** 31, heldOut: true };
  const sentences = drawSentences(toy, options);
  const looks = lookAt(language, /** @type {language.Model} */ (row.model), toy, sentences);
  const mean = (/** @type {number[]} */ values) => values.reduce((a, b) => a + b) / values.length;
  looks.forEach(({ weights }, i) => {
    assert.equal(weights.length, sentences[i].at + 1);
    assert.ok(Math.abs(weights.reduce((a, b) => a + b) - 1) < 1e-6);
  });
  assert.equal(row.nounWeight, mean(looks.map(({ weights }, i) => weights[sentences[i].noun])));
  assert.equal(
    row.right,
    mean(
      looks.map(({ answer }, i) =>
        Number(toy.words[answer] === sentences[i].words[sentences[i].noun]),
      ),
    ),
  );
  const traces = looks.map(({ weights }) => 1 - weights.reduce((sum, p) => sum + p * p, 0));
  assert.ok(Math.abs(row.jacobianTrace - mean(traces)) < 1e-12);
});

test('the same seed gives the same bits, in slices and at once', async () => {
  const inSlices = await measureRoles({ ...quick, scales: ['none'] });
  const work = rolesRuns(language, { ...quick, scales: ['none'] });
  assert.deepEqual(atOnce(partsOf(work)), inSlices);
  work.dispose();
});

test('with a scale the head finds nouns that it never saw with the adjective; without, it gets stuck', async () => {
  const rows = await measureRoles({ steps: 200, every: 200, scales: ['1/√d', 'none'] });
  const [scaled, unscaled] = rows.filter(({ step }) => step === 200);
  assert.ok(scaled.right > 0.95, `right ${scaled.right}`);
  assert.ok(scaled.found.length >= 14, scaled.found.join());
  assert.ok(unscaled.right < 0.8 && unscaled.largestWeight > 0.9);
  assert.ok(unscaled.jacobianTrace < 0.2 * scaled.jacobianTrace);
});

test('cancelling keeps the rows so far', async () => {
  assert.deepEqual(await measureRoles({ ...quick, signal: AbortSignal.abort() }), []);
});

test('with keys as values a head of eight entries learns, and one of two does not', async () => {
  const rightAt = async (/** @type {number} */ dKey) => {
    const setting = { dKey, steps: 100, every: 100, seed: 13, learningRate: 0.01 };
    const rows = await measureRoles({ ...setting, scales: ['1/√d'], values: 'keys' });
    assert.ok(!('layers.0.valueWeight' in (rows[1].model?.parameters ?? {})));
    return rows[1].right;
  };
  assert.ok((await rightAt(8)) > 0.9);
  assert.ok((await rightAt(2)) < 0.5);
});

test('the figure tells the medians of the seeds in the notes, which another run repeats', async () => {
  const notes = readFileSync(new URL('../../bench/NOTES.md', import.meta.url), 'utf8');
  const numbers = (/** @type {string} */ cell) => cell.trim().split(' ').map(Number);
  const again = 7;
  for (const language of keysOf(MEDIANS)) {
    const rows = await measureRoles({ language, seed: again, every: 100, models: false });
    for (const [i, scale] of ROLES_SCALES.entries()) {
      const lines = notes.split('\n').map((line) => line.split('|').slice(1, -1));
      const [right, found] = lines
        .filter((cells) => cells.length === 4)
        .filter(([of, by]) => of.trim() === language && by.trim() === scale)[0]
        .slice(2)
        .map(numbers);
      assert.equal(found.length, 16);
      assert.deepEqual(quantiles(found, [0.5]), [MEDIANS[language].found[i]]);
      assert.ok(Math.abs(quantiles(right, [0.5])[0] - MEDIANS[language].right[i]) < 0.006);
      const [row] = rows.filter((each) => each.scale === scale && each.step === 100);
      assert.equal(row.found.length, found[again - 1]);
      assert.equal(row.right.toFixed(2), right[again - 1].toFixed(2));
    }
  }
});

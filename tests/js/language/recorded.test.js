// @slow
// What the article, the figure and the ledger say of the recorded runs, and the runs themselves: the beginning
// of one is repeated, and has to give the same bits.

import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { describe, it } from 'node:test';
import {
  RECORDED_STARTS,
  SCALES,
  SEEDS,
  STEPS,
  STEPS_OF_STARTS,
  TRAINING,
  VARIANTS,
} from '../../../web/recording/configs.js';
import { dkScale } from '../../../web/shared/dk-scales.js';
import {
  learnedFactor,
  specialHeads,
  tiedModel,
  trainedDeviation,
  untrainable,
} from '../../../web/experiments/claims/trained.js';
import { languageCourse, variantCourse } from '../../../web/experiments/language.js';
import { startCosts, withStart } from '../../../web/experiments/starts.js';
import { scoreMoments } from '../../../web/attention/index.js';
import { mean, quantiles } from '../../../web/experiments/statistics.js';
import { attentionOf, createModel, createTrainer } from '../../../web/language/index.js';
import {
  lossOn,
  measureDeviation,
  measureHeads,
  measureVariant,
  short,
} from '../../../web/language/recorded/measure.js';
import {
  openCurves,
  openModel,
  openText,
  openVariants,
} from '../../../web/language/recorded/open.js';
import recordedStarts from '../../../web/language/recorded/starts.js';
import { keysOf } from '../../../web/shared/keys.js';
import { startVariance } from '../../../web/shared/starts.js';
import { times } from '../../../web/shared/times.js';

/**
 * @import { LanguageRow, Recorded, ScaleName, Variant } from '../../../web/experiments/language.js'
 * @import { Model } from '../../../web/language/index.js'
 * @import { RecordedStarts } from '../../../web/language/recorded/measure.js'
 * @import { ModelLanguage } from '../../../web/shared/languages.js'
 */

const variants = await openVariants();
/** @type {RecordedStarts} */
const starts = /** @type {any} */ (recordedStarts);

const ROLES = /** @type {const} */ ({ en: 'previousKey', zh: 'fiveBack' });
/** The languages of which there are models. */
const LANGUAGES = keysOf(ROLES);
/** @type {Record<ModelLanguage, Recorded>} */
const recorded = { en: await openCurves('en'), zh: await openCurves('zh') };

/**
 * Returns a column of the three runs with a scale after a step.
 * @param {ModelLanguage} lang
 * @param {ScaleName} scale
 * @param {number} step
 * @param {keyof LanguageRow} column
 */
const at = (lang, scale, step, column) =>
  languageCourse(recorded[lang], ROLES[lang])
    .filter((row) => row.scale === scale && row.step === step)
    .map((row) => Number(row[column]));

const hasTexts = existsSync(new URL('../../../web/recording/node_modules', import.meta.url));
/** Why runs are not repeated here, if they are not. */
const skip = !hasTexts && 'the texts are not installed: npm ci --prefix web/recording';

/**
 * Returns a column of the heads of a variant's runs at the end.
 * @param {Variant} variant
 * @param {ScaleName} scale with which they began
 * @param {'factor' | 'loss'} column
 */
const atEnd = (variant, scale, column) =>
  variantCourse(variants, variant)
    .filter((row) => row.scale === scale && row.step === STEPS)
    .map((row) => row[column]);

const middle = (/** @type {number[]} */ values) => quantiles(values, [0.5])[0];
const median = (/** @type {number[]} */ values) => [...values].sort((a, b) => a - b)[1];

/** Asserts that a number as it is published is that of the record. @param {number} said  @param {number} value */
const assertSaid = (said, value) => assert.ok(Math.abs(said - value) <= 0.006, `${said}, ${value}`);

/** Writes the least and the largest of some numbers. @param {number[]} values  @param {number} digits */
const ends = (values, digits) =>
  [Math.min(...values), Math.max(...values)].map((x) => x.toFixed(digits));
/** Returns all that the pages of a language say, with one sign for 'to' in Chinese. */
const articleOf = (/** @type {ModelLanguage} */ lang) => {
  const folder = new URL(`../../../web/site/${lang}/`, import.meta.url);
  const pages = readdirSync(folder).filter((name) => name.endsWith('.md'));
  const texts = pages.map((name) => readFileSync(new URL(name, folder), 'utf8'));
  return texts.join(' ').replaceAll('～', ' 到 ').replace(/\s+/g, ' ');
};

describe('the record', () => {
  for (const lang of LANGUAGES) {
    it(`in ${lang} has every scale with every seed, and says how it was made`, () => {
      const { runs, training, ...about } = /** @type {any} */ (recorded[lang]);
      const names = runs.map((/** @type {any} */ { scale, seed }) => `${scale} ${seed}`);
      const all = SCALES.flatMap((scale) => SEEDS.map((seed) => `${scale} ${seed}`));
      assert.deepEqual(names.sort(), all.sort());
      assert.equal(about.command, 'npm run language');
      assert.match(about.text.sha256, /^[\da-f]{64}$/);
      assert.match(about.text.licence, /public domain/);
      assert.deepEqual(training, { ...TRAINING, batch: training.batch, steps: STEPS });
    });

    it(`in ${lang} comes with the beginning of its text`, async () => {
      const { tokenizer } = await openModel(lang);
      const text = await openText(lang);
      assert.equal(text.length, 96_000);
      assert.ok(Math.max(...text.subarray(0, 50_000)) < Number(tokenizer?.pieces.length));
      assert.match(
        tokenizer?.decode(text.slice(0, 40)) ?? '',
        lang === 'en' ? /Ishmael|Loomings/ : /，/,
      );
    });

    it(`in ${lang} begins with the heads that its seed gives`, () => {
      const { config, heldOut, runs } = recorded[lang];
      for (const scale of SCALES) {
        const model = createModel({
          ...config,
          scale: dkScale(scale).factor(config.dKey),
          seed: 1,
        });
        const [run] = runs.filter((each) => each.scale === scale && each.seed === 1);
        const heads = measureHeads(model, { tokens: heldOut, targets: [] });
        assert.deepEqual(heads, run.rows[0].heads);
      }
    });
  }

  for (const lang of LANGUAGES) {
    it(`in ${lang} has the bits of 50 steps that are taken again`, { skip }, async () => {
      const { prepare } = await import('../../../web/recording/files.js');
      const { sizes, batch, tokens, windows } = prepare(lang);
      const model = createModel({ ...sizes, scale: dkScale('sqrt').factor(sizes.dKey), seed: 1 });
      const trainer = createTrainer(model, { ...TRAINING, steps: STEPS, seed: 1 });
      const { rows } = recorded[lang].runs.filter(
        (run) => run.scale === 'sqrt' && run.seed === 1,
      )[0];
      for (const { step, loss, heads } of rows.filter((row) => row.step <= 50)) {
        if (step > 0) await trainer.train(tokens, { batch, steps: step - trainer.steps });
        assert.equal(lossOn(trainer.model, windows), loss);
        assert.deepEqual(measureHeads(trainer.model, windows), heads);
      }
      trainer.dispose();
    });
  }
});

describe('the record of variants', () => {
  it('has runs of seven variants, on the text and by the training of the others', () => {
    assert.equal(variants.command, 'npm run language:variants');
    const { config, training, text } = /** @type {any} */ (recorded.en);
    assert.deepEqual([variants.config, variants.training, variants.text], [config, training, text]);
    for (const { name } of VARIANTS) {
      const seeds = variants.runs.filter((run) => run.variant === name).map(({ seed }) => seed);
      assert.deepEqual(seeds, SEEDS, name);
    }
  });

  it('begins with the heads that each seed gives', () => {
    for (const { variant, seed, rows } of variants.runs) {
      const { optionsOf } = VARIANTS.filter(({ name }) => name === variant)[0];
      const model = createModel({ ...optionsOf(variants.config), seed });
      const windows = { tokens: recorded.en.heldOut, targets: [] };
      assert.deepEqual(measureVariant(model, windows), rows[0].heads, `${variant} ${seed}`);
    }
  });

  it('says of the factors and gains of each head what became of them', () => {
    for (const { variant, rows } of variants.runs) {
      const { factor, gain } = rows[rows.length - 1].heads;
      assert.equal(rows[rows.length - 1].step, STEPS);
      assert.ok(
        variant.startsWith('learned') === factor.some((x) => x !== rows[0].heads.factor[0]),
      );
      assert.ok(variant.includes('norm') ? gain?.every((x) => x > 0) : gain === undefined);
    }
  });

  for (const name of ['learned-linear', 'keys-norm-none']) {
    it(`of ${name} has the bits of 50 steps that are taken again`, { skip }, async () => {
      const { prepare } = await import('../../../web/recording/files.js');
      const { sizes, batch, tokens, windows } = prepare('en');
      const { optionsOf } = VARIANTS.filter((each) => each.name === name)[0];
      const model = createModel({ ...optionsOf(sizes), seed: 1 });
      const trainer = createTrainer(model, { ...TRAINING, steps: STEPS, seed: 1 });
      const [{ rows }] = variants.runs.filter((run) => run.variant === name && run.seed === 1);
      for (const { step, loss, heads } of rows.filter((row) => row.step <= 50)) {
        if (step > 0) await trainer.train(tokens, { batch, steps: step - trainer.steps });
        assert.equal(lossOn(trainer.model, windows), loss);
        assert.deepEqual(measureVariant(trainer.model, windows), heads);
      }
      trainer.dispose();
    });
  }
});

describe('the record of starts', () => {
  it('has, of every start that leaves the scale out, the same seeds with it, and says how it was made', () => {
    assert.equal(starts.command, 'npm run language:starts');
    assert.deepEqual(starts.steps, STEPS_OF_STARTS);
    const { config, training, text } = /** @type {any} */ (recorded.en);
    assert.deepEqual([starts.config, starts.training, starts.text], [config, training, text]);
    for (const start of ['unit', ...RECORDED_STARTS]) {
      const seeds = (/** @type {string} */ scale) =>
        starts.runs
          .filter((run) => run.start === start && run.scale === scale)
          .map(({ seed }) => seed);
      assert.ok(
        seeds('sqrt').length > 0 && seeds('sqrt').every((seed) => seeds('none').includes(seed)),
        start,
      );
    }
    for (const { loss } of starts.runs) assert.equal(loss.length, STEPS_OF_STARTS.length);
  });

  it('begins at σ(q·k) = √d_k·v on real text, within a fifth', () => {
    for (const { start, deviation } of starts.runs) {
      if (deviation)
        assert.ok(Math.abs(deviation[0] / (8 * startVariance(start)) - 1) < 0.2, start);
    }
  });

  it('takes its losses from unit variance from the other runs', () => {
    for (const { scale, seed, loss } of starts.runs.filter(({ start }) => start === 'unit')) {
      const [run] = recorded.en.runs.filter((each) => each.scale === scale && each.seed === seed);
      const own = run.rows.filter(({ step }) => STEPS_OF_STARTS.includes(step));
      assert.deepEqual(
        loss,
        own.map((row) => short(row.loss)),
      );
    }
  });

  it(
    'of nn.Linear without a scale has the bits of 50 steps that are taken again',
    { skip },
    async () => {
      const { prepare } = await import('../../../web/recording/files.js');
      const { sizes, batch, tokens, windows } = prepare('en');
      const model = withStart(createModel({ ...sizes, scale: 1, seed: 1 }), 'nn-linear');
      const trainer = createTrainer(model, { ...TRAINING, steps: STEPS, seed: 1 });
      const [{ loss, deviation }] = starts.runs.filter(
        (run) => run.start === 'nn-linear' && run.scale === 'none' && run.seed === 1,
      );
      for (const [i, step] of STEPS_OF_STARTS.filter((each) => each <= 50).entries()) {
        if (step > 0) await trainer.train(tokens, { batch, steps: step - trainer.steps });
        assert.equal(short(lossOn(trainer.model, windows)), loss[i]);
        assert.equal(measureDeviation(trainer.model, windows), deviation?.[i]);
      }
      trainer.dispose();
    },
  );

  it('gives, by start, the cost of leaving the scale out that the figure shows', () => {
    const end = (
      /** @type {string} */ start,
      /** @type {string} */ scale,
      /** @type {number} */ seed,
    ) =>
      starts.runs
        .find((run) => run.start === start && run.scale === scale && run.seed === seed)
        ?.loss.at(-1);
    const costs = startCosts(starts);
    for (const { start, seed, cost, scaled } of costs) {
      assert.equal(cost, Number(end(start, 'none', seed)) - Number(end(start, 'sqrt', seed)));
      assert.ok(cost > 0.1 && scaled < 4.2, `${start} ${seed}`);
    }
  });
});

describe('what is said of it', () => {
  it('holds: at the start σ(q·k) is √d_k·σ_q·σ_k within a tenth on average, after training it is 1.9 to 2.7 times that', () => {
    for (const lang of LANGUAGES) {
      for (const ratio of at(lang, 'sqrt', 0, 'ratio')) assert.ok(Math.abs(ratio - 1) < 0.1);
      for (const ratio of at(lang, 'sqrt', STEPS, 'ratio'))
        assert.ok(ratio > 1.9 && ratio < 2.7, `${ratio}`);
    }
  });

  it('holds: without the scale every run lags behind every one with it from step 100 to the end, and still learns', () => {
    for (const lang of LANGUAGES) {
      for (const step of [100, 200, 300, 500, 700, 1000, STEPS]) {
        const [scaled, unscaled] = /** @type {const} */ (['sqrt', 'none']).map((scale) =>
          at(lang, scale, step, 'loss'),
        );
        assert.ok(Math.min(...unscaled) > Math.max(...scaled), `${lang} ${step}`);
      }
      const [start] = at(lang, 'none', 0, 'loss');
      for (const loss of at(lang, 'none', STEPS, 'loss')) assert.ok(loss < start - 1.5);
    }
  });

  it('holds: with 1/d_k attention stays nearly uniform, and the loss is within a tenth', () => {
    for (const lang of LANGUAGES) {
      for (const entropy of at(lang, 'linear', STEPS, 'entropyRatio')) assert.ok(entropy > 0.8);
      const [scaled, linear] = /** @type {const} */ (['sqrt', 'linear']).map((scale) =>
        at(lang, scale, STEPS, 'loss'),
      );
      for (const loss of linear) assert.ok(Math.abs(loss - median(scaled)) < 0.1);
    }
  });

  it('holds: in English a head comes to look at the token before with 1/√d_k, and with no other scale', () => {
    for (const role of at('en', 'sqrt', 0, 'role')) assert.ok(role < 0.08);
    for (const role of at('en', 'sqrt', STEPS, 'role')) assert.ok(role > 0.2);
    for (const scale of /** @type {const} */ (['none', 'linear']))
      for (const role of at('en', scale, STEPS, 'role')) assert.ok(role < 0.11);
  });

  it('is in the article with its numbers', () => {
    const end = (
      /** @type {ModelLanguage} */ lang,
      /** @type {ScaleName} */ scale,
      /** @type {keyof LanguageRow} */ column,
    ) => at(lang, scale, STEPS, column);
    for (const numbers of [
      ends(end('en', 'sqrt', 'ratio'), 1),
      ...SCALES.map((scale) => ends(end('en', scale, 'loss'), 2)),
      ends(end('en', 'sqrt', 'role'), 2),
    ]) {
      assert.ok(articleOf('en').includes(numbers.join(' to ')), `${numbers}`);
    }
    for (const numbers of [
      ends(end('zh', 'sqrt', 'ratio'), 1),
      ...SCALES.flatMap((scale) => [
        ends(end('zh', scale, 'loss'), 2),
        ends(end('zh', scale, 'role'), 2),
      ]),
    ]) {
      assert.ok(articleOf('zh').includes(numbers.join(' 到 ')), `${numbers}`);
    }
  });

  it('is in the article with the effective dimension of each head, before training and after it', async () => {
    for (const lang of LANGUAGES) {
      const { config, heldOut } = recorded[lang];
      const start = createModel({ ...config, scale: 1 / Math.sqrt(config.dKey), seed: SEEDS[0] });
      const said = [start, await openModel(lang)].map((model) => {
        const dimensions = attentionOf(model, heldOut.slice(0, 8)).flatMap(({ query, key }) => {
          const windows = scoreMoments(query, key).map((head) => head.effectiveDimension);
          return times(config.heads, (head) =>
            mean(windows.filter((_, index) => index % config.heads === head)),
          );
        });
        return ends(dimensions, 0).join(lang === 'en' ? ' to ' : ' 到 ');
      });
      for (const numbers of said) assert.ok(articleOf(lang).includes(numbers), numbers);
    }
  });

  it('is in the article with the factors that heads learn, and the losses of each variant', () => {
    for (const lang of LANGUAGES) {
      const to = lang === 'en' ? ' to ' : ' 到 ';
      for (const [variant, start] of /** @type {const} */ ([
        ['learned', 'sqrt'],
        ['learned', 'none'],
        ['learned', 'linear'],
        ['norm', 'none'],
        ['norm', 'sqrt'],
        ['keys', 'sqrt'],
        ['keys-norm', 'none'],
      ])) {
        const numbers = ends(atEnd(variant, start, 'loss'), 2).join(to);
        assert.ok(articleOf(lang).includes(numbers), `${variant} ${start} ${numbers}`);
      }
      for (const [start, digits] of /** @type {const} */ ([
        ['sqrt', 2],
        ['none', 2],
        ['linear', 3],
      ])) {
        const numbers = ends(atEnd('learned', start, 'factor'), digits).join(to);
        assert.ok(articleOf(lang).includes(numbers), `${start} ${numbers}`);
      }
    }
  });

  it('is in the article with what leaving the scale out costs from each start', () => {
    for (const lang of LANGUAGES) {
      const to = lang === 'en' ? ' to ' : ' 到 ';
      const costs = startCosts(starts);
      for (const start of ['unit', ...RECORDED_STARTS]) {
        const own = costs.filter((row) => row.start === start);
        assert.deepEqual(
          own.map(({ seed }) => seed),
          SEEDS,
          start,
        );
        const cost = ends(
          own.map((row) => row.cost),
          2,
        );
        assert.ok(articleOf(lang).includes(cost.join(to)), `${start} ${cost}`);
      }
      const scaled = costs.filter(({ start }) => start === 'nn-linear').map((row) => row.scaled);
      assert.ok(articleOf(lang).includes(ends(scaled, 2).join(to)), `${ends(scaled, 2)}`);
    }
  });

  it('holds: moments predict σ(q·k) within a fifth in every head of every variant, at any step', () => {
    for (const { variant, seed, rows } of variants.runs) {
      for (const { step, heads } of rows) {
        for (const [index, measured] of heads.measured.entries()) {
          const error = Math.abs(heads.predicted[index] / measured - 1);
          assert.ok(error < 1 / 5, `${variant} ${seed} ${step}: ${error}`);
        }
      }
    }
  });

  it('is in the ledger with its numbers', async () => {
    const deviation = trainedDeviation();
    assertSaid(deviation.start, median(at('en', 'sqrt', 0, 'ratio')));
    assertSaid(deviation.end, median(at('en', 'sqrt', STEPS, 'ratio')));
    const { config, heldOut } = recorded.en;
    const dimensionOf = (/** @type {Model} */ model) =>
      mean(
        attentionOf(model, heldOut.slice(0, 8)).flatMap(({ query, key }) =>
          scoreMoments(query, key).map((head) => head.effectiveDimension),
        ),
      );
    const start = createModel({ ...config, scale: 1 / Math.sqrt(config.dKey), seed: SEEDS[0] });
    assert.equal(deviation.dimension, Math.round(dimensionOf(start)));
    assert.equal(deviation.trainedDimension, Math.round(dimensionOf(await openModel('en'))));
    const tied = tiedModel();
    assertSaid(tied.tiedModel, middle(atEnd('keys', 'sqrt', 'loss')));
    assertSaid(tied.untiedModel, median(at('en', 'sqrt', STEPS, 'loss')));
    const learned = learnedFactor();
    for (const [factor, loss, scale] of /** @type {const} */ ([
      ['root', 'rootLoss', 'sqrt'],
      ['one', 'oneLoss', 'none'],
      ['linear', 'linearLoss', 'linear'],
    ])) {
      const value = middle(atEnd('learned', scale, 'factor'));
      assert.equal(learned[factor], Number(value.toPrecision(2)), scale);
      assertSaid(learned[loss], middle(atEnd('learned', scale, 'loss')));
    }
    const loss = untrainable();
    assertSaid(loss.halfway, median(at('en', 'sqrt', 500, 'loss')));
    assertSaid(loss.unscaledHalfway, median(at('en', 'none', 500, 'loss')));
    assertSaid(loss.end, median(at('en', 'sqrt', STEPS, 'loss')));
    assertSaid(loss.unscaledEnd, median(at('en', 'none', STEPS, 'loss')));
    const heads = specialHeads();
    assertSaid(heads.start, median(at('en', 'sqrt', 0, 'role')));
    assertSaid(heads.end, median(at('en', 'sqrt', STEPS, 'role')));
    assertSaid(heads.unscaled, median(at('en', 'none', STEPS, 'role')));
  });
});

it('is in files of at most 300 kB, which figures load one at a time', () => {
  const folder = new URL('../../../web/language/recorded/data/', import.meta.url);
  const files = readdirSync(folder);
  assert.ok(files.length > 0, 'the folder has no files');
  for (const file of files) {
    const { size } = statSync(new URL(file, folder));
    assert.ok(size <= 300_000, `${file} has ${size} bytes`);
  }
});

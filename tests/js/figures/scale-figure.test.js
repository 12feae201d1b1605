// @slow
// What <attn-scale> says of trained models, against the recorded runs, and its mark of the crossing.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { staticView } from '../../../web/figures/kit/chart/static.js';
import { spec } from '../../../web/figures/scale/element.js';
import { TRAINED } from '../../../web/figures/scale/map.js';
import { entropyExponents } from '../../../web/theory/scale.js';
import { assertNear } from '../theory/near.js';
import { LANGUAGE_KEYS } from '../../../web/shared/languages.js';

/** @import { Recorded } from '../../../web/experiments/language.js' */

const views = (/** @type {Record<string, unknown>} */ values) =>
  /** @type {any} */ (staticView(spec, values));

describe('the trained models on the map', () => {
  it('have the mean entropy of the heads after the last step of all recorded runs', async () => {
    const file = await import('../../../web/language/recorded/data/en.js');
    const recorded = /** @type {Recorded} */ (/** @type {unknown} */ (file.default));
    assert.equal(recorded.config.dKey, 64);
    for (const { choice, entropyRatio } of TRAINED) {
      const heads = recorded.runs
        .filter(({ scale }) => scale === choice)
        .flatMap(({ rows }) => rows[rows.length - 1].heads);
      assert.equal(heads.length, 12);
      const mean = heads.reduce((sum, head) => sum + head.entropyRatio, 0) / heads.length;
      assertNear(entropyRatio, mean, 0, 0.0006);
    }
  });

  it('have the correlations of queries and keys of these heads', async () => {
    const file = await import('../../../web/language/recorded/data/en.js');
    const recorded = /** @type {Recorded} */ (/** @type {unknown} */ (file.default));
    for (const { choice, correlations } of TRAINED) {
      const heads = recorded.runs
        .filter(({ scale }) => scale === choice)
        .flatMap(({ rows }) => rows[rows.length - 1].heads)
        .map(({ correlation }) => correlation);
      const mean = heads.reduce((sum, correlation) => sum + correlation, 0) / heads.length;
      const found = [Math.min(...heads), mean, Math.max(...heads)];
      found.forEach((value, i) => assertNear(correlations[i], value, 0, 0.0006));
    }
  });

  it('stand where random keys have that entropy, and in the rows', () => {
    const view = views({ lang: 'en' });
    const ratios = TRAINED.map(({ entropyRatio }) => entropyRatio);
    assert.deepEqual(view.data.trained, entropyExponents({ dK: 64, keys: 64, ratios }));
    const rows = spec.rows(view).filter(({ panel }) => panel === view.text.trained);
    assert.deepEqual(
      rows.map(({ measured }) => measured),
      ratios,
    );
  });

  it('stand somewhere however few or many keys there are', () => {
    for (const keys of [2, 512]) {
      for (const alpha of views({ lang: 'en', keys }).data.trained) {
        assert.ok(!Number.isNaN(alpha));
      }
    }
  });
});

describe('the crossing of mean and deviation', () => {
  it('is named in both languages, and drawn at 1/√d_k', () => {
    for (const lang of LANGUAGE_KEYS) {
      const view = views({ lang, dK: 16 });
      assert.match(view.text.crossing, /ρ\* = 1\/√d_k/);
      assert.doesNotThrow(() => spec.draw(view));
    }
  });
});

describe("the factors of today's models", () => {
  for (const factor of ['t5', 'log-keys', 'yarn']) {
    it(`${factor} has its numbers in the title and in the rows`, () => {
      const view = views({ lang: 'en', factor });
      assert.match(spec.title(view), /random keys keep \d/);
      assert.ok(spec.rows(view).some(({ series }) => series === view.text.labels[factor]));
    });
  }

  it('change with the keys in training only for YaRN', () => {
    const title = (/** @type {string} */ factor, /** @type {number} */ trained) =>
      spec.title(views({ lang: 'en', factor, trained }));
    assert.notEqual(title('yarn', 4), title('yarn', 64));
    assert.equal(title('log-keys', 4), title('log-keys', 64));
  });
});

it('the title of sigmoid attention tells of gates, since its row sums to far more than 1', () => {
  const title = spec.title(views({ lang: 'en', factor: 'sigmoid', keys: 64, rho: 0.3 }));
  const [, gate, others, rest] =
    /gate of ([\d.]+), the other (\d+) together ([\d.]+)$/.exec(title) ?? [];
  assertNear(Number(gate), 0.88, 0.01);
  assert.equal(Number(others), 63);
  assertNear(Number(rest), 63 / 2, 0.02 * 31.5); // σ(s) is ½ on average where s is symmetric about 0
});

it('a cap far above the scores leaves the entropy of 1/√d_k, and a sink a little more', () => {
  const ratioOf = (/** @type {string} */ factor) =>
    spec.readout(views({ lang: 'en', factor }))[0].rows[0].theory;
  assertNear(ratioOf('softcap'), ratioOf('sqrt'), 0.001);
  assert.ok(ratioOf('sink') > ratioOf('sqrt') && ratioOf('sink') < 1.02 * ratioOf('sqrt'));
});

// The competitors of the largest score: against counts made one by one, the exact law, and the recorded rows.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { competitorCounts, gapOfOne, growthLaws } from '../../../web/experiments/competitors.js';
import { sampledScores } from '../../../web/experiments/scores.js';
import { competitorsOf } from '../../../web/recording/competitors.js';
import recorded from '../../../web/language/recorded/competitors.js';
import { attentionOf, initLanguage } from '../../../web/language/index.js';
import { openModel, openText } from '../../../web/language/recorded/open.js';
import { GAPS } from '../../../web/language/recorded/gaps.js';
import { assertNear } from '../theory/near.js';
import { keysOf } from '../../../web/shared/keys.js';

const sample = { dK: 16, keys: 24, queries: 32, seed: 4 };

describe('competitors within a gap', () => {
  it('are those counted one by one', () => {
    const { data } = sampledScores(sample);
    const gaps = [0, 0.3, 2, 50];
    const rows = competitorCounts({ ...sample, gaps });
    assert.equal(rows.length, 4);
    for (const { gap, count } of rows) {
      let found = 0;
      for (let query = 0; query < 32; query++) {
        const row = [...data.subarray(24 * query, 24 * query + 24)].map((score) => score / 4);
        found += row.filter((score) => Math.max(...row) - score <= gap * (1 + 1e-6)).length - 1;
      }
      assertNear(count, found / 32, 0, 1e-9);
    }
  });

  it('are on average as many as the exact law says', () => {
    const large = { dK: 64, keys: 64, queries: 1024, seed: 1 };
    for (const { gap, count, theory } of competitorCounts({ ...large, gaps: [0.5, 1, 3] })) {
      assertNear(count, theory, 0.08, 0.02);
      assert.ok(gap > 0);
    }
  });
});

describe('the gap with one competitor', () => {
  it('holds one other key on average, and is near the exact one', () => {
    const { keys, gap } = gapOfOne(sample);
    assert.equal(keys, 24);
    const gaps = [gap * (1 - 1e-4), gap * (1 + 1e-4)];
    const [less, more] = competitorCounts({ ...sample, gaps });
    assert.ok(less.count < 1 && more.count >= 1);
    for (const size of [8, 64]) {
      const row = gapOfOne({ dK: 64, queries: 1024, seed: 2, keys: size });
      assertNear(row.gap, row.theory, 0.06);
    }
  });

  it('has laws that are powers of ln n through one point', () => {
    const laws = growthLaws({ keys: 16, value: 3 }, [4, 16, 256]);
    assert.deepEqual(
      laws.map(({ power }) => power),
      [0.5, 1, 2],
    );
    for (const { power, points } of laws) {
      assertNear(points[0].y, 3 / 2 ** power, 1e-12);
      assertNear(points[1].y, 3, 1e-12);
      assertNear(points[2].y, 3 * 2 ** power, 1e-12);
    }
  });
});

describe('the recorded rows of trained heads', () => {
  for (const lang of keysOf(recorded)) {
    it(`are those of the ${lang} model on the text that it has read`, async () => {
      const measured = await competitorsOf(lang);
      assert.equal(measured.length, 4);
      measured.forEach((head, i) => {
        const written = recorded[lang][i];
        assert.deepEqual([written.layer, written.head], [head.layer, head.head]);
        assert.deepEqual(written.sizes, head.sizes);
        assert.deepEqual(written.counts, head.counts);
        assert.equal(head.counts.length, GAPS.length);
      });
    });
  }

  it('are of a head that looks at itself, the second of layer 1 in English, as its name says', async () => {
    await initLanguage();
    const model = await openModel('en');
    const text = [...(await openText('en'))].slice(0, 64);
    const [{ weights }] = attentionOf(model, [text]);
    const own = text.map((_, i) => weights.data[(64 + i) * 64 + i]);
    assert.ok(own.reduce((sum, weight) => sum + weight, 0) / 64 > 0.8);
  });

  it('say what the article says: near ln n where a head spreads, √ln n where it looks at itself', () => {
    const power = (/** @type {number} */ head) => {
      const { sizes } = recorded.en[head];
      const [few, many] = [sizes[0], sizes[sizes.length - 1]];
      const grown = many.deviation / many.gap / (few.deviation / few.gap);
      return Math.log(grown) / Math.log(Math.log(many.keys) / Math.log(few.keys));
    };
    assertNear(power(1), 0.46, 0, 0.01);
    for (const head of [0, 2, 3]) assert.ok(power(head) > 1.1 && power(head) < 1.6);
  });
});

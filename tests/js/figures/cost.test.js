// @slow
// <attn-cost> without a document: its words while a run is under way.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { spec } from '../../../web/figures/cost/element.js';
import { messages } from '../../../web/figures/cost/generated/words.js';
import { keysOf } from '../../../web/shared/keys.js';
import { viewAfter } from './view-after.js';

/** @import { Language } from '../../../web/shared/languages.js' */

/**
 * Returns title, note and read-out after a part of the run.
 * @param {string} run its measurements, as in `dot 64, factored 64`: the i-th took i milliseconds
 * @param {Language} [lang]
 * @param {number} [slowness]  of the slowest sample
 */
function textsAfter(run, lang = 'en', slowness = 1.2) {
  const result = [...run.matchAll(/(\w+) (\d+)/g)].map(([, method, keys], i) => ({
    method: /** @type {'dot'} */ (method),
    keys: Number(keys),
    repetitions: 1,
    samples: 1,
    fastest: i + 1,
    milliseconds: i + 2,
    slowest: (i + 1) * slowness,
    ratio: i + 1,
    ratioLow: i + 0.9,
    ratioHigh: i + 1.1,
  }));
  const view = viewAfter(spec, result, { lang, dK: 16, hiddenSize: 16 });
  const lines = spec.readout(view).flatMap(({ rows }) => rows);
  return {
    title: spec.title(view),
    note: spec.note?.(view) ?? '',
    caption: spec.caption(view),
    lines,
    times: lines.map(({ quantity, measured, format }) => `${quantity}: ${format(measured)}`),
  };
}

it('stays with the quick sample until every method is measured, or was too slow to be', () => {
  const beginnings = /** @type {const} */ ({
    en: ['A quick sample', 'On this device'],
    zh: ['在本机粗测', '在这台设备上'],
  });
  for (const lang of keysOf(beginnings)) {
    const [sampled, measured] = beginnings[lang];
    for (const [run, beginning] of [
      ['', sampled],
      ['dot 64', sampled],
      ['dot 64, factored 64', sampled],
      ['dot 64, factored 64, dot 128', measured],
      ['dot 64, factored 64, pairwise 64, dot 128', measured],
    ]) {
      const { title, times, note } = textsAfter(run, lang);
      // What is sampled here may say that this machine is busy.
      const isCounted = note.includes(messages[lang].unsure);
      assert.ok(isCounted || title.startsWith(beginning), `${run}: ${title}`);
      for (const text of [title, ...times]) assert.doesNotMatch(text, /–/, run);
      assert.equal(times.length, 5);
    }
  }
});

it('takes the ratios of rounds, at the largest size of both, with their range', () => {
  const run = 'dot 64, factored 64, pairwise 64, dot 128, factored 128';
  const { title, note } = textsAfter(run);
  assert.match(title, /takes 5\.0 times as long .* \(n\s=\s128\), 3\.0 times .* \(n\s=\s64\)$/);
  assert.match(note, /^Ratios: .* 4\.9–5\.1 for factored, 2\.9–3\.1 for per pair/);
  assert.match(textsAfter(run, 'zh').note, /^倍数.*先投影为 4\.9–5\.1，逐对投影为 2\.9–3\.1/);
});

it('counts in its title where times do not say which is faster', () => {
  const run = 'dot 64, factored 64, pairwise 64, dot 128';
  const counted = {
    en: /^By the count of operations, .* takes \d/,
    zh: /^按运算次数：/,
  };
  for (const lang of keysOf(counted)) {
    const { title, note, caption } = textsAfter(run, lang, 2);
    assert.match(title, counted[lang]);
    assert.match(caption, /τ\s=\s3/);
    assert.ok(note.includes(messages[lang].unsure));
    assert.doesNotMatch(textsAfter(run, lang).title, counted[lang]);
  }
});

it('says that the device was busy where one call took much longer than another', () => {
  const run = 'dot 64, factored 64, pairwise 64, dot 128';
  assert.match(textsAfter(run, 'en', 2).note, /^This device was busy: .* up to 2\.0 times as long/);
  assert.match(textsAfter(run, 'zh', 2).note, /^这台设备当时很忙：.*2\.0 倍/);
});

it('takes both ratios of the quick sample at the size of the dot product, which is named once', () => {
  assert.match(
    textsAfter('').title,
    /product attention, \S+ times if it projects every pair \(n\s=\s\d+\)$/,
  );
  assert.match(
    textsAfter('', 'zh').title,
    /点积注意力的 \S+ 倍，若逐对投影则是 \S+ 倍（n\s=\s\d+）$/,
  );
});

it('compares the ratios of the quick sample with operations, not the times that a line goes through', () => {
  for (const { quantity, measured, theory } of textsAfter('').lines) {
    assert.ok(measured > 0);
    assert.equal(theory > 0, quantity.endsWith('× dot'), quantity);
  }
});

it('calls no sample a prediction', () => {
  for (const lang of keysOf(messages)) {
    // Where this machine is busy, the note says before that the title counts.
    const { note } = textsAfter('', lang);
    assert.equal(note.replace(messages[lang].unsure, ''), messages[lang].note);
  }
});

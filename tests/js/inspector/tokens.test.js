// Tokens of <attn-view> are text that may be anything: labels show what the eye cannot see, and nothing in them
// is markup, of XML or of ours.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { drawStatic } from '../../../web/figures/kit/chart/static.js';
import { escapeMarkup } from '../../../web/figures/kit/chart/svg.js';
import { toCsv } from '../../../web/figures/kit/shell/download.js';
import { spoken, unmarked, verbatim } from '../../../web/figures/kit/state/verbatim.js';
import { spec } from '../../../web/inspector/view/element.js';
import { labelOf, labelsOf } from '../../../web/inspector/heads/tokens.js';
import { toAttention } from '../../../web/inspector/reading/index.js';
import { runs } from '../runs.js';
import { viewAfter } from '../figures/view-after.js';
import { isWellFormed } from '../figures/well-formed.js';

/** Characters that XML cannot hold. */
const NOT_XML = /(?![\t\n\r])\p{Cc}|[\p{Cs}\ufffe\uffff]/u;

/** Returns the view of a head between tokens. @param {readonly string[]} tokens @param {object} [options] */
const viewOf = (tokens, options = {}) => {
  const n = tokens.length;
  const weights = { data: new Float32Array(n * n).fill(1 / n), shape: [n, n] };
  return viewAfter(spec, toAttention({ weights, tokens }), { row: 1, ...options });
};

test('what leaves no mark gets a sign, and is one line', () => {
  const labels = {
    '\n': '⏎',
    '\r\n': '⏎',
    ' ': '␣',
    '': '∅',
    ' sea': 'sea',
    'a\tb': 'a⇥b',
    'a b': 'a b',
    '\x1b[0m': '␛[0m',
    '\x7f': '␡',
    '\u200b': 'U+200B',
    '\u202eabc': 'U+202Eabc',
    '\ud83d': 'U+D83D',
    '\u00a0x': 'U+00A0x',
    Donaudampfschiff: 'Donaudampfsch…',
    '海🌊': '海🌊',
  };
  for (const [token, label] of Object.entries(labels)) assert.equal(labelOf(token), label);
});

test('what the eye sees as one character is not cut', () => {
  const family = '👨‍👩‍👧‍👦';
  assert.equal(labelOf(family.repeat(14)), family.repeat(14));
  assert.equal(labelOf(family.repeat(15)), `${family.repeat(13)}…`);
  assert.equal(labelOf('e\u0301'.repeat(14)), 'e\u0301'.repeat(14));
});

test('a megabyte in one token is a short label, soon', () => {
  assert.equal(labelOf('x'.repeat(2 ** 20)), `${'x'.repeat(13)}…`);
  assert.ok(labelOf(`e${'\u0301'.repeat(2 ** 20)}`).length < 500);
});

test('spaces are shown where they tell two tokens apart', () => {
  assert.deepEqual(labelsOf(['the', ' the', ' sea', 'the'], 4), ['the', '␣the', 'sea', 'the']);
});

test('a token that looks like a formula is none, also when it is spoken', () => {
  assert.equal(unmarked(verbatim('x_i d_k')), 'x_i d_k');
  assert.equal(unmarked(spoken(`d_k of ${verbatim('x_i')}`)), 'dk of x_i');
  const view = viewOf(['x_i', 'd_k']);
  const svg = drawStatic(spec, view);
  assert.doesNotMatch(svg.replace(/softmax|√d_k/g, ''), /<tspan font-style="italic"[^>]*>[xd]</);
  assert.match(unmarked(spec.title(view)), /“x_i” gives “x_i” 50%/);
  assert.match(unmarked(spec.status(view)), /“x_i” gives/);
});

test('writing from right to left keeps its direction to itself', () => {
  assert.equal(labelOf('שלום'), '\u2068שלום\u2069');
  assert.match(
    spec.title(viewOf(['שלום', 'sea'])),
    /“\u2068שלום\u2069” gives “\u2068שלום\u2069” 50%/,
  );
});

test('the picture of any tokens is well-formed XML', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 30 }),
    fc.string({
      unit: fc.constantFrom(
        '<',
        '&',
        '"',
        ']]>',
        '\0',
        '\x1b',
        '\ud800',
        '\ufffe',
        'x_i',
        '{query}',
        '$&',
      ),
      maxLength: 6,
    }),
  );
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 4 }), (tokens) => {
      const view = viewOf(tokens);
      const svg = drawStatic(spec, view);
      assert.ok(isWellFormed(svg) && !NOT_XML.test(svg), svg);
      assert.equal(spec.title(view).split(' gives ').length >= 2, true);
      assert.doesNotMatch(escapeMarkup(spec.status(view)), NOT_XML);
    }),
    runs(300),
  );
});

test('CSV has the tokens of the keys, without the marks of labels', () => {
  const lines = toCsv(spec.rows(viewOf(['x_i', 'שלום']))).split('\r\n');
  assert.equal(lines[0], 'panel,series,x,name,measured,low,high,theory');
  assert.deepEqual(lines.slice(1, 3), [
    '"Layer 1, head 1",1 x_i,1,x_i,0.5,,,',
    '"Layer 1, head 1",1 x_i,2,שלום,0.5,,,',
  ]);
});

test('scores in place of weights are named, with what to do', () => {
  const view = viewAfter(spec, toAttention({ weights: [[3.3, -1], [2, 10]] }), { row: 1 }); // prettier-ignore
  assert.equal(
    spec.title(view),
    'Layer 1, head 1: these are not weights, their rows sum to 2.30 … 12.0',
  );
  assert.match(
    spec.note?.(view) ?? '',
    /may be scores. Give their softmax over the keys, or queries/,
  );
});

test('queries that see no key are counted', () => {
  const weights = [[0, 0], [0, 0], [0.5, 0.5]]; // prettier-ignore
  const view = viewAfter(spec, toAttention({ weights }), { row: 3 });
  assert.match(spec.note?.(view) ?? '', /Queries that see no key: 2/);
});

// <attn-flow> without a document: the arithmetic that it writes gives the number that it shows.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { spec, staticSvg } from '../../../web/figures/flow/element.js';
import { stepText } from '../../../web/figures/flow/steps.js';
import { staticView } from '../../../web/figures/kit/chart/static.js';
import { LANGUAGE_KEYS } from '../../../web/shared/languages.js';

const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/** Reads a number as it is written. @param {string} text */
const numberIn = (text) =>
  Number(
    text
      .replace(/×10(⁻?)(.+)/, (_, sign, digits) => {
        const exponent = [...digits].map((digit) => SUPERSCRIPTS.indexOf(digit)).join('');
        return `e${sign && '-'}${exponent}`;
      })
      .replaceAll(/[−,]/g, (sign) => (sign === '−' ? '-' : '')),
  );

const LARGE = Array.from({ length: 18 }, (_, i) => ((5 * i) % 19) - 9).join(' ');

it('shows two numbers whose quotient is the weight that it shows, for scores of any distance', () => {
  const states = [
    { seed: 3095, scaling: 'off' },
    { causal: 'yes', scaling: 'off' },
    { queryWeight: LARGE, keyWeight: LARGE, scaling: 'off' },
  ];
  for (const state of states) {
    for (const row of [1, 2, 3, 4]) {
      for (const column of [1, 2, 3, 4]) {
        if (state.causal && column > row) continue;
        const cell = `weights-${row}-${column}`;
        const { weights } = staticView(spec, { ...state, cell }).data.values;
        const texts = [...staticSvg({ ...state, cell }).matchAll(/<text[^>]*>([^<]*)<\/text>/g)];
        const formulas = texts.flatMap(([, text]) => text.match(/^(\S+) \/ \((.*)\)$/) ?? []);
        const [formula, own, all] = formulas;
        const sum = all.split(' + ').reduce((total, term) => total + numberIn(term), 0);
        const share = numberIn(own) / sum;
        const expected = weights[row - 1][column - 1];
        // Three digits of each number; float32 has none below 10⁻³⁸.
        const difference = Math.abs(share - expected);
        assert.ok(difference < 0.015 * expected + 1e-37, `${cell}: ${expected}, ${formula}`);
      }
    }
  }
});

/** Returns the value of the cell that a picture explains, and all its texts. @param {Record<string, unknown>} state */
function explained(state) {
  const texts = [...staticSvg(state).matchAll(/<text[^>]*>(.*?)<\/text>/g)].map(([, markup]) =>
    markup.replace(/<[^>]*>/g, '').replaceAll('−', '-'),
  );
  const [shown] = texts.flatMap((text) => / = (-?[\d.]+)$/.exec(text)?.[1] ?? []);
  return { texts, shown: Number(shown) };
}

it('adds up the products that it shows', () => {
  for (const [cell, gradients] of [
    ['query-2-1', 'values'],
    ['output-4-3', 'values'],
    ['key-3-2', 'gradients'],
    ['x-1-6', 'gradients'],
    ['valueWeight-6-1', 'gradients'],
  ]) {
    const { texts, shown } = explained({ cell, gradients });
    const products = texts.flatMap((text) => [...text.matchAll(/(-?[\d.]+)\)?×\(?(-?[\d.]+)/g)]);
    const sum = products.reduce((all, [, left, right]) => all + +left * +right, 0);
    assert.ok(Math.abs(shown - sum) < 0.06, `${cell}: ${shown}, products ${sum}`);
  }
});

it('divides, and multiplies by a difference, as it writes', () => {
  const quotient = /^\(?(-?[\d.]+)\)? \/ √3$/;
  const difference = /^([\d.]+) · \((-?[\d.]+) - (-?[\d.]+)\)$/;
  /** @type {[string, string, RegExp, (numbers: number[]) => number][]} */
  const cells = [
    ['scaled-2-3', 'values', quotient, ([score]) => score / Math.sqrt(3)],
    ['scores-4-1', 'gradients', quotient, ([upstream]) => upstream / Math.sqrt(3)],
    ['scaled-2-3', 'gradients', difference, ([weight, own, mean]) => weight * (own - mean)],
  ];
  for (const [cell, gradients, formula, result] of cells) {
    const { texts, shown } = explained({ cell, gradients });
    const [written] = texts.flatMap((text) => formula.exec(text)?.slice(1).join(' ') ?? []);
    const expected = result(written.split(' ').map(Number));
    assert.ok(Math.abs(shown - expected) < 0.02, `${cell}: ${shown}, ${written}`);
  }
});

it('states that queries and keys learn differently only where they learn', () => {
  for (const [lang, learned] of /** @type {const} */ ([
    ['en', /learn/],
    ['zh', /学到/],
  ])) {
    const title = (/** @type {object} */ state) =>
      spec.title(/** @type {any} */ (staticView(spec, { lang, gradients: 'gradients', ...state })));
    assert.match(title({}), learned);
    const zero = title({ x: '0 '.repeat(24) });
    assert.match(zero, /0\.00.*0\.00$/);
    assert.doesNotMatch(zero, learned);
  }
});

it('gives the matrices of keys and values Yᵀ times their gradients in cross-attention', () => {
  for (const lang of LANGUAGE_KEYS) {
    const at = (/** @type {object} */ state) =>
      stepText(
        /** @type {any} */ (staticView(spec, { lang, step: 6, gradients: 'gradients', ...state })),
      );
    assert.match(at({ cross: 'yes' }), /W_Q .*Xᵀ.*W_K.*W_V .*Yᵀ/);
    assert.doesNotMatch(at({}), /Yᵀ/);
    assert.doesNotMatch(at({ cross: 'yes', step: 1, gradients: 'values' }), /All else|其余/);
  }
});

it('has each step as its title, with the numbers of its cell, forwards and back', () => {
  for (const lang of LANGUAGE_KEYS) {
    for (const cross of ['no', 'yes']) {
      const titles = [0, 1, 2, 3, 4, 5, 6].flatMap((step) =>
        ['values', 'gradients'].map((gradients) =>
          spec.title(/** @type {any} */ (staticView(spec, { lang, step, gradients, cross }))),
        ),
      );
      assert.equal(new Set(titles).size, 14);
    }
    const view = /** @type {any} */ (staticView(spec, { lang, step: 5, cross: 'yes' }));
    const share = view.data.values.weights[1][2];
    const [query, key] = [view.text.rows[1], view.text.otherRows[2]];
    const claim = spec.title(view);
    for (const part of [query, key, view.format.percent(share)]) assert.ok(claim.includes(part));
  }
});

it('writes the words of both texts at rows and columns, and falls back from a cell that is gone', () => {
  const cell = 'scores-2-4';
  for (const width of [340, 720]) {
    const svg = staticSvg({ cross: 'yes', cell, width });
    for (const word of ['saw', 'cat', 'gato']) assert.match(svg, new RegExp(`>${word}<`));
    assert.match(svg, /S \[2, 3\] = /);
    assert.match(staticSvg({ cell, width }), /S \[2, 4\] = /);
    assert.doesNotMatch(staticSvg({ width }), /gato/);
  }
});

it('has room for all that it writes, wide and narrow, of one text and of two', () => {
  for (const lang of LANGUAGE_KEYS) {
    for (const width of [350, 960]) {
      for (const cross of ['no', 'yes']) {
        const svg = staticSvg({ lang, width, cross });
        const [, height] = /<svg[^>]* height="([\d.]+)"/.exec(svg) ?? [];
        for (const [tag, y] of svg.matchAll(/<text[^>]* y="([\d.]+)"/g))
          assert.ok(
            Number(y) <= Number(height) - 2,
            `${lang} ${width} ${cross}: ${tag}, ${height}`,
          );
      }
    }
  }
});

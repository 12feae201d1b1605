// Pictures as data.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { node, toMarkup } from '../../../web/figures/kit/svg.js';
import { isWellFormed } from './well-formed.js';

it('leaves out what is null, undefined or false, and flattens lists', () => {
  const tree = node('g', { a: null, b: undefined, c: false, d: 0 }, [
    node('path', {}),
    null,
    ['x', 7],
  ]);
  assert.equal(toMarkup(tree), '<g d="0"><path/>x7</g>');
});

it('rounds to a hundredth of a pixel', () => {
  assert.equal(toMarkup(node('line', { x1: 1 / 3, x2: 2 })), '<line x1="0.33" x2="2"/>');
});

it('is well-formed XML whatever text it holds', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (text, value) => {
      assert.ok(isWellFormed(toMarkup(node('text', { label: value }, text))));
    }),
  );
});

it('escapes markup in text and attributes', () => {
  const tree = node('text', { label: '"<&>' }, '<script>');
  assert.equal(toMarkup(tree), '<text label="&quot;&lt;&amp;&gt;">&lt;script&gt;</text>');
});

// Pictures as data.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { node, patch, toMarkup } from '../../../web/figures/kit/svg.js';
import { isWellFormed } from './well-formed.js';

it('leaves out null, undefined and false, and flattens lists', () => {
  const tree = node('g', { a: null, b: undefined, c: false, d: 0 }, [
    node('path', {}),
    null,
    ['x', 7],
  ]);
  assert.equal(toMarkup(tree), '<g d="0"><path/>x7</g>');
});

it('leaves no attribute of the drawing before on an element that is drawn again', () => {
  const attributes = new Map([
    ['opacity', '0.5'],
    ['width', '8'],
  ]);
  const element = {
    childNodes: [],
    getAttributeNames: () => [...attributes.keys()],
    getAttribute: (/** @type {string} */ name) => attributes.get(name) ?? null,
    setAttribute: (/** @type {string} */ name, /** @type {string} */ value) =>
      attributes.set(name, value),
    removeAttribute: (/** @type {string} */ name) => attributes.delete(name),
  };
  patch(/** @type {any} */ (element), node('rect', { width: 9, opacity: null, x: 1 }));
  assert.deepEqual(Object.fromEntries(attributes), { width: '9', x: '1' });
});

it('rounds to a hundredth of a pixel', () => {
  assert.equal(toMarkup(node('line', { x1: 1 / 3, x2: 2 })), '<line x1="0.33" x2="2"/>');
});

it('is well-formed XML with any text in it', () => {
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

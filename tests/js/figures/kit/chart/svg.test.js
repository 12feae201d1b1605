// Pictures as data.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { grounded, node, patch, toMarkup } from '../../../../../web/figures/kit/chart/svg.js';
import { isWellFormed } from '../../well-formed.js';

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

it('touches nothing that a drawing leaves as it was', () => {
  /** @type {string[]} */
  const touched = [];
  const log = (/** @type {string} */ what) => touched.push(what);
  const ownerDocument = {
    createTextNode: (/** @type {string} */ text) => ({ text }),
    createElementNS: (/** @type {string} */ _, /** @type {string} */ tag) => live(tag),
  };
  /** Returns an element that notes each change. @param {string} tag  @returns {any} */
  const live = (tag) => {
    /** @type {unknown[]} */
    const childNodes = [];
    return {
      ownerDocument,
      childNodes,
      getAttributeNames: () => [],
      setAttribute: (/** @type {string} */ name, /** @type {string} */ value) =>
        log(`${tag} ${name}=${value}`),
      removeAttribute: (/** @type {string} */ name) => log(`${tag} ${name} removed`),
      append(/** @type {{ text?: string }} */ child) {
        childNodes.push(child);
        log(`${tag} + ${child.text ?? 'element'}`);
      },
    };
  };
  const picture = live('svg');
  const drawing = (/** @type {number} */ x, /** @type {number | null} */ width) =>
    node('svg', {}, node('g', {}, node('text', { x }, 'n')), node('rect', { width }));
  patch(picture, drawing(1, 8));
  touched.length = 0;
  patch(picture, drawing(1, 8));
  assert.deepEqual(touched, []);
  patch(picture, drawing(2, null));
  assert.deepEqual(touched, ['text x=2', 'rect width removed']);
});

it('rounds to a hundredth of a pixel', () => {
  assert.equal(toMarkup(node('line', { x1: 1 / 3, x2: 2 })), '<line x1="0.33" x2="2"/>');
});

it('has ink and paper of its own in a file, behind all that is drawn', () => {
  const tree = node('svg', {}, node('title', {}, 'T'), node('desc', {}, 'D'), node('g', {}, 'n'));
  assert.equal(
    toMarkup(grounded(tree, { ink: '#111', paper: '#fff' })),
    '<svg color="#111"><title>T</title><desc>D</desc><rect width="100%" height="100%" fill="#fff"/><g>n</g></svg>',
  );
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

// Blocks of a bundle: the module computes what it computed before, and what one file uses is its own.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { filesOf, withBlocks } from '../../../web/build/blocks.js';

/** @param {string} code  @returns {Promise<Record<string, any>>} */
const load = (code) => import(`data:text/javascript,${encodeURIComponent(code)}`);

const FILES = [
  [
    'one.js',
    `import { sep } from 'node:path';
     var first = 1, second = first + sep.length;
     function inner() { return second; }
     function outer(n) { return n ? inner() + outer(n - 1) : 0; }
     var { length } = [first, second];`,
  ],
  [
    'two.js',
    `const unit = outer(1), base = [unit];
     async function late(more = base) { return [...more, await outer(2)]; }
     function* each() { yield* base; }
     class Figure { static made = Figure.name.length; static all = [...each()]; }
     base.push(length);`,
  ],
  ['three.js', 'let alone = 7;'],
];
const code = `/*! banner */
${FILES.map(([, text]) => text).join('\n')}
export { Figure, late, alone }`;
const files = filesOf(/** @type {[string, string][]} */ (FILES));

describe('a module with blocks', () => {
  const made = withBlocks(code, files);

  it('computes and exports the same', async () => {
    const [before, after] = [await load(code), await load(made)];
    assert.deepEqual(Object.keys(after), Object.keys(before));
    assert.deepEqual(await after.late(), await before.late());
    assert.deepEqual(after.Figure.all, before.Figure.all);
    assert.equal(after.Figure.made, before.Figure.made);
    assert.equal(after.alone, 7);
  });

  it('begins as it began', () => {
    assert.match(made, /^\/\*! banner \*\//);
  });

  it('keeps what only one file uses in the block of that file', () => {
    assert.match(
      made,
      /\{var outer=function\(n\).*let first.*function inner.*\}\{var late=.*let unit/s,
    );
  });

  it('leaves a file with little of its own as it is', () => {
    assert.match(made, /\}var alone = 7;export/);
  });
});

// Short names: the module computes what it computed before, under the names that it exported before.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { shortNames } from '../../../web/build/names.js';

/** @param {string} code  @returns {Promise<Record<string, any>>} */
const load = (code) => import(`data:text/javascript,${encodeURIComponent(code)}`);

/** @type {Record<string, string>} what a module says, by what is hard about it */
const MODULES = {
  'one name for a property and a variable': `
    const palette = { ink: 1, paper: { white: 2 } };
    const read = ({ ink, paper: { white }, missing = ink + 1 }) => ({ ink, white, missing });
    const answer = read(palette);`,
  'shadowed names': `
    const value = 1;
    const inner = (value) => { { const value = 3; if (value) return [value, () => value]; } return value; };
    const answer = [value, inner(2)[0], inner(2)[1]()];`,
  'a default that means something outside': `
    const value = 1;
    const twice = (other = value, add = () => other) => { const value = 5; return [add(), other, value]; };
    const answer = twice();`,
  'what is caught': `
    let said = [];
    try { throw 1; } catch (problem) { let again = 2; { const third = 3; said = [again, third]; } said.push(problem); }
    try { throw 4; } catch ({ length, size = 5 }) { let again = size; said.push(again, length); }
    const answer = said;`,
  'classes inside and outside': `
    class Figure { static made = 0; static make() { Figure.made += 1; return new Figure(); } value = 2; }
    const Named = class Inner { static self() { return Inner; } };
    class Further extends Figure { get twice() { return 2 * super.constructor.make().value; } }
    const answer = [Figure.make().value, Figure.made, Named.self() === Named, new Further() instanceof Figure];
    export { Figure, Further as Other };`,
  'private names': `
    class Counter { #count = 0; static #all = []; #tick() { this.#count += 1; return this.#count; }
      static has(one) { return #count in one; }
      tick() { Counter.#all.push(this.#tick()); return Counter.#all; } }
    const answer = [new Counter().tick(), Counter.has(new Counter()), Counter.has({})];`,
  'loops, labels and hoisting': `
    const made = [];
    outer: for (const [row, cells] of [[1, 2], [3]].entries())
      for (let column = 0; column < cells.length; column++) {
        if (cells[column] === 2) continue outer;
        made.push(() => row * 10 + column + later());
      }
    function later() { return late; }
    var late = 100;
    const answer = made.map((each) => each());`,
  'globals and arguments': `
    const read = function () { return arguments.length + Math.max(...arguments); };
    const e = 7, Math2 = typeof nowhere;
    const answer = [read(1, 2, 3), e, Math2, globalThis.Math.PI];`,
  'calculation by recursion and templates': `
    const steps = (count) => (count < 2 ? 1 : count * steps(count - 1));
    const named = function again(count) { return count ? again(count - 1) : 'end'; };
    export default steps(5);
    const answer = \`\${steps(4)} \${named(2)} \${[1, 2].map((count) => count + \`\${count}\`)}\`;`,
};

describe('short names', () => {
  for (const [what, body] of Object.entries(MODULES)) {
    const code = `${body}\nexport { answer };`;
    it(`keep: ${what}`, async () => {
      const short = await shortNames(code);
      assert.notEqual(short, code);
      const [before, after] = [await load(code), await load(short)];
      assert.deepEqual(Object.keys(after), Object.keys(before));
      assert.deepEqual(after.answer, before.answer);
    });
  }

  it('are the same from function to function', async () => {
    const short = await shortNames(`
      const first = (figure, format, palette) => [figure, format, palette];
      const second = (palette, figure) => [figure, palette];
      export { first, second };`);
    const [[, figure, , palette]] = [
      .../\((\w+),(\w+),(\w+)\)/g[Symbol.matchAll](short.replaceAll(' ', '')),
    ];
    assert.match(short, new RegExp(`\\(${palette}, ${figure}\\) => \\[${figure}, ${palette}\\]`));
  });

  it('reach what another module gives, by its name there', async () => {
    const short = await shortNames(
      "import { sep, join as glue } from 'node:path'; const answer = glue('a', sep); export { answer };",
    );
    assert.match(short, /^import \{ sep as \w+, join as \w+ \} from 'node:path';/);
    assert.doesNotMatch(short, /glue/);
  });

  it('refuse a module whose exports they would rename', async () => {
    await assert.rejects(shortNames('export const answer = 1;'), /would lose its name/);
  });
});

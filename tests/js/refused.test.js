// @slow
// Wrong arguments of every exported function, and of the functions of what these return: no error of the engine
// comes through, only those of the package.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { createKernel } from '../../web/attention/index.js';
import { FIGURES } from '../../web/figures/list.js';
import {
  characters,
  createModel,
  createTokenizer,
  createTrainer,
} from '../../web/language/index.js';
import { createPool } from '../../web/parallel/index.js';

/** @type {unknown[][]} */
const WRONG = [
  [], [null], ['x'], [undefined, null], [null, null, null, null], [1], [NaN], [-1], [10n], [{}], [[]],
  [{}, {}], [{}, null], [new Map()], [Symbol('x')], [() => 1], ['a', 'b', 'c', 'd'],
  [{ sacle: 1 }], [[[1, 2]], { sacle: 1 }], [[[1, 2]], [[1, 2]], { sacle: 1 }],
  [[[1, 2]], [[1, 2]], [[1, 2]], { sacle: 1 }],
]; // prettier-ignore

/** @type {{ exports: Record<string, string> }} */
const { exports } = JSON.parse(readFileSync('package.json', 'utf8'));
const entries = Object.values(exports).filter(
  (path) => !path.includes('*') && !/figures\/(index|define|anywidget)\.js$/.test(path),
);
const figures = FIGURES.map((name) =>
  name === 'view' ? './web/inspector/view/element.js' : `./web/figures/${name}/element.js`,
);

/**
 * Expects that a function throws nothing but errors of the package.
 * @param {string} name
 * @param {(...args: any[]) => unknown} call
 */
async function expectOwnErrors(name, call) {
  for (const args of WRONG) {
    try {
      const result = await call(...args);
      /** @type {any} */ (result)?.dispose?.();
    } catch (error) {
      const { code, stack } = /** @type {Error & { code?: string }} */ (error);
      assert.match(code ?? '', /^ATTN_/, `${name}(${args.map(String).join(', ')}): ${stack}`);
    }
  }
}

for (const path of [...entries, ...figures]) {
  it(`${path} throws errors of the package`, async () => {
    const module = await import(`../../${path}`);
    for (const [name, call] of Object.entries(module)) {
      const isClass = /^(Attn|[A-Z]\w+Error$)/.test(name);
      if (typeof call === 'function' && !isClass && !(figures.includes(path) && name === 'load')) {
        await expectOwnErrors(name, call);
      }
    }
  });
}

describe('functions of objects throw errors of the package', async () => {
  const model = createModel({ vocabulary: 6, context: 4, dModel: 8, seed: 1 });
  const objects = {
    kernel: await createKernel(),
    pool: createPool({ workers: 0 }),
    trainer: createTrainer(model, { steps: 5 }),
    characters: characters('abc'),
    tokenizer: createTokenizer('abc abc'),
  };
  for (const [name, object] of Object.entries(objects)) {
    it(name, async () => {
      for (const [method, call] of Object.entries(object)) {
        if (typeof call === 'function' && method !== 'dispose') {
          await expectOwnErrors(`${name}.${method}`, call);
        }
      }
    });
  }
});

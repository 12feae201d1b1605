/**
 * The reference is read from the docstrings, completely: what is missing there is reported.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import * as attentionLab from '../../../web/attention/index.js';
import { readReference } from '../../../web/build/api.js';
import { examplesModule, examplesOf, runExamples } from '../../../web/build/api-examples.js';
import { citationsIn, renderReference, splitDescription } from '../../../web/build/api-page.js';
import { gapsOf, openSources } from '../../../web/build/api-read.js';
import * as experiments from '../../../web/experiments/index.js';
import { showValue } from '../../../web/page/show-value.js';
import * as theory from '../../../web/theory/index.js';

/**
 * The entries of a package of a few files.
 * @param {Record<string, string>} files
 */
const entriesOf = (files) => {
  const read = (/** @type {string} */ path) => files[path.replace('root/', '')];
  return openSources('root', read).entries('index.js');
};

/** The only entry of one file with a docstring. @param {string} doc @param {string} declaration */
const entryOf = (doc, declaration) => entriesOf({ 'index.js': `${doc}\n${declaration}` })[0];

const WHOLE = `/**
 * Adds.
 *
 * @param {number} a one
 * @param {number} [b] another
 * @returns {number} the sum
 * @example
 * add(1, 2); // 3
 */`;

describe('the reference of the package', () => {
  test('has every export of every module, and nothing else', async () => {
    const { entries } = await readReference();
    const exported = [attentionLab, theory, experiments].flatMap((module) => Object.keys(module));
    assert.deepEqual(entries.map(({ name }) => name).sort(), exported.sort());
  });

  test('says of every function what it takes and of every error its code', async () => {
    const { entries } = await readReference();
    for (const { name, kind, params, returns, code } of entries) {
      const value = Reflect.get({ ...attentionLab, ...theory, ...experiments }, name);
      if (kind === 'function') {
        assert.ok(params.length >= value.length, name);
        assert.ok(returns?.type.text, name);
      } else if (kind === 'class') assert.equal(new value('').code, code);
    }
  });

  test('says of every function that computes what it costs and how exact it is', async () => {
    const { entries } = await readReference();
    const exact = ['tensor', 'toNested', 'parameterCount', 'init', 'backend', 'createKernel'];
    const unbounded = ['randomNormal', 'randomUniform', 'softmaxFloat16'];
    for (const { name, kind, file, description } of entries) {
      if (kind !== 'function' || !file.startsWith('attention/') || exact.includes(name)) continue;
      const { cost, accuracy } = splitDescription(description);
      assert.ok(cost, `${name}: cost`);
      assert.ok(accuracy || unbounded.includes(name), `${name}: accuracy`);
    }
  });

  test('has a program for every function of the kernel that gives the same everywhere', async () => {
    const reference = await readReference();
    const shown = [...reference.examples.values()].flat();
    const functions = Object.entries(attentionLab).filter(([name]) => !/Error$/.test(name));
    assert.deepEqual(
      shown.map(({ example }) => example.name).sort(),
      functions.map(([n]) => n).sort(),
    );
    const again = await runExamples(shown.map(({ example }) => example));
    for (const { example, output } of shown) {
      assert.notEqual(output, '');
      assert.equal(again.get(example.name), output, example.name);
    }
  });
});

/** Sources of a folder of tests, as one text. @param {string} folder @param {RegExp} names */
function sourcesIn(folder, names) {
  const url = new URL(`../../${folder}/`, import.meta.url);
  const files = readdirSync(url).filter((name) => names.test(name));
  return files.map((name) => readFileSync(new URL(name, url), 'utf8')).join('\n');
}

describe('every function of the kernel', () => {
  const header = readFileSync(new URL('../../../c/attn.h', import.meta.url), 'utf8');
  const declared = new Set(header.match(/\battn_\w+(?=\()/g));
  const functions = [...declared].filter((name) => !name.endsWith('_scratch'));
  for (const [what, folder, names] of /** @type {const} */ ([
    ['is hashed in every build (tests/c/identity.c)', 'c', /^identity\.c$/],
    ['has a test in C (tests/c)', 'c', /_test\.c$/],
    ['is fuzzed (tests/fuzz)', 'fuzz', /_fuzz\.c$/],
  ])) {
    test(what, () => {
      const named = new Set(sourcesIn(folder, names).match(/\battn_\w+/g));
      assert.ok(functions.length > 20);
      assert.deepEqual(
        functions.filter((name) => !named.has(name)),
        [],
      );
    });
  }
});

describe('a docstring', () => {
  test('without gaps has none reported', () => {
    const entry = entryOf(WHOLE, 'export function add(a, b) { return a + b; }');
    assert.deepEqual(gapsOf(entry, { example: true }), []);
  });

  for (const [what, doc, declaration, gap] of [
    ['that is missing', '', 'export function add() {}', 'has no description'],
    [
      'without description',
      WHOLE.replace('Adds.', ''),
      'export function add(a, b) {}',
      'has no description',
    ],
    [
      'that leaves out a parameter',
      WHOLE,
      'export function add(a, b, c) {}',
      'has no @param with a type for c',
    ],
    [
      'that leaves out a destructured parameter',
      WHOLE,
      'export function add(a, b, { c }) {}',
      'has no @param with a type for parameter 3',
    ],
    [
      'with an old name of a parameter',
      WHOLE,
      'export const add = (a, z) => a + z;',
      'has no @param with a type for z',
    ],
    [
      'without the type of a parameter',
      WHOLE.replace('{number} a', 'a'),
      'export function add(a, b) {}',
      'has no @param with a type for a',
    ],
    [
      'with a parameter too many',
      WHOLE,
      'export function add(a) {}',
      'takes no b, which it documents',
    ],
    [
      'without result',
      WHOLE.replace('@returns', '@gives'),
      'export function add(a, b) {}',
      'has no @returns',
    ],
    [
      'without example',
      WHOLE.replace(/ \* @example[\s\S]*/, ' */'),
      'export function add(a, b) {}',
      'has no @example',
    ],
  ]) {
    test(`${what} is reported`, () => {
      assert.ok(gapsOf(entryOf(doc, declaration), { example: true }).includes(gap), gap);
    });
  }

  test('may lack an example where none is asked for', () => {
    const doc = WHOLE.replace(/ \* @example[\s\S]*/, ' */');
    assert.deepEqual(gapsOf(entryOf(doc, 'export function add(a, b) {}'), { example: false }), []);
  });

  test('is that right before the declaration', () => {
    const entry = entryOf(WHOLE, 'const other = 1;\nexport function add(a, b) {}');
    assert.ok(gapsOf(entry, { example: true }).includes('has no description'));
  });

  test('is found through files that pass an export on, under its new name', () => {
    const [entry] = entriesOf({
      'index.js': `export { sum as total } from './a/b.js';`,
      'a/b.js': `export { add as sum } from '../c.js';`,
      'c.js': `/** About the file. */\nimport './d.js';\n${WHOLE}\nexport function add(a, b) {}`,
    });
    assert.equal(entry.name, 'total');
    assert.equal(entry.file, 'c.js');
    assert.equal(entry.description, 'Adds.');
  });

  test('gives names, types over several lines, options and defaults', () => {
    const entry = entryOf(
      `/** @typedef {object} Options\n * @property {number} [scale] 1/√d √√√ by default */
      /**
       * Does.
       * @param {Options & {
       *   more?: number }} options what
       *   to do
       * @param {readonly number[]} [shape] [n, d] of it
       * @returns {{ a: number }} [..., n] √
       */`,
      'export function f({ scale = 1 / 8, more }, shape) {}',
    );
    const [options, shape] = entry.params;
    assert.equal(options.type.text, 'Options & { more?: number }');
    assert.deepEqual(options.defaults, ['scale = 1 / 8']);
    const [property] = options.type.types.get('Options')?.properties ?? [];
    assert.equal(property.name, 'scale');
    assert.ok(property.optional);
    assert.deepEqual([shape.name, shape.optional], ['shape', true]);
    assert.equal(shape.description, '[n, d] of it');
    assert.equal(entry.returns?.description, '[..., n] √');
  });
});

describe('an example', () => {
  const withExample = (/** @type {string} */ text) =>
    entryOf(WHOLE.replace('add(1, 2); // 3', text), 'export function add(a, b) {}');

  test('is shown with its import and prints the values that it comments', async () => {
    const text = 'const x = [\n *   1,\n * ];\n * softmax(x).data; // 1: all of it\n * tensor(x);';
    const [example] = examplesOf(withExample(text));
    assert.equal(
      example.source,
      "import { softmax, tensor } from 'attention-lab';\n\nconst x = [\n  1,\n];\nsoftmax(x).data; // 1: all of it\ntensor(x);",
    );
    assert.equal((await runExamples([example])).get('add'), 'Float32Array [1]');
    assert.match(examplesModule([example]), /"add": async \(print\) => \{[^}]*print\(softmax\(x\)/);
  });

  test('that prints nothing or does not parse ends the build', () => {
    assert.throws(
      () => examplesOf(withExample('softmax([1]);')),
      /the example of add shows no value/,
    );
    assert.throws(() => examplesOf(withExample('softmax([1;')), /the example of add/);
  });
});

describe('the text of an entry', () => {
  test('gives up its sentences on cost and error, and only those', () => {
    assert.deepEqual(splitDescription('It costs. Cost: n. Error: at most\n2.\n\nCosts vary.'), {
      prose: 'It costs. \n\nCosts vary.',
      cost: 'n.',
      accuracy: 'Error: at most 2.',
    });
  });

  test('cites by author, title and year', () => {
    assert.deepEqual(
      citationsIn(
        'As in (Vaswani et\nal., "Attention is all you need", 2017, §3) and Rabe & Staats, "Self", 2021; see "x".',
      ),
      ['Vaswani et al., "Attention is all you need", 2017', 'Rabe & Staats, "Self", 2021'],
    );
    assert.deepEqual(citationsIn('nothing'), []);
  });
});

describe('a page of the reference', () => {
  test('must have a place for every entry', async () => {
    const reference = await readReference();
    assert.throws(
      () => renderReference('<h2 id="a">A</h2><div data-api="theory/"></div>', 'en', reference),
      /the reference has no place for \w+ of (attention|experiments)\//,
    );
  });

  test('writes out what a call returns, and explains each name once', async () => {
    const reference = await readReference();
    const returned = (/** @type {string} */ name) =>
      reference.entries.find((entry) => entry.name === name)?.returns?.type.text;
    const results = '{ output: Tensor, weights?: Tensor, scores?: Tensor, logSumExp?: Tensor }';
    assert.equal(returned('attention'), results);
    assert.equal(returned('additiveAttention'), results);
    assert.match(
      String(returned('multiHeadAttention')),
      /^\{ output: Tensor, weights\?: Tensor, q/,
    );
    const html = renderReference(
      '<h2 id="all">All</h2><div data-api="attention/ theory/ experiments/"></div><div data-api-types></div>',
      'en',
      reference,
    );
    assert.match(html, /id="type-Tensor"/);
    assert.doesNotMatch(html, /id="type-\w+-"|id="type-Results"/);
  });

  test('leads every link to something on it', async () => {
    const html = renderReference(
      '<h2 id="all">All</h2><div data-api="attention/ theory/ experiments/"></div><div data-api-types></div>',
      'en',
      await readReference(),
    );
    const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    assert.equal(new Set(ids).size, ids.length);
    for (const [, target] of html.matchAll(/href="#([^"]+)"/g))
      assert.ok(ids.includes(target), target);
  });
});

test('values are shown as a console shows them, float32 numbers by their shortest decimal', () => {
  const rows = [new Float32Array([0.1, -0, 1 / 3, 1e-45, Infinity, NaN, 16777216])];
  assert.equal(
    showValue(rows),
    '[Float32Array [0.1, 0, 0.33333334, 1e-45, Infinity, NaN, 16777216]]',
  );
  for (let i = 0; i < 2000; i++) {
    const x = Math.fround(Math.sin(i + 1) * 10 ** ((i % 60) - 30));
    const [shown] = JSON.parse(showValue(new Float32Array([x])).replace('Float32Array', ''));
    assert.equal(Math.fround(shown), x);
  }
  assert.equal(showValue({ a: 'b', c: [undefined, 1.5] }), "{ a: 'b', c: [undefined, 1.5] }");
});

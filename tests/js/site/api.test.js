/** The reference is read from the docstrings, completely: gaps in it are reported. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import * as attentionLab from '../../../web/attention/index.js';
import { readReference } from '../../../web/site/generator/api.js';
import { examplesModule, runExample } from '../../../web/site/generator/api-examples.js';
import { renderReference } from '../../../web/site/generator/api-page.js';
import {
  citationsIn,
  gapsOf,
  readDocs,
  readEntry,
  splitDescription,
  typedefsIn,
} from '../../../web/site/generator/api-read.js';
import * as experiments from '../../../web/figures/rows.js';
import * as files from '../../../web/inspector/reading/index.js';
import * as language from '../../../web/language/index.js';
import * as parallel from '../../../web/parallel/index.js';
import { showValue } from '../../../web/site/scripts/show-value.js';
import { callsOf, replace } from '../attention/functions.js';
import * as theory from '../../../web/theory/index.js';

const FUNCTIONS = callsOf(attentionLab);

/** @import { Entry } from '../../../web/site/generator/api-read.js' */

/** Reads the entry of the exported `add`. @param {string} source @param {unknown} value @returns {Entry} */
const entryOf = (source, value) => {
  const doc = readDocs(source).docs.find(({ name }) => name === 'add');
  return readEntry(doc ?? { description: '', tags: [] }, value);
};

const add = (/** @type {number} */ a, /** @type {number} */ b) => a + b;
const reference = await readReference();

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
  const { entries } = reference;

  test('has every export of every module, and nothing else', () => {
    const exported = [attentionLab, parallel, files, language, theory, experiments].flatMap(
      (module) => Object.keys(module),
    );
    assert.deepEqual(entries.map(({ name }) => name).sort(), exported.sort());
  });

  test('names the parameters of every function and the code of every error', () => {
    const rooms = { ...attentionLab, ...parallel, ...files, ...language, ...theory };
    for (const { name, file, isFunction, params, returns, error } of entries) {
      const value = Reflect.get(file === 'figures/rows.js' ? experiments : rooms, name);
      if (isFunction) {
        assert.ok(params.length >= value.length, name);
        assert.ok(returns?.type, name);
      } else if (error) assert.equal(new value('').code, error.code);
    }
  });

  test('gives the cost and the accuracy of every function that computes', () => {
    const exact = [
      'diagnosisCourse',
      'tensor',
      'toNested',
      'parameterCount',
      'init',
      'backend',
      'createKernel',
      'errorFrom',
    ];
    const unbounded = ['randomNormal', 'randomUniform', 'rows', 'softmaxFloat16'];
    for (const { name, isFunction, file, cost, accuracy } of entries) {
      if (!isFunction || !/^(attention|diagnosis)\//.test(file) || exact.includes(name)) continue;
      assert.ok(cost, `${name}: cost`);
      assert.ok(accuracy || unbounded.includes(name), `${name}: accuracy`);
    }
  });

  test('has a program for every function of the kernel that gives the same everywhere', async () => {
    const examples = entries.flatMap((entry) => entry.examples);
    const functions = Object.keys({ ...attentionLab, ...parallel, ...files, ...language }).filter(
      (name) => !/Error$/.test(name),
    );
    assert.deepEqual(examples.map(({ name }) => name).sort(), functions.sort());
    for (const { examples, name } of entries) {
      for (const { source, output } of examples) {
        const text = source.replace(/^(import .*\n)+\n/, '');
        assert.notEqual(output, '');
        assert.equal((await runExample(name, text)).output, output, name);
      }
    }
  });
});

/** Sources of a folder of tests, as one text. @param {string} folder @param {RegExp} names */
function sourcesIn(folder, names) {
  const url = new URL(`../../${folder}/`, import.meta.url);
  const files = readdirSync(url, { recursive: true, encoding: 'utf8' }).filter((name) =>
    names.test(name),
  );
  return files.map((name) => readFileSync(new URL(name, url), 'utf8')).join('\n');
}

describe('every function of the kernel', () => {
  const headers = ['attn.h', 'language/language.h'].map((name) =>
    readFileSync(new URL(`../../../c/${name}`, import.meta.url), 'utf8'),
  );
  const declared = new Set(headers.join('').match(/\battn_\w+(?=\()/g));
  const functions = [...declared].filter((name) => !name.endsWith('_scratch'));
  for (const [what, folder, names] of /** @type {const} */ ([
    ['is hashed in every build (tests/c/identity*)', 'c', /identity(_language\.h|\.c)$/],
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
  const declaration = 'export function add(a, b) {}';

  test('without gaps has none reported', () => {
    const entry = entryOf(`${WHOLE}\n${declaration}`, add);
    assert.deepEqual(gapsOf(entry, { example: true }), []);
  });

  for (const [what, doc, gap] of [
    ['that is missing', '', 'has no description'],
    ['without description', WHOLE.replace('Adds.', ''), 'has no description'],
    ['without result', WHOLE.replace('@returns', '@gives'), 'has no @returns'],
    ['without example', WHOLE.replace(/ \* @example[\s\S]*/, ' */'), 'has no @example'],
  ]) {
    test(`${what} is reported`, () => {
      const entry = entryOf(`${doc}\n${declaration}`, add);
      assert.ok(gapsOf(entry, { example: true }).includes(gap), gap);
    });
  }

  test('may lack an example where none is required', () => {
    const doc = WHOLE.replace(/ \* @example[\s\S]*/, ' */');
    assert.deepEqual(gapsOf(entryOf(`${doc}\n${declaration}`, add), { example: false }), []);
  });

  test('is that right before the declaration', () => {
    const entry = entryOf(`${WHOLE}\nconst other = 1;\n${declaration}`, add);
    assert.ok(gapsOf(entry, { example: true }).includes('has no description'));
  });

  test('at the top of a file is about the file, unless it documents an export or a type', () => {
    const about = (/** @type {string} */ source) => readDocs(source).about;
    assert.equal(
      about(`/** About\n * the file. */\n\n${WHOLE}\n${declaration}`),
      'About\nthe file.',
    );
    assert.equal(about(`${WHOLE}\n${declaration}`), '');
    assert.equal(about('/** Adds. */\nexport const add = 1;'), '');
    assert.equal(about('/** @typedef {number} Sum */'), '');
    assert.equal(about(`import './a.js';\n/** Not at the top. */`), '');
  });

  test('gives names, types over several lines, options and defaults', () => {
    const source = `/** @typedef {object} Options\n * @property {number} [scale] 1/√d √√√ by default */
      /**
       * Does.
       * @param {Options & {
       *   more?: number }} options what
       *   to do
       * @param {readonly number[]} [shape] [n, d] of it
       * @returns {{ a: number }} [..., n] √
       */
      export async function add`;
    const value = (/** @type {any} */ { scale = 1 / 8, more }, /** @type {any} */ shape) =>
      [scale, more, shape].length;
    const { params, returns } = entryOf(source, value);
    const [options, shape] = params;
    assert.equal(options.type, 'Options & { more?: number }');
    assert.equal(options.description, 'what to do');
    assert.deepEqual(options.defaults, ['scale = 1 / 8']);
    const [typedef] = typedefsIn(readDocs(source).docs);
    assert.equal(typedef.name, 'Options');
    assert.equal(typedef.properties[0].name, 'scale');
    assert.ok(typedef.properties[0].optional);
    assert.deepEqual([shape.name, shape.optional], ['shape', true]);
    assert.equal(shape.description, '[n, d] of it');
    assert.equal(returns?.description, '[..., n] √');
  });
});

describe('an example', () => {
  test('is shown with its import and prints the values that it comments', async () => {
    const text = 'const x = [\n *   1,\n * ];\n * softmax(x).data; // 1: all of it\n * tensor(x);';
    const { examples } = entryOf(
      `${WHOLE.replace('add(1, 2); // 3', text)}\nexport const add`,
      add,
    );
    const example = await runExample('add', examples[0]);
    assert.equal(
      example.source,
      "import { softmax, tensor } from 'attention-lab';\n\nconst x = [\n  1,\n];\nsoftmax(x).data; // 1: all of it\ntensor(x);",
    );
    assert.equal(example.output, 'Float32Array [1]');
    assert.match(examplesModule([example]), /'add': async \(print\) => \{[^}]*print\(softmax\(x\)/);
  });

  test('that prints nothing, does not parse or throws ends the build', async () => {
    const prints = /the example of add shows no value/;
    await assert.rejects(runExample('add', 'softmax([1]);'), prints);
    await assert.rejects(runExample('add', 'softmax([1; // 1'), /the example of add fails/);
    await assert.rejects(runExample('add', 'softmax(); // 2'), /the example of add fails/);
  });
});

describe('the text of an entry', () => {
  test('is split into prose and the sentences on cost and error', () => {
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
  const MAIN = 'attention/ diagnosis/ parallel/ inspector/reading/ language/';
  const MORE = 'theory/ figures/';
  const page = (/** @type {string} */ own, /** @type {string} */ others) =>
    renderReference(
      `<h2 id="all">All</h2><div data-api="${own}"></div>
      <div data-api-apart="${others}" data-page="../other/"></div><div data-api-types></div>`,
      'en',
      reference,
    );
  const html = page(MAIN, MORE);
  const pages = [html, page(MORE, MAIN)];

  /** Returns the entry of a name as a reader sees it. @param {string} name */
  const sectionOf = (name) => html.split(`<h3 id="${name}">`)[1].split('<section')[0];

  test('must have a place for every entry', () => {
    assert.throws(
      () => renderReference('<h2 id="a">A</h2><div data-api="theory/"></div>', 'en', reference),
      /the reference has no place for \w+ of (attention|figures)\//,
    );
  });

  test('writes out the results of a call, and explains each name once', () => {
    const returned = (/** @type {string} */ name) =>
      reference.entries.find((entry) => entry.name === name)?.returns?.type;
    const results =
      '{ output: Tensor, weights?: Tensor, scores?: Tensor, cappedScores?: Tensor, maskedScores?: Tensor, meanWeights?: Tensor, logSumExp?: Tensor, entropy?: Tensor, effectiveKeys?: Tensor, jacobianTrace?: Tensor, largestWeight?: Tensor, largestScore?: Tensor, scoreMean?: Tensor, scoreDeviation?: Tensor, visibleKeys?: Tensor, firstWeight?: Tensor, previousWeight?: Tensor, sinkWeight?: Tensor, receivedWeight?: Tensor }';
    assert.equal(returned('attention'), results);
    const fewer = '{ output: Tensor, weights?: Tensor, scores?: Tensor, logSumExp?: Tensor }';
    assert.equal(returned('additiveAttention'), fewer);
    assert.match(
      String(returned('multiHeadAttention')),
      /^\{ output: Tensor, weights\?: Tensor, m/,
    );
    assert.match(html, /id="type-Tensor"/);
    assert.doesNotMatch(html, /id="type-(Layer|Additive|Score)?Results"/);
  });

  test('lists every option that the code takes under its function', () => {
    let count = 0;
    for (const [name, { call, args, options }] of Object.entries(FUNCTIONS)) {
      if (options === undefined) continue;
      const unknown = replace(args, [options, 'sclae'], 1);
      let message = '';
      try {
        call(...unknown);
      } catch (error) {
        ({ message } = /** @type {Error} */ (error));
      }
      const taken = message.split('expected one of ')[1].split(', ');
      const [takes] = sectionOf(name).split('<dt>Returns</dt>');
      const listed = [...takes.matchAll(/<dt><code>(\w+)<\/code>/g)].map(([, option]) => option);
      const missing = taken.filter((option) => !listed.includes(option));
      assert.deepEqual(missing, [], name);
      count += 1;
    }
    assert.ok(count > 20, `${count} functions with options`);
  });

  test('shows the call and an example before the parameters and their types', () => {
    const section = sectionOf('attention');
    const places = ['attention(query, key, value, options?)', '>Example<', '>Takes<', '>Returns<'];
    const found = places.map((text) => section.indexOf(text));
    assert.ok(found[0] > 0);
    assert.deepEqual(
      found,
      found.toSorted((a, b) => a - b),
    );
  });

  test('lists the options of a type that another function has, too', () => {
    assert.match(sectionOf('diagnose'), /<dt><code>similarity<\/code>/);
  });

  test('leads every link to something on it, or to the other page', () => {
    const idsOf = (/** @type {string} */ text) =>
      [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    pages.forEach((text, i) => {
      const [ids, others] = [idsOf(text), idsOf(pages[1 - i])];
      assert.deepEqual(
        ids.filter((id, at) => ids.indexOf(id) !== at),
        [],
      );
      for (const [, way, target] of text.matchAll(/href="([^"#]*)#([^"]+)"/g))
        assert.ok((way ? others : ids).includes(target), way + target);
    });
  });

  test('links every type of the package that it names', () => {
    const ofTypeScript = [
      'ArrayLike',
      'Extract',
      'Omit',
      'Parameters',
      'Partial',
      'Pick',
      'Record',
      'Required',
      'ReturnType',
    ];
    const others = ['All', 'Name', 'Rest', 'Row', 'FUNCTIONS', 'LANGUAGES', 'Module']; // templates, constants, WebAssembly's
    const plain = [...pages.join('').matchAll(/<code class="type">(.*?)<\/code>/g)].map(
      ([, type]) => type.replace(/<a.*?<\/a>|'.*?'/g, ''),
    );
    const names = new Set(plain.join(' ').match(/\b\p{Lu}\w+/gu)); // a letter is a template
    for (const name of names)
      assert.ok(name in globalThis || [...ofTypeScript, ...others].includes(name), name);
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

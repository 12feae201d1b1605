/**
 * A course of training: a file a step, one file of all steps, and steps in memory, against the arrays that were
 * written; what does not fit together is refused by name.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { readSeries, toSeries } from '../../../../web/inspector/reading/index.js';
import { readFile } from '../../../../web/inspector/reading/series.js';
import { runs } from '../../runs.js';

/** @import { AttentionStep, GivenStep } from '../../../../web/inspector/reading/index.js' */

const FOLDER = new URL('../../../golden/view/', import.meta.url);
const golden = (/** @type {string} */ name) => new Uint8Array(readFileSync(new URL(name, FOLDER)));
const course = JSON.parse(readFileSync(new URL('course.json', FOLDER), 'utf8'));
const bytesOf = (/** @type {unknown} */ value) => new TextEncoder().encode(JSON.stringify(value));
const file = (/** @type {string} */ name, /** @type {unknown} */ value) =>
  new File([bytesOf(value)], name);

/** Weights of one head, whose first number tells them apart. @param {number} p */
const weights = (p) => [[p, 1 - p], [0.5, 0.5]]; // prettier-ignore

/** Reads all steps. @param {readonly AttentionStep[]} series */
async function numbersOf(series) {
  const read = [];
  for (const { step, read: readStep } of series) {
    const { weights: tensor, query } = await readStep();
    read.push([step, (tensor ?? query)?.data[0]]);
  }
  return read;
}

describe('a file a step', () => {
  for (const [how, names] of Object.entries({
    'by the last number of its name': ['attention-0.npz', 'attention-50.npz', 'attention-800.npz'],
    'after the word, whatever else is counted': [
      'run2/step_0.v3.json',
      'step=50 of 800',
      'step800-layer1',
    ],
    'with zeros in front': ['0000', '0050.json', '000800'],
  })) {
    test(`is ordered ${how}`, async () => {
      const [zero, fifty, last] = names.map((name, i) => file(name, weights(i / 8)));
      const series = await readSeries([fifty, last, zero]);
      assert.deepEqual(await numbersOf(series), [[0, 0], [50, 0.125], [800, 0.25]]); // prettier-ignore
    });
  }

  test('has its step inside where its name has none, or shares it', async () => {
    for (const [a, b] of [
      ['a', 'b'],
      ['run1-a.json', 'run1-b.json'],
    ]) {
      // prettier-ignore
      const files = [file(a, { step: 7, weights: weights(0.5) }), file(b, { step: [3], weights: weights(0) })];
      assert.deepEqual(await numbersOf(await readSeries(files)), [[3, 0], [7, 0.5]]); // prettier-ignore
    }
  });

  test('is read when its step is, and not before', async () => {
    /** @type {string[]} */
    const opened = [];
    const files = ['s-2', 's-1'].map((name) => ({
      name,
      arrayBuffer: async () => {
        opened.push(name);
        return bytesOf(weights(0.25));
      },
    }));
    const [first] = await readSeries(files);
    assert.deepEqual(opened, []);
    await first.read();
    assert.deepEqual(opened, ['s-1']);
  });

  test('one alone, and none, are courses, too', async () => {
    assert.deepEqual(await numbersOf(await readSeries([file('a-9.json', weights(1))])), [[9, 1]]);
    assert.deepEqual(await readSeries([]), []);
  });

  for (const [what, files, message] of /** @type {[string, any, RegExp][]} */ ([
    [
      'a name without a step',
      [file('a.json', weights(0)), file('b-1.json', weights(0))],
      /^DTypeError: a\.json has no step, expected a number in its name, as in attention-800\.npz, or an array step/,
    ],
    [
      'a step that is there twice',
      [file('a-5.json', weights(0)), file('b-5.json', weights(0)), file('c-1.json', weights(0))],
      /^DTypeError: b-5\.json is of step 5, as is a-5\.json, expected each step once/,
    ],
    [
      'a step that is no number',
      [file('a.json', { step: 'last', weights: weights(0) })],
      /^DTypeError: a\.json: step is 'last', expected a number, or one a step/,
    ],
    [
      'a step that is NaN',
      [file('a.json', { step: [null], weights: weights(0) })],
      /a\.json: step/,
    ],
    [
      'no array',
      'a.json',
      /^DTypeError: readSeries: files is 'a\.json', expected an array of files/,
    ],
    [
      'something else than a file',
      [{}],
      /files\[0\] is an object, expected a File, or \{ name, arrayBuffer \}/,
    ],
    ['a file without bytes', [{ name: 'x' }], /bytes is an object, expected the bytes of a file/],
  ])) {
    // prettier-ignore
    test(`${what} is refused`, async () => {
      await assert.rejects(readSeries(files), message);
    });
  }

  test('whose shapes differ from the step that was read first is refused by name', async () => {
    const files = [
      file('a-1.json', weights(0)),
      file('a-2.json', [[1]]),
      file('a-3.json', { query: [[1]], key: [[1]] }),
    ];
    const [first, second, third] = await readSeries(files);
    await first.read();
    await assert.rejects(
      second.read(),
      /^ShapeError: a-2\.json: weights is \[1, 1, 1, 1\], expected weights is \[1, 1, 2, 2\] as of step 1/,
    );
    await assert.rejects(
      third.read(),
      /^ShapeError: a-3\.json: query is \[1, 1, 1, 1\] and key is/,
    );
    await first.read();
  });
});

describe('one file of all steps', () => {
  for (const name of ['course-axis.npz', 'course-names.npz', 'course-axis.safetensors']) {
    test(`gives what NumPy wrote, from ${name}`, async () => {
      const series = await readSeries([new File([golden(name)], name)]);
      assert.deepEqual(
        series.map(({ step }) => step),
        course.steps,
      );
      for (const [i, { read }] of Object.entries(series)) {
        const { query, key, tokens, scale } = await read();
        assert.deepEqual([query?.shape, key?.shape], [[2, 2, 3, 4], [2, 1, 3, 4]]); // prettier-ignore
        assert.deepEqual([...(query?.data ?? [])], course.query[i]);
        assert.deepEqual([...(key?.data ?? [])], course.key[i]);
        if (name.endsWith('npz')) assert.deepEqual([tokens, scale], [['a', 'b', 'c'], 0.25]);
      }
    });
  }

  test('of JSON has lists with a first axis, or an object a step', async () => {
    const axis = {
      steps: [20, 10],
      weights: [[weights(0.25)], [weights(0.5)]],
      tokens: ['a', 'b'],
    };
    const objects = [
      { step: 20, weights: weights(0.25) },
      { step: '10', weights: weights(0.5) },
    ];
    const tensors = {
      steps: [20, 10],
      weights: { data: [...weights(0.25), ...weights(0.5)].flat(), dims: [2, 2, 2] },
    };
    const names = { step_20: weights(0.25), 'step 010': weights(0.5), tokens: ['a', 'b'] };
    for (const value of [axis, objects, tensors, names]) {
      const series = await readSeries([file('all.json', value)]);
      assert.deepEqual(await numbersOf(series), [[10, 0.5], [20, 0.25]]); // prettier-ignore
    }
  });

  test('may have a scale a step', async () => {
    const value = { steps: [1, 2], query: [[[1]], [[1]]], key: [[[1]], [[1]]], scale: [0.5, 0.25] };
    const [, second] = await readSeries([file('all.json', value)]);
    assert.equal((await second.read()).scale, 0.25);
  });

  test('may have a mask and causality that hold for all steps, also of as many queries as steps', async () => {
    const pair = [[[1], [2]], [[3], [4]]]; // prettier-ignore
    const mask = [[true, false], [true, true]]; // prettier-ignore
    const value = { steps: [1, 2], query: pair, key: pair, attn_mask: mask, causal: true };
    for (const { read } of await readSeries([file('all.json', value)])) {
      const attention = await read();
      assert.deepEqual([attention.mask?.shape, attention.causal], [[1, 1, 2, 2], true]);
      assert.deepEqual([...(attention.mask?.data ?? [])], [1, 0, 1, 1]);
    }
  });

  test('without steps is no course but one attention', async () => {
    const read = await readFile(golden('pair.npz'));
    assert.ok(!Array.isArray(read) && read.query);
    const single = await readFile(bytesOf({ step: 5, weights: weights(0.5) }));
    assert.ok(Array.isArray(single) && single[0].step === 5);
  });

  for (const [what, value, message] of /** @type {[string, unknown, RegExp][]} */ ([
    [
      'fewer arrays than steps',
      { steps: [1, 2, 3], weights: [weights(0), weights(1)] },
      /^ShapeError: all\.json: weights has 2 entries on its first axis, expected 3, one a step/,
    ],
    ['no steps', { steps: [], weights: [weights(0)] }, /^DTypeError: all\.json: step is/],
    [
      'a step twice',
      { steps: [1, 1], weights: [weights(0), weights(1)] },
      /all\.json is of step 1, as is all\.json, expected each step once/,
    ],
    [
      'an array twice',
      { step_1: weights(0), step_01: weights(0) },
      /all\.json has weights of step 1 twice/,
    ],
    [
      'an object without a step',
      [{ step: 1, weights: weights(0) }, { weights: weights(0) }],
      /series\[1\].*step/,
    ],
  ])) {
    // prettier-ignore
    test(`with ${what} is refused`, async () => {
      await assert.rejects(async () => numbersOf(await readSeries([file('all.json', value)])), message);
    });
  }

  test('names that only contain the letters are no steps', async () => {
    const names = { timestep_3: weights(0), timestep_4: weights(1) };
    const read = await readFile(bytesOf(names));
    assert.ok(!Array.isArray(read));
    assert.deepEqual(read.weights?.shape, [1, 2, 2, 2]);
  });
});

describe('steps in memory', () => {
  test('are read as attention is, from arrays or the bytes of a file', async () => {
    const series = toSeries([
      { step: 2, file: new Blob([bytesOf(weights(0.5))]) },
      { step: 1, weights: weights(0.25), tokens: ['x', 'y'] },
      { step: 3, file: bytesOf(weights(1)) },
    ]);
    assert.deepEqual(await numbersOf(series), [[1, 0.25], [2, 0.5], [3, 1]]); // prettier-ignore
    assert.deepEqual((await series[0].read()).tokens, ['x', 'y']);
  });

  test('are named where they do not fit', async () => {
    const given = (/** @type {unknown} */ series) => () =>
      toSeries(/** @type {GivenStep[]} */ (series));
    assert.throws(
      given('x'),
      /^DTypeError: toSeries: series is 'x', expected an array with an object a step/,
    );
    assert.throws(given([null]), /series\[0\] is null, expected an object with a step/);
    assert.throws(given([{ step: NaN }]), /^DTypeError: toSeries: series\[0\]: step is NaN/);
    assert.throws(
      given([{ step: 1 }, { step: 1 }]),
      /series\[1\] is of step 1, as is toSeries: series\[0\]/,
    );
    const [first] = toSeries([{ step: 1 }], { name: 'attn-view' });
    await assert.rejects(first.read(), /^DTypeError: attn-view: series\[0\]: there is no array/);
  });

  test('of a thousand come back in order, however they were given', async () => {
    const steps = fc.uniqueArray(fc.integer({ min: 0, max: 1e6 }), {
      minLength: 1000,
      maxLength: 1000,
    });
    fc.assert(
      fc.property(steps, (given) => {
        const series = toSeries(given.map((step) => ({ step, weights: [[1]] })));
        assert.deepEqual(
          series.map(({ step }) => step),
          [...given].sort((a, b) => a - b),
        );
      }),
      runs(20),
    );
  });
});

test('a course comes back from any of its forms', async () => {
  const value = fc.integer({ min: 0, max: 255 }).map((x) => x / 256);
  const head = fc.array(value, { minLength: 4, maxLength: 4 }).map(([a, b, c, d]) => [[a, b], [c, d]]); // prettier-ignore
  const given = fc.dictionary(fc.nat(1e6).map(String), head, { minKeys: 1, maxKeys: 8 });
  await fc.assert(
    fc.asyncProperty(given, async (heads) => {
      const steps = Object.keys(heads).map(Number);
      const expected = steps.sort((a, b) => a - b).map((step) => [step, heads[step][0][0]]);
      const forms = [
        steps.map((step) => file(`attention-${step}.json`, heads[step])),
        steps.map((step) => file('attention.json', { step, weights: heads[step] })),
        [file('all.json', { steps, weights: steps.map((step) => heads[step]) })],
        [file('all.json', Object.fromEntries(steps.map((step) => [`step_${step}/weights`, heads[step]])))],
        [file('all.json', steps.map((step) => ({ step, weights: heads[step] })))],
      ]; // prettier-ignore
      for (const files of forms)
        assert.deepEqual(await numbersOf(await readSeries(files)), expected);
    }),
    runs(100),
  );
});

// @slow
// <attn-view> of a course of training: every step measured once and dated, one step's arrays at a time, the
// map as data, and what is ugly.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Worker } from 'node:worker_threads';
import { attentionScores, diagnose, randomNormal } from '../../../web/attention/index.js';
import { drawStatic } from '../../../web/figures/kit/chart/static.js';
import { toCsv } from '../../../web/figures/kit/shell/download.js';
import { Course, indexOf, stepField } from '../../../web/inspector/course/course.js';
import {
  courseData,
  courseHeight,
  MEASURES,
  statisticField,
} from '../../../web/inspector/course/course-map.js';
import {
  courseFrom,
  heldSteps,
  savedBytes,
  savedCourse,
} from '../../../web/inspector/course/course-saved.js';
import { pack, unpack } from '../../../web/inspector/view/packed.js';
import { spec } from '../../../web/inspector/view/element.js';
import { pick } from '../../../web/inspector/view/picture.js';
import { layoutOf } from '../../../web/inspector/picture/layout.js';
import { readSeries, toSeries } from '../../../web/inspector/reading/index.js';
import { viewAfter } from '../figures/view-after.js';
import { isWellFormed } from '../figures/well-formed.js';

/** @import { AttentionStep, GivenStep } from '../../../web/inspector/reading/index.js' */

/** Queries grow from step to step, so that heads freeze. @type {[step: number, size: number][]} */
const STEPS = [[0, 0.3], [100, 1], [800, 9], [900, 10]]; // prettier-ignore
const [LAYERS, HEADS, N, D] = [2, 3, 6, 8];

/** Returns queries and keys. @param {number} size */
function pairAt(size) {
  const [query, key] = [1, 2].map((seed) => randomNormal([LAYERS, HEADS, N, D], { seed }));
  return { query: { ...query, data: query.data.map((x) => size * x) }, key };
}

const SERIES = STEPS.map(([step, size]) => ({ step, ...pairAt(size) }));

/** Returns a course. @param {readonly AttentionStep[]} steps @param {object} [given] */
const courseOf = (steps, given) => new Course({ steps, ...given }, (attention) => attention);

/** Measures a course. @param {readonly GivenStep[]} series @param {string} [step] the shown one */
async function measured(series, step = '') {
  const course = courseOf(toSeries(series));
  const shown = await course.show(step);
  await course.measure(() => {});
  return { course, shown };
}

/** Returns the view of a course. @param {readonly GivenStep[]} series @param {Record<string, any>} [options] */
async function viewOf(series, options = {}) {
  const { shown } = await measured(series, options.step);
  return viewAfter(spec, shown, { width: 960, row: 1, ...options });
}

const weights = (/** @type {number} */ p) => [[p, 1 - p], [0.5, 0.5]]; // prettier-ignore

describe('a course of training', () => {
  it('dates the verdict of the shown head, in both languages', async () => {
    const en = await viewOf(SERIES);
    assert.match(
      spec.title(en),
      /^Layer 1, head 1 has been frozen since step 800: at step 900 “1”/,
    );
    assert.match(
      spec.note?.(en) ?? '',
      /Frozen at this step: 1\.1 since step 800, 1\.2 since step 800/,
    );
    const zh = await viewOf(SERIES, { lang: 'zh' });
    assert.match(spec.title(zh), /^第 1 层第 1 头从第 800 步起一直饱和；第 900 步时，“1”/);
    const first = await viewOf(SERIES, { step: '0' });
    assert.match(spec.title(first), /^Layer 1, head 1 has been \w+ since step 0: at step 0 /);
    assert.match(spec.note?.(first) ?? '', /No head is frozen at this step\./);
  });

  it('has no date before all steps are measured, nor at another factor', async () => {
    const course = courseOf(toSeries(SERIES));
    const shown = await course.show('');
    const view = viewAfter(spec, shown, { width: 960, row: 1 });
    assert.match(spec.title(view), /^Layer 1, head 1 is frozen at step 900: “1” gives/);
    assert.match(drawStatic(spec, view), /measured: 0 of 4 steps/);
    const flat = await viewOf(SERIES, { factor: 0.01 });
    assert.match(spec.title(flat), /^Layer 1, head 1 is uniform at step 900: /);
  });

  it('has the numbers of the package in table and CSV, for any statistic', async () => {
    for (const [statistic, measure] of /** @type {const} */ ([
      ['entropy', 'entropyRatio'],
      ['deviation', 'dotDeviation'],
      ['dimension', 'effectiveDimension'],
      ['logit', 'largestScore'],
      ['first', 'firstWeight'],
    ])) {
      const view = await viewOf(SERIES, { statistic });
      const rows = spec.rows(view).filter(({ panel }) => panel.endsWith('step by step'));
      const expected = STEPS.flatMap(([step, size]) => {
        const { query, key } = pairAt(size);
        return diagnose(query, key).map((head) => [
          `${head.batch + 1}.${head.head + 1}`,
          step,
          head[measure],
        ]);
      });
      assert.deepEqual(
        rows.map(({ series, x, measured: value }) => [series, x, value]),
        expected,
      );
      const csv = toCsv(spec.rows(view));
      const [, place, value] = [...expected[7]];
      assert.ok(csv.includes(`,1.2,${place},${value},`), statistic);
      assert.ok(csv.includes('"Step since which the verdict holds, at step 900",frozen,1,800,'));
    }
  });

  it('shows a step with its own picture, and says what the map has', async () => {
    const [early, late] = await Promise.all(['100', '900'].map((step) => viewOf(SERIES, { step })));
    assert.notDeepEqual([...early.data.row], [...late.data.row]);
    const svg = drawStatic(spec, early);
    assert.match(
      svg,
      /<desc>entropy \/ ln n of each head, step by step · stronger: larger, up to [\d.]+; .* · x: step/,
    );
    assert.doesNotMatch(svg, /NaN|undefined/);
    assert.equal(
      layoutOf(early).height + courseHeight(early),
      Number(/height="(\d+)"/.exec(svg)?.[1]),
    );
  });

  it('takes a click on the large head below the map', async () => {
    const view = await viewOf(SERIES);
    const { matrix } = layoutOf(view);
    const y = matrix.top + courseHeight(view) + 1;
    assert.deepEqual(pick(view, { x: matrix.left + 1, y }), { row: 1, column: 1 });
    assert.equal(pick(view, { x: matrix.left + 1, y: matrix.top }), undefined);
  });

  it('reads a step when it is wanted, and measures each once', async () => {
    /** @type {string[]} */
    const read = [];
    const files = [1, 2, 3].map((step) => ({
      name: `a-${step}.json`,
      arrayBuffer: async () => {
        read.push(`a-${step}`);
        return new TextEncoder().encode(JSON.stringify(weights(step / 4)));
      },
    }));
    const course = courseOf(await readSeries(files));
    await course.show('');
    assert.deepEqual(read, ['a-3']);
    await course.measure(() => {});
    await course.measure(() => {});
    assert.deepEqual(read, ['a-3', 'a-1', 'a-2']);
    assert.deepEqual([...course.reports.keys()].sort(), [1, 2, 3]);
    await course.show('1');
    await course.show('1.2');
    assert.deepEqual(read.slice(3), ['a-1']);
  });

  it('keeps what is known of the steps that the page gives again', async () => {
    const items = new Map(SERIES.map((item) => [item.step, item]));
    const course = courseOf(toSeries(SERIES.slice(0, 3)), { items });
    const before = await course.show('');
    await course.measure(() => {});
    const { reports } = course;
    const more = { steps: toSeries(SERIES), items };
    assert.ok(course.isContinuedBy(more));
    course.update(more);
    assert.deepEqual([course.known, course.isWhole, course.steps.length], [3, false, 4]);
    assert.equal(await course.show('800'), before);
    assert.notEqual(await course.show(''), before);
    await course.measure(() => {});
    assert.equal(course.reports.get(100), reports.get(100));
    assert.deepEqual([reports.size, course.known], [3, 4]);

    const anew = SERIES.map((item) => (item.step === 100 ? { ...item, ...pairAt(5) } : item));
    const others = { steps: toSeries(anew), items: new Map(anew.map((item) => [item.step, item])) };
    assert.ok(course.isContinuedBy(others));
    course.update(others);
    assert.deepEqual([...course.reports.keys()], [0, 800, 900]);
    await course.measure(() => {});
    assert.notDeepEqual(course.reports.get(100), reports.get(100));
  });

  it('begins anew with steps of another model, and with another scale or mask', () => {
    const items = new Map(SERIES.map((item) => [item.step, item]));
    const steps = toSeries(SERIES);
    const extras = { tokens: ['a'], scale: 1, options: { causal: true } };
    const course = courseOf(steps, { items, extras });
    const isGoneOn = (/** @type {object} */ given) =>
      course.isContinuedBy({ steps, items, extras, ...given });
    assert.ok(isGoneOn({ extras: { tokens: ['b'], scale: 1, options: { causal: true } } }));
    const copies = new Map(SERIES.map((item) => [item.step, { ...item }]));
    assert.ok(!isGoneOn({ items: copies }));
    assert.ok(!isGoneOn({ extras: { ...extras, scale: 2 } }));
    assert.ok(!isGoneOn({ extras: { ...extras, options: {} } }));
  });

  it('shows the tokens that the page gives later', async () => {
    const items = new Map(SERIES.map((item) => [item.step, item]));
    const steps = toSeries(SERIES);
    const complete = (/** @type {any} */ attention, /** @type {object} */ extras) => ({
      ...attention,
      ...extras,
    });
    const course = new Course({ steps, items }, complete);
    assert.equal((await course.show('')).tokens, undefined);
    course.update({ steps: toSeries(SERIES), items, extras: { tokens: ['a'] } });
    assert.deepEqual((await course.show('')).tokens, ['a']);
  });

  it('sends its worker a kernel once, and of the arrays those of one step', async (t) => {
    const size = LAYERS * HEADS * N * D;
    const all = randomNormal([2 * STEPS.length, size], { seed: 1 }).data; // as one file of all steps
    const part = (/** @type {number} */ i) => ({
      data: all.subarray(i * size, (i + 1) * size),
      shape: [LAYERS, HEADS, N, D],
    });
    const { mock } = t.mock.method(Worker.prototype, 'postMessage');
    await measured(STEPS.map(([step], i) => ({ step, query: part(2 * i), key: part(2 * i + 1) })));
    const jobs = mock.calls.map(({ arguments: [job] }) => /** @type {any} */ (job));
    assert.deepEqual(
      jobs.map(({ kernel }) => kernel !== undefined),
      [true, false, false, false],
    );
    for (const { options } of jobs) {
      const arrays = options.heads.flatMap((/** @type {any} */ { query, key }) => [query, key]);
      const buffers = new Set(arrays.map((/** @type {any} */ { data }) => data.buffer));
      const bytes = [...buffers].reduce((sum, { byteLength }) => sum + byteLength, 0);
      assert.equal(bytes, 2 * size * Float32Array.BYTES_PER_ELEMENT);
    }
  });

  it('goes on measuring while steps come faster than they are measured', async () => {
    /** @type {GivenStep[]} */
    let series = SERIES.slice(0, 1);
    const given = () => ({
      steps: toSeries(series),
      items: new Map(series.map((item) => [Number(item.step), item])),
    });
    const course = new Course(given(), (attention) => {
      const next = SERIES[series.length];
      if (next) {
        series = [...series, next];
        course.update(given());
      }
      return attention;
    });
    await course.measure(() => {});
    assert.deepEqual([course.steps.length, course.known, course.isWhole], [4, 4, true]);
  });

  it('is the same from a saved page: its numbers, its dates, and the steps that fit', async () => {
    const series = [...SERIES, { step: 950, ...pairAt(NaN) }];
    const { course, shown } = await measured(series, '800');
    const data = courseData(course, '800');
    assert.deepEqual(heldSteps(data, shown), [0, 1, 2, 3, 4]);
    const saved = courseFrom(unpack(pack(await savedCourse(course, data, shown))));
    assert.deepEqual(saved.steps, course.steps);
    assert.deepEqual(saved.shown, course.shown);
    const statisticsOf = (/** @type {Course} */ { reports }) =>
      [...reports].map(([step, heads]) => [
        step,
        heads.map((head) => [
          head.batch,
          head.head,
          ...Object.values(MEASURES).map((name) => head[name]),
        ]),
      ]);
    assert.deepEqual(statisticsOf(saved), statisticsOf(course));
    for (const index of [0, 2, 4]) {
      assert.deepEqual(saved.datesAt(index), course.datesAt(index));
      assert.deepEqual(await saved.read(index), await course.read(index));
    }
    assert.equal(saved.datesAt(4)[0].verdict, 'undefined');
    const bytes = pack(await savedCourse(course, data, shown)).length;
    assert.ok(Math.abs(savedBytes(data, shown) / bytes - 1) < 0.2);
  });

  it('of more arrays than a page may hold keeps the map, and pictures at equal distances', async () => {
    const size = 2 ** 24;
    const steps = Array.from({ length: 10 }, (_, i) => ({
      step: 10 * i,
      read: async () => ({
        weights: { data: new Float32Array(size / 4), shape: [1, 1, 2048, 2048] },
      }),
    }));
    const course = courseOf(steps);
    const shown = await course.show('70');
    const held = heldSteps(courseData(course, '70'), shown);
    assert.deepEqual(held, [0, 2, 5, 7]);
    const [report] = diagnose({ weights: weights(1) });
    const reports = new Map(course.steps.map((step) => [step, [report]]));
    const whole = courseOf(steps, { reports });
    const saved = courseFrom(await savedCourse(whole, courseData(whole, '70'), shown));
    assert.deepEqual([saved.steps.length, saved.known, saved.shown], [10, 10, held]);
    await saved.show('60');
    assert.equal(indexOf(saved, '60'), 5);
    assert.equal(indexOf(saved, ''), 7);
  });

  it('of weights with their queries and keys measures both, without padding', async () => {
    const { query, key } = pairAt(1);
    const { weights } = attentionScores(query, key, { scale: 1, returns: ['weights'] });
    const attentionMask = [1, 1, 1, 1, 0, 0];
    const { course } = await measured([{ step: 0, weights, query, key, attentionMask }]);
    const expected = diagnose({ weights, query, key, attentionMask });
    assert.deepEqual(
      course.reports.get(0)?.map(({ dotDeviation, entropyRatio }) => [dotDeviation, entropyRatio]),
      expected.map(({ dotDeviation, entropyRatio }) => [dotDeviation, entropyRatio]),
    );
  });

  it('stops when it is cancelled, and goes on', async () => {
    const course = courseOf(toSeries(SERIES));
    await course.show('');
    const run = course.measure(() => course.cancel());
    await run;
    assert.ok(course.known < 4);
    await course.measure(() => {});
    assert.equal(course.known, 4);
  });
});

describe('a course that is ugly', () => {
  it('of one step has a map of one column', async () => {
    const view = await viewOf(SERIES.slice(3));
    assert.match(spec.title(view), /has been frozen since step 900: at step 900/);
    assert.ok(isWellFormed(drawStatic(spec, view)));
  });

  it('of weights offers what weights tell', async () => {
    const series = [1, 2].map((step) => ({ step, weights: weights(step / 2) }));
    const view = await viewOf(series, { statistic: 'logit' });
    assert.match(drawStatic(spec, view), /entropy \/ ln n of each head/);
  });

  it('with NaN is undefined since then, and its cells are blank', async () => {
    const series = [...SERIES, { step: 950, ...pairAt(NaN) }];
    const view = await viewOf(series, { statistic: 'deviation' });
    const rows = spec.rows(view).filter(({ panel }) => panel.startsWith('Step since'));
    assert.deepEqual([rows[0].series, rows[0].measured], ['undefined', 950]);
    const svg = drawStatic(spec, view);
    assert.ok(isWellFormed(svg));
    assert.doesNotMatch(svg, /NaN/);
  });

  it('with a step of another shape names it as text, and shows the others', async () => {
    const name = 'x_i <b>\u202e-2.json';
    const files = [weights(0.5), [[1]], weights(0.25)].map(
      (value, i) => new File([JSON.stringify(value)], i === 1 ? name : `a-${i + 1}.json`),
    );
    const course = courseOf(await readSeries(files));
    const shown = await course.show('');
    await course.measure(() => {});
    assert.deepEqual([course.known, course.isWhole], [2, true]);
    const view = viewAfter(spec, shown, { width: 960, row: 1 });
    assert.equal(
      spec.note?.(view).replaceAll('\u2060', ''),
      'Layers: 1, heads: 1, queries: 2, keys: 2. No head is frozen at this step. Steps that could not be read: 1. Step 2: ' +
        '\u2068x_i <b>\u202e-2.json: weights is [1, 1, 1, 1], expected weights is [1, 1, 2, 2] as of step 3\u2069. ' +
        'Saved as HTML, the course takes about 0.1 MB: the map of all steps (3), and the pictures of 2.',
    );
    assert.ok(isWellFormed(drawStatic(spec, view)));
  });

  it('of a thousand steps and 144 heads, or of 1,152 heads, is a map that fits', async () => {
    const many = Array.from({ length: 1000 }, (_, i) => ({
      step: 10 * i,
      weights: weights((i % 8) / 8),
    }));
    const long = await viewOf(many);
    assert.equal(
      spec.rows(long).filter(({ panel }) => panel.endsWith('step by step')).length,
      1000,
    );
    for (const width of [960, 340]) {
      const svg = drawStatic(spec, { ...long, width });
      assert.ok(isWellFormed(svg) && svg.length < 100_000);
    }
    const flat = { data: new Float32Array(36 * 32 * 4).fill(0.5), shape: [36, 32, 2, 2] };
    const wide = await viewOf(
      [1, 2].map((step) => ({ step, weights: flat })),
      { layer: 7 },
    );
    const rows = spec.rows(wide).filter(({ panel }) => panel.endsWith('step by step'));
    assert.deepEqual([rows.length, rows[0].series, rows[63].series], [64, '7.1', '7.32']);
    assert.ok(courseHeight(wide) < 420);
  });

  it('whose last step cannot be read shows the one before, and fails where none can', async () => {
    const files = [weights(0.5), [[1, 2], [3]], weights(1)].map(
      (value, i) => new File([JSON.stringify(value)], `a-${i}.json`),
    ); // prettier-ignore
    const course = courseOf(await readSeries([files[0], files[1]]));
    const { weights: shown } = await course.show('');
    assert.deepEqual([...(shown?.data ?? [])], [0.5, 0.5, 0.5, 0.5]);
    assert.deepEqual([...course.failures.keys()], [1]);
    await course.measure(() => {});
    assert.ok(course.isWhole);
    const none = courseOf((await readSeries([files[1], files[2]])).slice(0, 1));
    await assert.rejects(none.show(''), /a-1\.json/);
    await assert.rejects(none.show(''), /a-1\.json/);
  });

  it('has a step and a statistic that are parsed', () => {
    for (const [raw, value] of [
      ['', ''],
      ['800', '800'],
      [800, '800'],
      ['-1', '-1'],
      [0.5, '0.5'],
    ])
      // prettier-ignore
      assert.equal(stepField.parse(raw), value);
    for (const raw of ['last', NaN, null, '1e5', '1'.repeat(16), {}])
      assert.equal(stepField.parse(raw), undefined);
    assert.equal(statisticField.parse('logit'), 'logit');
    assert.equal(statisticField.parse('constructor'), undefined);
  });
});

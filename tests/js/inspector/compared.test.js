// Two recordings side by side in <attn-view>: the difference of weights, of diagnoses and of courses of training, one
// scale of colours, and what does not fit.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { randomNormal } from '../../../web/attention/index.js';
import { drawStatic } from '../../../web/figures/kit/chart/static.js';
import { Course } from '../../../web/inspector/course/course.js';
import { courseData, courseHeight, coursePanel } from '../../../web/inspector/course/course-map.js';
import { courseFrom, savedCourse } from '../../../web/inspector/course/course-saved.js';
import { expectAlike } from '../../../web/inspector/heads/compared.js';
import { diagnoseHead, weightsOf } from '../../../web/inspector/heads/heads.js';
import { knownOf } from '../../../web/inspector/heads/known.js';
import { readSeries, toAttention, toSeries } from '../../../web/inspector/reading/index.js';
import { spec } from '../../../web/inspector/view/element.js';
import { pack, unpack } from '../../../web/inspector/view/packed.js';
import { viewAfter } from '../figures/view-after.js';
import { runs } from '../runs.js';

/** @import { GivenStep } from '../../../web/inspector/reading/index.js' */

const [N, D] = [6, 16];
const [query, key] = [1, 2].map((seed) => randomNormal([2, 2, N, D], { seed }));

/** Returns two recordings of the same queries and keys: with the scale, and without it. */
function pair() {
  const first = { ...toAttention({ query, key, tokens: [...'abcdef'] }), options: {} };
  const second = { ...toAttention({ query, key, scale: 1 }), options: {} };
  Object.assign(knownOf(first), { second, label: 'scaled.npz' });
  knownOf(second).label = 'x'.repeat(200);
  return { first, second };
}

/** @param {unknown} first @param {object} [state] */
const viewOf = (first, state = {}) =>
  viewAfter(spec, first, { width: 960, row: 1, head: 2, ...state });

describe('two recordings', () => {
  it('are shown as A − B: the weights of the head, and the numbers of every head', () => {
    const { first, second } = pair();
    const view = viewOf(first);
    const place = { layer: 0, head: 1 };
    const [a, b] = [first, second].map((each) => weightsOf(each, place, 1));
    assert.deepEqual([...view.data.matrix.data], [...a.map((p, i) => p - b[i])]);
    const [one, other] = [first, second].map((each) => diagnoseHead(each, place, 1));
    const rows = spec.rows(view).filter(({ panel, x }) => panel === 'effective keys' && x === 2);
    assert.deepEqual(rows.map(({ measured }) => measured), [one.effectiveKeys - other.effectiveKeys]); // prettier-ignore
    const [group] = spec.readout(view);
    assert.equal(group.rows[1].measured, one.entropyRatio - other.entropyRatio);
    assert.equal(group.label, 'Layer 1, head 2 of A − B');
    assert.match(drawStatic(spec, view), /Where “a” looks more[^]*>\+\d/);
    assert.match(spec.title(view), /^Layer 1, head 2 of A minus Layer 1, head 2 of B: “a” gives “/);
    assert.match(spec.status(view), /A: .*; B: \d frozen/);
    assert.match(spec.note?.(view) ?? '', /A is scaled\.npz, B is x{80}\./);
    assert.doesNotMatch(drawStatic(spec, view), /NaN|undefined/);
  });

  it('are shown one by one on one scale of colours, each with its own verdicts and the tokens of A', () => {
    const { first, second } = pair();
    const [a, b] = ['first', 'second'].map((compare) => viewOf(first, { compare }));
    assert.equal(a.data.largest, b.data.largest);
    assert.deepEqual(a.data.matrix.data, weightsOf(first, { layer: 0, head: 1 }, 1));
    assert.deepEqual(b.data.matrix.data, weightsOf(second, { layer: 0, head: 1 }, 1));
    assert.deepEqual(b.data.keyLabels, [...'abcdef']);
    assert.equal(b.data.overview[1].diagnosis.verdict, diagnoseHead(second, { layer: 0, head: 1 }, 1).verdict); // prettier-ignore
    assert.match(spec.title(a), /^Layer 1, head 2 of A is spread/);
    assert.match(spec.title(b), /^Layer 1, head 2 of B is /);
  });

  it('are compared in Chinese too, also a head with another', () => {
    const { first, second } = pair();
    const view = viewOf(first, { lang: 'zh', minus: '2.1' });
    const b = weightsOf(second, { layer: 1, head: 0 }, 1);
    const a = weightsOf(first, { layer: 0, head: 1 }, 1);
    assert.equal(view.data.matrix.data[3], Math.fround(a[3] - b[3]));
    assert.match(spec.title(view), /^A 的第 1 层第 2 头 − B 的第 2 层第 1 头/);
    assert.match(spec.note?.(view) ?? '', /A 是 scaled\.npz，B 是 x{80}。层数/);
    assert.match(spec.status(view), /？A：.*；B：饱和 \d 个。$/);
  });

  it('of which one is NaN are drawn without it', () => {
    const { first } = pair();
    const data = Float32Array.from({ length: 4 * N * N }, (_, i) => (i % 5 ? 0.2 : NaN));
    knownOf(first).second = toAttention({ weights: { data, shape: [2, 2, N, N] } });
    for (const compare of ['difference', 'first', 'second']) {
      const view = viewOf(first, { compare, lang: 'zh' });
      assert.doesNotMatch(drawStatic(spec, view), /NaN|undefined/, compare);
      assert.ok(spec.title(view) && spec.status(view) && spec.readout(view).length);
    }
  });

  it('too long for their weights are shown one by one, without a difference', () => {
    const long = [1, 2].map((seed) => {
      const all = randomNormal([1, 1, 2100, 4], { seed });
      return { ...toAttention({ query: all, key: all }), options: {} };
    });
    knownOf(long[0]).second = long[1];
    const view = viewOf(long[0]);
    assert.deepEqual([view.data.compared.canSubtract, view.data.compared.isDifference], [false, false]); // prettier-ignore
    assert.match(spec.title(view), /of A: /);
  });

  it('of other counts are refused by what differs, whatever they are', () => {
    const count = fc.integer({ min: 1, max: 3 });
    const shape = fc.tuple(count, count, count, count);
    fc.assert(
      fc.property(shape, shape, (one, other) => {
        const [a, b] = [one, other].map((axes) => {
          const data = new Float32Array(axes.reduce((all, each) => all * each, 1));
          return toAttention({ weights: { data, shape: axes } });
        });
        const names = ['layers', 'heads', 'queries', 'keys'];
        const wrong = names.filter((_, i) => one[i] !== other[i]);
        if (wrong.length === 0) return expectAlike(a, b);
        assert.throws(
          () => expectAlike(a, b),
          (/** @type {any} */ { code, message }) =>
            code === 'ATTN_SHAPE' && names.every((name) => message.includes(` ${name},`) === wrong.includes(name)), // prettier-ignore
        );
      }),
      runs(100),
    );
  });
});

describe('two courses of training', () => {
  /** @param {readonly [step: number, size: number][]} steps */
  const seriesOf = (steps) =>
    steps.map(([step, size]) => ({
      step,
      query: { ...query, data: query.data.map((x) => size * x) },
      key,
    }));

  /** @param {readonly GivenStep[]} series @param {string} step */
  async function measured(series, step) {
    const course = new Course({ steps: toSeries(series) }, (attention) => attention);
    const shown = await course.show(step);
    await course.measure(() => {});
    return shown;
  }

  it('have a map of the difference at the steps of both, and one scale for each alone', async () => {
    const first = await measured(seriesOf([[0, 1], [10, 2], [20, 3]]), '20'); // prettier-ignore
    const second = await measured(seriesOf([[0, 1], [20, 30], [40, 1]]), '20'); // prettier-ignore
    knownOf(first).second = second;
    const view = viewOf(first);
    const cells = (/** @type {any} */ of) => coursePanel(of).series?.[0].cells;
    const { matrix, largest } = /** @type {any} */ (cells(view));
    const [start, between, last] = matrix.data;
    assert.deepEqual([start, Number.isNaN(between), last > 0.1], [0, true, true]);
    assert.equal(matrix.shape[1], 3);
    assert.ok(largest < 1);
    assert.match(coursePanel(view).title, / \(A − B\) of each head/);
    const table = coursePanel(view).rows ?? [];
    const row = table.find(({ series, x }) => series === '1.1' && x === 20);
    assert.ok(Math.abs((row?.measured ?? NaN) - last) < 1e-6);
    const [a, b] = ['first', 'second'].map((compare) =>
      viewOf(first, { compare, statistic: 'logit' }),
    );
    assert.equal(cells(a)?.largest, cells(b)?.largest);
    assert.doesNotMatch(drawStatic(spec, view), /NaN|undefined/);
  });

  it('of which one is a single recording have the map of the course alone', async () => {
    const first = await measured(seriesOf([[0, 1], [10, 2]]), '10'); // prettier-ignore
    knownOf(first).second = { ...toAttention({ query, key }), options: {} };
    const view = viewOf(first);
    assert.doesNotMatch(coursePanel(view).title, /A − B/);
    assert.ok(Array.from(coursePanel(view).series?.[0].cells?.matrix?.data ?? []).every((x) => x > 0)); // prettier-ignore
    assert.doesNotMatch(drawStatic(spec, view), /NaN|undefined/);
  });

  it('have their losses as lines above the map, which takes the room of no figure without', async () => {
    const plain = await measured(seriesOf([[0, 1], [10, 2], [20, 3]]), '10'); // prettier-ignore
    const series = seriesOf([[0, 1], [10, 2], [20, 3]]).map((each, i) => ({ ...each, loss: [2, 1, NaN][i] })); // prettier-ignore
    const first = await measured(series, '10');
    const alone = viewOf(first, { lang: 'zh' });
    assert.ok(courseHeight(alone) > courseHeight(viewOf(plain)));
    const rows = spec.rows(alone).filter(({ panel }) => panel === '损失');
    assert.deepEqual(rows.map(({ series: name, x, measured: y }) => [name, x, y]), [['损失', 10, 1], ['损失', 0, 2], ['损失', 20, NaN]]); // prettier-ignore
    assert.match(drawStatic(spec, alone), /<desc>损失/);
    knownOf(first).second = await measured(series.slice(1, 2), '10');
    const view = viewOf(first);
    const svg = drawStatic(spec, view);
    assert.doesNotMatch(svg, /NaN|undefined/);
    assert.match(svg, />A<\/text>.*>B<\/text>/s);
    assert.equal(spec.rows(view).filter(({ panel, series: name }) => panel === 'loss' && name === 'B').length, 1); // prettier-ignore
  });

  it('have losses in one file of all steps, in files, and in a saved page', async () => {
    const bytes = new TextEncoder().encode(JSON.stringify({ steps: [0, 10], weights: [[[[1]]], [[[1]]]], loss: [2.5, 1] })); // prettier-ignore
    const steps = await readSeries([{ name: 'all.json', arrayBuffer: async () => bytes }]);
    assert.deepEqual(await Promise.all(steps.map(async ({ read }) => (await read()).loss)), [2.5, 1]); // prettier-ignore
    assert.equal(toAttention({ weights: [[1]], loss: { data: [0.5], shape: [] } }).loss, 0.5);
    assert.throws(() => toAttention({ weights: [[1]], loss: 'low' }), /loss/);
    const course = new Course({ steps }, (attention) => attention);
    const shown = await course.show('');
    await course.measure(() => {});
    const saved = courseFrom(
      unpack(pack(await savedCourse(course, courseData(course, ''), shown))),
    );
    assert.deepEqual([...saved.losses].sort(), [[0, 2.5], [10, 1]]); // prettier-ignore
  });
});

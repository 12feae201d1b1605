// @slow
// <attn-training> without a document: its words while a run is under way, and for other lengths.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { finalLosses, train } from '../../../web/experiments/training.js';
import { spec } from '../../../web/figures/training/element.js';
import { sweepPanel } from '../../../web/figures/training/panels.js';
import { viewAfter } from './view-after.js';

/** @import { Language } from '../../../web/shared/languages.js' */
/** @import { TrainingRow } from '../../../web/experiments/training.js' */
/** @import { Series } from '../../../web/figures/kit/chart/series.js' */
/** @import { View } from '../../../web/figures/training/element.js' */

/** Returns the view of the figure after some training. @param {TrainingRow[]} result @param {Language} [lang] @returns {View} */
const viewOf = (result, lang, rate = '1') =>
  viewAfter(spec, result, { lang, dK: 4, steps: 60, rate });

const setting = { task: /** @type {const} */ ('average'), dK: 4, rates: [0.1, 1] };
const dot = train({ ...setting, steps: 60 }).rows;
/** @param {number} steps */
const additive = (steps) => train({ ...setting, models: ['additive'], repetitions: 1, steps }).rows;

it('sets additive attention beside the others once it has trained for as long', () => {
  for (const [steps, shown] of /** @type {const} */ ([
    [20, false],
    [60, true],
  ])) {
    const view = viewOf([...dot, ...additive(steps)]);
    const rows = spec.rows(view).filter(({ series }) => series === 'additive');
    assert.equal(
      rows.some(({ panel }) => panel.startsWith('Loss after 60 steps')),
      shown,
    );
    // Its course is drawn against steps, of which it has as many as it has.
    const course = rows.filter(({ panel }) => panel.startsWith('Loss (x'));
    assert.equal(Math.max(...course.map(({ x }) => x)), steps);
    const said = spec.readout(view).find(({ series }) => series.key === 'additive');
    assert.ok(said?.rows.every(({ measured }) => Number.isFinite(measured) === shown));
  }
});

it('has additive attention in its short run too, at the learning rate shown', () => {
  for (const rate of ['1', '0.1']) {
    const { final, course } = viewOf([], 'en', rate).data;
    const additive = final.filter(({ model }) => model === 'additive');
    assert.deepEqual(
      additive.map((row) => row.rate),
      [Number(rate)],
    );
    assert.ok(course.some(({ model }) => model === 'additive'));
    for (const { rows } of spec.readout(viewOf([], 'zh', rate))) {
      assert.ok(rows.every(({ measured }) => measured > 0));
    }
  }
});

it('gives the number of steps for which its statements on depths and time hold', () => {
  /** @param {'average' | 'retrieve'} task  @param {number} steps  how much deeper the scale comes */
  const deeper = (task, steps) => {
    const rows = finalLosses(
      train({ task, dK: 16, steps, repetitions: 1, models: ['none', '1/√d'] }).rows,
    );
    const [none, scaled] = ['none', '1/√d'].map((model) =>
      Math.min(...rows.filter((row) => row.model === model).map(({ loss }) => loss)),
    );
    return none / scaled;
  };
  for (const task of /** @type {const} */ (['average', 'retrieve'])) {
    assert.ok(deeper(task, 100) > 1.3, `${task}, 100 steps`);
    assert.ok(deeper(task, 300) < 1.3, `${task}, 300 steps`);
  }
  for (const { easyNote, retrieveNote, sampledNote } of Object.values(spec.messages)) {
    for (const note of [easyNote, retrieveNote, sampledNote]) assert.match(note, /300/);
  }
});

it('draws coinciding series of today within each other', () => {
  const view = viewAfter(spec, [], { dK: 16, steps: 60, scales: 'today' });
  const [scaled, clipped, capped] = sweepPanel(view).series ?? [];
  const at = (/** @type {Series} */ { measured = [] }) => measured[4].y;
  assert.ok(Math.abs(at(scaled) - at(clipped)) < 1e-9, 'the clip acts at rate 1');
  const reach = (/** @type {Series} */ { width = 0, size = 0 }) => [width, size];
  for (const [outer, inner] of [
    [scaled, clipped],
    [clipped, capped],
  ]) {
    reach(outer).forEach((each, i) => assert.ok(each > 1.5 * reach(inner)[i], `${inner.name}`));
  }
});

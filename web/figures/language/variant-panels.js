// The panels of a variant in <attn-language>: the factors of its heads, their effective dimension, and how widely
// q·k spreads.

import { coursePanel, namesOf } from './panels.js';
import { folkLook, greyLook, scaleLook } from '../kit/chart/looks.js';
import { logarithmic } from '../kit/chart/mapping.js';
import { points } from '../kit/chart/series.js';
import { say } from '../kit/state/words.js';

/**
 * @import { Panel } from '../kit/chart/panels.js'
 * @import { View } from './element.js'
 */

/** Describes the factor of each head of a variant. @param {View} view */
export const factorPanel = (view) =>
  coursePanel(view, view.text.factorPanel, 'factor', {
    mapping: logarithmic,
    ends: [0.01, 2],
    ticks: [0.01, 0.1, 1],
  });

/** Describes the effective dimension of each head of a variant. @param {View} view  @returns {Panel} */
export function dimensionPanel(view) {
  const panel = coursePanel(view, view.text.dimensionPanel, 'effectiveDimension', {
    mapping: logarithmic,
    ends: [2, 200],
    ticks: [4, 16, 64],
  });
  const { dKey } = view.data;
  const root = { look: folkLook(view.palette), label: 'd_k', level: dKey };
  return { ...panel, series: [...(panel.series ?? []), root] };
}

/** The least and the largest σ(q·k) of a panel. @type {[number, number]} */
const SPREAD = [3, 100];

/** Describes σ(q·k) of each head of a variant after the chosen step, against what its moments predict. @param {View} view  @returns {Panel} */
export function spreadPanel(view) {
  const { data, text: words, palette, state } = view;
  const names = namesOf(view);
  const axis = { mapping: logarithmic, ends: SPREAD, ticks: [3, 10, 30, 100] };
  const rows = (data.variant ?? []).filter(({ step }) => step === Number(state.step));
  return {
    title: say(view, words.spreadPanel, { step: Number(state.step) }),
    x: { ...axis, name: words.predictedAxis },
    y: axis,
    margin: { left: 44 },
    series: [
      {
        look: greyLook(palette, 'law'),
        label: words.law,
        theory: SPREAD.map((x) => ({ x, y: x })),
      },
      ...data.scales.map((scale) => ({
        look: scaleLook(palette, scale),
        name: names[scale],
        measured: points(
          rows.filter((row) => row.scale === scale),
          { x: 'predicted', y: 'measured', theory: 'predicted' },
        ),
        size: 2.6,
      })),
    ],
  };
}

// The steps of <attn-flow>: they are numbered in the picture, and buttons lead through them.

import { css, html, nothing } from 'lit';
import { prose } from '../kit/shell/prose.js';
import { numberField } from '../kit/state/state.js';
import { say } from '../kit/state/words.js';
import { parseCell, written } from './matrices.js';
import { pad } from './pad.js';

/**
 * @import { Name } from '../../experiments/flow.js'
 * @import { Change, From } from '../kit/shell/controls.js'
 * @import { Field } from '../kit/state/state.js'
 * @import { View } from './element.js'
 */

/**
 * The matrices of each step, and the cell whose arithmetic shows it.
 * @typedef {{ names: readonly Name[], cell: string }} Step
 */

/** @type {readonly Step[]} */
const FORWARDS = [
  { names: ['x', 'y'], cell: 'x-2-1' },
  {
    names: ['queryWeight', 'keyWeight', 'valueWeight', 'query', 'key', 'value'],
    cell: 'query-2-1',
  },
  { names: ['scores'], cell: 'scores-2-3' },
  { names: ['scaled'], cell: 'scaled-2-3' },
  { names: ['weights'], cell: 'weights-2-3' },
  { names: ['output'], cell: 'output-2-1' },
];

/** @type {readonly Step[]} */
const BACKWARDS = [
  { names: ['output'], cell: 'output-2-1' },
  { names: ['weights', 'value'], cell: 'weights-2-3' },
  { names: ['scaled'], cell: 'scaled-2-3' },
  { names: ['scores'], cell: 'scores-2-3' },
  { names: ['query', 'key'], cell: 'query-2-1' },
  { names: ['queryWeight', 'keyWeight', 'valueWeight', 'x', 'y'], cell: 'queryWeight-1-1' },
];

const COUNT = FORWARDS.length;

/** The step that is shown; 0: all of them. @type {Field<number>} */
export const stepField = {
  ...numberField({ initial: 0, min: 0, max: COUNT, slider: false }),
  kind: 'picture',
};

/** Returns the steps, forwards or back. @param {Pick<View, 'state'>} view */
const stepsOf = ({ state }) => (state.gradients === 'gradients' ? BACKWARDS : FORWARDS);

/** Returns the number of a matrix's step, in a circle. @param {View} view  @param {Name} name */
export const numberOf = (view, name) =>
  String.fromCodePoint(0x2460 + stepsOf(view).findIndex(({ names }) => names.includes(name)));

/** Returns whether a matrix belongs to the step shown. @param {View} view  @param {Name} name */
export const isInStep = (view, name) =>
  view.state.step === 0 || stepsOf(view)[view.state.step - 1].names.includes(name);

/** Explains the step shown in words. @param {Omit<View, 'data'>} view  @returns {string} */
export function stepText(view) {
  const { text: words, state } = view;
  const { step, scaling, causal, cross } = state;
  const texts = state.gradients === 'gradients' ? words.gradientSteps : words.steps;
  if (step === 0) return texts.all;
  const isFourth = texts.each[step - 1] === texts.each[3];
  const isCross = cross === 'yes';
  const ofOther = isCross && stepsOf(view)[step - 1].names.includes('y');
  const own = ofOther ? texts.cross : texts.each[step - 1];
  const text = isFourth && scaling === 'off' ? texts.unscaled : own;
  const masked = isFourth && causal === 'yes' && !isCross ? texts.masked : '';
  return say(view, words.stepOf, { step, count: COUNT }) + text + masked;
}

/** Returns what the step shown does, as a sentence, with the numbers of its cell. @param {View} view @returns {string} */
export function stepClaim(view) {
  const { text: words, state, data } = view;
  const { step, gradients, scaling, cross } = state;
  if (gradients === 'gradients') return words.gradientClaims[step - 1];
  const { row, column } = parseCell(stepsOf(view)[4].cell);
  const claim = step === 4 && scaling === 'off' ? words.unscaledClaim : words.claims[step - 1];
  const keys = cross === 'yes' ? words.otherRows : words.rows;
  return say(view, claim, {
    query: words.rows[row],
    key: keys[column],
    score: written(view, data.values.scores[row][column], 2),
    weight: view.format.percent(data.values.weights[row][column]),
  });
}

/**
 * Draws the text of the step and the buttons that lead to the others.
 * @param {Omit<View, 'data'> & { data?: View['data'] }} view
 * @param {Change} change
 */
export function lead(view, change) {
  const { text: words, data } = view;
  const { step } = view.state;
  const go = (/** @type {From<Element>} */ { target }, /** @type {number} */ next) => {
    if (next < 0 || next > COUNT) return;
    if (next > 0) change('cell', stepsOf(view)[next - 1].cell, true);
    change('step', next, true);
    if (next > 0) bringIntoView(target, stepsOf(view)[next - 1]);
  };
  return html`<div class="steps" part="steps" role="group" aria-label=${words.stepsName}>
    <button
      aria-disabled=${step === 0 || nothing}
      @click=${(/** @type {From<Element>} */ event) => go(event, step - 1)}
    >
      ${words.previousStep}
    </button>
    <button
      class="primary"
      aria-disabled=${step === COUNT || nothing}
      @click=${(/** @type {From<Element>} */ event) => go(event, step + 1)}
    >
      ${words.nextStep}
    </button>
    <p>${prose(stepText(view))}</p>
    ${data === undefined ? nothing : pad({ ...view, data }, change)}
  </div>`;
}

/** Scrolls to the result of a step where it is out of view. @param {Element} button @param {Step} step */
function bringIntoView(button, { cell }) {
  const root = /** @type {ShadowRoot} */ (button.getRootNode());
  root.querySelector(`[data-cell=${cell}]`)?.parentElement?.scrollIntoView({ block: 'nearest' });
}

export const stepStyles = css`
  .steps {
    display: flex;
    flex-wrap: wrap;
    align-items: baseline;
    gap: 6px 10px;
    padding-block: 4px;
  }
  .steps p {
    flex: 1 18em;
    min-height: 2.9em;
    font-size: calc(14 * var(--px));
  }
  .cells > * {
    scroll-margin: 170px 0 16px; /* below the steps of a narrow figure */
  }
`;

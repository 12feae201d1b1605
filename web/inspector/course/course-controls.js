// What chooses a step of a course of training, and a statistic: a slider, a list, and clicks on the map.

import { css, html, nothing } from 'lit';
import { slider } from '../../figures/kit/shell/slider.js';
import { numberField } from '../../figures/kit/state/state.js';
import { say } from '../../figures/kit/state/words.js';
import { indexOf } from './course.js';
import {
  boxOfCourse,
  columnsOf,
  hasCourse,
  headsOf,
  MEASURES,
  offered,
  shownName,
} from './course-map.js';

/**
 * @import { Change, From } from '../../figures/kit/shell/controls.js'
 * @import { State } from '../../figures/kit/state/state.js'
 * @import { View } from '../view/data.js'
 */

export const styles = css`
  .course {
    display: flex;
    flex-wrap: wrap;
    gap: 6px 24px;
    align-items: center;
    margin-top: 8px;
  }
  .course .slider {
    width: min(22em, 60cqi);
  }
  .course output {
    font-variant-numeric: tabular-nums;
  }
  .map {
    position: absolute;
    cursor: pointer;
  }
`;

/**
 * Draws the choice of a step and of a statistic.
 * @param {View} view
 * @param {State} state  what the reader wants, which may not be read yet
 * @param {Change} change
 */
export function courseControls(view, state, change) {
  if (!hasCourse(view)) return nothing;
  const { data, text: words, format } = view;
  const { steps, shown } = data.course;
  const index = indexOf(data.course, state.step);
  const last = shown.length - 1;
  const field = numberField({ initial: 0, min: 0, max: last });
  const choose =
    (/** @type {boolean} */ isSettled) =>
    (/** @type {From<HTMLInputElement>} */ { target }) =>
      change('step', String(steps[shown[Number(target.value)]]), isSettled);
  const name = shownName(view, state);
  const now = say(view, words.stepOf, {
    step: format.plain(steps[index]),
    place: index + 1,
    steps: steps.length,
  });
  return html`<div class="course">
    <div class="field">
      <label for="course-step">${words.stepLabel}</label>
      ${last > 0 ? slider({ id: 'course-step', field, value: shown.indexOf(index), spoken: now, onInput: choose(false), onChange: choose(true) }) : nothing}
      <output>${now}</output>
    </div>
    <div class="field">
      <label for="course-statistic">${words.statisticLabel}</label>
      <select
        id="course-statistic"
        data-value=${name}
        @change=${(/** @type {From<HTMLSelectElement>} */ { target }) => change('statistic', target.value, true)}
      >
        ${offered(view).map(
          (each) =>
            html`<option value=${each} ?selected=${each === name}>
              ${words.measures[MEASURES[each]].replaceAll('_', '')}
            </option>`,
        )}
      </select>
    </div>
  </div>`;
}

/** Draws what takes a click on the map. @param {View} view @param {Change} change */
export function courseOverlay(view, change) {
  if (!hasCourse(view)) return nothing;
  const { left, right, top, bottom } = boxOfCourse(view);
  const [heads, columns] = [headsOf(view), columnsOf(view)];
  const choose = (/** @type {PointerEvent} */ event) => {
    event.stopPropagation(); // it is no click on the picture below
    const at = (/** @type {number} */ share, /** @type {number} */ count) =>
      Math.max(0, Math.min(count - 1, Math.floor(share * count)));
    const { layer, head } = heads[at(event.offsetY / (bottom - top), heads.length)];
    const column = columns[at(event.offsetX / (right - left), columns.length)];
    change('layer', layer + 1, true);
    change('head', head + 1, true);
    change('step', String(view.data.course?.steps[column]), true);
  };
  const place = `left: ${left}px; top: ${top}px; width: ${right - left}px; height: ${bottom - top}px`;
  return html`<div class="map" .style=${place} @click=${choose}></div>`;
}

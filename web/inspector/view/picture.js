// The picture of <attn-view>: its panels and their places.

import { arranged } from '../../figures/kit/chart/panels.js';
import { rowsOf } from '../../figures/kit/chart/series.js';
import { courseHeight, coursePanels, hasCourse, hasLosses } from '../course/course-map.js';
import { headPanel } from '../picture/large.js';
import { layoutOf, TITLE } from '../picture/layout.js';
import { headsPanel, keysPanel, productsPanel, titleOfKeys } from '../picture/side.js';
import { diagnosed, summaryOf } from './table.js';
import { placeOf, title } from './telling.js';

/**
 * @import { Box } from '../../figures/kit/chart/chart.js'
 * @import { TidyRow } from '../../figures/kit/chart/tidy-row.js'
 * @import { View } from './data.js'
 */

/** The most keys that the description of the picture names. */
const MOST_NAMED = 5;

/** Returns the place of a panel whose plot has its title above it. @param {Box} box */
const around = ({ left, right, top, bottom }) => ({
  x: left,
  y: top - TITLE,
  width: right - left,
  height: bottom - top + TITLE,
});

/** Returns the panels and their places. @param {View} view */
function arrange(view) {
  const above = courseHeight(view);
  const { matrix, sides, height } = layoutOf(view, above);
  const head = { x: 2, y: above, width: matrix.right - 2, height: matrix.bottom - above };
  const panels = [{ place: head, panel: headPanel(view, matrix, placeOf(view, view.data)) }];
  if (hasCourse(view)) panels.unshift(...coursePanels(view));
  if (sides) {
    const { thumbs, bars, histogram } = sides;
    panels.push({ place: around(thumbs), panel: headsPanel(view, thumbs, diagnosed(view)) });
    panels.push({ place: around(bars), panel: keysPanel(view, bars) });
    if (view.data.histogram) {
      panels.push({ place: around(histogram), panel: productsPanel(view, histogram) });
    }
  }
  return { height, panels };
}

/** Describes the picture: the course if there is one, the chosen query and the heads. @param {View} view @param {readonly string[]} panels */
function describe(view, panels) {
  const { data, format } = view;
  const ofCourse = hasCourse(view) ? panels.slice(0, hasLosses(view) ? 2 : 1) : [];
  const course = ofCourse.map((each) => `${each}. `).join('');
  const query = titleOfKeys(view);
  const tops = data.top
    .slice(0, MOST_NAMED)
    .map(({ key, weight }) => `${data.keyLabels[key]} ${format.percent(weight)}`);
  return `${course}${query}: ${tops.join(', ')}. ${summaryOf(view)}.`;
}

export const { draw, pick } = arranged({ title, arrange, describe });

/** Returns the weights, the diagnoses and the course as rows of a table. @param {View} view @returns {TidyRow[]} */
export function rows(view) {
  const { matrix } = layoutOf(view);
  return [
    headPanel(view, matrix, placeOf(view, view.data)),
    headsPanel(view, matrix, diagnosed(view)),
    ...(hasCourse(view) ? coursePanels(view).map(({ panel }) => panel) : []),
  ].flatMap(rowsOf);
}

// What lies over the picture of <attn-view>: a button on each thumbnail, and the canvas of a large head.

import { css, html, nothing } from 'lit';
import { say } from '../../figures/kit/state/words.js';
import { courseOverlay } from '../course/course-controls.js';
import { courseHeight } from '../course/course-map.js';
import { needsCanvas } from '../picture/large.js';
import { boxOfPatches } from '../picture/image.js';
import { layoutOf, thumbGrid } from '../picture/layout.js';
import { canZoomIn, zoomed } from '../picture/region.js';

/**
 * @import { Box } from '../../figures/kit/chart/chart.js'
 * @import { Change } from '../../figures/kit/shell/controls.js'
 * @import { View } from './data.js'
 */

export const styles = css`
  .thumbs button {
    position: absolute;
    min-width: 0;
    min-height: 0 !important;
    padding: 0;
    border: 0;
    border-radius: 0;
  }
  .zoom {
    position: absolute;
    left: 0;
    display: flex;
    gap: 4px;
  }
  .zoom button {
    width: 28px;
    min-width: 0;
    padding: 0;
    text-align: center;
  }
  @media print {
    .zoom {
      display: none;
    }
  }
  .image {
    position: absolute;
    opacity: 0.4; /* the weights are seen through it, and theirs is the only colour */
    filter: grayscale(1);
    pointer-events: none;
  }
  .image ::slotted(*) {
    display: block !important; /* whatever the page makes of its images */
    width: 100% !important;
    height: 100% !important;
    max-width: none !important;
    margin: 0 !important;
    object-fit: fill !important;
  }
  .cells {
    position: absolute;
    pointer-events: none;
    image-rendering: pixelated;
    color: var(--scaled);
    outline: 0 solid var(--unscaled);
  }
`;

/** Draws the overlay. @param {View} view @param {Change} change */
export function overlay(view, change) {
  if (view.width === 0) return nothing;
  const above = courseHeight(view);
  const { matrix, sides } = layoutOf(view, above);
  return html`${courseOverlay(view, change)}${sides && thumbButtons(view, sides.thumbs, change)}
  ${needsCanvas(view) ? [html`<canvas class="cells" .style=${placed(matrix)}></canvas>`, zoom(view, above, change)] : nothing}`;
}

/** Returns the style of a place. @param {Box} box */
const placed = ({ left, top, right, bottom }) =>
  `left: ${left}px; top: ${top}px; width: ${right - left}px; height: ${bottom - top}px`;

/** Draws the image that the page gives with its attention, where the weights of its patches are. @param {View} view */
export function imageOverPatches(view) {
  const { grid } = view.data;
  const { sides } = layoutOf(view, courseHeight(view));
  if (view.width === 0 || !grid || !sides) return nothing;
  const place = placed(boxOfPatches(sides.bars, grid));
  return html`<div class="image" .style=${place}><slot name="image"></slot></div>`;
}

/** Draws a button on each thumbnail. @param {View} view @param {Box} box @param {Change} change */
function thumbButtons(view, box, change) {
  const { data, text: words } = view;
  const grid = thumbGrid(box, data);
  return html`<div class="thumbs" role="group" aria-label=${words.heads}>
    ${data.overview.map(({ layer, head, diagnosis }) => {
      const { x, y } = grid.at(layer, head);
      const place = say(view, words.place, { layer: layer + 1, head: head + 1 });
      const label = diagnosis ? `${place}: ${words.verdicts[diagnosis.verdict]}` : place;
      const show = (/** @type {Event} */ event) => {
        event.stopPropagation(); // it is no click on the picture
        change('layer', layer + 1, true);
        change('head', head + 1, true);
      };
      return html`<button
        aria-label=${label}
        title=${label}
        aria-pressed=${layer === data.layer && head === data.head}
        .style=${`left: ${x}px; top: ${y}px; width: ${grid.size}px; height: ${grid.size}px`}
        @click=${show}
      ></button>`;
    })}
  </div>`;
}

/**
 * Draws the buttons that zoom around the chosen cell.
 * @param {View} view
 * @param {number} above  the height of what stands above the large head
 * @param {Change} change
 */
function zoom({ data, text: words }, above, change) {
  const button = (/** @type {boolean} */ isIn) =>
    html`<button
      aria-label=${isIn ? words.zoomIn : words.zoomOut}
      title=${isIn ? words.zoomIn : words.zoomOut}
      ?disabled=${isIn ? !canZoomIn(data) : data.region.zoom === 1}
      @click=${(/** @type {Event} */ event) => {
        event.stopPropagation();
        change('region', zoomed(data, isIn), true);
      }}
    >
      ${isIn ? '+' : '−'}
    </button>`;
  return html`<div class="zoom" .style=${`top: ${above + 30}px`}>
    ${button(true)}${button(false)}
  </div>`;
}

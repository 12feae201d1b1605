// The plane of <attn-asymmetry>: queries and keys as vectors that the reader moves.

import { css, html } from 'lit';
import { heightBase, PAIR_FROM, segment, STACK_BELOW, text } from '../kit/chart/chart.js';
import { symbols } from '../kit/chart/marks/symbols.js';
import { ARROWS } from '../kit/shell/keys.js';
import { seriesOf } from '../common/tied-runs.js';
import { linear } from '../kit/chart/mapping.js';
import { node, pointIn } from '../kit/chart/svg.js';
import { say } from '../kit/state/words.js';

/**
 * @import { View } from './element.js'
 * @import { Panel as Place } from '../kit/chart/chart.js'
 * @import { Panel } from '../kit/chart/panels.js'
 * @import { From } from '../kit/shell/controls.js'
 * @typedef {'queries' | 'keys'} Role
 */

/** @type {readonly Role[]} */
export const ROLES = ['queries', 'keys'];

/** Half the side of the plane. */
export const REACH = 2.5;
const NUDGE = 0.1;
const GUTTER = 24;
export const SUBSCRIPTS = ['₁', '₂', '₃'];

export const aspect = { wide: 0.8, narrow: 3.02, pair: 2.3 };

/**
 * Places the plane and two maps above two courses of training. On a phone only the maps are side by side, and in
 * columns between phone and page the courses, too; the plane, whose vectors a finger drags, has the whole width.
 * @param {number} width
 * @returns {{ panels: Place[], height: number }}
 */
export function layout(width) {
  const wide = width >= STACK_BELOW;
  const isPaired = width >= PAIR_FROM;
  const gap = wide ? GUTTER : 12;
  const third = (width - 2 * gap) / 3;
  const half = (width - gap) / 2;
  const base = heightBase(width);
  const upper = 0.4 * base;
  const places = wide
    ? [
        [0, 0, third, upper],
        [third + gap, 0, third, upper],
        [2 * (third + gap), 0, third, upper],
        [0, upper, half, upper],
        [half + gap, upper, half, upper],
      ]
    : [
        [0, 0, width, 0.98 * base],
        [0, 0.98 * base, half, 0.6 * base],
        [half + gap, 0.98 * base, half, 0.6 * base],
        [0, 1.58 * base, isPaired ? half : width, 0.72 * base],
        isPaired
          ? [half + gap, 1.58 * base, half, 0.72 * base]
          : [0, 2.3 * base, width, 0.72 * base],
      ];
  return {
    panels: places.map(([x, y, across, height]) => ({ x, y, width: across, height })),
    height: base * (wide ? aspect.wide : isPaired ? aspect.pair : aspect.narrow),
  };
}

/** Returns the square of the plane in its panel. @param {Place} place */
function planeOf(place) {
  const side = Math.min(place.width, place.height - 34) - 6;
  const left = place.x + (place.width - side) / 2;
  const top = place.y + 30;
  const x = linear([-REACH, REACH], [left, left + side]);
  const y = linear([-REACH, REACH], [top + side, top]);
  return { x, y, left, top, side };
}

/** Returns both kinds of vectors, or one where they are tied. @param {View} view */
function roles({ state, data, palette }) {
  const { tied, untied } = seriesOf(palette);
  const all = ROLES.map((role) => ({
    role,
    letter: role[0],
    vectors: data[role],
    series: { ...(role === 'keys' ? tied : untied), key: role },
  }));
  return state.tie === 'tied' ? [{ ...all[0], letter: 'q = k' }] : all;
}

/** Describes the panel of the plane. @param {View} view  @returns {Panel} */
export const planePanel = (view) => ({
  title: view.text.plane,
  marks({ place }) {
    const { palette } = view;
    const { x, y, left, top, side } = planeOf(place);
    return [
      node('rect', {
        x: left,
        y: top,
        width: side,
        height: side,
        fill: 'none',
        stroke: palette.faint,
      }),
      segment({ x1: left, x2: left + side, y1: y(0), y2: y(0) }, palette.faint),
      segment({ x1: x(0), x2: x(0), y1: top, y2: top + side }, palette.faint),
      roles(view).map(({ letter, vectors, series }) =>
        vectors.map(([a, b], index) => {
          const length = Math.hypot(a, b) || 1;
          const name = letter.replace(/\w/g, (each) => each + SUBSCRIPTS[index]);
          const aside = (letter.length > 1 ? 32 : 15) / length;
          // Labels of queries lie a little to the left of the ray, those of keys to the right.
          const turn = letter === 'q' ? 8 / length : letter === 'k' ? -8 / length : 0;
          return [
            segment({ x1: x(0), y1: y(0), x2: x(a), y2: y(b) }, series.colour, { width: 1.75 }),
            symbols(series, [[x(a), y(b)]], 5),
            text(x(a) + aside * a - turn * b, y(b) - (15 * b) / length - turn * a + 4, name, {
              fill: series.textColour,
              anchor: 'middle',
              weight: 600,
              halo: palette.paper,
            }),
          ];
        }),
      ),
    ];
  },
});

// ---- the vectors as handles ---------------------------------------------------------------------

export const styles = css`
  .handles button {
    position: absolute;
    width: 30px;
    height: 30px;
    min-height: 0;
    translate: -50% -50%; /* a finger needs a larger one, and its middle stays on the point */
    padding: 0;
    border-color: transparent;
    border-radius: 50%;
    cursor: grab;
    touch-action: none;
  }
  .handles button:active {
    cursor: grabbing;
  }
`;

/**
 * Draws the handles, as an application, since screen readers keep the arrow keys of buttons to
 * themselves.
 * @param {View} view
 * @param {(key: string, value: unknown, settled: boolean) => void} change
 * @param {Place} place  of the plane's panel
 */
export function overlay(view, change, place) {
  const plane = planeOf(place);
  return html`<div class="handles" role="application" aria-label=${view.text.plane}>
    ${roles(view).flatMap(({ role, vectors }) =>
      vectors.map((vector, index) => {
        const move = (/** @type {number[]} */ to, /** @type {boolean} */ settled) => {
          const moved = vectors.map((each, i) => (i === index ? to : each));
          // Sets both kinds, since no preset gives the others a place.
          for (const kind of ROLES) {
            const all = (kind === role ? moved : view.data[kind]).flat();
            change(kind, all.map((part) => part.toFixed(2)).join(' '), settled);
          }
        };
        const [x, y] = vector.map((part) => view.format.fixed(part, 2));
        const name = say(view, view.text.handles[role], { index: index + 1, x, y });
        return handle(vector, name, plane, move);
      }),
    )}
  </div>`;
}

/**
 * Draws a handle of one vector, for the pointer and the arrow keys.
 * @param {number[]} vector
 * @param {string} name
 * @param {ReturnType<typeof planeOf>} plane
 * @param {(to: number[], settled: boolean) => void} move
 */
function handle([a, b], name, { x, y }, move) {
  const grab = (/** @type {PointerEvent & From<HTMLElement>} */ { target, pointerId }) =>
    target.setPointerCapture(pointerId);
  const pull = (/** @type {PointerEvent & From<HTMLElement>} */ event) => {
    const { target: button } = event;
    /** @type {SVGSVGElement | null | undefined} */
    const picture = button.closest('.plot')?.querySelector('svg');
    if (!picture || !button.hasPointerCapture(event.pointerId)) return;
    const point = pointIn(picture, event);
    move([x.invert(point.x), y.invert(point.y)], event.type === 'pointerup');
  };
  const press = (/** @type {KeyboardEvent} */ event) => {
    const step = ARROWS[event.key];
    if (!step) return;
    event.preventDefault();
    move([a + NUDGE * step[0], b - NUDGE * step[1]], true);
  };
  return html`<button
    aria-label=${name}
    .style=${`left: ${x(a)}px; top: ${y(b)}px`}
    @pointerdown=${grab}
    @pointermove=${pull}
    @pointerup=${pull}
    @keydown=${press}
  ></button>`;
}

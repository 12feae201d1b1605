// A chart as data: each panel describes its axes and marks, from which it is drawn, described in
// words and picked.

import {
  bottomAxis,
  leftAxis,
  panelTitle,
  picture,
  segment,
  STACK_BELOW,
  text,
  textWidth,
} from './chart.js';
import { endLabels } from './labels.js';
import { folkSeries } from './series.js';
import { containsPoint, grid, handle, plotArea } from './layout.js';
import { clamped, linear, logarithmic } from './mapping.js';
import { fluid, node } from './svg.js';
import { say } from '../state/words.js';

/**
 * @import { Box, Panel as Place, Series } from './chart.js'
 * @import { AnyView, ViewOf } from '../spec.js'
 * @import { SvgChild } from './svg.js'
 * @import { Ends, Mapping } from './mapping.js'
 * @import { State as AnyState } from '../state/state.js'
 * @import { Palette } from './palette.js'
 */

/**
 * @typedef {object} Axis
 * @property {Ends} ends  in data units
 * @property {readonly number[]} ticks
 * @property {typeof linear} [mapping]  linear by default
 * @property {(value: number) => string} [format]
 *
 * @typedef {{ place: Place, box: Box, x: Mapping, y: Mapping }} Frame  a panel in pixels
 *
 * @typedef {object} Panel
 * @property {string} title  names the vertical axis too
 * @property {string} [note]  a line or more under it
 * @property {number} [noteAt]  from where on the horizontal axis, else from the left
 * @property {Axis & { name: string }} [x]  a panel without axes leaves out both
 * @property {Axis} [y] values beyond its ends are drawn at them
 * @property {{ left?: number, top?: number, right?: number }} [margin]
 * @property {{ x?: number, y: number, label: string, series: Series }[]} [ends] names at the ends of
 *   lines, in data units, at the right where no x is given; those without a number get room, too
 * @property {{ y: number, from?: number, label: string }} [folk] the claim as commonly made: a dashed
 *   line from a place of the horizontal axis to its end
 * @property {number} [now] the reader's place on the horizontal axis
 * @property {(at: number) => AnyState} [picks] the fields that a pointer there sets
 * @property {(frame: Frame) => SvgChild} marks
 */

/**
 * @param {Panel} panel
 * @returns {{ x?: number, y: number, label: string, series?: Series }[]}
 */
const labelsOf = ({ ends = [], folk }) => (folk ? [...ends, folk] : ends);

/**
 * Returns a name with the kind of its axis.
 * @param {string} name
 * @param {Axis | undefined} axis
 * @param {AnyView} view
 */
const named = (name, axis, { text: words }) =>
  axis?.mapping === logarithmic ? name + words.logScale : name;

/**
 * Returns the frame of a panel: its box and the mappings of its axes.
 * @param {Place} place
 * @param {Panel} panel
 * @returns {Frame}
 */
function frameOf(place, panel) {
  const { margin, x, y } = panel;
  const room = labelsOf(panel).map(({ label }) => 14 + textWidth(label.replaceAll('_', '')));
  const box = plotArea(place, { right: Math.max(10, ...room), ...margin });
  const mappingOf = (/** @type {Partial<Axis> | undefined} */ axis, /** @type {Ends} */ range) =>
    (axis?.mapping ?? linear)(axis?.ends ?? [0, 1], range);
  return {
    place,
    box,
    x: mappingOf(x, [box.left, box.right]),
    y: clamped(mappingOf(y, [box.bottom, box.top])),
  };
}

/**
 * Draws the claim as commonly made.
 * @param {NonNullable<Panel['folk']>} folk
 * @param {Frame} frame
 * @param {Series} series
 */
function folkLine({ y: at, from }, { box, x, y }, { colour, key }) {
  const x1 = from === undefined ? box.left : Math.min(box.right, Math.max(box.left, x(from)));
  const y1 = Math.min(y(at), box.bottom - 1); // clear of the axis
  const look = { width: 1.5, dash: '6 4', series: key };
  return segment({ x1, x2: box.right, y1, y2: y1 }, colour, look);
}

/**
 * Draws a panel.
 * @param {Panel} panel
 * @param {Frame} frame
 * @param {AnyView} view
 * @returns {SvgChild[]}
 */
function drawn(panel, frame, view) {
  const { palette, format } = view;
  const { title, note = '', noteAt, folk, now, picks, marks } = panel;
  const { place, box, x, y } = frame;
  const axis = { format: format.plain, palette };
  const series = folkSeries(palette);
  const start =
    noteAt === undefined
      ? place.x
      : Math.max(box.left, Math.min(x(noteAt) - 6, place.x + place.width - textWidth(note)));
  return [
    picks && handle(box),
    panelTitle(place, named(title, panel.y, view), palette),
    note.split('\n').map(
      (each, i) =>
        each &&
        text(start, place.y + 35 + 15 * i, each, {
          fill: palette.muted,
          within: place.x + place.width - start,
        }),
    ),
    panel.y && leftAxis(box, y, { ...axis, ...panel.y }),
    now !== undefined &&
      segment({ x1: x(now), x2: x(now), y1: box.top, y2: box.bottom }, palette.folk),
    folk && Number.isFinite(folk.y) && folkLine(folk, frame, series),
    marks(frame),
    panel.x &&
      bottomAxis(box, x, { ...axis, ...panel.x, name: named(panel.x.name, panel.x, view) }),
    endLabels(
      box,
      labelsOf(panel).map((end) => ({
        series,
        ...end,
        y: y(end.y),
        x: end.x === undefined ? box.right : x(end.x),
      })),
      palette,
    ),
  ];
}

/**
 * Describes a panel.
 * @param {Panel} panel
 * @param {AnyView} view
 * @returns {string} its content in words
 */
function described(panel, view) {
  const { title, note, x, y } = panel;
  const names = labelsOf(panel)
    .filter((end) => Number.isFinite(end.y))
    .map(({ label }) => label);
  const parts = [
    named(title, y, view),
    note?.replace('\n', ' '),
    x && `x: ${named(x.name, x, view)}`,
    names.join(', '),
  ];
  return parts.filter(Boolean).join(' · ');
}

/** Rounds down to a hundredth. @param {number} value */
const hundredth = (value) => Math.floor(100 * value) / 100;

/**
 * Returns the parts of a FigureSpec whose picture is a grid of panels. Its title is its status, too,
 * and its caption describes the state.
 * @template Data, Words, State
 * @param {{ title: (view: ViewOf<Data, Words, State>) => string,
 *   panels: Record<string, (view: ViewOf<Data, Words, State>) => Panel>, main?: string,
 *   aspect: { wide: number, narrow: number }, columns?: number, gutter?: number,
 *   oneAtATime?: boolean, layout?: (width: number) => { panels: Place[], height: number } }} options
 *   panels: by the names by which a page chooses them; main: the one of a compact figure, by default
 *   the first; aspect: of all panels, but where a narrow picture has oneAtATime, of that one; layout: of all
 *   panels, where it is no grid
 */
export function panelled({
  title,
  panels,
  main,
  aspect,
  columns = 2,
  gutter,
  oneAtATime = false,
  layout: layoutOfAll,
}) {
  const names = Object.keys(panels);
  const isSingle = (/** @type {number} */ width) => oneAtATime && width < STACK_BELOW;
  /** Places some panels. @param {number} width  @param {number} count */
  const layout = (width, count) => {
    if (isSingle(width)) return grid({ width, count: 1, columns: 1, aspect });
    if (layoutOfAll && count === names.length) return layoutOfAll(width);
    return grid({ width, count, of: names.length, columns, gutter, aspect });
  };
  /** Places the panels of a view. @param {ViewOf<Data, Words, State>} view */
  const placed = (view) => {
    const shown = view.panels ?? names;
    const all = (isSingle(view.width) ? shown.slice(0, 1) : shown).map((name) =>
      panels[name](view),
    );
    const { panels: places, height } = layout(view.width, all.length);
    return { all, height, frames: all.map((panel, index) => frameOf(places[index], panel)) };
  };
  return {
    title,
    aspect,
    panels: names,
    oneAtATime,
    main: main ?? names[0],
    layout,
    /** @param {ViewOf<Data, Words, State>} view */
    status: (view) => title(view).replaceAll('_', ''),
    /** @param {AnyView} view */
    caption: (view) => say(view, view.text.caption),
    /** Draws all panels as one picture. @param {ViewOf<Data, Words, State>} view */
    draw(view) {
      const { width, palette } = view;
      const { all, height, frames } = placed(view);
      const description = all.map((panel) => described(panel, view)).join('; ');
      return picture(
        { width, height, palette, title: title(view), description },
        all.map((panel, index) => drawn(panel, frames[index], view)),
      );
    },
    /**
     * Returns the ends of the axis on which a pointer sets a field, where its panel stands at the left.
     * @param {ViewOf<Data, Words, State>} view
     * @param {string} key
     * @returns {{ left: number, right: number } | undefined} in pixels
     */
    axis(view, key) {
      const { all, frames } = placed(view);
      const sets = all.findIndex(({ picks }) => picks && key in picks(1));
      return frames[sets]?.place.x === 0 ? frames[sets].box : undefined;
    },
    /**
     * Draws each panel as a picture, all in the units of one drawing, and as wide as its share of it, so
     * that panels keep their row on paper.
     * @param {ViewOf<Data, Words, State>} view
     */
    pictures(view) {
      const { width, palette } = view;
      const { all, frames } = placed(view);
      return all.map((panel, index) => {
        const { place } = frames[index];
        const tree = picture(
          {
            ...place,
            palette,
            title: named(panel.title, panel.y, view),
            description: described(panel, view),
          },
          drawn(panel, frames[index], view),
        );
        return fluid(tree, {
          viewBox: [place.x, place.y, place.width, place.height].map(hundredth).join(' '),
          width: `${hundredth((100 * place.width) / width)}%`,
        });
      });
    },
    /**
     * Returns the fields that a pointer sets.
     * @param {ViewOf<Data, Words, State>} view
     * @param {{ x: number, y: number }} point
     */
    pick(view, point) {
      const { all, frames } = placed(view);
      const index = all.findIndex(({ picks }, i) => picks && containsPoint(frames[i].box, point));
      return all[index]?.picks?.(frames[index].x.invert(point.x));
    },
  };
}

/**
 * A ring around the mark that the reader has chosen.
 * @param {readonly [x: number, y: number]} place  in pixels
 * @param {Palette} palette
 * @param {{ r?: number, series?: string }} [look]
 */
export const ring = ([cx, cy], palette, { r = 7, series } = {}) =>
  Number.isFinite(cy) &&
  node('circle', {
    cx,
    cy,
    r,
    fill: 'none',
    stroke: palette.ink,
    'stroke-width': 1.25,
    'data-series': series,
  });

// A chart as data: each panel describes its axes and marks, from which it is drawn, described in
// words and picked.

import {
  bottomAxis,
  firstInTurn,
  leftAxis,
  panelTitle,
  picture,
  segment,
  isStacked,
  text,
  textWidth,
} from './chart.js';
import { endLabels } from './labels.js';
import { containsPoint, grid, handle, plotArea } from './layout.js';
import { clamped, linear, logarithmic } from './mapping.js';
import { labelsOf, rowsOf, seriesMarks } from './series.js';
import { fluid } from './svg.js';
import { say } from '../state/words.js';

/**
 * @import { Aspect, Box, Panel as Place } from './chart.js'
 * @import { AnyView, ViewOf } from '../spec.js'
 * @import { SvgChild } from './svg.js'
 * @import { Ends, Mapping } from './mapping.js'
 * @import { State as AnyState } from '../state/state.js'
 * @import { Series } from './series.js'
 * @import { TidyRow } from './tidy-row.js'
 */

/**
 * A panel is data. It names its axes and declares each of its series once, by rows and the channels that
 * are read from them. From that follow marks, labels at the ends of lines, the description for screen
 * readers, the highlighting of a series with its lines of the read-out, the table, and the CSV.
 *
 *     const curvePanel = ({ data, state, text: words, palette }) => ({
 *       title: words.curve,
 *       x: { mapping: logarithmic, ends: [1, 512], ticks: [1, 16, 256], name: 'd_k' },
 *       y: { ends: [0, 1], ticks: [0, 0.5, 1] },
 *       now: state.dK,
 *       picks: (dK) => ({ dK }),
 *       series: [
 *         {
 *           look: blueLook(palette, 'scaled'),
 *           label: words.scaled,
 *           measured: points(data.rows, { x: 'dK', y: 'weight', low: 'p10', high: 'p90' }),
 *           theory: points(data.exact, { x: 'dK', y: 'weight' }),
 *         },
 *         { look: folkLook(palette), label: words.claim, level: 1 },
 *       ],
 *     });
 *
 * Channels (`points`, series.js): x and y; low and high, the range of y; theory, the value to compare y
 * with in the table, where no line of the series passes its x; from and to, the ends of a bar.
 *
 * | declared           | drawn                         | in the table                              |
 * | ------------------ | ----------------------------- | ----------------------------------------- |
 * | measured           | dots, with whiskers           | measured, low, high, theory at the same x |
 * | … range: 'area'    | dots on a shaded area         | the same                                  |
 * | … joined           | dots joined by a line         | the same                                  |
 * | … bars: opacity    | bars of a histogram           | the same                                  |
 * | cells (cells.js)   | shades, names, frames         | measured, a row for each cell             |
 * | theory             | a line                        | theory, if the series measures nothing    |
 * | level              | a line across the panel       | theory at both ends                       |
 * | chosen             | a ring                        | –                                         |
 * | label, short       | a name at the end of the line | the name of the series: the label         |
 * | look of `folkLook` | dashed and grey               | –, since a claim is no data               |
 *
 * What is special to a figure (handles, brackets) is drawn by `marks`, and its numbers are
 * `rows`. A series that only has a label names something that `marks` draws.
 *
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
 * @property {string} [table]  the title of its table, where it is another
 * @property {string} [note]  a line or more under it
 * @property {Axis & { name: string }} [x]  a panel without axes leaves out both
 * @property {Axis} [y] values beyond its ends are drawn at them
 * @property {{ left?: number, top?: number, right?: number }} [margin]
 * @property {readonly Series[]} [series]  all ranges are drawn first, then all lines, all dots, all rings
 * @property {number} [rule]  a place of the horizontal axis where something begins or is chosen: a dotted
 *   line, at which the note begins
 * @property {number} [now]  the reader's place on the horizontal axis
 * @property {(x: number, y: number) => AnyState} [picks]  the fields that a pointer there sets; without axes, x and y
 *   are shares of the plot, from the bottom left
 * @property {Record<string, string>} [area]  attributes of the area that takes this pointer
 * @property {(place: Place) => Box} [plot]  where the plot is, if margins do not say it
 * @property {(frame: Frame) => SvgChild} [marks]  what no series can declare, above all series
 * @property {readonly TidyRow[]} [rows]  of the table, after those of the series: what `marks` draws
 */

/**
 * Returns a name with the kind of its axis.
 * @param {string} name
 * @param {Axis | undefined} axis
 * @param {AnyView} view
 */
const named = (name, axis, { text: words }) =>
  axis?.mapping === logarithmic ? name + words.logScale : name;

/** Returns the width that a label takes beside a plot. @param {{ label: string }} end */
const roomOf = ({ label }) => 18 + textWidth(label.replaceAll('_', ''));

/** Returns the labels at the ends of lines, where they take too much of the panel the short ones. @param {Panel} panel @param {Place} place */
function endsOf(panel, { width }) {
  const ends = labelsOf(panel).filter(({ inside }) => !inside);
  return ends.every((end) => roomOf(end) <= width / 3)
    ? ends
    : ends.map((end) => ({ ...end, label: end.short ?? end.label }));
}

/**
 * Returns the frame of a panel: its box and the mappings of its axes.
 * @param {Place} place
 * @param {Panel} panel
 * @returns {Frame}
 */
function frameOf(place, panel) {
  const { margin, x, y } = panel;
  const room = endsOf(panel, place).map(roomOf);
  const box = panel.plot?.(place) ?? plotArea(place, { right: Math.max(10, ...room), ...margin });
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
 * Draws a panel.
 * @param {Panel} panel
 * @param {Frame} frame
 * @param {AnyView} view
 * @returns {SvgChild[]}
 */
function drawn(panel, frame, view) {
  const { palette, format } = view;
  const { title, note = '', rule, now, picks, area, marks } = panel;
  const { place, box, x, y } = frame;
  const axis = { format: format.plain, palette };
  const upright = { y1: box.top, y2: box.bottom };
  const right = place.x + place.width;
  // A label beside its place in the panel moves to the left where it would leave the picture.
  const endOf = (/** @type {{ x?: number, label: string }} */ { x: at, label }) =>
    at === undefined ? box.right : Math.min(x(at), right - 8 - textWidth(label));
  const start =
    rule === undefined
      ? place.x
      : Math.max(box.left, Math.min(x(rule) - 6, right - 8 - textWidth(note)));
  return [
    picks && handle(box, area),
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
    rule !== undefined &&
      segment({ ...upright, x1: x(rule), x2: x(rule) }, palette.muted, { dash: '2 3' }),
    now !== undefined && segment({ ...upright, x1: x(now), x2: x(now) }, palette.folk),
    seriesMarks(panel, frame, palette),
    marks?.(frame),
    panel.x &&
      bottomAxis(box, x, { ...axis, ...panel.x, name: named(panel.x.name, panel.x, view) }),
    endLabels(
      box,
      endsOf(panel, place).map((end) => ({
        ...end,
        y: y(end.y),
        x: endOf(end),
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
    .filter(({ y: at }) => Number.isFinite(at))
    .map(({ label }) => label);
  const parts = [
    named(title, y, view),
    note?.replace('\n', ' '),
    x && view.format.axis(named(x.name, x, view)),
    names.join(', '),
  ];
  return parts.filter(Boolean).join(' · ');
}

/** Rounds down to a hundredth. @param {number} value */
const hundredth = (value) => Math.floor(100 * value) / 100;

/**
 * Returns the parts of a FigureSpec whose panels stand anywhere: its picture, its table and what a pointer sets.
 * @template Data, Words, State
 * @param {{ title: (view: ViewOf<Data, Words, State>) => string,
 *   arrange: (view: ViewOf<Data, Words, State>) => { height: number, panels: readonly { place: Place, panel: Panel }[] },
 *   describe?: (view: ViewOf<Data, Words, State>, panels: readonly string[]) => string }} options
 *   describe: the whole picture, from the descriptions of its panels
 */
export function arranged({ title, arrange, describe = (_, panels) => panels.join('; ') }) {
  return {
    /** @param {ViewOf<Data, Words, State>} view */
    draw(view) {
      const { width, palette, format } = view;
      const { height, panels } = arrange(view);
      const texts = panels.map(({ panel }) => described(panel, view));
      return picture(
        { width, height, palette, format, title: title(view), description: describe(view, texts) },
        panels.map(({ place, panel }) => drawn(panel, frameOf(place, panel), view)),
      );
    },
    /**
     * Returns the fields that a pointer sets.
     * @param {ViewOf<Data, Words, State>} view
     * @param {{ x: number, y: number }} point
     */
    pick(view, point) {
      for (const { place, panel } of arrange(view).panels) {
        const frame = frameOf(place, panel);
        if (!panel.picks || !containsPoint(frame.box, point)) continue;
        return panel.picks(frame.x.invert(point.x), frame.y.invert(point.y));
      }
      return undefined;
    },
  };
}

/**
 * Returns the parts of a FigureSpec whose picture is a grid of panels. Its title is its status, too,
 * and its caption describes the state.
 * @template Data, Words, State
 * @param {{ title: (view: ViewOf<Data, Words, State>) => string,
 *   panels: Record<string, (view: ViewOf<Data, Words, State>) => Panel>, main?: string,
 *   aspect: Aspect, columns?: number, gutter?: number,
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
  const isSingle = (/** @type {number} */ width) => oneAtATime && isStacked(width, aspect);
  /** Places some panels. @param {number} width  @param {number} count  @param {boolean} [isCompact] */
  const layout = (width, count, isCompact = false) => {
    if (isSingle(width)) return grid({ width, count: 1, columns: 1, aspect, isCompact });
    if (layoutOfAll && count === names.length) return layoutOfAll(width);
    return grid({ width, count, of: names.length, columns, gutter, aspect, isCompact });
  };
  /** Places the panels of a view. @param {ViewOf<Data, Words, State>} view */
  const arrange = (view) => {
    const shown = view.panels ?? names;
    const drawnNow = isSingle(view.width) ? [firstInTurn(shown, main)] : shown;
    const { panels: places, height } = layout(view.width, drawnNow.length, view.compact);
    const placed = drawnNow.map((name, index) => ({
      place: places[index],
      panel: panels[name](view),
    }));
    return { height, panels: placed };
  };
  return {
    ...arranged({ title, arrange }),
    title,
    aspect,
    panels: names,
    oneAtATime,
    main: main ?? names[0],
    layout,
    /** @param {ViewOf<Data, Words, State>} view */
    status: (view) => title(view).replaceAll('_', ''),
    /**
     * Returns the numbers of all panels as rows of a table, those of the main panel first.
     * @param {ViewOf<Data, Words, State>} view
     * @returns {TidyRow[]}
     */
    rows(view) {
      const first = main ?? names[0];
      const ordered = [first, ...names.filter((name) => name !== first)];
      return ordered.flatMap((name) => rowsOf(panels[name](view)));
    },
    /** @param {AnyView} view */
    caption: (view) => say(view, view.text.caption),
    /**
     * Returns the ends of the axis on which a pointer sets a field, where its panel stands at the left.
     * @param {ViewOf<Data, Words, State>} view
     * @param {string} key
     * @returns {{ left: number, right: number } | undefined} in pixels
     */
    axis(view, key) {
      const sets = arrange(view).panels.find(({ panel: { picks } }) => picks && key in picks(1, 0));
      return sets?.place.x === 0 ? frameOf(sets.place, sets.panel).box : undefined;
    },
    /**
     * Draws each panel as a picture, all in the units of one drawing, and as wide as its share of it, so
     * that panels keep their row on paper.
     * @param {ViewOf<Data, Words, State>} view
     */
    pictures(view) {
      const { width, palette, format } = view;
      return arrange(view).panels.map(({ place, panel }) => {
        const tree = picture(
          {
            ...place,
            palette,
            format,
            title: named(panel.title, panel.y, view),
            description: described(panel, view),
          },
          drawn(panel, frameOf(place, panel), view),
        );
        return fluid(tree, {
          viewBox: [place.x, place.y, place.width, place.height].map(hundredth).join(' '),
          width: `${hundredth((100 * place.width) / width)}%`,
        });
      });
    },
  };
}

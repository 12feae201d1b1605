// Series as data: what follows from one declaration.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { folkLook, blueLook } from '../../../../../web/figures/kit/chart/looks.js';
import { panelled } from '../../../../../web/figures/kit/chart/panels.js';
import { light } from '../../../../../web/figures/kit/chart/palette.js';
import { labelsOf, points, rowsOf } from '../../../../../web/figures/kit/chart/series.js';
import { toMarkup } from '../../../../../web/figures/kit/chart/svg.js';
import { createFormat } from '../../../../../web/figures/kit/state/language.js';

/** @import { Panel } from '../../../../../web/figures/kit/chart/panels.js' */
/** @import { Series } from '../../../../../web/figures/kit/chart/series.js' */

const look = blueLook(light, 'scaled');
const measured = points(
  [
    { dK: 1, weight: 2, p10: 1, p90: 3 },
    { dK: 2, weight: NaN, p10: NaN, p90: NaN },
    { dK: 3, weight: 40, p10: 30, p90: 50 },
  ],
  { x: 'dK', y: 'weight', low: 'p10', high: 'p90' },
);
const theory = [0, 1, 2, 3, 4].map((x) => ({ x, y: 2 * x }));
const axes = { x: { ends: /** @type {const} */ ([0, 4]), ticks: [0, 4], name: 'd_k' } };

/** A panel with some series. @param {Series[]} series @returns {Panel} */
const panel = (...series) => ({
  title: 'Weight',
  ...axes,
  y: { ends: [0, 10], ticks: [0, 10] },
  series,
});

/** Draws a panel, 400 × 200. @param {Panel} given */
const drawn = (given) => {
  const { draw } = panelled({
    title: () => '',
    panels: { only: () => given },
    aspect: { wide: 0.5, narrow: 0.5 },
  });
  const view = { width: 400, palette: light, format: createFormat('en'), text: {}, state: {} };
  return toMarkup(draw({ ...view, data: undefined }));
};

/** Returns the shapes of a series, by their tags. @param {string} markup @param {string} key */
const shapesOf = (markup, key) =>
  [...markup.matchAll(/<(\w+) [^>]*data-series="(\w+)"/g)]
    .filter(([, , series]) => series === key)
    .map(([, tag]) => tag);

describe('the table of a panel', () => {
  it('has each measurement beside the theory at its place', () => {
    const rows = rowsOf(panel({ look, label: 'scaled', measured, theory }));
    const head = { panel: 'Weight', series: 'scaled', across: 'd_k' };
    assert.deepEqual(rows[0], { ...head, x: 1, measured: 2, low: 1, high: 3, theory: 2 });
    assert.deepEqual(
      rows.map((row) => row.measured),
      [2, undefined, 40],
    );
    assert.deepEqual(
      rows.map((row) => row.theory),
      [2, 4, 6],
    );
  });

  it('has the theory that a row brings rather than that of the line', () => {
    const [row] = rowsOf(panel({ look, measured: [{ x: 1, y: 2, theory: 7 }], theory }));
    assert.equal(row.theory, 7);
  });

  it('has a theory at all of its places where nothing was measured, and a level at both ends', () => {
    const places = (/** @type {Series} */ series) =>
      rowsOf(panel(series)).map(({ x, theory: value }) => [x, value]);
    assert.deepEqual(places({ look, theory }).at(-1), [4, 8]);
    assert.equal(places({ look, theory }).length, 5);
    assert.deepEqual(places({ look, level: 3, start: 1 }), [
      [1, 3],
      [4, 3],
    ]);
  });

  it('has no claim, and the rows of what the panel draws itself at its end', () => {
    const own = { panel: 'Other', series: 's', x: 1 };
    const claim = { look: folkLook(light), label: 'claim', level: 1 };
    assert.deepEqual(rowsOf({ ...panel(claim), rows: [own] }), [own]);
  });

  it('goes by the names of the table where they are others', () => {
    const series = { look, label: 'short', name: 'in full', table: 'Means', measured };
    const [row] = rowsOf({ ...panel(series), table: 'Weights' });
    assert.deepEqual([row.panel, row.series], ['Means', 'in full']);
    const [other] = rowsOf({ ...panel({ ...series, table: undefined }), table: 'Weights' });
    assert.equal(other.panel, 'Weights');
  });
});

describe('the label of a series', () => {
  it('stands at the last number of its line, or else of its dots', () => {
    const heights = [{ measured, theory }, { measured }, { level: NaN }].map(
      (given) => labelsOf(panel({ look, label: 'a', ...given }))[0].y,
    );
    assert.deepEqual(heights, [8, 40, NaN]);
  });

  it('stands at the last place of a cut line that the panel shows', () => {
    const steep = [0, 1, 2, 3].map((x) => ({ x, y: 4 * x }));
    assert.equal(labelsOf(panel({ look, label: 'a', theory: steep, cut: true }))[0].y, 8);
  });

  it('is in the description, unless it has no place', () => {
    const markup = drawn(
      panel({ look, label: 'shown', theory }, { look, label: 'absent', level: NaN }),
    );
    assert.match(markup, /<desc>Weight · x: d_k · shown<\/desc>/);
  });
});

describe('the marks of a series', () => {
  it('carry its key, so that they are highlighted together', () => {
    const chosen = { x: 1, y: 2, size: 4 };
    const markup = drawn(panel({ look, label: 'a', measured, theory, chosen }));
    // Line, whiskers, dots, the chosen dot, its ring, and the label.
    assert.deepEqual(shapesOf(markup, 'scaled'), [
      'path',
      'path',
      'path',
      'path',
      'circle',
      'text',
    ]);
  });

  it('of measurements lie above all lines', () => {
    const other = { ...look, key: 'other' };
    const markup = drawn(panel({ look, measured }, { look: other, theory }));
    assert.ok(markup.indexOf('data-series="other"') < markup.indexOf('data-series="scaled"'));
  });

  it('of a claim are dashed', () => {
    assert.match(drawn(panel({ look: folkLook(light), level: 1 })), /stroke-dasharray="6 4"/);
    assert.doesNotMatch(drawn(panel({ look, level: 1 })), /stroke-dasharray/);
  });

  it('leave out what is not a number', () => {
    assert.doesNotMatch(drawn(panel({ look, measured, level: NaN })), /NaN/);
  });
});

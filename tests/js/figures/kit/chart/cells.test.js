// Cells of a heat map as data: what follows from one declaration.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { blueLook } from '../../../../../web/figures/kit/chart/looks.js';
import { cells, largestOf } from '../../../../../web/figures/kit/chart/marks/cells.js';
import { arranged } from '../../../../../web/figures/kit/chart/panels.js';
import { light } from '../../../../../web/figures/kit/chart/palette.js';
import { rowsOf } from '../../../../../web/figures/kit/chart/series.js';
import { toMarkup } from '../../../../../web/figures/kit/chart/svg.js';
import { createFormat } from '../../../../../web/figures/kit/state/language.js';
import { times } from '../../../../../web/shared/times.js';

/** @import { Cells } from '../../../../../web/figures/kit/chart/cells.js' */
/** @import { Panel } from '../../../../../web/figures/kit/chart/panels.js' */

const look = blueLook(light, 'weights');
const BOX = { left: 40, right: 100, top: 40, bottom: 80 };
const VALUES = [
  [1, 0, -0.25],
  [0.25, 0.25, 0.5],
];

/** Describes a panel with cells. @param {Partial<Cells>} [more] @returns {Panel} */
const panel = (more) => ({
  title: 'Weights',
  plot: () => BOX,
  series: [
    {
      look,
      cells: {
        rows: 2,
        columns: 3,
        matrix: { data: VALUES.flat(), shape: [2, 3] },
        less: light.unscaled,
        valueAt: (row, column) => VALUES[row][column],
        ...more,
      },
    },
  ],
  picks: (x, y) => ({ x, y }),
});

const VIEW = { palette: light, format: createFormat('en'), text: {}, state: {}, width: 120 };

/** Places a panel. @param {Panel} given */
const placed = (given) =>
  arranged({
    title: () => 'A title',
    arrange: () => ({
      height: 120,
      panels: [{ place: { x: 0, y: 0, width: 120, height: 120 }, panel: given }],
    }),
  });

/** Draws a panel. @param {Panel} given */
const drawn = (given) => ({ markup: toMarkup(placed(given).draw({ ...VIEW, data: undefined })) });

describe('cells', () => {
  it('are runs of one shade in a row, negative ones lower than their row', () => {
    const { markup } = drawn(panel());
    const paths = [...markup.matchAll(/<path d="([^"]*)" fill="([^"]*)" fill-opacity="([^"]*)"/g)];
    assert.deepEqual(
      paths.map(([, d, fill, opacity]) => [d, fill, Number(opacity)]),
      [
        ['M0 0h1v1h-1z', light.scaled, 1],
        ['M2 0.2h1v0.6h-1z', light.unscaled, 0.5],
        ['M0 1h2v1h-2z', light.scaled, 0.5],
        ['M2 1h1v1h-1z', light.scaled, 0.67],
      ],
    );
    assert.match(markup, /<g transform="translate\(40.00 40.00\) scale\(20.0000 20.0000\)"/);
  });

  it('are highlighted with the read-out of their series', () => {
    assert.match(drawn(panel()).markup, /data-series="weights"/);
  });

  it('have numbers, with a gap between them, and opacities of their own', () => {
    const { markup } = drawn(
      panel({ gap: 2, opacities: [0.1, 0.5], write: (value, width) => `${value}/${width}` }),
    );
    assert.match(markup, /M0 0h0.9v0.9h-0.9zM?/);
    assert.match(markup, /<text x="50" y="54" fill="[^"]*" text-anchor="middle">1\/20<\/text>/);
    assert.match(markup, /fill-opacity="0.1"/);
  });

  it('are drawn again only where something changes', () => {
    const matrix = { data: Float32Array.of(1, 2), shape: [1, 2] };
    const first = cells(matrix, BOX, { colour: 'red', largest: 2 });
    assert.equal(cells(matrix, BOX, { colour: 'red', largest: 2 }), first);
    assert.notEqual(cells(matrix, BOX, { colour: 'red', largest: 4 }), first);
  });

  it('frame the chosen one and its row, if they are shown', () => {
    const chosen = /** @type {const} */ ({ row: 1, column: 2, along: 'row' });
    const frames = (/** @type {Partial<Cells>} */ more) =>
      [...drawn(panel({ chosen, ...more })).markup.matchAll(/<rect x="([^"]*)" y="([^"]*)"[^>]*stroke=/g)]
        .map(([, x, y]) => [Number(x), Number(y)]); // prettier-ignore
    assert.deepEqual(frames({}), [
      [40, 60],
      [79, 59],
    ]);
    const region = { rows: { from: 0, to: 2 }, columns: { from: 0, to: 1 } };
    assert.deepEqual(frames({ region }), [[40, 60]]);
    assert.deepEqual(frames({ region: { ...region, rows: { from: 0, to: 1 } } }), []);
  });

  it('name as many rows and columns as have room, and always the chosen one', () => {
    const names = times(20, (i) => `n${i}`);
    const { markup } = drawn(
      panel({
        rows: 20,
        columns: 20,
        rowNames: names,
        columnNames: names.map((name, i) => (i === 6 ? '人' : name)),
        turned: true,
        chosen: { row: 7, column: 8, along: 'column' },
      }),
    );
    const written = [...markup.matchAll(/<text [^>]*>([^<]*)<\/text>/g)].map(([, text]) => text);
    assert.ok(written.includes('n7') && written.filter((text) => text === 'n8').length === 1);
    assert.ok(written.length < 16);
    assert.match(markup, /transform="rotate\(-90 [\d.]+ 34\)">n8</);
  });

  it('give a row of the table each, of the listed rows', () => {
    const all = rowsOf(panel({ rowNames: ['q1', 'q2'], tokens: ['a', 'b', 'c'], across: 'key' }));
    assert.equal(all.length, 6);
    const head = { panel: 'Weights', series: 'q1', across: 'key' };
    assert.deepEqual(all[1], { ...head, x: 2, name: 'b', measured: 0 });
    const some = rowsOf(panel({ listed: [1], seriesOf: (row) => `row ${row + 1}` }));
    assert.deepEqual(
      some.map(({ series, measured }) => [series, measured]),
      VALUES[1].map((value) => ['row 2', value]),
    );
    assert.deepEqual(rowsOf(panel({ valueAt: undefined })), []);
  });
});

it('a pointer in a panel without axes picks by shares of the plot', () => {
  const { pick } = placed(panel());
  const view = { ...VIEW, data: undefined };
  assert.deepEqual(pick(view, { x: 55, y: 50 }), { x: 0.25, y: 0.75 });
  assert.equal(pick(view, { x: 5, y: 5 }), undefined);
});

it('the largest magnitude of nothing, of zeros and of NaN is 1', () => {
  assert.deepEqual(
    [[], [0, 0], [NaN], [-3, 2], [Infinity]].map((data) => largestOf(data)),
    [1, 1, 1, 3, 1],
  );
});

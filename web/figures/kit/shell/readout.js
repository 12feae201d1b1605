// The numbers of a figure: its read-out (which is also the legend) and its table of data.

import { html, nothing, svg } from 'lit';
import { symbols } from '../chart/marks/symbols.js';
import { COLUMNS } from './download.js';
import { prose } from './prose.js';
import { relativeError } from '../spec.js';

/**
 * @import { ReadoutGroup, ReadoutRow } from '../spec.js'
 * @import { Format } from '../state/language.js'
 * @import { KitMessages } from '../state/words.js'
 * @import { Look } from '../chart/looks.js'
 * @import { TidyRow } from '../chart/tidy-row.js'
 * @typedef {{ format: Format, kit: KitMessages, pinned: string, pin: (series: string) => void }}
 *   ReadoutContext
 */

/** Draws the mark of a series as a legend. @param {Look} series the mark as drawn in the chart */
function swatch(series) {
  const { d, fill } = symbols(series, [[6, 6]], 4.5).attributes;
  return html`<svg width="12" height="12" aria-hidden="true">
    ${svg`<path d=${d} fill=${fill} />`}
  </svg>`;
}

/** @param {ReadoutRow} row  @returns {boolean} whether there is a theory to compare with */
const compares = ({ theory }) => !Number.isNaN(theory);

/** @param {ReadoutRow} row  @returns {boolean} whether the relative error is a number */
const errs = (row) => Number.isFinite(relativeError(row));

/** Draws a line of the read-out. @param {ReadoutRow} row  @param {{ format: Format, hasError: boolean }} columns */
const readoutRow = (row, { format, hasError }) =>
  html`<tr>
    <th scope="row">${prose(row.quantity)}</th>
    <td class="measured">${row.format(row.measured)}</td>
    ${
      compares(row)
        ? html`<td>${row.format(row.theory)}</td>
            ${hasError ? html`<td class="error">${format.error(relativeError(row))}</td>` : nothing}`
        : nothing
    }
  </tr>`;

/** Draws the name of a series, a button that highlights it. @param {ReadoutGroup} group  @param {ReadoutContext} context */
const groupName = ({ series, label, formula }, { pinned, pin }) =>
  html`<caption>
    <button
      class="series"
      data-series=${series.key}
      aria-pressed=${pinned === series.key}
      @click=${() => pin(series.key)}
    >
      ${swatch(series)}<span>${prose(label)}</span><span class="formula">${prose(formula)}</span>
    </button>
  </caption>`;

/**
 * Draws lines of the read-out that all have a theory, or none.
 * @param {readonly ReadoutRow[]} lines
 * @param {{ group: ReadoutGroup, name: unknown, context: ReadoutContext }} options
 */
function readoutTable(lines, { group, name, context: { kit, format } }) {
  const hasError = lines.some(errs);
  const heads = [
    group.measuredAs ?? kit.measured,
    compares(lines[0]) && (group.theoryAs ?? kit.theory),
    hasError && (group.errorAs ?? kit.error),
  ];
  // A table without a caption is named by its group and its first line.
  const label = name === nothing ? `${group.label}, ${lines[0].quantity}` : undefined;
  return html`<table
    class=${name === nothing ? 'further' : nothing}
    data-series=${group.series.key}
    aria-label=${label?.replaceAll('_', '') ?? nothing}
  >
    ${name}
    <thead>
      <tr>
        <td></td>
        ${heads.map((head) => (head ? html`<th scope="col">${prose(head)}</th>` : nothing))}
      </tr>
    </thead>
    <tbody>
      ${lines.map((row) => readoutRow(row, { format, hasError }))}
    </tbody>
  </table>`;
}

/**
 * Draws measured · theory · relative error of one series; its name highlights the series in the
 * chart. Lines without a theory follow in another table, which has no columns for it.
 * @param {ReadoutGroup} group
 * @param {ReadoutContext} context
 */
export const readoutGroup = (group, context) => {
  const { series, rows } = group;
  const tables = [rows.filter(compares), rows.filter((row) => !compares(row))];
  return html`<div data-series=${series.key}>
    ${tables
      .filter((lines) => lines.length > 0)
      .map((lines, index) =>
        readoutTable(lines, {
          group,
          name: index === 0 ? groupName(group, context) : nothing,
          context,
        }),
      )}
  </div>`;
};

/** Draws a cell of the table. @param {string | number | undefined} value  @param {Format} format */
const cell = (value, format) =>
  typeof value !== 'number' || Number.isNaN(value)
    ? ''
    : Number.isInteger(value)
      ? format.count(value)
      : format.significant(value, 4);

/**
 * Draws all data of the figure, one table a panel, with the columns that it fills.
 * @param {readonly TidyRow[]} rows
 * @param {{ format: Format, kit: KitMessages }} context
 */
export function dataTables(rows, { format, kit }) {
  const [, series, x, ...values] = COLUMNS;
  return [...new Set(rows.map((row) => row.panel))].map((panel) => {
    const own = rows.filter((row) => row.panel === panel);
    const columns = values.filter((column) => own.some((row) => cell(row[column], format)));
    return html`<table>
      <caption>
        ${prose(panel)}
      </caption>
      <thead>
        <tr>
          ${[kit[series], own[0].across ?? kit[x], ...columns.map((column) => kit[column])].map(
            (head) => html`<th scope="col">${prose(head)}</th>`,
          )}
        </tr>
      </thead>
      <tbody>
        ${own.map(
          (row) =>
            html`<tr>
              <th scope="row">${prose(row.series)}</th>
              <td>${format.plain(row.x)}${row.name === undefined ? '' : ` ${row.name}`}</td>
              ${columns.map((column) => html`<td>${cell(row[column], format)}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>`;
  });
}

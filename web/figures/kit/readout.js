// The numbers of a figure: its read-out (which is also the legend) and its table of data.

import { html, nothing, svg } from 'lit';
import { marks } from './chart.js';
import { COLUMNS } from './download.js';
import { prose } from './prose.js';
import { relativeError } from './spec.js';

/**
 * @import { ReadoutGroup, ReadoutRow } from './spec.js'
 * @import { Format } from './language.js'
 * @import { KitMessages } from './messages.js'
 * @import { Series } from './chart.js'
 * @import { TidyRow } from './download.js'
 * @typedef {{ format: Format, kit: KitMessages, compares: boolean, pinned: string, pin: (series:
 *   string) => void }} ReadoutContext compares: a line of the read-out has a theory; without one
 *   there are no columns for it
 */

/** Draws the mark of a series as a legend. @param {Series} series the mark as drawn in the chart */
function swatch(series) {
  const { d, fill } = marks(series, [[6, 6]], 4.5).attributes;
  return html`<svg width="12" height="12" aria-hidden="true">
    ${svg`<path d=${d} fill=${fill} />`}
  </svg>`;
}

/** Draws a line of the read-out. @param {ReadoutRow} row  @param {ReadoutContext} context */
const readoutRow = (row, { format, compares }) =>
  html`<tr>
    <th scope="row">${prose(row.quantity)}</th>
    <td class="measured">${row.format(row.measured)}</td>
    ${
      compares
        ? html`<td>${row.format(row.theory)}</td>
            <td class="error">${format.error(relativeError(row))}</td>`
        : nothing
    }
  </tr>`;

/**
 * Draws measured · theory · relative error of one series; its name highlights the series in the
 * chart.
 * @param {ReadoutGroup} group
 * @param {ReadoutContext} context
 */
export const readoutGroup = (group, context) => {
  const { kit, compares, pinned, pin } = context;
  return html`<table data-series=${group.series.key}>
    <caption>
      <button
        class="series"
        data-series=${group.series.key}
        aria-pressed=${pinned === group.series.key}
        @click=${() => pin(group.series.key)}
      >
        ${swatch(group.series)}<span>${prose(group.label)}</span
        ><span class="formula">${prose(group.formula)}</span>
      </button>
    </caption>
    <thead>
      <tr>
        <td></td>
        <th scope="col">${group.measuredAs ?? kit.measured}</th>
        ${
          compares
            ? html`<th scope="col">${group.theoryAs ?? kit.theory}</th>
                <th scope="col">${group.errorAs ?? kit.error}</th>`
            : nothing
        }
      </tr>
    </thead>
    <tbody>
      ${group.rows.map((row) => readoutRow(row, context))}
    </tbody>
  </table>`;
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
              <td>${format.plain(row.x)}</td>
              ${columns.map((column) => html`<td>${cell(row[column], format)}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>`;
  });
}

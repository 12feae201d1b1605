// The cells of <attn-flow> as controls over the picture: each takes the focus, the given ones a number.

import { css, html } from 'lit';
import {
  cellName,
  chosenCell,
  headingOf,
  isEditable,
  layoutOf,
  namesOf,
  parseCell,
  shown,
  written,
} from './matrices.js';
import { ARROWS } from '../kit/shell/keys.js';
import { say } from '../kit/state/words.js';

/**
 * @import { Name } from '../../experiments/flow.js'
 * @import { Layout } from './matrices.js'
 * @import { View } from './element.js'
 * @import { Change, From } from '../kit/shell/controls.js'
 */

export const styles = css`
  .cells > * {
    position: absolute;
    display: grid;
  }
  .cells :is(button, input) {
    min-width: 0;
    min-height: 0 !important;
    padding: 0;
    border: 0;
    border-radius: 0;
    text-align: center;
    cursor: cell;
  }
  .cells input {
    width: 100%;
    font-size: 12px;
    opacity: 0;
    background: var(--paper);
  }
  .cells input:focus {
    opacity: 1;
  }
  .cells :is(button, input):focus-visible {
    outline: 2px solid var(--scaledText);
    outline-offset: 0;
    z-index: 1;
  }
`;

/**
 * Returns the text of a whole matrix with one entry changed.
 * @param {View} view
 * @param {string} cell
 * @param {string} entry  as typed
 */
export function withEntry({ data }, cell, entry) {
  const { name, row, column } = parseCell(cell);
  const typed = entry.trim().replace('−', '-').replace(',', '.');
  const entries = data.values[name].map((line, i) =>
    line.map((value, j) => (i === row && j === column ? typed || 'NaN' : value)),
  );
  return entries.flat().join(' ');
}

/**
 * Moves the focus by arrow keys within a matrix, and by Tab to the next one.
 * @param {KeyboardEvent & From<HTMLElement>} event
 */
function move(event) {
  const { target } = event;
  const step = ARROWS[event.key];
  if (!step) return;
  const { name, row, column } = parseCell(String(target.dataset.cell));
  const next = cellName(name, row + step[1], column + step[0]);
  /** @type {HTMLElement | null | undefined} */
  const found = target.parentElement?.querySelector(`[data-cell="${next}"]`);
  event.preventDefault();
  found?.focus();
}

/** Draws the controls over the picture. @param {View} view  @param {Change} change */
export function overlay(view, change) {
  const layout = layoutOf(view);
  const enter = (/** @type {From<HTMLInputElement>} */ { target: cell }) => {
    change('cell', cell.dataset.cell, true);
    if (cell.localName !== 'input') return;
    cell.select();
    cell.scrollIntoView({ block: 'nearest' }); // which WebKit leaves out
  };
  const edit = (/** @type {From<HTMLInputElement>} */ { target: { dataset, value } }) => {
    const cell = String(dataset.cell);
    change(parseCell(cell).name, withEntry(view, cell, value), true);
  };
  return html`<div class="cells" @focusin=${enter} @change=${edit} @keydown=${move}>
    ${namesOf(view.state).map((name) => group(name, view, layout))}
  </div>`;
}

/** @param {Name} name  @param {View} view  @param {Layout} layout */
function group(name, view, { places }) {
  const { x, y, rows, columns, width, height } = places[name];
  const selected = chosenCell(view.state);
  const [row, column] = selected.name === name ? [selected.row, selected.column] : [0, 0];
  const place = `left: ${x}px; top: ${y}px; width: ${columns * width}px; height: ${rows * height}px; grid-template: repeat(${rows}, 1fr) / repeat(${columns}, 1fr)`;
  return html`<div
    role="group"
    aria-label=${headingOf(view, name).replaceAll('_', '')}
    .style=${place}
  >
    ${shown(view)[name].flatMap((line, i) =>
      line.map((value, j) =>
        control(name, { i, j, value, view, first: i === row && j === column }),
      ),
    )}
  </div>`;
}

/**
 * Draws a cell that receives the focus; the cells of given matrices are inputs of numbers.
 * @param {Name} name
 * @param {{ i: number, j: number, value: number, view: View, first: boolean }} cell
 */
function control(name, { i, j, value, view, first }) {
  const { text: words } = view;
  const place = { row: i + 1, column: j + 1, value: written(view, value, 2) };
  const label = say(view, words.cell, place);
  const tab = first ? '0' : '-1';
  return isEditable(view, name)
    ? html`<input
        data-cell=${cellName(name, i, j)}
        tabindex=${tab}
        inputmode="decimal"
        autocomplete="off"
        aria-label=${label}
        data-value=${value}
      />`
    : html`<button data-cell=${cellName(name, i, j)} tabindex=${tab} aria-label=${label}></button>`;
}

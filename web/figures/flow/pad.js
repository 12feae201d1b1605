// Buttons as large as fingers that choose a cell of <attn-flow>, and a field for its number: on a phone
// a cell has less than 44 pixels.

import { css, html, nothing } from 'lit';
import { keysOf } from '../../shared/keys.js';
import { say } from '../kit/state/words.js';
import { withEntry } from './cells.js';
import {
  cellName,
  chosenCell,
  hasCell,
  headingOf,
  isEditable,
  shapesOf,
  shown,
  written,
} from './matrices.js';

/**
 * @import { Change, From } from '../kit/shell/controls.js'
 * @import { Shapes } from './matrices.js'
 * @import { View } from './element.js'
 */

/** The signs of the buttons, with how many columns and rows each goes on.
 *  @type {readonly [way: 'left' | 'up' | 'down' | 'right', sign: string, across: number, down: number][]} */
const MOVES = [
  ['left', '←', -1, 0],
  ['up', '↑', 0, -1],
  ['down', '↓', 0, 1],
  ['right', '→', 1, 0],
];

/**
 * Returns the cell beside another one. Beyond the edge of a matrix lies the one before or after it.
 * @param {Shapes} shapes
 * @param {ReturnType<typeof chosenCell>} cell
 * @param {number} across
 * @param {number} down
 * @returns {string | undefined} nothing before the first matrix and after the last
 */
export function neighbour(shapes, { name, row, column }, across, down) {
  const [r, c] = [row + down, column + across];
  if (r >= 0 && c >= 0 && hasCell(shapes, { name, row: r, column: c })) return cellName(name, r, c);
  const way = across + down;
  const names = keysOf(shapes);
  const next = names[names.indexOf(name) + way];
  const [nextRows, nextColumns] = shapes[next] ?? [];
  if (!nextRows || !nextColumns) return undefined;
  const enter = (
    /** @type {number} */ at,
    /** @type {number} */ by,
    /** @type {number} */ count,
  ) => (by === 0 ? Math.min(at, count - 1) : by > 0 ? 0 : count - 1);
  return cellName(next, enter(row, down, nextRows), enter(column, across, nextColumns));
}

/**
 * Draws the buttons, and the field where the number of the chosen cell is given.
 * @param {View} view
 * @param {Change} change
 */
export function pad(view, change) {
  const { text: words, state } = view;
  const cell = chosenCell(state);
  const { name, row, column } = cell;
  const value = shown(view)[name][row][column];
  const place = { row: row + 1, column: column + 1, value: written(view, value, 2) };
  const edit = (/** @type {From<HTMLInputElement>} */ { target }) =>
    change(name, withEntry(view, cellName(name, row, column), target.value), true);
  return html`<div class="pad" role="group" aria-label=${words.padName}>
    ${MOVES.map(([way, sign, across, down]) => {
      const next = neighbour(shapesOf(state), cell, across, down);
      return html`<button
        aria-label=${words.moves[way]}
        aria-disabled=${next === undefined || nothing}
        @click=${() => next && change('cell', next, true)}
      >
        ${sign}
      </button>`;
    })}
    ${
      isEditable(view, name)
        ? html`<input
            inputmode="decimal"
            autocomplete="off"
            aria-label=${`${headingOf(view, name).replaceAll('_', '')}, ${say(view, words.cell, place)}`}
            data-value=${value}
            @change=${edit}
          />`
        : nothing
    }
  </div>`;
}

export const padStyles = css`
  .pad {
    display: none;
    gap: 8px;
  }
  .pad button {
    text-align: center;
  }
  .pad input {
    width: 5em;
  }
  @media screen and (pointer: coarse) {
    .pad {
      display: flex;
    }
  }
`;

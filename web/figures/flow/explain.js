// The arithmetic of a cell of <attn-flow>: the entries that are multiplied, and their order.

import { times } from '../../shared/times.js';

/**
 * @import { Name } from '../../experiments/flow.js'
 * @typedef {{ name: Name, row: number, column: number }} Entry
 * @typedef {{ name: Name, along: 'row' | 'column' | 'entry', index: number, gradient?: boolean }} Line
 *   a row or a column of a matrix or of its gradient, or the entry in the place of the cell
 * @typedef {Record<Name, number[][]>} Matrices
 * @typedef {object} Parts
 * @property {Entry[]} left     first factors
 * @property {Entry[]} right    second factors
 * @property {[number, number][]} terms  their values; the cell is the sum of the products
 * @property {Line[]} sources
 * @property {'edit' | 'masked' | 'start' | 'through' | 'throughOthers' | 'share'} [note]  instead of sources
 * @property {(write: (value: number) => string, share: (value: number) => string) => string}
 *   [formula] where the cell is no sum of products; share: writes a number that may be tiny
 */

/** @type {Partial<Record<Name, Name>>} */
const PROJECTIONS = { query: 'queryWeight', key: 'keyWeight', value: 'valueWeight' };

/** @type {Partial<Record<Name, Name>>} */
const PROJECTED = { queryWeight: 'query', keyWeight: 'key', valueWeight: 'value' };

/** @param {Line} line  @param {Matrices} matrices  @returns {{ entries: Entry[], values: number[] }} */
function read({ name, along, index }, matrices) {
  const matrix = matrices[name];
  const length = along === 'row' ? matrix[0].length : matrix.length;
  const entries = times(length, (k) =>
    along === 'row' ? { name, row: index, column: k } : { name, row: k, column: index },
  );
  return { entries, values: entries.map(({ row, column }) => matrix[row][column]) };
}

/** @param {Partial<Parts>} parts  @returns {Parts} */
const only = (parts) => ({ left: [], right: [], terms: [], sources: [], ...parts });

/**
 * @typedef {Entry & { values: Matrices, gradients: Matrices, backwards: boolean, scaling: boolean,
 *   causal: boolean, cross: boolean }} Cell  one cell of the head, and the head
 */

/** What is added up where that many products of lines are. @type {Record<number, Parts['note']>} */
const WAYS_BACK = { 2: 'throughOthers', 3: 'through' };

/**
 * Returns the arithmetic of a sum of products of lines.
 * @param {Cell} cell
 * @param {[Line, Line][]} pairs
 * @returns {Parts}
 */
function products({ values, gradients }, pairs) {
  const [left, right] = [0, 1].map((side) =>
    pairs.map((pair) => read(pair[side], pair[side].gradient ? gradients : values)),
  );
  const factors = right.flatMap((line) => line.values);
  return only({
    left: left.flatMap(({ entries }) => entries),
    right: right.flatMap(({ entries }) => entries),
    terms: left.flatMap((line) => line.values).map((value, k) => [value, factors[k]]),
    sources: pairs[0],
    note: WAYS_BACK[pairs.length],
  });
}

/** Returns a row as a line. @param {Name} name  @param {number} index  @param {boolean} [gradient]  @returns {Line} */
const rowOf = (name, index, gradient) => ({ name, along: 'row', index, gradient });
/** Returns a column as a line. @param {Name} name  @param {number} index  @param {boolean} [gradient]  @returns {Line} */
const columnOf = (name, index, gradient) => ({ name, along: 'column', index, gradient });

/** Returns the text that a projection is made of. @param {Name} name  @param {Cell} cell @returns {Name} */
const textOf = (name, { cross }) => (cross && name !== 'query' ? 'y' : 'x');

/** Returns an entry as a line. @param {Name} name  @param {boolean} [gradient]  @returns {Line} */
const entryOf = (name, gradient) => ({ name, along: 'entry', index: 0, gradient });

/** Returns the arithmetic of a value. @param {Cell} cell @returns {Parts} how a value comes about */
function forwards(cell) {
  const { name, row, column, values, scaling, causal } = cell;
  const weight = PROJECTIONS[name];
  if (weight) return products(cell, [[rowOf(textOf(name, cell), row), columnOf(weight, column)]]);
  if (name === 'scores') return products(cell, [[rowOf('query', row), rowOf('key', column)]]);
  if (name === 'output')
    return products(cell, [[rowOf('weights', row), columnOf('value', column)]]);
  if (name === 'scaled') {
    if (causal && column > row) return only({ note: 'masked' });
    return only({
      left: [{ name: 'scores', row, column }],
      sources: [entryOf('scores')],
      formula: (write) => write(values.scores[row][column]) + (scaling ? ' / √3' : ' · 1'),
    });
  }
  if (name === 'weights') {
    const { entries, values: scores } = read(rowOf('scaled', row), values);
    const allowed = scores.filter((score) => score !== -Infinity);
    if (scores[column] === -Infinity) return only({ note: 'masked' });
    const most = Math.max(...allowed);
    return only({
      left: entries,
      note: 'share',
      formula: (_, share) => {
        const write = (/** @type {number} */ score) => share(Math.exp(score - most));
        return `${write(scores[column])} / (${allowed.map(write).join(' + ')})`;
      },
    });
  }
  return only({ note: 'edit' });
}

/** Returns the arithmetic of a gradient. @param {Cell} cell @returns {Parts} how a gradient comes about */
function back(cell) {
  const { name, row, column, values, gradients, scaling } = cell;
  const made = PROJECTED[name];
  if (made) {
    return products(cell, [[columnOf(textOf(made, cell), row), columnOf(made, column, true)]]);
  }
  if (name === 'output') return only({ note: 'start' });
  /** Returns what comes back through a weight. @type {(projected: Name, by: Name) => [Line, Line]} */
  const through = (projected, by) => [rowOf(projected, row, true), rowOf(by, column)];
  const throughQuery = through('query', 'queryWeight');
  const throughOthers = [through('key', 'keyWeight'), through('value', 'valueWeight')];
  /** @type {Record<string, () => Parts>} */
  const ways = {
    weights: () => products(cell, [[rowOf('output', row, true), rowOf('value', column)]]),
    query: () => products(cell, [[rowOf('scores', row, true), columnOf('key', column)]]),
    key: () => products(cell, [[columnOf('scores', row, true), columnOf('query', column)]]),
    value: () => products(cell, [[columnOf('weights', row), columnOf('output', column, true)]]),
    x: () => products(cell, cell.cross ? [throughQuery] : [throughQuery, ...throughOthers]),
    y: () => products(cell, throughOthers),
    scores: () =>
      only({
        left: [{ name: 'scaled', row, column }],
        sources: [entryOf('scaled', true)],
        formula: (write) => write(gradients.scaled[row][column]) + (scaling ? ' / √3' : ' · 1'),
      }),
    scaled: () => {
      const { entries, values: upstream } = read(rowOf('weights', row, true), gradients);
      const mean = upstream.reduce((sum, each, j) => sum + each * values.weights[row][j], 0);
      return only({
        left: entries,
        sources: [rowOf('weights', row), rowOf('weights', row, true)],
        formula: (write, share) =>
          `${share(values.weights[row][column])} · (${write(upstream[column])} − ${write(mean)})`,
      });
    },
  };
  return ways[name]();
}

/** Returns the arithmetic of a cell. @param {Cell} cell @returns {Parts} */
export const explain = (cell) => (cell.backwards ? back(cell) : forwards(cell));

// A figure as a file: CSV, SVG, PNG, and for some a page.

import { reason } from '../state/words.js';
import { light } from '../chart/palette.js';
import { grounded, toMarkup } from '../chart/svg.js';
import { unmarked } from '../state/verbatim.js';

/**
 * @import { FigureElement } from '../element/figure.js'
 * @import { TidyRow } from '../chart/tidy-row.js'
 */

/** @typedef {FigureElement} Figure  @typedef {'svg' | 'png' | 'csv' | 'html'} Kind */

const WIDTH = 960;

/** @satisfies {readonly (keyof TidyRow)[]} */
export const COLUMNS = /** @type {const} */ ([
  'panel',
  'series',
  'x',
  'measured',
  'low',
  'high',
  'theory',
]);
/** The columns where rows have names of x. @type {readonly (keyof TidyRow)[]} */
const NAMED = [...COLUMNS.slice(0, 3), 'name', ...COLUMNS.slice(3)];
/** Without it spreadsheets take UTF-8 for an old code page. */
const MARK_OF_UTF8 = '\ufeff';

/** Writes one cell of a table, quoted where needed. @param {string | number | undefined} value */
function csvCell(value) {
  if (value === undefined || Number.isNaN(value)) return '';
  const cell = unmarked(String(value));
  return /[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/**
 * Writes comma-separated values after RFC 4180, with a header row; numbers as JavaScript writes them.
 * @param {readonly TidyRow[]} rows
 * @returns {string}
 */
export function toCsv(rows) {
  const columns = rows.some(({ name }) => name !== undefined) ? NAMED : COLUMNS;
  const lines = rows.map((row) => columns.map((column) => csvCell(row[column])).join(','));
  return [columns.join(','), ...lines, ''].join('\r\n');
}

/**
 * Saves a file for the reader.
 * @param {Blob} blob
 * @param {string} name
 */
function save(blob, name) {
  const address = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/**
 * Paints an SVG file, at twice its size.
 * @param {Blob} svg  with width and height on its root
 * @param {{ width: number, height: number }} size
 * @returns {Promise<Blob>}
 */
async function toPng(svg, { width, height }) {
  const address = URL.createObjectURL(svg);
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = document.createElement('canvas');
    const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
    // Browsers that resist fingerprinting return noise instead of the painting.
    const noise = Math.max(...context.getImageData(0, 0, 1, 1).data);
    canvas.width = 2 * width;
    canvas.height = 2 * height;
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));
    if (!blob || noise > 9) throw new Error('the canvas gave no image');
    return blob;
  } finally {
    URL.revokeObjectURL(address);
  }
}

/**
 * Makes the file of a figure.
 * @param {Figure} figure
 * @param {Kind} kind
 * @returns {Promise<Blob>}
 */
async function fileOf(figure, kind) {
  const { spec } = figure;
  const view = figure.view();
  if (kind === 'csv') return new Blob([MARK_OF_UTF8, toCsv(spec.rows(view))], { type: 'text/csv' });
  if (kind === 'html' && spec.page) {
    return new Blob([await spec.page()], { type: 'text/html' });
  }
  const tree = grounded(spec.draw({ ...view, width: WIDTH, palette: light }), light);
  const svg = new Blob([toMarkup(tree)], { type: 'image/svg+xml' });
  const { width, height } = tree.attributes;
  return kind === 'svg' ? svg : toPng(svg, { width: Number(width), height: Number(height) });
}

/** Saves a figure as a file. @param {Figure} figure  @param {Kind} kind */
export async function download(figure, kind) {
  try {
    save(await fileOf(figure, kind), `attn-${figure.spec.name}.${kind}`);
  } catch (error) {
    figure.notice = figure.kit.saveFailed(reason(error));
    figure.requestUpdate();
  }
}

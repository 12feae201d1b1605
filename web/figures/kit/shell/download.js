// A figure as a file: SVG, PNG, CSV.

import { reason } from '../state/words.js';
import { light } from '../chart/palette.js';
import { grounded, toMarkup } from '../chart/svg.js';
import { unmarked } from '../state/verbatim.js';

/**
 * @import { FigureElement } from '../element/figure.js'
 * @import { TidyRow } from '../chart/tidy-row.js'
 */

/** @typedef {FigureElement} Figure */

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
 */
export function toCsv(rows) {
  const columns = rows.some(({ name }) => name !== undefined) ? NAMED : COLUMNS;
  const lines = rows.map((row) => columns.map((column) => csvCell(row[column])).join(','));
  return [columns.join(','), ...lines, ''].join('\r\n');
}

/** Saves a file for the reader. @param {Blob} blob @param {string} name */
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

/** Returns the picture of a figure as an SVG file, and its size. @param {Figure} figure */
function svgOf(figure) {
  const tree = figure.spec.draw({ ...figure.view(), width: WIDTH, palette: light });
  const { width, height } = tree.attributes;
  const svg = new Blob([toMarkup(grounded(tree, light))], { type: 'image/svg+xml' });
  return { svg, size: { width: Number(width), height: Number(height) } };
}

/**
 * The kinds of files that every figure can be saved as, and what makes them.
 * @type {Record<string, (figure: Figure) => Blob | Promise<Blob>>}
 */
export const FILES = {
  svg: (figure) => svgOf(figure).svg,
  png(figure) {
    const { svg, size } = svgOf(figure);
    return toPng(svg, size);
  },
  csv: (figure) =>
    new Blob([MARK_OF_UTF8, toCsv(figure.spec.rows(figure.view()))], { type: 'text/csv' }),
};

/** Saves a figure as a file. @param {Figure} figure  @param {string} kind */
export async function download(figure, kind) {
  try {
    save(await figure.files[kind](figure), `attn-${figure.spec.name}.${kind}`);
  } catch (error) {
    figure.notice = figure.kit.saveFailed(reason(error));
    figure.requestUpdate();
  }
}

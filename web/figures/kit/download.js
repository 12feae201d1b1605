// Files and clipboard: CSV, SVG and PNG of a figure, and text for the clipboard.

/**
 * One measured or predicted number, tidy: what figures show as a table and save as CSV.
 * @typedef {object} TidyRow
 * @property {string} panel
 * @property {string} series
 * @property {number} x
 * @property {number} [measured]
 * @property {number} [low]   lower end of the spread, as the caption says
 * @property {number} [high]  upper end
 * @property {number} [theory]
 */

/** @type {readonly (keyof TidyRow)[]} */
export const COLUMNS = ['panel', 'series', 'x', 'measured', 'low', 'high', 'theory'];

/** @param {string | number | undefined} value */
function csvCell(value) {
  if (value === undefined || Number.isNaN(value)) return '';
  const cell = String(value);
  return /[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/**
 * Comma-separated values after RFC 4180, with a header row; numbers as JavaScript writes them.
 * @param {readonly TidyRow[]} rows
 * @returns {string}
 */
export function toCsv(rows) {
  const lines = rows.map((row) => COLUMNS.map((column) => csvCell(row[column])).join(','));
  return [COLUMNS.join(','), ...lines, ''].join('\r\n');
}

/**
 * Hands a file to the reader.
 * @param {Blob} blob
 * @param {string} name
 */
export function save(blob, name) {
  const address = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/**
 * Paints an SVG file.
 * @param {string} markup  with width and height on its root
 * @param {{ width: number, height: number, scale?: number }} size
 * @returns {Promise<Blob>}
 */
export async function toPng(markup, { width, height, scale = 2 }) {
  const address = URL.createObjectURL(new Blob([markup], { type: 'image/svg+xml' }));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = width * scale;
    canvas.height = height * scale;
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));
    if (!blob) throw new Error('the canvas gave no image');
    return blob;
  } finally {
    URL.revokeObjectURL(address);
  }
}

/**
 * @param {string} text
 * @returns {Promise<boolean>} false where the page may not write to the clipboard
 */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

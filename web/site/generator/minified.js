// Build step: style sheets without what only their writers need.
import { transformSync } from 'esbuild';

/** Returns a style sheet, minified. @param {unknown} sheet */
export const minified = (sheet) =>
  transformSync(String(sheet), { loader: 'css', minify: true }).code.trim();

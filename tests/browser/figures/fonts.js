// Font families that tests bring, so that those of the machine do not decide.

import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { at } from '../../../web/build/paths.js';

/** @import { Page } from 'playwright-core' */

/** Sheets of the families of usual machines; Arimo is Liberation Sans under its first name. */
const SHEETS = [
  '@fontsource/dejavu-sans/400.css',
  '@fontsource/dejavu-sans/700.css',
  '@fontsource-variable/noto-sans/index.css',
  '@fontsource-variable/noto-sans-sc/index.css',
  '@fontsource-variable/arimo/index.css',
  '@fontsource-variable/roboto/index.css',
  '@fontsource-variable/inter/index.css',
];

export const FAMILIES = [
  'DejaVu Sans',
  'Noto Sans Variable',
  'Arimo Variable',
  'Roboto Variable',
  'Inter Variable',
];

/** Returns the rules of all families, and the files that they name. */
export function readFonts() {
  /** @type {Record<string, Buffer>} */
  const files = {};
  const rules = SHEETS.map((sheet) => {
    const path = at(`../node_modules/${sheet}`);
    return readFileSync(path, 'utf8').replace(/\.(\/files\/[^)]*)/g, (_, file) => {
      files[file] = readFileSync(join(dirname(path), file));
      return file;
    });
  });
  return { rules: rules.join('\n'), files };
}

/**
 * Shows figures in a family; DejaVu Sans and Noto Sans SC have the characters that it lacks.
 * @param {Page} tab
 * @param {string} family
 */
export const setFont = (tab, family) =>
  tab.evaluate(async (font) => {
    document.documentElement.style.setProperty('--attn-font', font);
    document.body.getBoundingClientRect(); // the layout asks for the files
    await document.fonts.ready;
  }, `'${family}', 'DejaVu Sans', 'Noto Sans SC Variable'`);

// Build step: the pages of web/site, by Eleventy.
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, relative } from 'node:path';
// @ts-expect-error the package comes without types
import Eleventy from '@11ty/eleventy';
import { configure } from '../eleventy.config.js';
import { SITE, SOURCES } from '../../build/vite.config.js';

/**
 * @import { Reference } from './api.js'
 * @import { Scripts } from './scripts.js'
 */

/**
 * Returns the generator of the pages.
 * @param {Scripts} scripts
 * @param {Reference} reference
 * @param {(file: string, svg: string) => void} keep receives the pictures that the pages name
 */
export const pagesOf = (scripts, reference, keep) =>
  new Eleventy(relative('', SOURCES), relative('', SITE), {
    quietMode: true,
    config: configure(scripts, reference, keep),
  });

/**
 * Writes the pages, and the pictures that they name.
 * @param {Scripts} scripts
 * @param {Reference} reference
 */
export async function writePages(scripts, reference) {
  /** @type {Map<string, string>} by file */
  const pictures = new Map();
  const pages = pagesOf(scripts, reference, (file, svg) => pictures.set(file, svg));
  await pages.write();
  for (const [file, svg] of pictures) {
    await mkdir(dirname(`${SITE}/${file}`), { recursive: true });
    await writeFile(`${SITE}/${file}`, svg);
  }
}

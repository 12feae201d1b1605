// Writes the README's table of elements, after their facts.
//   node web/build/elements-table.js
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { FACTS } from './facts.js';

const README = fileURLToPath(new URL('../../README.md', import.meta.url));
const ROWS = /^(\| `<attn-\w+>` +\|.*\|\n)+/m;

/** Returns the table of elements: a row of Markdown an element, its cells padded as Prettier pads them. */
export function elementsTable() {
  const cells = Object.entries(FACTS).map(([name, { row }]) => [`\`<attn-${name}>\``, row]);
  const widths = [0, 1].map((i) => Math.max(...cells.map((row) => row[i].length)));
  const rows = cells.map((row) => row.map((cell, i) => cell.padEnd(widths[i])).join(' | '));
  return rows.map((row) => `| ${row} |\n`).join('');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const table = elementsTable();
  writeFileSync(
    README,
    readFileSync(README, 'utf8').replace(ROWS, () => table),
  );
}

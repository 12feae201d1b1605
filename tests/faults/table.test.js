// README.md, the table of faults: every test that it names exists, and runs in the engines that it
// names; every test of faults is in it.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { ENGINES } from '../engines/driver.js';
import { CASES as FIGURE_CASES } from './figure-cases.js';
import { CASES as PACKAGE_CASES } from './package-cases.js';

const BROWSERS = ENGINES.filter(({ backend }) => backend === 'simd').map(({ name }) => name);

/** The rows below the heads of the tables, cell by cell; an empty first cell goes on with the fault above. */
const rows = readFileSync(new URL('README.md', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => /^\| (?!fault|---)/.test(line))
  .map((line) => {
    const cells = line.slice(1, -1).split('|');
    const [fault, seen, test, engines] = cells.map((cell) => cell.trim());
    const [, file, title] = test.match(/\]\(([^)]+)\): (.+)$/) ?? [];
    return { fault, seen, file, title, engines };
  });

/** @param {string} file */
const sourceOf = (file) => readFileSync(new URL(file, import.meta.url), 'utf8');

/** Where a test runs follows from the file that it is in. @param {string} file @param {string} title */
function enginesOf(file, title) {
  if (file === 'package-cases.js') return ['Node', ...BROWSERS];
  const everywhere = [
    'figure-cases',
    'access.test',
    'back.test',
    'offline.test',
    'unreachable.test',
  ];
  if (everywhere.includes(file.replace(/\.js$/, ''))) return BROWSERS;
  if (file === 'media.test.js') return ['Chromium', 'Firefox'];
  if (file === 'state.test.js') {
    const [inNode] = sourceOf(file).split("describe('in Chromium'");
    return inNode.includes(title) ? ['Node'] : ['Chromium'];
  }
  return file === 'sinks.test.js' || file.startsWith('../js/') ? ['Node'] : ['Chromium'];
}

describe('the table', () => {
  it('has every fault, what is seen of it, and its tests', () => {
    const faults = rows.filter(({ fault }) => fault);
    assert.ok(faults.length >= 60, `${faults.length}`);
    assert.ok(faults.every(({ seen, file, title }) => seen && file && title));
    assert.equal(new Set(faults.map(({ fault }) => fault)).size, faults.length);
  });

  for (const [index, { file, title, engines }] of rows.entries()) {
    it(`names a test that exists, in its engines: row ${index + 1}`, () => {
      assert.ok(existsSync(new URL(file, import.meta.url)), file);
      const source = sourceOf(file).replaceAll("\\'", "'");
      const quoted = ["'", '"', '`'].some((quote) => source.includes(`${quote}${title}${quote}`));
      assert.ok(quoted, `${file} has no test '${title}'`);
      assert.equal(engines, enginesOf(file, title).join(', '));
    });
  }

  it('has every case', () => {
    const named = (/** @type {string} */ file) =>
      new Set(rows.filter((row) => row.file === file).map(({ title }) => title));
    assert.deepEqual(named('package-cases.js'), new Set(Object.keys(PACKAGE_CASES)));
    assert.deepEqual(named('figure-cases.js'), new Set(Object.keys(FIGURE_CASES)));
  });
});

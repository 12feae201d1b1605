/**
 * Sums up lcov files (`./build.sh coverage` writes them) by part of the project, names the lines
 * that no test reaches and fails where a part is below its goal.
 *
 * Lines of JavaScript are V8's: a line counts as reached unless a function or branch that was
 * never entered spans it. It may be reached in Node or in Chromium (tests/browser/coverage.js).
 * Our own, because lcov's tools sum up files, but know neither parts with goals.
 */
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

/** The parts, with the least share of lines and branches that tests have to reach. */
const GOALS = [
  { part: 'c/', lines: 1, branches: 0.95 },
  { part: 'web/attention/', lines: 0.95, branches: 0 },
  { part: 'web/diagnosis/', lines: 0.95, branches: 0 },
  { part: 'web/language/', lines: 0.95, branches: 0 },
  { part: 'web/inspector/reading/', lines: 0.95, branches: 0 },
  { part: 'web/shared/', lines: 0.95, branches: 0 },
  { part: 'web/theory/', lines: 0.95, branches: 0 },
  { part: 'web/experiments/', lines: 0.95, branches: 0 },
  { part: 'web/figures/', lines: 0.95, branches: 0 },
  { part: 'web/site/scripts/', lines: 0.95, branches: 0 },
];
const GENERATED = 'web/attention/kernel/generated/';

/** @typedef {{ lines: Map<number, number>, branches: Map<string, number> }} Hits */

/** @param {string[]} paths @returns {Map<string, Hits>} by file */
function readLcov(paths) {
  const files = new Map();
  let hits = { lines: new Map(), branches: new Map() };
  for (const record of paths.flatMap((path) => readFileSync(path, 'utf8').split('\n'))) {
    const [kind, rest] = split(record, ':');
    if (kind === 'SF') {
      const file = relative('.', rest);
      hits = files.get(file) ?? { lines: new Map(), branches: new Map() };
      files.set(file, hits);
    } else if (kind === 'DA') {
      const [line, count] = rest.split(',').map(Number);
      hits.lines.set(line, (hits.lines.get(line) ?? 0) + count);
    } else if (kind === 'BRDA') {
      const at = rest.lastIndexOf(',');
      const count = Number(rest.slice(at + 1)) || 0; // '-' where the line was never reached
      hits.branches.set(rest.slice(0, at), (hits.branches.get(rest.slice(0, at)) ?? 0) + count);
    }
  }
  return files;
}

/** @param {string} text @param {string} separator @returns {[string, string]} */
function split(text, separator) {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

/** @param {Iterable<number>} counts */
function tally(counts) {
  const all = [...counts];
  return { reached: all.filter((count) => count > 0).length, all: all.length };
}

/** @param {{ reached: number, all: number }} share */
const show = ({ reached, all }) =>
  `${((100 * reached) / Math.max(all, 1)).toFixed(2)} % (${reached} of ${all})`;

/** @param {{ reached: number, all: number }} share @param {number} goal */
const meets = ({ reached, all }, goal) => all > 0 && reached >= goal * all;

const files = readLcov(process.argv.slice(2));
let failed = false;
for (const { part, lines: leastLines, branches: leastBranches } of GOALS) {
  const own = [...files].filter(([file]) => file.startsWith(part) && !file.startsWith(GENERATED));
  const lines = tally(own.flatMap(([, hits]) => [...hits.lines.values()]));
  const branches = tally(own.flatMap(([, hits]) => [...hits.branches.values()]));
  const fine = meets(lines, leastLines) && (leastBranches === 0 || meets(branches, leastBranches));
  failed ||= !fine;
  console.log(
    `${part}: lines ${show(lines)}, branches ${show(branches)}${fine ? '' : ' BELOW GOAL'}`,
  );
  for (const [file, hits] of leastLines > 0 ? own : []) {
    const missed = [...hits.lines].filter(([, count]) => count === 0).map(([line]) => line);
    if (missed.length > 0) console.log(`  ${file}: ${missed.join(' ')}`);
  }
}
process.exitCode = failed ? 1 : 0;

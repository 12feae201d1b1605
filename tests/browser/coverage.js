// Which lines of web/ Chromium reaches, for `./build.sh coverage`: the counts of V8 in the scripts of
// every page, mapped back to the files by inline source maps, as one lcov file a process.
//
// Our own, because it has to follow the rule by which Node's test runner counts a line: only then can a
// line be reached in either. Libraries for browsers have other rules.

import { mkdirSync, writeFileSync } from 'node:fs';
import { SourceMap } from 'node:module';

/** Where the lcov files go. Without it nothing is counted, and bundles have no source maps. */
export const FOLDER = process.env.BROWSER_COVERAGE;

/** How many pages reached each line, from the first on. @type {Map<string, Uint32Array>} by file */
const reached = new Map();

/** Most pages load the same script. @type {Map<string, ReturnType<typeof readScript>>} by text */
const scripts = new Map();

/** @param {string} text  of a script */
function readScript(text) {
  const [, data] = /\n\/\/# sourceMappingURL=data:[^,]+,(.+)\s*$/.exec(text) ?? [];
  if (!data) return undefined;
  const map = new SourceMap(JSON.parse(Buffer.from(data, 'base64').toString()));
  const { sources, sourcesContent = [] } = map.payload;
  const lengths = sources.map((_, i) =>
    sourcesContent[i]
      .trimEnd()
      .split('\n')
      .map((line) => line.length),
  );
  const starts = [0, ...Array.from(text.matchAll(/\n/g), ({ index }) => index + 1)];

  /**
   * Returns the place of a character in the sources; lines and columns count from 0.
   * @param {number} offset
   */
  function placeOf(offset) {
    let line = 0;
    for (let step = 1 << 30; step > 0; step >>= 1) {
      if (starts[line + step] <= offset) line += step;
    }
    const column = offset - starts[line];
    const entry = map.findEntry(line, column);
    if (!('originalSource' in entry)) return undefined;
    const { originalSource, originalLine, originalColumn, generatedLine, generatedColumn } = entry;
    return {
      source: originalSource,
      line: originalLine + line - generatedLine,
      column: line === generatedLine ? originalColumn + column - generatedColumn : column,
    };
  }
  return { lengths: new Map(sources.map((source, i) => [source, lengths[i]])), placeOf };
}

/**
 * Adds the lines that one page reached of a script, by the rule of Node's own coverage: a range says
 * something about the lines that it spans from their first to their last character.
 * @param {string} text
 * @param {{ ranges: { startOffset: number, endOffset: number, count: number }[] }[]} functions
 */
function add(text, functions) {
  if (!scripts.has(text)) scripts.set(text, readScript(text));
  const script = scripts.get(text);
  if (!script) return;
  const counts = new Map(
    [...script.lengths].map(([source, { length }]) => [source, new Uint8Array(length).fill(1)]),
  );
  for (const { startOffset, endOffset, count } of functions.flatMap(({ ranges }) => ranges)) {
    const from = script.placeOf(startOffset);
    const to = script.placeOf(endOffset - 1);
    if (!from || from.source !== to?.source) continue; // the whole script
    const length = script.lengths.get(to.source)?.[to.line] ?? 0;
    const first = from.line + (from.column > 0 ? 1 : 0);
    const end = to.line + (to.column + 1 >= length ? 1 : 0);
    if (first < end) counts.get(from.source)?.fill(Math.min(count, 1), first, end);
  }
  for (const [source, lines] of counts) {
    const file = source.replace(/^(\.\.\/)+/, '');
    const sums = reached.get(file) ?? new Uint32Array(lines.length);
    reached.set(
      file,
      sums.map((sum, line) => sum + lines[line]),
    );
  }
}

/** @param {string} folder */
function write(folder) {
  mkdirSync(folder, { recursive: true });
  const records = [...reached].map(
    ([file, counts]) =>
      `SF:${file}\n${[...counts].map((count, i) => `DA:${i + 1},${count}\n`).join('')}end_of_record\n`,
  );
  writeFileSync(`${folder}/${process.pid}.lcov`, records.join(''));
}
if (FOLDER) process.on('exit', () => write(FOLDER));

/**
 * Counts the lines that a page runs until it, its context or the browser is closed. A page without
 * JavaScript refuses.
 * @param {import('playwright-core').Page} page
 */
export async function countLines(page) {
  if (!FOLDER) return;
  await page.coverage.startJSCoverage({ resetOnNavigation: false });
  const finish = async () => {
    for (const { source = '', functions } of await page.coverage.stopJSCoverage()) {
      add(source, functions);
    }
  };
  /** @type {Promise<void> | undefined} */
  let finished;
  const context = page.context();
  for (const holder of [page, context, context.browser()]) {
    if (!holder) continue;
    const close = holder.close.bind(holder);
    holder.close = async () => {
      await (finished ??= finish());
      await close();
    };
  }
}

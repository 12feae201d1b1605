// Prints the measures of a simple house: thermometers, which fail nothing.
//   node tests/measures.js [SECONDS]    that the test run before it took
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, posix } from 'node:path';
import { pathToFileURL } from 'node:url';
import { importsOf } from '../web/build/syntax.js';

const FILES = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => existsSync(file));

/** Returns the files below some folders. @param {RegExp} folders @param {RegExp} kinds @param {RegExp} [without] */
const filesOf = (folders, kinds, without = /$^/) =>
  FILES.filter((file) => folders.test(file) && kinds.test(file) && !without.test(file));

const read = (/** @type {string} */ file) => readFileSync(file, 'utf8');

/** @param {string[]} files */
const linesOf = (files) => files.reduce((sum, file) => sum + read(file).split('\n').length - 1, 0);

/** Returns the modules that a module imports. @param {string} file */
const modulesOf = (file) => importsOf(read(file)).map((path) => posix.join(dirname(file), path));

/** Returns the headers of its folder that a file in C includes. @param {string} file */
const includesOf = (file) =>
  [...read(file).matchAll(/^#include "([^"]+)"/gm)].map(([, name]) =>
    posix.join(dirname(file), name),
  );

/**
 * Returns the groups of files of which each leads to all others of its group (Tarjan 1972).
 * @param {string[]} files
 * @param {(file: string) => string[]} nextOf
 */
function circlesOf(files, nextOf) {
  /** Places in the order of the visits, and the first place to which each leads back. @type {Map<string, number>} */
  const places = new Map();
  /** @type {Map<string, number>} */
  const lowest = new Map();
  /** @type {string[]} */
  const open = [];
  /** @type {string[][]} */
  const circles = [];
  /** @param {string} file @returns {number} its lowest place */
  const visit = (file) => {
    const place = places.size;
    places.set(file, place);
    lowest.set(file, place);
    open.push(file);
    for (const next of nextOf(file).filter((each) => files.includes(each))) {
      const reached = places.has(next) ? open.includes(next) && lowest.get(next) : visit(next);
      if (typeof reached === 'number')
        lowest.set(file, Math.min(reached, lowest.get(file) ?? place));
    }
    const first = lowest.get(file) ?? place;
    if (first === place) {
      const circle = open.splice(open.indexOf(file));
      if (circle.length > 1 || nextOf(file).includes(file)) circles.push(circle);
    }
    return first;
  };
  for (const file of files) if (!places.has(file)) visit(file);
  return circles;
}

/** Counts the names that the entries of the package export, but for those of single figures and of bundles. */
async function publicNames() {
  /** @type {Record<string, string>} */
  const { exports } = JSON.parse(read('package.json'));
  const entries = Object.entries(exports).filter(
    ([name]) => !/figures|define|anywidget/.test(name),
  );
  const modules = entries.map(([, path]) => import(pathToFileURL(path).href));
  return (await Promise.all(modules)).reduce((sum, names) => sum + Object.keys(names).length, 0);
}

const GENERATED = /\/generated\//;
const scripts = filesOf(/^web\//, /\.js$/, /\/generated\/|\/recorded\/data\/|^web\/examples\//);
const product = filesOf(
  /^(c|web)\//,
  /\.(js|c|h|css|liquid)$/,
  /\/generated\/|\/recorded\/data\/|^web\/examples\/|^web\/site\/recipes\//,
);
const circles = [
  ...circlesOf(scripts, modulesOf),
  ...circlesOf(filesOf(/^c\//, /\.[ch]$/), includesOf),
];

/** @type {[measure: string, value: string | number, wanted: string][]} */
const MEASURES = [
  ['lines of the product', linesOf(product), '≤ 59 000'],
  [
    'lines of the tests',
    linesOf(filesOf(/^tests\//, /\.(js|c|h)$/, /^tests\/(bench|golden)\/|\/corpus/)),
    '≤ 44 000',
  ],
  [
    'lines of web/attention and web/parallel',
    linesOf(filesOf(/^web\/(attention|parallel)\//, /\.js$/, GENERATED)),
    '≤ 7900',
  ],
  [
    'lines of the tests of the pool',
    linesOf(filesOf(/^tests\/(js|browser)\/parallel\//, /\.js$/)),
    '≤ 480',
  ],
  [
    'files of web/attention that speak of cuts',
    filesOf(/^web\/attention\//, /\.js$/, GENERATED).filter((file) =>
      /\bcuts\b|\/works?\.js/.test(read(file)),
    ).length,
    '0',
  ],
  ['circles of imports', circles.map((circle) => circle.join(' ')).join('; ') || 0, '0'],
  ['public names', await publicNames(), '≤ 90'],
  ['lines of build.sh', linesOf(['build.sh']), '≤ 150'],
];
const [seconds] = process.argv.slice(2);
if (seconds)
  MEASURES.push(['seconds of the test run', seconds, '≤ 1800, `test` ≤ 360, `test quick` ≤ 90']);
for (const [measure, value, wanted] of MEASURES)
  console.log(`${measure.padEnd(42)} ${String(value).padStart(6)}   wanted ${wanted}`);

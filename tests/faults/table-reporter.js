// Reports a run of the tests of faults as a table: each fault, and the engines in which its test passed.
//   node --test --test-reporter=./tests/faults/table-reporter.js tests/faults/*.test.js tests/js/faults.test.js

import { basename } from 'node:path';

/** @import { TestsStream } from 'node:test' */

/** The tests of an engine stand in a suite that is named after it. */
const IN_ENGINE = /^in (?=[A-Z])/;

/** @param {TestsStream} events @returns {AsyncGenerator<string>} */
export default async function* reportTable(events) {
  /** The engines of each fault of each part. @type {Map<string, Map<string, Set<string>>>} */
  const parts = new Map();
  /** The names of the test that runs and of the suites around it. @type {string[]} */
  const names = [];
  for await (const { type, data } of /** @type {AsyncIterable<any>} */ (events)) {
    if (type === 'test:start') names.splice(data.nesting, Infinity, data.name);
    if (type !== 'test:pass' || data.details.type === 'suite' || data.skip !== undefined) continue;
    const suites = names.slice(0, data.nesting);
    const engine = suites.find((name) => IN_ENGINE.test(name))?.replace(IN_ENGINE, '') ?? 'Node';
    const topics = suites.filter((name) => !IN_ENGINE.test(name));
    const part = topics.join(': ') || basename(data.file, '.test.js');
    const faults = parts.get(part) ?? new Map();
    parts.set(part, faults);
    faults.set(data.name, (faults.get(data.name) ?? new Set()).add(engine));
  }
  for (const [part, faults] of parts) {
    yield `## ${part}\n\n| fault, and what is seen of it | engines |\n| --- | --- |\n`;
    for (const [title, engines] of faults) yield `| ${title} | ${[...engines].join(', ')} |\n`;
    yield '\n';
  }
}

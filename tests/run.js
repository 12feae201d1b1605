// Runs test files, two at a time: node tests/run.js FILE…
//
// The longest first, since the length of a file tells about how long it takes, so that both processors
// are busy to the end. (`node --test` takes files by name.)

import { statSync } from 'node:fs';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';

const files = process.argv.slice(2).sort((a, b) => statSync(b).size - statSync(a).size);
run({ files, concurrency: 2 })
  .on('test:fail', () => (process.exitCode = 1))
  .compose(new spec())
  .pipe(process.stdout);

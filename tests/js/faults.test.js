// @slow
// Every case of faults/package/, each in a process of the Node on the PATH.

import { execFile } from 'node:child_process';
import { describe } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { testEveryCase } from '../faults/package-tests.js';

const RUNNER = fileURLToPath(new URL('../faults/package/run-case.js', import.meta.url));

describe('in Node', () => {
  describe('package', () =>
    testEveryCase(async (title) => {
      const { stdout } = await promisify(execFile)('node', [RUNNER, title]);
      return JSON.parse(stdout);
    }));
});

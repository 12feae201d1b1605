// A wrong call of build.sh is refused at once, before anything is installed or built.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { it } from 'node:test';
import { fileURLToPath } from 'node:url';

const SCRIPT = fileURLToPath(new URL('../../../build.sh', import.meta.url));

/** @param {string[]} words */
const call = (...words) => {
  const { status, stdout, stderr } = spawnSync('bash', [SCRIPT, ...words], {
    cwd: '/', // from wherever it is called
    encoding: 'utf8',
    timeout: 180_000,
  });
  return { status, stdout, stderr };
};

/** @type {[words: string[], message: RegExp][]} */
const WRONG = [
  [['tset'], /^ {2}test \[name…\](.*\n)*build\.sh: no target 'tset'$/m],
  [['test', 'natve'], /no test 'natve'; there are: quick all native js/],
  [['repeat', 'js'], /repeat N \[name…\]/],
  [['fuzz', '0'], /'0' is no number of seconds/],
  [['properties', 'all'], /'all' is no whole number/],
];
for (const [words, message] of WRONG) {
  it(`${words.join(' ')} is refused with the names that there are`, () => {
    const { status, stdout, stderr } = call(...words);
    assert.equal(status, 2, stderr);
    assert.equal(stdout, '');
    assert.match(stderr, message);
  });
}

// The committed modules are those of the sources in c/. `./build.sh test` compiles C anew over the modules before these
// tests run, so that the compiler's bytes are compared with the committed list.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { changedFiles } from '../../../web/build/compiled.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'attention-lab-compiled-'));
after(() => rmSync(folder, { recursive: true }));
for (const path of ['c', 'web/attention', 'web/language/generated', 'web/build', 'package.json']) {
  cpSync(join(ROOT, path), join(folder, path), { recursive: true });
}

/** Runs the program in the copy. @param {string} command */
const call = (command) =>
  spawnSync(process.execPath, ['web/build/compiled.js', command], {
    cwd: folder,
    encoding: 'utf8',
  });

it('the committed modules are those of the sources: else run ./build.sh wasm and commit', () => {
  assert.deepEqual(changedFiles(), []);
});

it(
  'sha256sum reads the list',
  { skip: Boolean(spawnSync('sha256sum', ['--version']).error) },
  () => {
    execFileSync('sha256sum', ['--check', '--quiet', 'c/modules.sha256'], { cwd: ROOT });
  },
);

it('names a source that has changed, is new or has gone, until the list is written again', () => {
  const source = join(folder, 'c/softmax.c');
  writeFileSync(source, `${readFileSync(source, 'utf8')}\n`);
  writeFileSync(join(folder, 'c/new.h'), '');
  rmSync(join(folder, 'c/half.c'));
  const { status, stderr } = call('check');
  assert.equal(status, 1);
  assert.match(stderr, /wasm: c\/new\.h, c\/softmax\.c, c\/half\.c$/m);
  call('record');
  assert.equal(call('check').status, 0);
});

it('unpacks WebAssembly that engines accept, from the modules alone', () => {
  assert.equal(call('unpack').status, 0);
  for (const name of ['kernel', 'language']) {
    const bytes = readFileSync(join(folder, `build/${name}.wasm`));
    assert.ok(WebAssembly.validate(bytes));
    assert.ok(readFileSync(join(folder, `build/${name}-relaxed.wasm`)).includes('relaxed'));
  }
});

// The build gives the same bytes from the same inputs, wherever the checkout lies: it is built once
// more, from a copy in another folder.
//   ./build.sh consumers
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { it } from 'node:test';
import { TARBALL } from './packed.js';

/** @param {string} path */
const sha256 = (path) => createHash('sha256').update(readFileSync(path)).digest('hex');

it('a checkout in another folder builds the same modules and the same tarball', () => {
  const folder = mkdtempSync(join(tmpdir(), 'attention-lab again '));
  try {
    const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
    const files = execFileSync('git', list, { encoding: 'utf8' }).split('\0').filter(existsSync);
    for (const file of files) cpSync(file, join(folder, file), { preserveTimestamps: true });
    symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
    execFileSync('./build.sh', ['npm'], { cwd: folder, stdio: 'pipe' });
    const built = ['build/kernel.wasm', 'build/kernel-relaxed.wasm', `dist/${basename(TARBALL)}`];
    const differing = built.filter((file) => sha256(file) !== sha256(join(folder, file)));
    assert.deepEqual(differing, []);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

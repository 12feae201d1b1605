// The build gives the same bytes from the same inputs, in any folder, at any time, in any time zone
// and language: it is built once more, from a copy in another folder.
//   ./build.sh reproduce
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { it } from 'node:test';
import { TARBALL } from './packed.js';

/** @param {string} path */
const sha256 = (path) => createHash('sha256').update(readFileSync(path)).digest('hex');

/** Returns the published files of a build in its folder. @param {string} folder */
function built(folder) {
  const site = readdirSync(join(folder, 'dist/site'), { recursive: true, withFileTypes: true });
  const files = site
    .filter((entry) => entry.isFile() && entry.name !== 'built') // the stamp of the build
    .map(({ parentPath, name }) => join(parentPath, name).slice(join(folder, '/').length));
  const others = ['dist/attention-lab.html', `dist/${basename(TARBALL)}`];
  return ['build/kernel.wasm', 'build/kernel-relaxed.wasm', ...others, ...files].sort();
}

it('a checkout in another folder builds the same modules, site and tarball', () => {
  const folder = mkdtempSync(join(tmpdir(), 'attention-lab again '));
  try {
    const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
    const files = execFileSync('git', list, { encoding: 'utf8' }).split('\0').filter(existsSync);
    for (const file of files) cpSync(file, join(folder, file), { preserveTimestamps: true });
    symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
    const env = { ...process.env, TZ: 'Asia/Tokyo', LC_ALL: 'tr_TR.UTF-8' };
    execFileSync('./build.sh', ['npm'], { cwd: folder, stdio: 'pipe', env });
    assert.deepEqual(built(folder), built(resolve('.')));
    const differs = (/** @type {string} */ file) => sha256(file) !== sha256(join(folder, file));
    assert.deepEqual(built(folder).filter(differs), []);
    console.log(`${built(folder).length} files are the same`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

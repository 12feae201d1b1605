// What build.sh takes for fresh, and for enough, with commands that only note what they were asked to build.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { after, it } from 'node:test';
import { fileURLToPath } from 'node:url';

const SCRIPT = fileURLToPath(new URL('../../../build.sh', import.meta.url));

/** Of the site it makes nothing but the folder, and of the kernel the last file. */
const NODE = `#!/bin/sh
case $1 in
-p) cat version ;;
web/build/site.js)
  echo began >>log
  sleep 0.5
  [ ! -e edit ] || { rm edit && echo changed >web/page.html; }
  mkdir -p dist/site
  echo ended >>log
  ;;
esac
`;
const COMMANDS = {
  node: NODE,
  npm: '#!/bin/sh\necho installs >>log; sleep 0.2; mkdir -p node_modules\n',
  emcc: '#!/bin/sh\n',
  wasm2js: '#!/bin/sh\n',
  'wasm-metadce': '#!/bin/sh\n',
};

const folder = mkdtempSync(join(tmpdir(), 'attention-lab fresh '));
after(() => rmSync(folder, { recursive: true, force: true }));

/** A clone with little in it. @param {string} name */
function clone(name) {
  const root = join(folder, name);
  for (const path of ['bin', 'c', 'web/build', 'web/attention/kernel/generated']) {
    mkdirSync(join(root, path), { recursive: true });
  }
  const write = (/** @type {string} */ path, /** @type {string} */ text) =>
    writeFileSync(join(root, path), text, { mode: 0o755 });
  for (const [command, text] of Object.entries(COMMANDS)) write(`bin/${command}`, text);
  for (const path of ['package-lock.json', 'log', 'web/build/embed-kernel.js']) write(path, '');
  write('web/attention/kernel/decode.js', '');
  write('version', '20.19.0');
  copyFileSync(SCRIPT, join(root, 'build.sh'));
  write('web/attention/kernel/generated/fallback.js', ''); // the kernel has been built
  const env = { ...process.env, PATH: `${join(root, 'bin')}${delimiter}${process.env.PATH}` };
  const build = () =>
    new Promise((resolve) =>
      spawn(join(root, 'build.sh'), ['site'], { env, stdio: 'inherit' }).on('close', resolve),
    );
  const log = () => readFileSync(join(root, 'log'), 'utf8').trim().split('\n');
  const remove = (/** @type {string} */ path) => rmSync(join(root, path));
  return { build, log, remove, write };
}

it('builds what is not there, and nothing twice', async () => {
  const { build, log } = clone('twice');
  assert.deepEqual([await build(), await build()], [0, 0]);
  assert.deepEqual(log(), ['installs', 'began', 'ended']);
});

it('refuses a Node in which Vite does not run', async () => {
  const { build, log, write } = clone('old');
  write('version', '20.18.3');
  assert.equal(await build(), 1);
  assert.deepEqual(log(), ['']);
});

it('builds again what was changed while it was built', async () => {
  const { build, log, write } = clone('changed');
  write('edit', '');
  assert.deepEqual([await build(), await build(), await build()], [0, 0, 0]);
  assert.deepEqual(log(), ['installs', 'began', 'ended', 'began', 'ended']);
});

it('builds again when a file has gone', async () => {
  const { build, log, remove, write } = clone('gone');
  write('web/page.html', '');
  await build();
  remove('web/page.html');
  assert.deepEqual([await build(), await build()], [0, 0]);
  assert.deepEqual(log(), ['installs', 'began', 'ended', 'began', 'ended']);
});

const { error: noFlock } = spawnSync('flock', ['--version']);
it('two at once in one clone install and build once', { skip: Boolean(noFlock) }, async () => {
  const { build, log } = clone('two');
  assert.deepEqual(await Promise.all([build(), build()]), [0, 0]);
  assert.deepEqual(log(), ['installs', 'began', 'ended']);
});

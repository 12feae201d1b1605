// build.sh builds the site only if something has changed, with commands that log their builds.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { after, it } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = (/** @type {string} */ path) =>
  fileURLToPath(new URL(`../../../${path}`, import.meta.url));

/** Installs nothing; makes only the folder of the site, and edits a source meanwhile if there is a file `edit`. */
const NPM = `#!/bin/sh
case $* in
ci*)
  echo installs >>log
  sleep 0.2
  mkdir -p node_modules
  ;;
*site)
  echo began >>log
  sleep 0.5
  [ ! -e edit ] || { rm edit && echo changed >web/page.html; }
  mkdir -p dist/site
  echo ended >>log
  ;;
esac
`;
const COMMANDS = {
  npm: NPM,
  node: '#!/bin/sh\ncat version\n',
  make: '#!/bin/sh\n',
  emcc: '#!/bin/sh\necho emcc 3.1.69\n',
};

const folder = mkdtempSync(join(tmpdir(), 'attention-lab fresh '));
after(() => rmSync(folder, { recursive: true, force: true }));

/** Makes a clone with little in it. @param {string} name */
function clone(name) {
  const path = (/** @type {string} */ file) => join(folder, name, file);
  for (const made of ['bin', 'c', 'web/build']) mkdirSync(path(made), { recursive: true });
  const write = (/** @type {string} */ file, /** @type {string} */ text) =>
    writeFileSync(path(file), text, { mode: 0o755 });
  for (const [command, text] of Object.entries(COMMANDS)) write(`bin/${command}`, text);
  for (const file of ['package-lock.json', 'log']) write(file, '');
  write('version', '20.19.0');
  for (const file of ['build.sh', 'web/build/install.sh']) copyFileSync(root(file), path(file));
  const env = { ...process.env, PATH: `${path('bin')}${delimiter}${process.env.PATH}` };
  const build = () =>
    new Promise((resolve) =>
      spawn(path('build.sh'), ['site'], { env, stdio: 'inherit' }).on('close', resolve),
    );
  const log = () => readFileSync(path('log'), 'utf8').trim().split('\n');
  const remove = (/** @type {string} */ file) => rmSync(path(file));
  return { build, log, remove, write };
}

it('builds missing files, and none of them twice', async () => {
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

it('builds files again that changed during the build', async () => {
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

// Programs that use the packed package as people would, each built and run outside the checkout by a
// locked version of its tool: runtimes, bundlers, frameworks, compilers. Each has to give PyTorch's
// answer (../answer.js), and those in a browser a figure with the numbers that it should show.
//   ./build.sh consumers [folder…]
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { after, before, it } from 'node:test';
import { launch } from '../../browser/serve.js';
import { assertAnswer, assertFigure, FIGURE, PROGRAM } from '../answer.js';
import { serveFolder, TARBALL } from '../packed.js';
import { waitUntil } from '../../wait.js';
import { editorAt } from './editor.js';

/** @import { Browser, Page } from 'playwright-core' */

const SOURCES = fileURLToPath(new URL('.', import.meta.url));
const QUIET = { NO_COLOR: '1', NEXT_TELEMETRY_DISABLED: '1', DENO_NO_UPDATE_CHECK: '1' };
const ENVIRONMENT = { ...process.env, ...QUIET };

/** A folder outside the checkout, with everything installed. */
const root = mkdtempSync(join(tmpdir(), 'attention-lab-consumers-'));
const at = (/** @type {string[]} */ ...path) => join(root, ...path);

/** @param {string} folder  @param {string} command  @param {string[]} args */
const run = (folder, command, args) =>
  execFileSync(command, args, {
    cwd: at(folder),
    env: ENVIRONMENT,
    encoding: 'utf8',
    stdio: 'pipe',
  });
const npm = (/** @type {string[]} */ ...args) => run('.', 'npm', args);

cpSync(SOURCES, root, { recursive: true, filter: (path) => !path.endsWith('node_modules') });
cpSync(TARBALL, at('attention-lab.tgz'));
/** The folders of the consumers that are asked for, by default all. */
const CHOSEN = process.env.CONSUMERS?.split(' ').filter(Boolean) ?? [];
const workspaces = CHOSEN.flatMap((folder) => ['--workspace', folder]);
npm('ci', '--no-audit', '--no-fund', '--prefer-offline', ...workspaces);
npm('install', '--no-save', '--no-audit', '--no-fund', '--prefer-offline', './attention-lab.tgz');
for (const entry of readdirSync(root, { withFileTypes: true })) {
  const folder = entry.name === 'next' ? 'next/app' : entry.name;
  if (!entry.isDirectory() || entry.name === 'node_modules') continue;
  const extension = entry.name.startsWith('typescript') ? 'ts' : 'js';
  writeFileSync(at(folder, `answer.${extension}`), PROGRAM);
}

/** @type {Browser} */
let browser;
before(async () => {
  browser = await launch();
});

/** @type {{ consumer: string, version: string, how: string, result: string }[]} */
const table = [];
after(async () => {
  await browser?.close();
  rmSync(root, { recursive: true, force: true });
  const head = '| consumer | version | used | result |\n| --- | --- | --- | --- |\n';
  const lines = table.map((row) => `| ${Object.values(row).join(' | ')} |\n`);
  mkdirSync('build', { recursive: true });
  writeFileSync('build/consumers.md', head + lines.join(''));
  console.log(head + lines.join(''));
});

/**
 * Defines a test that is a line of the table.
 * @param {string} consumer
 * @param {string} version
 * @param {string} how  the package is used
 * @param {() => Promise<void> | void} work
 */
function consumer(consumer, version, how, work) {
  if (!version) return;
  it(`${consumer} ${version} gives the right answer: ${how}`, async () => {
    const row = { consumer, version, how, result: 'failed' };
    table.push(row);
    await work();
    row.result = 'passed';
  });
}

/**
 * Returns the version of the package installed for a consumer, or nothing for one that is not asked for.
 * @param {string} folder
 * @param {string} name
 */
function versionOf(folder, name) {
  if (CHOSEN.length > 0 && !CHOSEN.includes(folder)) return '';
  const own = at(folder, 'node_modules', name, 'package.json');
  const path = existsSync(own) ? own : at('node_modules', name, 'package.json');
  return String(JSON.parse(readFileSync(path, 'utf8')).version);
}

// ---- runtimes -------------------------------------------------------------------------------

/** Returns the first of these programs that was installed. @param {string[]} paths */
const program = (...paths) => paths.map((path) => at('node_modules', path)).find(existsSync) ?? '';

const arch = process.arch === 'arm64' ? 'arm64' : 'x64';
const longArch = process.arch === 'arm64' ? 'aarch64' : 'x64';
const nodes = [process.execPath, program(`node-linux-${arch}/bin/node`)];
const deno = program(`@deno/linux-${arch}-glibc/deno`);
const bun = program(`@oven/bun-linux-${longArch}/bin/bun`);

for (const node of nodes.filter(Boolean)) {
  const version = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim().slice(1);
  const answerOf = (/** @type {string} */ file) => run('runtimes', node, [file]);
  consumer('Node', version, 'import', () => assertAnswer(answerOf('import.js')));
  consumer('Node', version, 'worker', () => assertAnswer(answerOf('worker-threads.js')));
  consumer('Node', version, 'pool', () => assertAnswer(answerOf('parallel.js')));
  consumer('Node', version, 'require of an ES module', () => assertAnswer(answerOf('require.cjs')));
}

for (const [name, binary, args] of /** @type {const} */ ([
  ['Deno', deno, ['run', '--no-lock', '--node-modules-dir=manual', '--allow-read']],
  ['Bun', bun, ['run']],
])) {
  if (!binary) {
    console.log(`NOT RUN: ${name}, of which there is no binary for this machine`);
    table.push({ consumer: name, version: '', how: 'import, worker', result: 'NOT RUN' });
    continue;
  }
  const [version] = execFileSync(binary, ['--version'], { encoding: 'utf8' }).match(/[\d.]+/) ?? [];
  const answerOf = (/** @type {string} */ file) => run('runtimes', binary, [...args, file]);
  consumer(name, String(version), 'import', () => assertAnswer(answerOf('import.js')));
  consumer(name, String(version), 'worker', () => assertAnswer(answerOf('start-worker.js')));
  consumer(name, String(version), 'pool', () => assertAnswer(answerOf('parallel.js')));
}

// ---- package managers -----------------------------------------------------------------------

/**
 * Installs the package in a separate folder by another package manager than npm, and runs it there.
 * @param {string} name  of the manager's package
 * @param {string} file  the manager's program
 * @param {string[]} add  its arguments that install the tarball
 * @param {string[]} node  its arguments that run Node
 */
function managed(name, file, add, node) {
  const folder = mkdtempSync(join(tmpdir(), 'attention-lab-managed-'));
  const env = { ...ENVIRONMENT, YARN_GLOBAL_FOLDER: folder, YARN_ENABLE_TELEMETRY: '0' };
  const manager = [at('node_modules', name, file)];
  const execute = (/** @type {string[]} */ args) =>
    execFileSync(process.execPath, args, { cwd: folder, env, encoding: 'utf8', stdio: 'pipe' });
  try {
    cpSync(TARBALL, join(folder, 'attention-lab.tgz'));
    cpSync(at('runtimes/import.js'), join(folder, 'import.js'));
    writeFileSync(join(folder, 'answer.js'), PROGRAM);
    writeFileSync(join(folder, 'package.json'), '{ "type": "module", "private": true }');
    writeFileSync(join(folder, 'yarn.lock'), ''); // nothing above this folder belongs to it
    execute([...manager, ...add]);
    assertAnswer(execute([...(node.length > 0 ? manager : []), ...node, 'import.js']));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

consumer('pnpm', versionOf('managers', 'pnpm'), 'import from its store', () =>
  managed('pnpm', 'bin/pnpm.mjs', ['add', '--store-dir=store', './attention-lab.tgz'], []),
);
consumer('Yarn', versionOf('managers', '@yarnpkg/cli-dist'), 'import without node_modules', () =>
  managed(
    '@yarnpkg/cli-dist',
    'bin/yarn.js',
    ['add', 'attention-lab@file:./attention-lab.tgz'],
    ['node'],
  ),
);

// ---- pages ----------------------------------------------------------------------------------

/**
 * Opens a page, in which no script may fail.
 * @param {string} address
 * @param {(tab: Page) => Promise<void>} work
 */
async function withPage(address, work) {
  const tab = await browser.newPage();
  /** @type {string[]} */
  const errors = [];
  tab.on('pageerror', (error) => errors.push(String(error)));
  try {
    await tab.goto(address);
    await tab.locator('output:not(:empty)').first().waitFor();
    assertAnswer(await tab.locator('output').first().textContent());
    await assertFigure(tab);
    await work(tab);
    assert.deepEqual(errors, []);
  } finally {
    await tab.close();
  }
}

/**
 * Does the same for the files that a tool has built.
 * @param {string} folder
 * @param {Record<string, string>} pages by path, that were not built
 * @param {(tab: Page, requests: string[]) => Promise<void>} work
 * @param {string} [path] of the page
 */
async function withBuilt(folder, pages, work, path = '/') {
  const server = await serveFolder(at(folder), pages);
  try {
    await withPage(server.origin + path, (tab) => work(tab, server.requests));
  } finally {
    await server.close();
  }
}

/**
 * Does the same for the server of a tool.
 * @param {string} folder
 * @param {string[]} args of npm
 * @param {(address: string) => Promise<void>} work
 */
async function withServer(folder, args, work) {
  const server = spawn('npm', args, { cwd: at(folder), env: ENVIRONMENT, detached: true });
  try {
    let said = '';
    for (const output of [server.stdout, server.stderr])
      output.on('data', (text) => (said += text));
    const found = await waitUntil(
      () => {
        if (server.exitCode !== null) throw new Error(`the server ended: ${said}`);
        return said.match(/http:\/\/127\.0\.0\.1:\d+/);
      },
      `the address of npm ${args.join(' ')}`,
    );
    await work(found[0]);
  } finally {
    if (server.pid) process.kill(-server.pid);
  }
}

const page = (/** @type {string} */ script, body = `<output></output>${FIGURE}`) =>
  `<!doctype html><html lang="en"><title>built</title><link rel="icon" href="data:,"><body>${body}
   <script type="module" src="${script}"></script></html>`;

/** Checks every entry, and that the kernel without WebAssembly is found, too. @param {Page} tab */
async function assertEntries(tab) {
  assertAnswer(await tab.evaluate('answerWithoutWebAssembly()'));
  assert.deepEqual(await tab.evaluate('answersOfEntries()'), [
    true,
    true,
    '<svg',
    '0.5,0.5',
    'js',
    0,
  ]);
}

for (const [tool, name] of [
  ['esbuild', 'esbuild'],
  ['Rollup', 'rollup'],
  ['webpack', 'webpack'],
]) {
  consumer(tool, versionOf('bundlers', name), 'bundle with every entry', async () => {
    run('bundlers', 'npm', ['run', name]);
    await withBuilt(`bundlers/built/${name}`, { '/': page('main.js') }, assertEntries);
  });
}

consumer('Parcel', versionOf('bundlers', 'parcel'), 'build with every entry', async () => {
  run('bundlers', 'npm', ['run', 'parcel']);
  await withBuilt('bundlers/built/parcel', {}, assertEntries);
});

const vite = versionOf('bundlers', 'vite');
const buildByVite = () =>
  existsSync(at('bundlers/built/vite')) || run('bundlers', 'npm', ['run', 'vite']);
consumer('Vite', vite, 'build', async () => {
  buildByVite();
  await withBuilt('bundlers/built/vite', {}, assertEntries);
});
consumer('Vite', vite, 'the kernel as a file', async () => {
  buildByVite();
  const asked = async (/** @type {unknown} */ _, /** @type {string[]} */ requests) =>
    assert.equal(requests.filter((path) => path.endsWith('.wasm')).length, 1);
  await withBuilt('bundlers/built/vite', {}, asked, '/module.html');
});
consumer('Vite', vite, 'development server', () =>
  withServer('bundlers', ['exec', '--', 'vite', '--port', '0', '--host', '127.0.0.1'], (address) =>
    withPage(address, assertEntries),
  ),
);

// ---- frameworks -----------------------------------------------------------------------------

/**
 * Checks that the framework hears the figure: a reader's change arrives in the framework's state.
 * @param {Page} tab
 */
async function assertHeard(tab) {
  await tab.locator('attn-saturation').evaluate((figure) => Reflect.set(figure, 'keys', 64));
  await tab.locator('#heard', { hasText: /^64$/ }).waitFor(); // it may have heard of the first state before
}

for (const folder of ['react-18', 'react-19']) {
  consumer('React', versionOf(folder, 'react'), 'figure in a component', async () => {
    run(folder, 'npm', ['run', 'build']);
    const html = page('main.js', '<div id="app"></div>');
    await withBuilt(`${folder}/built`, { '/': html }, assertHeard);
  });
}

for (const [framework, folder] of [
  ['Vue', 'vue'],
  ['Svelte', 'svelte'],
]) {
  consumer(framework, versionOf(folder, folder), 'figure in a component', async () => {
    run(folder, 'npm', ['run', 'build']);
    await withBuilt(`${folder}/built`, {}, assertHeard);
  });
}

consumer(
  'Next.js',
  versionOf('next', 'next'),
  'answer on the server, figure in the browser',
  async () => {
    run('next', 'npm', ['run', 'build']);
    await withServer('next', ['run', 'start'], async (address) => {
      const html = await (await fetch(address)).text();
      assertAnswer(html.match(/<output>(.*?)<\/output>/)?.[1] ?? null);
      await withPage(address, assertHeard);
    });
  },
);

// ---- tests of components --------------------------------------------------------------------

/** The test that the page of recipes shows. */
const RECIPE = readFileSync(resolve('web/site/recipes/testing/figure.test.js'), 'utf8');

for (const environment of ['jsdom', 'happy-dom']) {
  const version = `${versionOf('testing', 'vitest')} with ${environment} ${versionOf('testing', environment)}`;
  consumer('Vitest', version, 'the recipe for testing a component', () => {
    writeFileSync(at('testing/figure.test.js'), RECIPE);
    run('testing', 'npm', ['run', environment]);
  });
}

consumer(
  'Jest',
  `${versionOf('jest', 'jest')} with jsdom 26`,
  'the recipe for testing a component',
  () => {
    writeFileSync(at('jest/figure.test.js'), RECIPE.replace("'vitest'", "'@jest/globals'"));
    run('jest', 'npm', ['run', 'jest']);
  },
);

// ---- types ----------------------------------------------------------------------------------

const [, snippet = ''] = readFileSync('README.md', 'utf8').match(/```js\n([^]*?)```/) ?? [];
writeFileSync(at('typescript/readme.ts'), snippet);
cpSync('web/site/recipes/react/figures.d.ts', at('typescript/figures.d.ts'));

for (const compiler of ['typescript-5.4', 'typescript']) {
  for (const [module, resolution] of [
    ['node16', 'node16'],
    ['esnext', 'bundler'],
  ]) {
    const how = `strict and strictest, moduleResolution ${resolution}, all declarations checked, also without DOM`;
    const folder = [at('typescript/node_modules'), at('node_modules')].find((path) =>
      existsSync(join(path, compiler)),
    );
    consumer('TypeScript', versionOf('typescript', compiler), how, () => {
      const modules = ['--module', module, '--moduleResolution', resolution];
      const tsc = join(String(folder), compiler, 'bin/tsc');
      run('typescript', 'node', [tsc, ...modules, '--outDir', `built-${resolution}`]);
      run('typescript', 'node', [tsc, ...modules, '-p', 'tsconfig.plain.json']);
      run('typescript', 'node', [tsc, ...modules, '-p', 'tsconfig.strictest.json']);
      run('typescript', 'node', [tsc, ...modules, '-p', 'tsconfig.jsx.json']);
      assertAnswer(run('typescript', 'node', [`built-${resolution}/use.js`]));
    });
  }
}

consumer(
  'TypeScript',
  versionOf('typescript', 'typescript-5.4'),
  'names and texts in an editor',
  () => {
    const ts = createRequire(at('typescript/x.js'))('typescript-5.4');
    const head = `import { attention, type Tensor } from 'attention-lab';
    import { createPool } from 'attention-lab/parallel';
    declare const [pool, q]: [ReturnType<typeof createPool>, Tensor];\n`;
    const editor = (/** @type {string} */ marked) => editorAt(ts, at('typescript'), head + marked);
    for (const object of ['', 'pool.']) {
      for (const names of ["'|'", "['|']", "['weights', '|']"]) {
        const { completions } = editor(`${object}attention(q, q, q, { returns: ${names} })`);
        assert.deepEqual([completions[0], completions.includes('sinkWeight')], ['weights', true]);
      }
      const { errors } = editor(`${object}attention(q, q, q, { returns: 'other|' })`);
      assert.equal(errors.length, 1);
      assert.match(errors[0], /'"weights" \| "scores" \| "cappedScores" \| /);
      const { documentation } = editor(`${object}atten|tion(q, q, q)`);
      assert.match(documentation, /^Computes output = softmax\(scale · query keyᵀ \+ mask\) value/);
    }
  },
);

/**
 * What may import what (DESIGN.md): page → figures → experiments → attention → kernel/, and
 * experiments and figures → theory, all but attention → shared. Packages are named where they are allowed.
 */
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, posix, relative } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { decode } from '../../../web/attention/kernel/decode.js';

const WEB = fileURLToPath(new URL('../../../web', import.meta.url));

/** Folders each folder may import from, besides itself. @type {Record<string, string[]>} */
const MAY_IMPORT = {
  shared: [],
  theory: ['shared'],
  attention: [],
  experiments: ['attention', 'shared', 'theory'],
  figures: ['attention', 'experiments', 'shared', 'theory'],
};
/** No DOM here. */
const PURE = ['attention', 'shared', 'theory', 'experiments'];
/** Packages from npm. @type {Record<string, RegExp>} */
const PACKAGES = { figures: /^lit/ };

/** Every shipped module of a folder of web/, relative to web/. @param {string} folder */
const modulesOf = (folder) =>
  readdirSync(join(WEB, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.js'))
    .map((file) => posix.join(folder, file.replaceAll('\\', '/')));

/** @param {string} file relative to web/ */
const sourceOf = (file) => readFileSync(join(WEB, file), 'utf8');

/** The source without comments, in which words like document are only words.
 *  @param {string} file */
const codeOf = (file) => sourceOf(file).replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');

/** What a module imports, statically or dynamically; types count too. @param {string} file */
function importsOf(file) {
  const found = sourceOf(file).matchAll(
    /(?:^|\s|[{(<])(?:from\s+|import\s*\(?\s*)(['"])([^'"\n]+)\1/g,
  );
  return [...found].map(([, , specifier]) => specifier);
}

/** @param {string} file @param {string} specifier a relative one @returns {string} from web/ */
const resolve = (file, specifier) =>
  relative(WEB, join(WEB, dirname(file), specifier)).replaceAll('\\', '/');

for (const [folder, allowed] of Object.entries(MAY_IMPORT)) {
  test(`${folder} imports only from ${[folder, ...allowed].join(', ')}`, () => {
    for (const file of modulesOf(folder)) {
      for (const specifier of importsOf(file)) {
        if (!specifier.startsWith('.')) {
          assert.match(specifier, PACKAGES[folder] ?? /^\b$/, `${file} imports ${specifier}`);
          continue;
        }
        assert.match(specifier, /\.js$/, `${file} imports ${specifier} without .js`);
        const [target] = resolve(file, specifier).split('/');
        const fine = target === folder || allowed.includes(target);
        assert.ok(fine, `${file} imports ${specifier}`);
      }
    }
  });
}

test('the kernel folder imports no function of the package', () => {
  const allowed = /^attention\/(kernel\/.*|errors|options)\.js$/;
  for (const file of modulesOf('attention/kernel')) {
    for (const specifier of importsOf(file)) {
      assert.match(resolve(file, specifier), allowed, `${file} imports ${specifier}`);
    }
  }
});

test('only the kernel folder touches WebAssembly and the generated modules', () => {
  for (const file of modulesOf('attention')) {
    if (file.startsWith('attention/kernel/')) continue;
    assert.doesNotMatch(codeOf(file), /\bWebAssembly\b|generated\//, file);
    for (const specifier of importsOf(file).filter((s) => s.includes('kernel/'))) {
      assert.match(specifier, /^\.\/kernel\/(active|backends)\.js$/, file);
    }
  }
});

test('attention, shared, theory and experiments know no DOM', () => {
  for (const file of PURE.flatMap(modulesOf)) {
    if (file.includes('/generated/')) continue;
    assert.doesNotMatch(codeOf(file), /\b(document|window|HTMLElement|customElements)\b/, file);
  }
});

test('no module of the package awaits at its top or asks for its own address', () => {
  for (const file of Object.keys(MAY_IMPORT).flatMap(modulesOf)) {
    assert.doesNotMatch(codeOf(file), /^await\b|^(const|let) .*=\s*await\b/m, file);
    assert.doesNotMatch(codeOf(file), /import\.meta/, file);
  }
});

test('the WebAssembly module imports nothing', async () => {
  const { text } = await import('../../../web/attention/kernel/generated/simd.js');
  const module = await WebAssembly.compile(decode(text));
  assert.deepEqual(WebAssembly.Module.imports(module), []);
});

test('the module exports what attn.h declares, its memory and where free memory begins', async () => {
  const header = readFileSync(join(WEB, '../c/attn.h'), 'utf8');
  const declared = new Set([...header.matchAll(/\b(attn_[a-z0-9_]+)\(/g)].map(([, name]) => name));
  const { text } = await import('../../../web/attention/kernel/generated/simd.js');
  const exported = WebAssembly.Module.exports(await WebAssembly.compile(decode(text))).map(
    ({ name }) => name,
  );
  for (const name of [...declared, 'memory', '__heap_base']) {
    assert.ok(exported.includes(name), name);
  }
});

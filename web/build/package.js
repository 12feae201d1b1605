// Builds dist/npm, the package as published: attention, parallel and language bundled, the other sources of web/ as
// they are, their types, the kernel, the one-file bundles, the manifest of the elements; and packs it
// into a tarball, with the same bytes for the same inputs.
//   node web/build/package.js
// The site must have been built (./build.sh site).
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, posix, resolve } from 'node:path';
import { transformSync } from 'esbuild';
import { ASSETS, delivered, LISTS } from './assets.js';
import { elementsManifest } from './elements-manifest.js';
import { COPIED, FORMS } from './forms.js';
import { outputOf } from './output.js';
import { expectAddresses, packageManifest } from './package-manifest.js';
import * as FUNCTIONS from '../attention/functions.js';
import { addedTypes, documentedPool, portableTypes } from './package-types.js';
import { ELEMENTS } from './paths.js';
import { readReference } from '../site/generator/api.js';
import { importsOf } from './syntax.js';
import { apiDocument, recipesDocument } from '../site/generator/documents.js';

const OUT = 'dist/npm';
const MODULES = ['kernel', 'language'].flatMap((name) => [`${name}.wasm`, `${name}-relaxed.wasm`]);
/** The bundle of every figure, and all that it loads from beside it. */
const BUNDLES = [
  'figures.min.js',
  'figures-models.min.js',
  'figures-trainer.min.js',
  ...Object.values(ASSETS)
    .filter((asset) => FORMS.figures().deliver(asset) === 'file')
    .map(({ name }) => `${name}.min.js`),
].sort();
/** Reserves the height of figures until their script comes. */
const STYLE = 'figures.min.css';
const library = FORMS.library(resolve(OUT));
const DOCUMENTS = ['LICENSE', 'CHANGELOG.md'];

/** Writes a file of the package. @param {string} path  @param {string | Buffer} content */
const write = (path, content) => writeFileSync(`${OUT}/${path}`, content);

/** Lists the files of the package. */
const files = () =>
  readdirSync(OUT, { recursive: true, encoding: 'utf8' })
    .filter((path) => statSync(`${OUT}/${path}`).isFile())
    .sort();

/** Returns the hash of a file. @param {string} path */
const sha256 = (path) => createHash('sha256').update(readFileSync(path)).digest('hex');

function copyFiles() {
  for (const folder of COPIED) cpSync(`web/${folder}`, `${OUT}/${folder}`, { recursive: true });
  mkdirSync(`${OUT}/examples`);
  for (const file of readdirSync('web/examples').filter((name) => name.endsWith('.js'))) {
    cpSync(`web/examples/${file}`, `${OUT}/examples/${file}`);
  }
  for (const file of DOCUMENTS) cpSync(file, `${OUT}/${file}`);
  for (const file of MODULES) cpSync(`build/${file}`, `${OUT}/${file}`);
  for (const file of [...BUNDLES, STYLE, 'THIRD-PARTY.md'])
    cpSync(`dist/site/${file}`, `${OUT}/${file}`);
  for (const list of Object.keys(LISTS).filter((each) => existsSync(`${OUT}/${each}`))) {
    const up = '../'.repeat(list.split('/').length - 1);
    write(list, delivered(list, { ...library, up }));
  }
}

/** Writes `figures/NAME.js`, the address of each element's module, and types of bundles. */
function writeAddresses() {
  write('js.d.ts', "export * from './attention/index.js';\n");
  for (const name of ELEMENTS) {
    const source = `export * from './${name}/element.js';\n`;
    write(`figures/${name}.js`, source);
    write(`figures/${name}.d.ts`, source);
  }
}

/**
 * Writes `define.js`, `anywidget.js` and others, for tools that look for a file of the entry's name (Parcel).
 * They come last: no entry reaches them, so `prune` would remove them.
 */
function writeNamesakes() {
  for (const kind of ['js', 'd.ts']) {
    write(`define.${kind}`, "import './figures/define.js';\n");
    write(`anywidget.${kind}`, "export { default } from './figures/anywidget.js';\n");
    write(`experiments.${kind}`, "export * from './figures/rows.js';\n");
    write(`files.${kind}`, "export * from './inspector/reading/index.js';\n");
  }
}

/** Writes the README without its picture and without links to files that stay in the repository. */
function writeReadme() {
  const text = readFileSync('README.md', 'utf8').replace(/<picture>.*?<\/picture>\n\n/s, '');
  const published = text.replaceAll('web/examples', 'examples');
  const linked = published.replace(/\[([^\]]+)\]\((?!https:)([^)]+)\)/g, (link, words, path) =>
    existsSync(`${OUT}/${path}`) ? link : words,
  );
  write('README.md', linked);
}

/** Takes the comments out of the modules, a quarter of their bytes: the types have them, and the reference. */
function dropComments() {
  const modules = files().filter(
    (path) => /(?<!\.min)\.js$/.test(path) && path !== 'js.js' && !path.startsWith('examples'),
  );
  for (const path of modules) {
    const text = readFileSync(`${OUT}/${path}`, 'utf8');
    write(path, transformSync(text, { format: 'esm', charset: 'utf8' }).code);
  }
}

/** Writes the types. @param {import('custom-elements-manifest').Package} elements */
function writeTypes(elements) {
  execFileSync('npx', ['tsc', '-p', 'web/build/tsconfig.types.json'], { stdio: 'inherit' });
  for (const [path, types] of Object.entries(addedTypes(elements))) {
    appendFileSync(`${OUT}/${path}`, types);
  }
  const typesOf = (/** @type {string} */ name) => readFileSync(`${OUT}/${name}.d.ts`, 'utf8');
  const functions = importsOf(typesOf('attention/functions'), 'dts')
    .map((path) => typesOf(posix.join('attention', path.slice(0, -'.js'.length))))
    .join('');
  write(
    'parallel/index.d.ts',
    documentedPool(typesOf('parallel/index'), Object.keys(FUNCTIONS), functions),
  );
  for (const path of files())
    if (path.endsWith('.d.ts')) write(path, portableTypes(readFileSync(`${OUT}/${path}`, 'utf8')));
}

/** Removes the modules and declarations that no entry of the package reaches. @param {string[]} entries */
function prune(entries) {
  const reached = new Set(entries.map((path) => join(OUT, path)));
  for (const path of reached) {
    const isTypes = path.endsWith('.d.ts');
    for (const to of importsOf(readFileSync(path, 'utf8'), isTypes ? 'dts' : 'js')) {
      const next = join(dirname(path), isTypes ? to.replace(/\.js$/, '.d.ts') : to);
      if (existsSync(next)) reached.add(next);
      else if (!isTypes) throw new Error(`${path} imports ${to}, which the package lacks`);
    }
  }
  for (const name of files()) {
    const isModule = /\.(js|d\.ts)$/.test(name) && !name.startsWith('examples');
    if (isModule && !reached.has(join(OUT, name))) rmSync(join(OUT, name));
  }
}

/** Packs the tarball of dist. npm gives every file the same time and mode and sorts them by name. */
function pack() {
  const old = readdirSync('dist').filter((name) => name.endsWith('.tgz'));
  for (const name of old) rmSync(`dist/${name}`);
  const [{ filename, size }] = JSON.parse(
    execFileSync('npm', ['pack', '--json', '--pack-destination', '..'], {
      cwd: OUT,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }),
  );
  console.log(`dist/${filename}  ${(size / 1000).toFixed(1)} kB packed`);
  for (const path of [`dist/${filename}`, ...MODULES.map((file) => `${OUT}/${file}`)]) {
    console.log(`sha256 ${sha256(path)}  ${path}`);
  }
}

rmSync(OUT, { recursive: true, force: true });
mkdirSync(OUT, { recursive: true });
copyFiles();
writeAddresses();
writeReadme();
write('api.md', apiDocument(await readReference()));
write('recipes.md', recipesDocument());
await outputOf(library);
await outputOf(FORMS.js(resolve(OUT)));
const elements = elementsManifest();
writeTypes(elements);
const json = (/** @type {unknown} */ value) => `${JSON.stringify(value, null, 2)}\n`;
write('custom-elements.json', JSON.stringify(elements)); // read by tools, so without indents: 1.7 kB of the tarball
const source = JSON.parse(readFileSync('package.json', 'utf8'));
const manifest = packageManifest(source, MODULES);
expectAddresses(manifest, readFileSync('CHANGELOG.md', 'utf8'));
write('package.json', json(manifest));
prune(
  [...Object.values(manifest.exports), manifest.bin]
    .flatMap((entry) => Object.values(entry))
    .filter((path) => /\.(js|d\.ts)$/.test(path)),
);
writeNamesakes();
dropComments();
const sums = files().map((file) => `${sha256(`${OUT}/${file}`)}  ${file}\n`);
write('SHA256SUMS', sums.join(''));
pack();

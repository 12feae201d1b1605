// Builds dist/npm, the package as published: the sources of web/ as they are, their types, the
// kernel, the one-file bundle; and packs it into a tarball beside.
//   node web/build/package.js
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';

const OUT = 'dist/npm';
const FOLDERS = ['attention', 'theory', 'experiments', 'figures'];
const source = JSON.parse(readFileSync('package.json', 'utf8'));

/** @param {string} path a path of the repository's exports map, as the package has it */
const published = (path) => path.replace('./web/', './');
const withTypes = (/** @type {string} */ path) => ({
  types: published(path).replace(/\.js$/, '.d.ts'),
  default: published(path),
});

rmSync(OUT, { recursive: true, force: true });
mkdirSync(OUT, { recursive: true });
for (const folder of FOLDERS) cpSync(`web/${folder}`, `${OUT}/${folder}`, { recursive: true });
for (const file of ['README.md', 'LICENSE', 'CHANGELOG.md']) cpSync(file, `${OUT}/${file}`);
cpSync('build/kernel.wasm', `${OUT}/kernel.wasm`);
for (const bundle of ['figures.min.js', 'kernel-fallback.min.js']) {
  cpSync(`dist/site/${bundle}`, `${OUT}/${bundle}`);
}

execFileSync('npx', ['tsc', '-p', 'web/build/tsconfig.types.json'], { stdio: 'inherit' });

const { name, version, description, license, type, engines, dependencies } = source;
const manifest = {
  name,
  version,
  description,
  license,
  type,
  engines,
  main: './attention/index.js',
  types: './attention/index.d.ts',
  jsdelivr: './figures.min.js',
  unpkg: './figures.min.js',
  sideEffects: [...source.sideEffects.map(published), './figures.min.js'],
  exports: {
    ...Object.fromEntries(
      Object.entries(source.exports).map(([key, path]) => [key, withTypes(path)]),
    ),
    './kernel.wasm': './kernel.wasm',
    './figures.min.js': './figures.min.js',
    './package.json': './package.json',
  },
  dependencies,
};
writeFileSync(`${OUT}/package.json`, `${JSON.stringify(manifest, null, 2)}\n`);

const [packed] = JSON.parse(
  execFileSync('npm', ['pack', '--json', '--pack-destination', '..'], {
    cwd: OUT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }),
);
console.log(`dist/${packed.filename}  ${(packed.size / 1000).toFixed(1)} kB packed`);

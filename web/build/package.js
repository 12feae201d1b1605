// Builds dist/npm, the package as published: the sources of web/ as they are, their types, the
// kernel, the one-file bundles, the manifest of the elements; and packs it into a tarball beside,
// of which the same inputs always give the same bytes.
//   node web/build/package.js
// The site must have been built (./build.sh site).
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { elementsManifest } from './elements-manifest.js';
import { packageManifest } from './package-manifest.js';
import { classNameOf, ELEMENTS } from './vite.config.js';

const OUT = 'dist/npm';
const FOLDERS = ['attention', 'theory', 'experiments', 'figures'];
const MODULES = ['kernel.wasm', 'kernel-relaxed.wasm'];
const BUNDLES = [
  'figures.min.js',
  'kernel-fallback.min.js',
  'kernel-relaxed.min.js',
  ...ELEMENTS.map((name) => `figures/${name}.min.js`),
];
const DOCUMENTS = ['README.md', 'LICENSE', 'CHANGELOG.md'];

/** @param {string} path  @param {string | Buffer} content */
const write = (path, content) => writeFileSync(`${OUT}/${path}`, content);

/** @param {string} path */
const sha256 = (path) => createHash('sha256').update(readFileSync(path)).digest('hex');

function copyFiles() {
  for (const folder of FOLDERS) cpSync(`web/${folder}`, `${OUT}/${folder}`, { recursive: true });
  for (const file of DOCUMENTS) cpSync(file, `${OUT}/${file}`);
  for (const file of MODULES) cpSync(`build/${file}`, `${OUT}/${file}`);
  for (const file of [...BUNDLES, 'THIRD-PARTY.md']) cpSync(`dist/site/${file}`, `${OUT}/${file}`);
}

/**
 * The compiler writes types of what it reads. It cannot read the properties that elements have after
 * their specs, and that a tag name stands for a class: those come from the manifest.
 * @param {import('custom-elements-manifest').Package} manifest
 */
function writeTypes({ modules }) {
  execFileSync('npx', ['tsc', '-p', 'web/build/tsconfig.types.json'], { stdio: 'inherit' });
  for (const { path, declarations = [] } of modules) {
    for (const declaration of declarations) {
      if (!('members' in declaration)) continue;
      const lines = (declaration.members ?? []).flatMap((member) =>
        member.kind === 'field' && member.name !== 'controls'
          ? [`    /** ${member.description} */`, `    ${member.name}: ${member.type?.text};`]
          : [],
      );
      const merged = [`export interface ${declaration.name} {`, ...lines, '}', ''].join('\n');
      appendFileSync(`${OUT}/${path.replace(/js$/, 'd.ts')}`, merged);
    }
  }
  write('figures/define.d.ts', definedTypes());
  const all = `export * from './attention/index.js';\nexport * from './figures/index.js';\n`;
  write('figures.min.d.ts', `import './figures/define.js';\n${all}`);
  for (const name of ELEMENTS) {
    write(
      `figures/${name}.min.d.ts`,
      `import './define.js';\nexport { ${classNameOf(name)} } from './${name}.js';\nexport * from '../attention/index.js';\n`,
    );
  }
}

/** What registering the elements tells the compiler about documents. */
function definedTypes() {
  const names = ELEMENTS.map(classNameOf);
  const tags = ELEMENTS.map((name) => `    'attn-${name}': ${classNameOf(name)};`);
  return [
    `import type { ${names.join(', ')} } from './index.js';`,
    'declare global {',
    '  interface HTMLElementTagNameMap {',
    ...tags,
    '  }',
    '  interface HTMLElementEventMap {',
    `    'attn-change': CustomEvent<{ figure: string, state: Record<string, string | number>, settled: boolean }>;`,
    '  }',
    '}',
    'export {};',
    '',
  ].join('\n');
}

/** Packs what is in a folder. npm gives every file the same time and mode and sorts them by name. */
function pack() {
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
const elements = await elementsManifest();
writeTypes(elements);
const json = (/** @type {unknown} */ value) => `${JSON.stringify(value, null, 2)}\n`;
write('custom-elements.json', json(elements));
const source = JSON.parse(readFileSync('package.json', 'utf8'));
write('package.json', json(packageManifest(source, MODULES)));
pack();

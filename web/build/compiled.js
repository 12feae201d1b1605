// The modules made from C are committed, so that machines without emscripten can build and show everything
// else. c/modules.sha256 lists the SHA-256 of what they are made of and of the modules, as sha256sum does.
//   node web/build/compiled.js check    ends with 1 where one of these files has changed, and names it
//   node web/build/compiled.js record   writes the list (./build.sh wasm)
//   node web/build/compiled.js unpack   writes build/NAME.wasm and build/NAME-relaxed.wasm from the modules
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { decode } from '../attention/kernel/decode.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const LIST = `${ROOT}c/modules.sha256`;
/** The folders of the modules, by the name of their WebAssembly. */
const FOLDERS = {
  kernel: 'web/attention/kernel/generated',
  language: 'web/language/generated',
};

/** Lists what the modules are made of, and the modules. */
function files() {
  const everything = readdirSync(`${ROOT}c`, { recursive: true, encoding: 'utf8' });
  const sources = everything.filter((file) => /\.(c|h|mk)$/.test(file));
  const modules = Object.values(FOLDERS).flatMap((folder) =>
    ['simd', 'relaxed', 'fallback'].map((name) => `${folder}/${name}.js`),
  );
  return [...sources.sort().map((file) => `c/${file}`), 'web/build/embed-kernel.js', ...modules];
}

/** Returns the line of a file in the list. @param {string} file */
function lineOf(file) {
  const content = existsSync(ROOT + file) ? readFileSync(ROOT + file) : '';
  return `${createHash('sha256').update(content).digest('hex')}  ${file}`;
}

/** Returns the files that are not as the list has them, and those that are only in the list. */
export function changedFiles() {
  const listed = readFileSync(LIST, 'utf8').trimEnd().split('\n');
  const present = files().map(lineOf);
  const differing = [
    ...present.filter((line) => !listed.includes(line)),
    ...listed.filter((line) => !present.includes(line)),
  ];
  return [...new Set(differing.map((line) => line.replace(/^\S* +/, '')))];
}

async function unpack() {
  mkdirSync(`${ROOT}build`, { recursive: true });
  for (const [name, folder] of Object.entries(FOLDERS)) {
    for (const [module, ending] of Object.entries({ simd: '', relaxed: '-relaxed' })) {
      const { text } = await import(pathToFileURL(`${ROOT}${folder}/${module}.js`).href);
      writeFileSync(`${ROOT}build/${name}${ending}.wasm`, decode(text));
    }
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [command] = process.argv.slice(2);
  if (command === 'unpack') await unpack();
  if (command === 'record') writeFileSync(LIST, files().map(lineOf).join('\n') + '\n');
  if (command === 'check') {
    const changed = changedFiles();
    if (changed.length > 0) {
      console.error(`changed since ./build.sh wasm: ${changed.join(', ')}`);
      process.exitCode = 1;
    }
  }
}

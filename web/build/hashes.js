// The SHA-256 of the kernel's modules, as SECURITY.md publishes them beside the toolchain that gives them.
//   node web/build/hashes.js    writes them into SECURITY.md, after a change of the kernel
// The kernel must have been built (./build.sh wasm).
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';

const FILE = 'SECURITY.md';
const PLACE = /(<!-- hashes: [^>]* -->\n)[^]*(<!-- \/hashes -->)/;

/** What a compiler says of itself. @param {string} command @param {string[]} args @param {RegExp} pattern */
function versionOf(command, args, pattern) {
  const { stdout, stderr } = spawnSync(command, args, { encoding: 'utf8' });
  return `${stdout}${stderr}`.match(pattern)?.[0] ?? `no ${command}`;
}

/** The modules and the toolchain here that made them. */
function modules() {
  const emcc = versionOf('emcc', ['-v'], /(?<=linker emulating GNU ld\) )[\d.]+/);
  const clang = versionOf('emcc', ['-v'], /\S* ?clang version [\d.]+/);
  const clang19 = versionOf('clang-19', ['--version'], /\S* ?clang version [\d.]+/);
  const toolchain = `Emscripten ${emcc}, ${clang}`;
  return [
    { file: 'kernel.wasm', path: 'build/kernel.wasm', toolchain },
    {
      file: 'kernel-relaxed.wasm',
      path: 'build/kernel-relaxed.wasm',
      toolchain: `${toolchain}, ${clang19}`, // which an old Emscripten needs
    },
    {
      file: 'kernel/generated/fallback.js',
      path: 'web/attention/kernel/generated/fallback.js',
      toolchain,
    },
  ];
}

/** A row of the table for each module. */
export const hashRows = () =>
  modules().map(({ file, path, toolchain }) => {
    const hash = createHash('sha256').update(readFileSync(path)).digest('hex');
    return { file, toolchain, row: `| \`${file}\` | \`${hash}\` | ${toolchain} |` };
  });

/** The rows that SECURITY.md has. */
export const publishedRows = () =>
  (readFileSync(FILE, 'utf8').match(PLACE)?.[0] ?? '')
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.replace(/ +/g, ' '));

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const head = '\n| module | SHA-256 | made by |\n| --- | --- | --- |\n';
  const rows = hashRows().map(({ row }) => row);
  const text = readFileSync(FILE, 'utf8');
  const filled = text.replace(PLACE, `$1${head}${rows.join('\n')}\n\n$2`);
  const options = await resolveConfig(FILE);
  writeFileSync(FILE, await format(filled, { ...options, filepath: FILE }));
  console.log(rows.join('\n'));
}

/**
 * A corpus is a text file of one input a line, in hexadecimal, for replay.c; libFuzzer wants a
 * folder with a file for each.
 *
 *   node tests/fuzz/corpus.js unpack FILE FOLDER
 *   node tests/fuzz/corpus.js pack FOLDER FILE
 *
 * After a long `./build.sh fuzz`, the fewest inputs that reach all code of a target become its
 * corpus with
 *
 *   mkdir least && build/fuzz/half_fuzz -merge=1 -use_counters=0 least build/fuzz/half_fuzz.corpus
 *   node tests/fuzz/corpus.js pack least tests/fuzz/corpus/half.txt
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** @param {string} file @param {string} folder */
function unpack(file, folder) {
  mkdirSync(folder, { recursive: true });
  for (const line of readFileSync(file, 'utf8').trim().split('\n')) {
    const name = createHash('sha1').update(line).digest('hex');
    writeFileSync(join(folder, name), Buffer.from(line, 'hex'));
  }
}

/** Packs inputs, shortest first. @param {string} folder @param {string} file */
function pack(folder, file) {
  const lines = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'hex'));
  lines.sort((a, b) => a.length - b.length || (a < b ? -1 : 1));
  writeFileSync(file, lines.map((line) => `${line}\n`).join(''));
}

const [command, from, to] = process.argv.slice(2);
if (command === 'unpack') unpack(from, to);
else if (command === 'pack') pack(from, to);
else throw new Error(`corpus.js: command is '${command}', expected pack or unpack`);

// The programs that ./build.sh makes of identity.c: its hashes by native programs, and its modules.

import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const FOLDER = new URL('../../build/identity/', import.meta.url);

/** The programs by compilers other than gcc. */
export const OTHER_PROGRAMS = readdirSync(FOLDER).filter((name) => name.startsWith('clang'));

/**
 * @param {string} program
 * @param {number} shapes
 * @param {string[]} emulator  the command that runs a program for another processor
 * @returns {{ names: string[], hashes: string[] }} of the groups
 */
export function nativeHashes(program, shapes, emulator = []) {
  const path = fileURLToPath(new URL(program, FOLDER));
  const [command, ...args] = [...emulator, path, String(shapes)];
  const lines = execFileSync(command, args, { encoding: 'utf8' }).trim().split('\n');
  const fields = lines.map((line) => line.split(' '));
  return { names: fields.map(([name]) => name), hashes: fields.map(([, hash]) => hash) };
}

/** Returns the module with SIMD. */
export const readModule = () => readFileSync(new URL('identity.wasm', FOLDER));

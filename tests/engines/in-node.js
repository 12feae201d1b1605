// The bits that a Node gives, by the package and by identity.c.

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { MODULE } from './bits-tests.js';
import { PROBLEMS, STEPS } from './expected-bits.js';

/**
 * Computes the problems in a process of its own.
 * @param {string[]} command  what runs Node
 * @param {'all' | 'few'} which  the problems; few leave out identity.c
 */
export async function bitsInNode(command, which) {
  const script = `import * as bits from ${JSON.stringify(new URL('bits.js', import.meta.url).href)};
    const [module] = process.argv.slice(1);
    const ofPackage = await bits.packageBits(${PROBLEMS[which]});
    const identity = ${which === 'all'} && (await bits.identityBits(module));
    const training = await bits.languageBits(${STEPS[which]});
    const { version, arch } = process;
    console.log(JSON.stringify({ version, arch, package: ofPackage, identity, training }));`;
  const [program, ...args] = [...command, '--input-type=module', '--eval', script, MODULE];
  const { stdout } = await promisify(execFile)(program, args);
  return JSON.parse(stdout);
}

/**
 * Runs a function in a separate process, where no module has been imported yet: for tests of
 * start-up, which happens once, and of engines that lack something.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const INDEX = new URL('../../../../web/attention/index.js', import.meta.url).href;
const ACTIVE = new URL('../../../../web/attention/kernel/active.js', import.meta.url).href;

const RELAXED_SIMD = new URL('../../../../web/build/relaxed-simd.js', import.meta.url).href;

/** @typedef {typeof import('../../../../web/attention/index.js')} Package */
/** @typedef {typeof import('../../../../web/attention/kernel/active.js')} Active */

/**
 * @template T
 * @param {(load: { index: () => Promise<Package>, active: () => Promise<Active>,
 *   relaxedSimd: () => Promise<unknown> }, argument: any) => Promise<T>} work self-contained: it is sent as text,
 *   its result comes back as JSON
 * @param {unknown} [argument] of the work, sent as JSON
 * @returns {Promise<T>}
 */
export async function isolated(work, argument = null) {
  const script = `
    const load = {
      index: () => import(${JSON.stringify(INDEX)}),
      active: () => import(${JSON.stringify(ACTIVE)}),
      relaxedSimd: () => import(${JSON.stringify(RELAXED_SIMD)}),
    };
    const print = process.stdout.write.bind(process.stdout);
    print(JSON.stringify(await (${work})(load, ${JSON.stringify(argument)})));`;
  const args = ['--input-type=module', '--eval', script];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return JSON.parse(stdout);
}

/**
 * Trainers as files (headed-file.js): the header holds the model's sizes, the options and the steps that are
 * done; parameters and both moments follow as float32. The windows of a step depend on the seed and its number,
 * so nothing else is needed to go on.
 */
import { reject } from '../attention/errors.js';
import { readInteger } from '../attention/options.js';
import { countOf } from '../attention/shape.js';
import { expectSize, openFile, pickConfig, startFile } from './headed-file.js';
import { mapParameters, parameterTotal, readConfig } from './model.js';

/**
 * @import { FileBytes } from './headed-file.js'
 * @import { Config } from './model.js'
 * @import { readSettings } from './trainer-options.js'
 */

const MAGIC = 'attn-tr1';
const FLOAT_BYTES = 4;

/**
 * Returns a trainer as a file.
 * @param {string} caller
 * @param {{ config: Config, settings: ReturnType<typeof readSettings>, done: number }} trainer
 * @param {Float32Array[]} arrays parameters, first and second moments
 * @returns {FileBytes}
 */
export function writeTrainer(caller, { config, settings, done }, arrays) {
  const { beta1, beta2, ...others } = settings;
  const header = { config, options: { betas: [beta1, beta2], ...others }, done };
  const size = FLOAT_BYTES * parameterTotal(config);
  const { bytes, start } = startFile(caller, MAGIC, header, arrays.length * size);
  arrays.forEach(({ buffer }, i) => bytes.set(new Uint8Array(buffer), start + i * size));
  return bytes;
}

/**
 * Reads a trainer from a file. Its options are still to be read.
 * @param {string} caller
 * @param {unknown} given
 */
export function readTrainer(caller, given) {
  const file = openFile(caller, given, MAGIC, "a trainer's save");
  const { header, view, start } = file;
  const config = readConfig(caller, pickConfig(caller, header.config));
  const done = readInteger(caller, 'done', header.done, 0);
  const size = FLOAT_BYTES * parameterTotal(config);
  expectSize(caller, file, 3 * size);
  const [all, first, second] = [0, 1, 2].map((i) => {
    const begin = view.byteOffset + start + i * size;
    return new Float32Array(view.buffer.slice(begin, begin + size));
  });
  const odd =
    second.find((x) => !(x >= 0 && x < Infinity)) ?? first.find((x) => !Number.isFinite(x));
  if (odd !== undefined) reject(caller, 'a moment', odd, 'a finite number, of squares at least 0');
  let place = 0;
  const parameters = mapParameters(config, (_, shape) => {
    const data = all.subarray(place, place + countOf(shape));
    place += data.length;
    return { data, shape };
  });
  return { model: { config, parameters }, options: header.options, done, first, second };
}

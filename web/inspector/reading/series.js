// A course of training: the attention of every step, in several files or in one. A step is read when it is
// asked for, and nobody here keeps it, so that a course may be larger than memory.

import { DTypeError, ShapeError, reject } from '../../attention/errors.js';
import { readOptions } from '../../attention/options.js';
import { readTensor } from '../../attention/read.js';
import { showShape } from '../../attention/shape.js';
import { isObject } from '../../shared/keys.js';
import { toAttention } from './attention.js';
import { asBytes, open, pick, readAttention } from './read.js';

/**
 * @import { Attention, GivenAttention } from './attention.js'
 * @import { FileArray, Opened } from './read.js'
 */

/**
 * The attention of one step of training.
 *
 * @typedef {object} AttentionStep
 * @property {number} step
 * @property {() => Promise<Attention>} read reads it, each time anew; rejects with an error of the package for
 *   what cannot be read, and for shapes that differ from those of the step that was read first
 */

/**
 * A file by its name: a `File`, or an object whose `arrayBuffer` reads it.
 *
 * @typedef {object} NamedFile
 * @property {string} name
 * @property {() => Promise<ArrayBuffer | Uint8Array>} arrayBuffer
 */

/**
 * What is given of a step: the same as of one attention, or a file, also a Blob.
 *
 * @typedef {GivenAttention & { file?: ArrayBuffer | Uint8Array | Pick<NamedFile, 'arrayBuffer'> }} GivenStep
 */

/** A step that knows what to call it in messages. @typedef {AttentionStep & { name: string }} NamedStep */

/** A number after the word: `step_100`, `global_step=100`; no time step. */
const STEP = /(?<![a-z])(?:global[\s._-]?)?steps?[\s._=-]*(\d{1,15})/i;
/** The words before the number of a step in the name of a file, the surest first. */
const COUNTERS = ['steps?', 'iter(?:ation)?s?', 'epochs?'].map(
  (word) =>
    new RegExp(`(?<![a-z])(?:global[\\s._-]?)?${word}[\\s._=-]*(\\d{1,15}[km]?(?![\\da-z]))`, 'i'),
);
/** A number, with decimals or without. */
const NUMBER = /\d+\.\d+|\d{1,15}(?:e\d{1,2}|[km])?(?![\da-z])/gi;
/** What a browser adds to the name of a file that is there already. */
const COPY = / \(\d+\)$/;
const ENDING = /\.[^.\d]\w*$/;
/** What may be one for all steps. */
const OF_ALL = /^(scale|(is_)?causal|(attn_|attention_?)?mask)$/i;
/** Weights [steps, layers, heads, n_q, n_k], or queries and keys. */
const MOST_AXES = 5;

/**
 * Opens a course of training: a file a step, or one file of all steps, in the formats of `readAttention`.
 *
 * The step of a file is the number in its name: that after the word `step`, `iter` or `epoch`, else the only one that
 * differs between the files and has no decimals, as in `attention-800.npz`; where names have none or share it, it is
 * the number `step` in the file. One file
 * has many steps where it has a list `steps` and its arrays a first axis as long; where the names of arrays have
 * steps, as in `step_100/query`; or where it is JSON with an object a step, `[{ "step": 0, "weights": … }, … ]`.
 *
 * Only what tells the steps apart is read now, and a step when its `read` is called; of several files nothing
 * stays in memory. Steps are exact up to 2²⁴.
 *
 * @param {readonly NamedFile[]} files in any order: `File`s of the browser, or `{ name, arrayBuffer }` of yours
 * @returns {Promise<AttentionStep[]>} in the order of their steps
 * @throws {DTypeError} for files without a step, for a step that is there twice, and as `readAttention`
 * @throws {ShapeError} for arrays whose first axis is not as long as `steps`
 * @throws {CapacityError} as `readAttention`
 * @example
 * const fileOf = (name, weights) => new File([JSON.stringify({ weights })], name);
 * const files = [fileOf('step-200.json', [[1, 0], [0, 1]]), fileOf('step-100.json', [[1, 0], [0.5, 0.5]])];
 * const series = await readSeries(files);
 * series.map(({ step }) => step); // [100, 200]
 * const { weights } = await series[0].read();
 * Array.from(weights.data); // [1, 0, 0.5, 0.5]
 */
export async function readSeries(files) {
  const caller = 'readSeries';
  if (!Array.isArray(files)) reject(caller, 'files', files, 'an array of files');
  const numbers = stepsOfNames(files.map((file, i) => nameOf(caller, file, i)));
  const isNamed = numbers.every((step) => step !== undefined);
  if (isNamed && files.length > 1 && new Set(numbers).size === files.length) {
    return inOrder(
      files.map((file, i) => {
        const { name } = file;
        const read = async () => readAttention(await bytesOf(caller, file), { name });
        return { step: Number(numbers[i]), name, read };
      }),
    );
  }
  /** @type {NamedStep[]} */
  const steps = [];
  for (const [i, file] of Object.entries(files)) {
    const { name } = file;
    const found = await openSteps(open(await bytesOf(caller, file), name), name);
    if (found.steps) steps.push(...found.steps);
    else steps.push({ step: stepFor(name, numbers[Number(i)]), name, read: found.read });
  }
  return inOrder(steps);
}

/**
 * Brings a course of training that is in memory to the form of `readSeries`.
 *
 * @param {readonly GivenStep[]} series of each step `step` and the same as for `toAttention`, or a `file`; in any
 *   order
 * @param {{ name?: string }} [options] name: what messages begin with
 * @returns {AttentionStep[]} in the order of their steps
 * @throws {DTypeError} for a step that is not a number or is there twice
 * @example
 * const weights = softmax(randomNormal([4, 6, 6], { seed: 1 }));
 * const [first] = toSeries([{ step: 0, weights }]);
 * const { weights: all } = await first.read();
 * all.shape; // [1, 4, 6, 6]
 */
export function toSeries(series, options) {
  readOptions('toSeries', options, ['name']);
  const { name: caller = 'toSeries' } = options ?? {};
  if (!Array.isArray(series)) reject(caller, 'series', series, 'an array with an object a step');
  return inOrder(
    series.map((/** @type {GivenStep} */ each, i) => {
      const name = `${caller}: series[${i}]`;
      if (!isObject(each)) reject(caller, `series[${i}]`, each, 'an object with a step');
      const [step] = readSteps(name, each.step);
      const read = async () =>
        each.file === undefined
          ? toAttention(each, { name })
          : readAttention(await bytesOf(caller, each.file), { name });
      return { step, name, read };
    }),
  );
}

/**
 * Reads a file: as a course where it has steps, else as one attention.
 * @param {Uint8Array | ArrayBuffer} bytes
 * @param {number} [text]  which of a batch
 * @returns {Promise<Attention | AttentionStep[]>}
 */
export async function readFile(bytes, text) {
  const name = 'the file'; // for messages
  const { steps, read } = await openSteps(open(asBytes('readFile', bytes), name), name);
  return steps ? inOrder(steps) : read(text);
}

/** Returns the name of a file. @param {string} caller @param {NamedFile} file @param {number} i */
const nameOf = (caller, file, i) =>
  typeof file?.name === 'string'
    ? file.name
    : reject(caller, `files[${i}]`, file, 'a File, or { name, arrayBuffer }');

/** Reads the bytes of a file. @param {string} caller @param {unknown} file */
async function bytesOf(caller, file) {
  const { arrayBuffer } = /** @type {Partial<NamedFile>} */ (Object(file));
  return asBytes(caller, arrayBuffer ? await arrayBuffer.call(file) : file);
}

/**
 * Returns the steps that the names of files give: the number after step, iter or epoch, else the only one that differs
 * between the files and has no decimals.
 * @param {readonly string[]} names
 * @returns {(number | undefined)[]}
 */
function stepsOfNames(names) {
  const bases = names.map((name) => name.replace(ENDING, '').replace(COPY, ''));
  for (const word of COUNTERS) {
    const steps = bases.map((base) => word.exec(base)?.[1]);
    if (steps.every((step) => step !== undefined)) return steps.map(valueOf);
  }
  const numbers = bases.map((base) => base.match(NUMBER) ?? []);
  const columns = numbers[0].map((_, i) => numbers.map((each) => each[i] ?? ''));
  const counts = columns.filter(
    (column) =>
      column.every((each) => !each.includes('.')) &&
      (names.length === 1 || new Set(column).size > 1),
  );
  if (counts.length === 1) return counts[0].map((each) => (each ? valueOf(each) : undefined));
  if (counts.length > 1 && names.length > 1) {
    throw new DTypeError(
      `${names[0]}, … differ in ${counts.length} numbers, expected one, or the step after the word, as in step-800`,
    );
  }
  return names.map(() => undefined);
}

/** Returns the value of a number in a name, as `800`, `1k` or `1e3`. @param {string | undefined} text */
const valueOf = (text = '') =>
  Number(text.replace(/[km]$/i, (unit) => (unit.toLowerCase() === 'k' ? 'e3' : 'e6')));

/** Expects that a file has a step. @param {string} name @param {number | undefined} step */
function stepFor(name, step) {
  if (step !== undefined) return step;
  throw new DTypeError(
    `${name} has no step, expected a number in its name, as in attention-800.npz, or an array step`,
  );
}

/**
 * Orders steps, and holds them to one shape.
 * @param {readonly NamedStep[]} steps
 * @returns {AttentionStep[]}
 */
function inOrder(steps) {
  const expectShape = oneShape();
  const ordered = [...steps].sort((a, b) => a.step - b.step);
  ordered.forEach(({ step, name }, i) => {
    if (ordered[i - 1]?.step !== step) return;
    throw new DTypeError(
      `${name} is of step ${step}, as is ${ordered[i - 1].name}, expected each step once`,
    );
  });
  return ordered.map(({ step, name, read }) => ({
    step,
    read: async () => expectShape({ step, name }, await read()),
  }));
}

/**
 * Returns a function that returns the attention of a step, and throws a ShapeError where its shapes are not those of
 * the attention that it received first.
 */
export function oneShape() {
  /** @type {{ step: number, shape: string } | undefined} */
  let first;
  /** @type {<Any extends Attention>(from: { step: number, name: string }, attention: Any) => Any} */
  return ({ step, name }, attention) => {
    const shape = shapeOf(attention);
    first ??= { step, shape };
    if (shape === first.shape) return attention;
    throw new ShapeError(`${name}: ${shape}, expected ${first.shape} as of step ${first.step}`);
  };
}

/** Writes the shapes of attention. @param {Attention} attention */
const shapeOf = ({ weights, query, key }) =>
  Object.entries({ weights, query, key })
    .flatMap(([name, array]) => (array ? [`${name} is ${showShape(array.shape)}`] : []))
    .join(' and ');

/**
 * Reads numbers of steps: one, or a list.
 * @param {string} name  for messages
 * @param {unknown} given
 * @returns {number[]}
 */
function readSteps(name, given) {
  const single = typeof given === 'string' ? Number(given) : given;
  const steps = typeof single === 'number' ? [single] : [...readTensor(name, 'step', single).data];
  const isRight = steps.length > 0 && steps.every(Number.isFinite);
  return isRight ? steps : reject(name, 'step', given, 'a number, or one a step');
}

/**
 * Finds the steps of a file.
 * @param {Opened} opened
 * @param {string} name
 * @returns {Promise<{ steps?: NamedStep[], read: (text?: number) => Promise<Attention> }>} read: all of the file, where
 *   it has no steps
 */
async function openSteps({ arrays, extras, series }, name) {
  /** @type {(some: readonly FileArray[]) => (text?: number) => Promise<Attention>} */
  const readOf = (some) => async (text) =>
    toAttention({ ...extras, ...(await pick(some, name)) }, { name, text });
  const read = readOf(arrays);
  if (series) {
    const steps = toSeries(/** @type {GivenStep[]} */ (series), { name });
    return { steps: steps.map((each) => ({ ...each, name })), read };
  }
  const groups = byStep(arrays, name);
  if (groups.size > 0) {
    const steps = [...groups].map(([step, some]) => ({ step, name, read: readOf(some) }));
    return { steps, read };
  }
  const [array] = arrays.filter((each) => /^steps?$/.test(each.name));
  const given = array ? await array.read() : extras?.step;
  if (given === undefined) return { read };
  const numbers = readSteps(name, given);
  const held = arrays.filter((each) => each !== array).map(once);
  const steps = numbers.map((step, i) => {
    const some = held.map((each) => ({
      name: each.name,
      read: async () => entryOf(name, each.name, await each.read(), { i, count: numbers.length }),
    }));
    return { step, name, read: readOf(some) };
  });
  return { steps, read };
}

/** Returns an array that is read once. @param {FileArray} array @returns {FileArray} */
function once({ name, read }) {
  /** @type {ReturnType<FileArray['read']> | undefined} */
  let held;
  return { name, read: () => (held ??= read()) };
}

/**
 * Groups arrays by the step in their names. Each group has the arrays without a step, too.
 * @param {readonly FileArray[]} arrays
 * @param {string} file
 */
function byStep(arrays, file) {
  /** @type {Map<number, FileArray[]>} */
  const groups = new Map();
  const common = arrays.filter(({ name }) => !STEP.test(name));
  for (const { name, read } of arrays) {
    const digits = STEP.exec(name)?.[1];
    if (digits === undefined) continue;
    const step = Number(digits);
    const rest = name.replace(STEP, '').replace(/^[\s._/-]+|[\s._/-]+$/g, '') || 'weights';
    const group = groups.get(step) ?? [...common];
    groups.set(step, group);
    if (group.some((each) => each.name === rest)) {
      throw new DTypeError(`${file} has ${rest} of step ${step} twice, expected it once`);
    }
    group.push({ name: rest, read });
  }
  return groups;
}

/**
 * Returns the entry of a step, of an array whose first axis counts them; tokens are those of all steps, and so
 * are a scale, causal and a mask that have no entry a step.
 * @param {string} file
 * @param {string} name
 * @param {any} array  nested, or numbers with a shape
 * @param {{ i: number, count: number }} place
 * @returns {any}
 */
function entryOf(file, name, array, { i, count }) {
  if (/tokens$/i.test(name) || typeof array !== 'object') return array;
  const shape = array.shape ?? array.dims;
  const [length, axes] = Array.isArray(array) ? [array.length, 0] : [shape?.[0], shape?.length];
  const isMask = /mask$/i.test(name) && !(axes >= MOST_AXES); // whose first axis counts queries, heads or layers
  const isOfAll = OF_ALL.test(name) && (isMask || length !== count);
  if (isOfAll || (count === 1 && !(axes >= MOST_AXES))) return array;
  if (length !== count) {
    throw new ShapeError(
      `${file}: ${name} has ${length} entries on its first axis, expected ${count}, one a step`,
    );
  }
  if (Array.isArray(array)) return array[i];
  const { data } = array;
  const size = data.length / count;
  const ends = [i * size, (i + 1) * size];
  return { data: data.subarray?.(...ends) ?? data.slice(...ends), shape: shape.slice(1) };
}

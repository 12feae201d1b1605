// The state of a figure: fields that parse untrusted text, and the versioned hash that shares them.

import { times } from '../../../shared/times.js';

/** The longest texts to read as a field or a hash; longer ones are refused. */
const LONGEST_VALUE = 64;
const LONGEST_HASH = 2048;
export const HASH_VERSION = '1';
export const LARGEST_SEED = 999_999;

/**
 * Whether the engine has no WebAssembly, and so probably no compiler, as in a browser set to safety
 * over speed. It takes a hundred times as long, so figures begin with smaller samples.
 */
export const isInterpreted = typeof WebAssembly === 'undefined';

/**
 * The value of each field, by property name.
 * @typedef {Record<string, any>} State
 */

/**
 * @template [V=any]
 * @typedef {object} Field
 * @property {'number' | 'choice' | 'list' | 'picture'} kind  picture: the picture itself is its control
 * @property {V} initial
 * @property {(value: unknown) => V | undefined} parse  returns undefined for a value that cannot be read
 * @property {number} [min]
 * @property {number} [max]
 * @property {number} [step]
 * @property {readonly V[]} [options]
 * @property {boolean} [buttons]  options stand side by side instead of in a list
 * @property {Record<string, State>} [presets]  other fields that choosing an option sets too
 * @property {State} [also]  other fields that any change of this one sets too
 * @property {boolean} [slider]  false: a number field alone
 * @property {number} [size]  of a text field, in characters
 * @property {number} [lines]  of a text field, if more than one
 * @property {boolean} [isPrivate]  stays out of links and code: what a reader pastes
 */

/** @typedef {Record<string, Field>} Fields */

/**
 * The state that some fields describe.
 * @template {Fields} F
 * @typedef {{ [K in keyof F]: F[K]['initial'] }} StateOf
 */

/**
 * Returns a value as a short text, in which the full-width digits and signs of Chinese keyboards become the usual ones.
 * @param {unknown} value
 * @returns {string} the empty string unless the value is a number or a short text
 */
function shortText(value) {
  if (typeof value !== 'string' && typeof value !== 'number') return '';
  const text = String(value).normalize('NFKC').trim();
  return text.length <= LONGEST_VALUE ? text : '';
}

/**
 * Makes a field of a number between min and max on a grid of `step`; values outside are clamped.
 * @param {{ initial: number, min: number, max: number, step?: number, slider?: boolean, also?: State }} options
 * @returns {Field<number>}
 */
export function numberField({ initial, min, max, step = 1, slider = true, also }) {
  /** @param {unknown} value */
  const parse = (value) => {
    const text = shortText(value);
    const number = Number(text);
    if (text === '' || Number.isNaN(number)) return undefined;
    const clamped = Math.min(max, Math.max(min, number));
    const snapped = min + Math.round((clamped - min) / step) * step;
    return Number(Math.min(max, snapped).toFixed(6));
  };
  return { kind: 'number', initial, min, max, step, slider, also, parse };
}

/** Makes the field of the seed of random numbers. @param {number} initial */
export const seedField = (initial) =>
  numberField({ initial, min: 0, max: LARGEST_SEED, slider: false });

/**
 * Makes the field of the number of queries in the sample.
 * @param {{ initial: number, interpreted: number, max: number }} options  interpreted: the initial
 *   number where there is no compiler
 */
export const queriesField = ({ initial, interpreted, max }) =>
  numberField({
    initial: isInterpreted ? interpreted : initial,
    min: 16,
    max,
    step: 16,
    slider: false,
  });

/**
 * Makes a field of one of a list of names.
 * @template {string} Option
 * @param {{ initial: NoInfer<Option>, options: readonly Option[], buttons?: boolean,
 *   presets?: Record<string, State> }} options
 * @returns {Field<Option>}
 */
export function choiceField({ initial, options, buttons, presets }) {
  /** @param {unknown} value */
  const parse = (value) => {
    const text = shortText(value);
    return options.find((option) => option === text);
  };
  return { kind: 'choice', initial, options, buttons, presets, parse };
}

/**
 * Makes a field of a few numbers, written with commas; each is clamped.
 * @param {{ initial: string, min: number, max: number, most: number, also?: State }} options
 *   most: the largest count of numbers
 * @returns {Field<string>}
 */
export function listField({ initial, min, max, most, also }) {
  /** @param {unknown} value */
  const parse = (value) => {
    const parts = shortText(value)
      .split(/[,，、;\s]+/)
      .filter(Boolean);
    const numbers = parts.map((part) => Number(part.replace('−', '-')));
    if (numbers.length < 2 || numbers.length > most || numbers.some(Number.isNaN)) return undefined;
    return numbers.map((number) => Math.min(max, Math.max(min, number))).join(', ');
  };
  return { kind: 'list', initial, also, parse };
}

/**
 * Makes a field of a text that the reader writes; it may be empty.
 * @param {{ longest: number }} options  longest: in characters; a longer text is refused
 * @returns {Field<string>}
 */
export function textField({ longest }) {
  /** @param {unknown} value */
  const parse = (value) =>
    typeof value === 'string' && value.length <= longest
      ? value.replace(/\s+/g, ' ').trim()
      : undefined;
  return { kind: 'list', initial: '', size: 48, parse };
}

/**
 * Makes a field of a long text that the reader pastes; it stays out of links.
 * @param {{ longest: number }} options  longest: in characters; a longer text is refused
 * @returns {Field<string>}
 */
export function pasteField({ longest }) {
  /** @param {unknown} value */
  const parse = (value) =>
    typeof value === 'string' && value.length <= longest ? value : undefined;
  return { kind: 'list', initial: '', lines: 3, isPrivate: true, parse };
}

/** Returns the keys of the fields that links contain. @param {Fields} fields */
export const sharedKeys = (fields) => Object.keys(fields).filter((key) => !fields[key].isPrivate);

/** Longest text of a matrix. */
const LONGEST_MATRIX = 400;

/**
 * Makes a field of a matrix that the reader edits in the picture, as text: its numbers, row by row,
 * rounded to a hundredth.
 * @param {{ initial: string, count: number, largest: number, also?: State }} options  count: of numbers;
 *   largest: the largest magnitude. The empty text is allowed where it is the initial one.
 * @returns {Field<string>}
 */
export function matrixField({ initial, count, largest, also }) {
  /** @param {unknown} raw */
  const parse = (raw) => {
    if (typeof raw !== 'string' || raw.length > LONGEST_MATRIX) return undefined;
    if (raw.trim() === '' && initial === '') return '';
    const parts = raw.trim().split(/[\s,;]+/);
    const numbers = parts.map((part) => (part ? Number(part) : NaN));
    if (numbers.length !== count || numbers.some(Number.isNaN)) return undefined;
    return numbers
      .map((number) => Math.min(largest, Math.max(-largest, number)))
      .map((number) => Math.round(100 * number) / 100)
      .join(' ');
  };
  return { kind: 'picture', initial, also, parse };
}

/** Returns the matrix that the text of a matrix field holds. @param {string} written  @param {number} columns */
export function matrixOf(written, columns) {
  const numbers = written.split(' ').map(Number);
  return times(numbers.length / columns, (row) =>
    numbers.slice(row * columns, (row + 1) * columns),
  );
}

/**
 * Returns the initial value of each field.
 * @template {Fields} F
 * @param {F} fields
 * @returns {StateOf<F>}
 */
export const initialState = (fields) =>
  /** @type {any} */ (
    Object.fromEntries(Object.entries(fields).map(([key, { initial }]) => [key, initial]))
  );

/** Returns the attribute of a property. @param {string} key @returns {string} `dK` becomes `d-k` */
export const attributeName = (key) => key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/**
 * Reads the values of fields; a field without a readable value keeps its initial one.
 * @param {Fields} fields
 * @param {(attribute: string, key: string) => unknown} read  returns null or undefined for a missing value
 * @returns {{ state: State, ignored: string[] }} `ignored` lists the attributes that could not be read
 */
export function readState(fields, read) {
  /** @type {State} */
  const state = initialState(fields);
  /** @type {string[]} */
  const ignored = [];
  for (const [key, field] of Object.entries(fields)) {
    const raw = read(attributeName(key), key);
    if (raw === null || raw === undefined) continue;
    const value = field.parse(raw);
    if (value === undefined) ignored.push(attributeName(key));
    else state[key] = value;
  }
  return { state, ignored };
}

/**
 * Writes the hash, without '#', that shares a state.
 * @param {string} figure  key of the figure on its page: its id, or its name and place
 * @param {Fields} fields
 * @param {State} state
 */
export function writeHash(figure, fields, state) {
  const query = new URLSearchParams({ attn: HASH_VERSION, figure });
  for (const key of sharedKeys(fields)) query.set(attributeName(key), String(state[key]));
  return query.toString();
}

/**
 * Reads the part of a hash that is about one figure.
 * @param {string} hash  as in `location.hash`
 * @param {string} figure
 * @param {Fields} fields
 * @returns {{ state: State, ignored: string[] } | undefined} undefined where the hash is about something else
 */
export function readHash(hash, figure, fields) {
  if (!hash.startsWith('#attn=')) return undefined;
  const query = new URLSearchParams(hash.slice(1, LONGEST_HASH));
  if (query.get('figure') !== figure) return undefined;
  if (hash.length > LONGEST_HASH || query.get('attn') !== HASH_VERSION) {
    return { state: initialState(fields), ignored: ['attn'] };
  }
  return readState(fields, (attribute) => query.get(attribute));
}

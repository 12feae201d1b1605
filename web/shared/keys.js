/**
 * Returns the names of an object's own properties, with their types.
 * @type {<T extends object>(object: T) => `${Extract<keyof T, string | number>}`[]}
 */
export const keysOf = Object.keys;

/**
 * Returns the names and values of an object's own properties, with their types.
 * @type {<T extends object>(object: T) => [`${Extract<keyof T, string | number>}`, T[keyof T]][]}
 */
export const entriesOf = Object.entries;

/** Returns whether a value is an object. @param {unknown} value @returns {value is Record<string, unknown>} */
export const isObject = (value) => typeof value === 'object' && value !== null;

/**
 * Returns an object with a value for each key.
 * @template {string} Key, Value
 * @param {readonly Key[]} keys
 * @param {(key: Key) => Value} valueOf
 * @returns {Record<Key, Value>}
 */
export function recordOf(keys, valueOf) {
  /** @type {any} */
  const record = {};
  for (const key of keys) record[key] = valueOf(key);
  return record;
}

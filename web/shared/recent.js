/**
 * Returns a function like `make` that remembers its results for the inputs used last.
 * @template {readonly (number | boolean)[]} Inputs
 * @template Value
 * @param {number} most the number of results to remember
 * @param {(...inputs: Inputs) => Value} make
 * @returns {(...inputs: Inputs) => Value}
 */
export function recent(most, make) {
  /** @type {Map<string, Value>} most recently used last */
  const known = new Map();
  return (...inputs) => {
    const key = inputs.join();
    const value = known.get(key) ?? make(...inputs);
    known.delete(key);
    known.set(key, value);
    const [oldest] = known.keys();
    if (known.size > most) known.delete(oldest);
    return value;
  };
}

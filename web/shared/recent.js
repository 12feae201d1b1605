/**
 * Returns a function like `make` that remembers its results for the keys used last.
 * @template K, V
 * @param {number} most the number of keys to remember
 * @param {(key: K) => V} make
 * @returns {(key: K) => V}
 */
export function recent(most, make) {
  /** @type {Map<K, V>} most recently used last */
  const known = new Map();
  return (key) => {
    const value = known.get(key) ?? make(key);
    known.delete(key);
    known.set(key, value);
    if (known.size > most) known.delete(/** @type {K} */ (known.keys().next().value));
    return value;
  };
}

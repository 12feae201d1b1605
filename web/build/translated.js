// What bundles say in place of a translation (translations.js).

/**
 * An object like `original` with other texts, in its order; where one is empty, the original's.
 * @template T
 * @param {T} original
 * @param {string} texts  with tildes between
 * @returns {T}
 */
export function translated(original, texts) {
  const left = texts.split('~');
  /** @param {any} one  @returns {any} */
  const next = (one) => {
    if (typeof one === 'string') return left.shift() || one;
    if (Array.isArray(one)) return one.map(next);
    return Object.fromEntries(Object.entries(one).map(([key, value]) => [key, next(value)]));
  };
  return next(original);
}

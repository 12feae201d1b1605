/** Finds the name that was meant by a misspelt one. */

/** Returns a name without case and separators: `d_model` is `dModel`. @param {string} name */
const plain = (name) => name.toLowerCase().replace(/[\s_-]/g, '');

/**
 * Returns the known name that differs from another by case, separators or a few letters, if there is one.
 * @template {string} T
 * @param {string} name
 * @param {readonly T[]} known
 * @returns {T | undefined}
 */
export function nearest(name, known) {
  const most = Math.floor(name.length / 4) + (name.length > 2 ? 1 : 0);
  const distances = known.map((each) => distance(plain(name).slice(0, 40), plain(each)));
  const least = Math.min(...distances);
  return least < Math.min(most + 1, name.length) ? known[distances.indexOf(least)] : undefined;
}

/**
 * Returns how many letters one has to add, leave out, replace or exchange with the next to turn a word into another
 * (Damerau, "A technique for computer detection and correction of spelling errors", 1964).
 * @param {string} a
 * @param {string} b
 */
function distance(a, b) {
  /** @type {number[][]} */
  const rows = [[...b, ''].map((_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    rows[i] = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = rows[i - 1][j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1);
      rows[i][j] = Math.min(replaced, rows[i - 1][j] + 1, rows[i][j - 1] + 1);
      const isExchange = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isExchange) rows[i][j] = Math.min(rows[i][j], rows[i - 2][j - 2] + 1);
    }
  }
  return rows[a.length][b.length];
}

// Writes a value on one line, as a console does, for the output of an example.

/** Returns the shortest decimal that is this float32 number. @param {number} x @returns {string} */
function showFloat32(x) {
  for (let digits = 1; digits < 9; digits++) {
    const short = Number(x.toPrecision(digits));
    if (Math.fround(short) === x) return String(short);
  }
  return String(Number(x.toPrecision(9)));
}

/** Writes a value on one line. @param {unknown} value @returns {string} */
export function showValue(value) {
  if (value instanceof Float32Array) {
    return `Float32Array [${[...value].map(showFloat32).join(', ')}]`;
  }
  if (Array.isArray(value)) return `[${value.map(showValue).join(', ')}]`;
  if (typeof value === 'string') return `'${value}'`;
  if (typeof value !== 'object' || value === null) return String(value);
  const entries = Object.entries(value).map(([name, each]) => `${name}: ${showValue(each)}`);
  return `{ ${entries.join(', ')} }`;
}

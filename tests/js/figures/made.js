/**
 * How many 32-bit numbers are made meanwhile.
 * @param {() => void} work
 * @returns {number}
 */
export function made(work) {
  const real = Float32Array;
  let count = 0;
  globalThis.Float32Array = new Proxy(real, {
    construct(target, args) {
      const array = Reflect.construct(target, args);
      if (!(args[0] instanceof ArrayBuffer)) count += array.length; // a view makes none
      return array;
    },
  });
  try {
    work();
  } finally {
    globalThis.Float32Array = real;
  }
  return count;
}

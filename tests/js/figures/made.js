/**
 * Counts the 32-bit numbers that a function makes by the constructor and by `map`.
 * @param {() => void} work
 */
export function made(work) {
  const real = Float32Array;
  const { map } = real.prototype;
  let count = 0;
  globalThis.Float32Array = new Proxy(real, {
    construct(target, args) {
      const array = Reflect.construct(target, args);
      if (!(args[0] instanceof ArrayBuffer)) count += array.length; // a view makes none
      return array;
    },
  });
  real.prototype.map = /** @this {Float32Array} @param {Parameters<typeof map>} args */ function (
    ...args
  ) {
    count += this.length;
    return map.apply(this, args);
  };
  try {
    work();
  } finally {
    globalThis.Float32Array = real;
    Reflect.deleteProperty(real.prototype, 'map');
  }
  return count;
}

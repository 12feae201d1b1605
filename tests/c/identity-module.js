// The hashes of identity.c by one of its WebAssembly modules or its translation to JavaScript: in
// Node, or unbundled in a page.

/** How many shapes of each group of functions: fewer in plain JavaScript, which is slow. */
export const SHAPES = { simd: 1000, plain: 90 };

const MEMORY_BYTES = 1 << 22;

/**
 * @param {any} exports  of a new instance, its memory among them
 * @param {number} shapes
 * @returns {string[]} one hash a group
 */
export function moduleHashes(exports, shapes) {
  const hash = Math.ceil(exports.__heap_base.value / 64) * 64;
  exports.memory.grow(Math.ceil((MEMORY_BYTES + 128) / 65536));
  return Array.from({ length: exports.identity_groups() }, (_, group) => {
    const done = exports.identity_hash(group, shapes, hash, hash + 64, MEMORY_BYTES);
    if (done !== 1) throw new Error(`group ${group} was not computed`);
    const [low, high] = new Uint32Array(exports.memory.buffer, hash, 2);
    return [high, low].map((word) => word.toString(16).padStart(8, '0')).join('');
  });
}

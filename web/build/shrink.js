// Build step: what readers download is made smaller than Vite alone makes it.

import { minify } from 'terser';
import { shortNames } from './names.js';

/** For Rolldown: as small as it can, with the names of the source, which are shortened last. */
export const UNNAMED = { compress: true, mangle: false, codegen: true };

/** Our own code has no getters with effects, and no functions that are asked how many arguments they take.
 * @type {import('terser').CompressOptions} */
const COMPRESS = {
  ecma: 2020,
  passes: 3,
  unsafe_arrows: true,
  pure_getters: true,
  keep_fargs: false,
};

/** @param {string} code  of ours */
async function shrunk(code) {
  const options = { module: true, mangle: false, compress: COMPRESS };
  const { code: compressed = code } = await minify(code, options);
  return shortNames(compressed);
}

/** @param {string} code  generated */
async function renamed(code) {
  const { code: short = code } = await minify(code, { module: true, compress: false });
  return short;
}

/**
 * A plugin: 3 % less, compressed, by terser after Rolldown and by names that repeat (names.js). It takes
 * seconds, and so serves what has to be smallest: the bundle of every figure, and the article.
 */
export const shrink = /** @type {import('vite').Plugin} */ ({
  name: 'shrink',
  generateBundle: {
    order: 'post',
    async handler(_, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk') continue;
        const isKernel = chunk.moduleIds.every((id) => id.includes('/kernel/generated/'));
        chunk.code = await (isKernel ? renamed : shrunk)(chunk.code);
      }
    },
  },
});

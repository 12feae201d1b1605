// Bundles imports of the package as a user's bundler does, to measure them.
import { resolve } from 'node:path';
import { build } from 'esbuild';

/** What the README measures, by name. */
const IMPORTS = {
  rows: "export { rows } from 'attention-lab';",
  tensor: "export { tensor } from 'attention-lab';",
  describe: "export { describe } from 'attention-lab';",
  parameterCount: "export { parameterCount } from 'attention-lab';",
  softmax: "export { softmax } from 'attention-lab';",
  attention: "export { attention } from 'attention-lab';",
  everything: "export * from 'attention-lab';",
  createPool: "export { createPool } from 'attention-lab/parallel';",
};

/** @typedef {keyof typeof IMPORTS} Import */

/**
 * Bundles an import, and returns the file that a page loads at once; kernels for other engines and workers are
 * further files.
 * @param {Import} name
 * @returns {Promise<string>} its path
 */
export async function bundled(name) {
  const outdir = `build/imports/${name}`;
  await build({
    stdin: { contents: IMPORTS[name], resolveDir: '.', sourcefile: 'import.js' },
    outdir,
    bundle: true,
    minify: true,
    splitting: true,
    format: 'esm',
    logLevel: 'error',
    alias: {
      'attention-lab/parallel': resolve('dist/npm/parallel/index.js'),
      'attention-lab': resolve('dist/npm/attention/index.js'),
    },
  });
  return `${outdir}/stdin.js`;
}

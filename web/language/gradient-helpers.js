/** Other workers of a training, which compute parts of its gradients. */
import { startApart } from '../parallel/apart.js';
import { computeGradient, loadText } from './forward.js';
import { loadConfig, parameterTotal } from './model.js';
import { openOwn } from './module.js';

/**
 * @import { Block } from '../attention/heads.js'
 * @import { Kernel } from '../attention/kernel/kernel.js'
 * @import { Config } from './model.js'
 * @import { Part, PartGradient } from './gradient-parts.js'
 */

/**
 * @typedef {object} Helper
 * @property {() => boolean} isReady whether it has started, and has not failed since
 * @property {(parameters: Float32Array, parts: Part[]) => Promise<PartGradient[]>} differentiate
 * @property {() => void} end
 */

/**
 * Starts helpers, which are ready some time later: as many as may start here, none where workers are forbidden.
 * @param {number} count
 * @param {string} text of their worker
 * @param {{ kernel: object, config: Config }} first what each receives first
 * @returns {Helper[]}
 */
export function startHelpers(count, text, first) {
  /** @type {Helper[]} */
  const helpers = [];
  try {
    while (helpers.length < count) helpers.push(startHelper(text, first));
  } catch {
    // Those that have started help.
  }
  return helpers;
}

/** Starts a helper. @param {string} text @param {object} first @returns {Helper} */
function startHelper(text, first) {
  const worker = startApart(text);
  let isReady = false;
  const end = () => (isReady = false);
  worker.ask(first).then(() => (isReady = true), end);
  const differentiate = (/** @type {Float32Array} */ parameters, /** @type {Part[]} */ parts) => {
    const answer = worker.ask({ parameters, parts });
    answer.catch(end);
    return answer;
  };
  return { isReady: () => isReady, differentiate, end: worker.end };
}

/**
 * Makes the function of a helper, inside its worker.
 * @param {Config} sizes
 * @returns {Helper['differentiate']}
 */
export function helperOf(sizes) {
  const kernel = openOwn('trainApart');
  const count = parameterTotal(sizes);
  const config = loadConfig(kernel, sizes);
  const [block, gradients] = [kernel.floats(count), kernel.floats(count)];
  return async (parameters, parts) => {
    kernel.write(block, parameters);
    return parts.map((part) =>
      kernel.run('trainApart', () =>
        differentiate(kernel, { config, parameters: block, gradients, count }, part),
      ),
    );
  };
}

/**
 * Computes the gradient of a part.
 * @param {Kernel} kernel
 * @param {{ config: Block, parameters: Block, gradients: Block, count: number }} place
 * @param {Part} part
 * @returns {PartGradient}
 */
export function differentiate(
  kernel,
  { config, parameters, gradients, count },
  { texts, targets },
) {
  const text = loadText(kernel, texts, targets);
  const loss = computeGradient(kernel, config, parameters, text, gradients);
  const own = new Float32Array(count);
  kernel.read(gradients, own);
  return { loss, gradients: own };
}

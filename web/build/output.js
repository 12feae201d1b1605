// What Vite gives for a configuration.
import { build } from 'vite';

/** @import { InlineConfig, Rolldown } from 'vite' */

/**
 * Returns the output of a build.
 * @param {InlineConfig} configuration
 * @returns {Promise<Rolldown.RolldownOutput['output']>}
 */
export async function outputOf(configuration) {
  const built = await build(configuration);
  const [{ output }] = /** @type {Rolldown.RolldownOutput[]} */ ([built].flat());
  return output;
}

/**
 * Returns a bundle of one file without text that would end its script element or change how it is
 * parsed.
 * @param {InlineConfig} configuration
 */
export async function inlineScript(configuration) {
  const [{ code }] = await outputOf(configuration);
  return code.trim().replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--');
}

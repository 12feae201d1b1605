// Where the examples of the page print: into the page. The build gives each example this console in
// place of the browser's, so that the printed source runs unchanged here, in Node, and anywhere else.
import { init } from 'attention-lab';

// Engines that refuse to compile the kernel in the middle of a call have it ready this way.
await init();

/**
 * A console whose `log` fills the output box of one example.
 * @param {string} name the example
 */
export function consoleOf(name) {
  const box = document.querySelector(`[data-output-of="${name}"] samp`);
  /** @type {string[]} */
  const lines = [];
  return {
    log(/** @type {(string | number)[]} */ ...values) {
      lines.push(values.join(' '));
      if (box) box.textContent = lines.join('\n');
    },
  };
}

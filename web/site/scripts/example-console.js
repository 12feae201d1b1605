// Lets the examples print into the page. Their source is that of the page, and runs unchanged here,
// in Node and anywhere else.
import { init } from 'attention-lab';

// Some engines refuse to compile the kernel in the middle of a call, so it is started before.
await init();

/** Makes a console whose `log` fills the output box of one example. @param {string} name the example */
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

/**
 * Runs an example of the page; its `console.log` fills its output box.
 * @param {string} name
 * @param {() => Promise<unknown>} run
 */
export async function runExample(name, run) {
  const { log } = console;
  console.log = consoleOf(name).log;
  try {
    await run();
  } finally {
    console.log = log;
  }
}

// The script of the reference: runs each example and writes its output below it. Without it the page
// shows the output of the build.
import { init } from 'attention-lab';
import { consoleOf } from './example-console.js';
import { linkOtherLanguages } from './other-language.js';
import { examples } from './reference-examples.js';
import { showValue } from './show-value.js';

linkOtherLanguages();
const backend = await init();

for (const [name, run] of Object.entries(examples)) {
  const { log } = consoleOf(name);
  try {
    await init({ backend }); // an example may have chosen another one
    await run((value) => log(showValue(value)));
  } catch (error) {
    log(String(error));
  }
  document.querySelector(`[data-output-of="${name}"]`)?.classList.add('computed');
}

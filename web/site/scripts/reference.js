// The script of the reference: runs each example and writes its output below it. Without it the page
// shows the output of the build.
import { init } from 'attention-lab';
import { consoleOf } from './example-console.js';
import { startLookUp } from './look-up.js';
import { examples } from './reference-examples.js';
import { showValue } from './show-value.js';

startLookUp();
const backend = await init();

for (const [name, run] of Object.entries(examples)) {
  const box = document.querySelector(`[data-output-of="${name}"]`);
  if (!box) continue; // it stands on the other page of the reference
  const { log } = consoleOf(name);
  try {
    await init({ backend }); // an example may have chosen another one
    await run((value) => log(showValue(value)));
  } catch (error) {
    log(String(error));
  }
  box.classList.add('computed');
}

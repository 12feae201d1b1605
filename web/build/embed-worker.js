// Build step: bundles the workers of pools, of long experiments and of the language model, each as the text of
// a classic script, without a kernel, whose module each worker receives.
//   node web/build/embed-worker.js
// writes  web/ROOM/generated/worker.js
import { worker } from './bundles.js';
import { outputOf, writeTexts } from './output.js';
import { at } from './vite.config.js';

for (const room of ['language', 'experiments', 'parallel']) {
  const [{ code }] = await outputOf(worker(room));
  writeTexts(at(`${room}/generated/worker.js`), { text: code });
}

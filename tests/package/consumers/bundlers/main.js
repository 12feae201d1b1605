import 'attention-lab/define';
import { init } from 'attention-lab';
import { answer } from './answer.js';

document.querySelector('output').textContent = answer();

// That kernel comes in a separate file, which the bundler has to make and find again.
globalThis.answerWithoutWebAssembly = async () => {
  await init({ backend: 'js' });
  return answer();
};

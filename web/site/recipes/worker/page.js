import { errorFrom } from 'attention-lab';

const worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
const waiting = [];

worker.addEventListener('message', ({ data: { id, output, error } }) => {
  const { resolve, reject } = waiting[id];
  delete waiting[id];
  if (error) reject(errorFrom(error));
  else resolve(output);
});

/** Takes what `attention` takes, without holding up the page. */
export const attentionInWorker = (...inputs) =>
  new Promise((resolve, reject) => {
    const id = waiting.push({ resolve, reject }) - 1;
    worker.postMessage({ id, inputs });
  });

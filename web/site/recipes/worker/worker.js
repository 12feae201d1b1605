import { attention } from 'attention-lab';

addEventListener('message', ({ data: { id, inputs } }) => {
  try {
    const { output } = attention(...inputs);
    postMessage({ id, output }, [output.data.buffer]);
  } catch ({ name, code, message }) {
    postMessage({ id, error: { name, code, message } });
  }
});

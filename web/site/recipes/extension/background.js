import { attention } from './js.js'; // a copy; bundlers know 'attention-lab/js'

addEventListener('message', ({ data: { query, key, value }, ports: [port] }) => {
  port.postMessage(attention(query, key, value).output.data);
});

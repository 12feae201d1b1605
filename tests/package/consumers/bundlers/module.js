// The kernel's module as a separate file, compiled while it loads.
import 'attention-lab/define';
import { init } from 'attention-lab';
import url from 'attention-lab/kernel.wasm?url';
import { answer } from './answer.js';

await init({ module: await WebAssembly.compileStreaming(fetch(url)) });
document.querySelector('output').textContent = answer();

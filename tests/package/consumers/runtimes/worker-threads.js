// In a worker of Node.
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { answer } from './answer.js';

if (isMainThread) new Worker(new URL(import.meta.url)).on('message', console.log);
else parentPort.postMessage(answer());

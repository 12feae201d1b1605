// In a worker, of the kind that browsers, Deno and Bun have.
import { answer } from './answer.js';

self.postMessage(answer());

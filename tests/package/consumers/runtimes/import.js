// In the main thread.
import { answer } from './answer.js';

console.log(answer());
